// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/hits/detector_hits.hpp>
#include <trackplex/hits/layer_hits.hpp>
#include <trackplex/kalman/track_state.hpp>

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace trackplex::tracks {

/// Simulated particle at its production vertex.
struct TrueParticle {
  /// State at the vertex: x, y, z (cm), 1/pT (1/GeV), phi, theta (rad).
  kalman::Parameters<double> start;
  int charge = 0;  ///< in units of the elementary charge
};

/// Events of a detector on the host, with the truth if it is known, read from a file or generated.
/// @tparam HostHits hits on the host: `hits::HostLayerHits` or `hits::HostDetectorHits`
template <class HostHits>
struct EventsWithTruth {
  HostHits hits;  ///< of all events, event by event and layer by layer, cm
  /// For each hit, the index of its particle in the event, or -1 (noise). Empty: not known.
  std::vector<std::int32_t> particle_of_hit;
  /// For each hit, its weight in the score of the TrackML challenge. Empty: not known.
  std::vector<double> weight;
  std::vector<TrueParticle> particles;  ///< of all events, event by event
  /// For each particle, its number of hits according to the source. Empty: count the hits.
  std::vector<std::int32_t> n_hits;
  /// Event e has the particles [particle_offsets[e], particle_offsets[e + 1]).
  std::vector<std::int32_t> particle_offsets{0};
  /// Number of particles of the source that cannot be tracks and are left out: without transverse
  /// momentum, for example. Their hits are noise. Parts of a list do not have these numbers.
  std::size_t particles_left_out = 0;
  /// Number of hits, or cells, of the source that are left out since a coordinate, or a variance,
  /// is none.
  std::size_t hits_left_out = 0;

  /// Constructs a list without events.
  /// @param detector number of layers, or description of a detector of modules
  /// @throws UsageError for fewer than one layer or a detector without modules
  template <class Detector>
  requires std::constructible_from<HostHits, const Detector&>
  explicit EventsWithTruth(const Detector& detector) : hits(detector) {}

  /// Returns the number of events.
  int events() const { return int(particle_offsets.size()) - 1; }
  /// Returns the number of particles of an event.
  int particle_count(int event) const {
    return particle_offsets[std::size_t(event) + 1] - particle_offsets[std::size_t(event)];
  }

  /// Appends all events of another list, of the same detector.
  /// @throws UsageError if the number of layers differs
  void append(const EventsWithTruth& more) {
    append(more, 0, more.events());
    particles_left_out += more.particles_left_out;
    hits_left_out += more.hits_left_out;
  }

  /// Returns the events `first` to `first + n - 1` as a separate list.
  /// @throws UsageError if there are no such events
  EventsWithTruth part(int first, int n) const {
    EventsWithTruth result(hits.without_events());
    result.append(*this, first, n);
    return result;
  }

 private:
  void append(const EventsWithTruth& from, int first, int n) {
    if (from.hits.layers() != hits.layers() || first < 0 || n < 0 || n > from.events() - first)
      throw UsageError("TrackingEvents",
                       std::to_string(n) + " events from " + std::to_string(first) + " with " +
                           std::to_string(from.hits.layers()) + " layers",
                       "there are " + std::to_string(from.events()) + "; " +
                           std::to_string(hits.layers()) + " layers are wanted");
    const auto copy = [](const auto& source, std::int32_t begin, std::int32_t end, auto& to) {
      if (!source.empty()) to.insert(to.end(), source.begin() + begin, source.begin() + end);
    };
    const auto begin = from.hits.first(first), end = from.hits.first(first + n);
    hits::append_events(from.hits, first, n, hits);
    copy(from.particle_of_hit, begin, end, particle_of_hit);
    copy(from.weight, begin, end, weight);

    const auto first_particle = from.particle_offsets[std::size_t(first)];
    const auto last_particle = from.particle_offsets[std::size_t(first + n)];
    const auto shift = particle_offsets.back() - first_particle;
    copy(from.particles, first_particle, last_particle, particles);
    copy(from.n_hits, first_particle, last_particle, n_hits);
    for (int event = first + 1; event <= first + n; ++event)
      particle_offsets.push_back(from.particle_offsets[std::size_t(event)] + shift);
  }
};

/// Events of a detector of layers, such as cylinders; hits are points.
using TrackingEvents = EventsWithTruth<hits::HostLayerHits<float>>;
/// Events of a detector of modules.
using DetectorEvents = EventsWithTruth<hits::HostDetectorHits>;

}  // namespace trackplex::tracks
