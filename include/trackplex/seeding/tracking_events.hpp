// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/kalman/track_state.hpp>
#include <trackplex/search/layer_hits.hpp>

#include <cstdint>
#include <vector>

namespace trackplex::seeding {

/// A particle as it was produced.
struct TrueParticle {
  kalman::Parameters<double> start;  ///< at its vertex
  int charge = 0;                    ///< in units of the proton's
};

/// Events on the host, with the truth where it is known: what is read from files or generated.
struct TrackingEvents {
  search::HostLayerHits<float> hits;
  /// Of each hit: the index of its particle in the event, or -1 (noise).
  std::vector<std::int32_t> particle_of_hit;
  std::vector<TrueParticle> particles;
  /// Event e has the particles [particle_offsets[e], particle_offsets[e + 1]).
  std::vector<std::int32_t> particle_offsets{0};

  explicit TrackingEvents(int layers) : hits(layers) {}

  int events() const { return int(particle_offsets.size()) - 1; }
  int particle_count(int event) const {
    return particle_offsets[std::size_t(event) + 1] - particle_offsets[std::size_t(event)];
  }
};

}  // namespace trackplex::seeding
