// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/kalman/track_state.hpp>
#include <trackplex/search/layer_hits.hpp>

#include <cstdint>
#include <string>
#include <vector>

namespace trackplex::seeding {

/// Simulated particle at its production vertex.
struct TrueParticle {
  /// State at the vertex: x, y, z (cm), 1/pT (1/GeV), phi, theta (rad).
  kalman::Parameters<double> start;
  int charge = 0;  ///< in units of the elementary charge
};

/// Events of a detector of layers on the host, with the truth if it is known, read from a file
/// or generated.
struct TrackingEvents {
  search::HostLayerHits<float> hits;  ///< of all events, event by event and layer by layer, cm
  /// For each hit, the index of its particle in the event, or -1 (noise).
  std::vector<std::int32_t> particle_of_hit;
  std::vector<TrueParticle> particles;  ///< of all events, event by event
  /// Event e has the particles [particle_offsets[e], particle_offsets[e + 1]).
  std::vector<std::int32_t> particle_offsets{0};

  /// Constructs an empty list for a detector with `layers` layers.
  /// @throws UsageError for fewer than one layer
  explicit TrackingEvents(int layers) : hits(layers) {}

  /// Returns the number of events.
  int events() const { return int(particle_offsets.size()) - 1; }
  /// Returns the number of particles of an event.
  int particle_count(int event) const {
    return particle_offsets[std::size_t(event) + 1] - particle_offsets[std::size_t(event)];
  }

  /// Appends all events of another list.
  /// @throws UsageError if the number of layers differs
  void append(const TrackingEvents& more) { append(more, 0, more.events()); }

  /// Returns the events `first` to `first + n - 1` as a separate list.
  /// @throws UsageError if there are no such events
  TrackingEvents part(int first, int n) const {
    TrackingEvents result(hits.layers());
    result.append(*this, first, n);
    return result;
  }

 private:
  void append(const TrackingEvents& from, int first, int n) {
    const int layers = hits.layers();
    if (from.hits.layers() != layers || first < 0 || n < 0 || n > from.events() - first)
      throw UsageError("TrackingEvents",
                       std::to_string(n) + " events from " + std::to_string(first) + " with " +
                           std::to_string(from.hits.layers()) + " layers",
                       "there are " + std::to_string(from.events()) + "; " +
                           std::to_string(layers) + " layers are wanted");
    const auto copy = [](const auto& source, std::int32_t begin, std::int32_t end, auto& to) {
      to.insert(to.end(), source.begin() + begin, source.begin() + end);
    };
    const auto begin = from.hits.offsets[std::size_t(first * layers)];
    const auto end = from.hits.offsets[std::size_t((first + n) * layers)];
    const auto hit_shift = hits.offsets.back() - begin;
    copy(from.hits.x, begin, end, hits.x);
    copy(from.hits.y, begin, end, hits.y);
    copy(from.hits.z, begin, end, hits.z);
    copy(from.hits.covariance, begin, end, hits.covariance);
    copy(from.particle_of_hit, begin, end, particle_of_hit);
    for (int i = first * layers + 1; i <= (first + n) * layers; ++i)
      hits.offsets.push_back(from.hits.offsets[std::size_t(i)] + hit_shift);

    const auto first_particle = from.particle_offsets[std::size_t(first)];
    const auto last_particle = from.particle_offsets[std::size_t(first + n)];
    const auto shift = particle_offsets.back() - first_particle;
    copy(from.particles, first_particle, last_particle, particles);
    for (int event = first + 1; event <= first + n; ++event)
      particle_offsets.push_back(from.particle_offsets[std::size_t(event)] + shift);
  }
};

}  // namespace trackplex::seeding
