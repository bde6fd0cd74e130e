// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/cylinder/result.hpp>
#include <trackplex/kalman/track_state.hpp>
#include <trackplex/tracks/tracking_events.hpp>
#include <trackplex/validation/cylinder_tracking.hpp>
#include <trackplex/validation/detail/particle_bins.hpp>
#include <trackplex/validation/tracking_quality.hpp>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace trackplex::validation {
namespace detail {

/// Particle that left more than half of these hits, or -1.
TRACKPLEX_INLINE std::int32_t owner_of_most(const tracks::TrackingEvents& event,
                                            std::span<const std::int32_t> hits) {
  std::vector<std::size_t> found;
  for (std::size_t layer = 0; layer < hits.size(); ++layer)
    if (hits[layer] >= 0) found.push_back(index_of(event, layer, hits[layer]));
  const auto most = majority_of(event.particle_of_hit, found);
  return 2 * std::size_t(most.hits) > hits.size() ? most.particle : -1;
}

TRACKPLEX_INLINE std::optional<double> azimuth_of_first(const tracks::TrackingEvents& event,
                                                        std::span<const std::int32_t> hits) {
  for (std::size_t layer = 0; layer < hits.size(); ++layer)
    if (hits[layer] >= 0) {
      const auto first = index_of(event, layer, hits[layer]);
      return std::atan2(event.hits.y[first], event.hits.x[first]);
    }
  return std::nullopt;
}

}  // namespace detail

TRACKPLEX_INLINE std::int32_t only_particle(const tracks::TrackingEvents& event,
                                            std::span<const std::int32_t> hits) {
  std::int32_t particle = -1;
  for (std::size_t layer = 0; layer < hits.size(); ++layer) {
    if (hits[layer] < 0) continue;
    const auto owner = event.particle_of_hit[detail::index_of(event, layer, hits[layer])];
    if (owner < 0 || (particle >= 0 && owner != particle)) return -1;
    particle = owner;
  }
  return particle;
}

TRACKPLEX_INLINE TrackingQuality quality_of(const tracks::TrackingEvents& event,
                                            const cylinder::TrackList& tracks, int seed_layers,
                                            const TrackingQualityParams& params) {
  TrackingQuality quality(event, seed_layers, params);
  for (std::size_t t = 0; t < tracks.size(); ++t) {
    const auto hits = tracks.hits_of(t);
    const auto& state = tracks.states.at(t).parameters;
    quality.add(
        {.event = 0,
         .hits = hits,
         .seed_particle = tracks.particle[t] >= 0
                              ? tracks.particle[t]
                              : detail::owner_of_most(event, hits.first(std::size_t(seed_layers))),
         .pt = 1. / std::abs(state(kalman::Parameter::inverse_pt)),
         .eta = eta_of(state(kalman::Parameter::theta)),
         .phi = detail::azimuth_of_first(event, hits)});
  }
  return quality;
}

}  // namespace trackplex::validation
