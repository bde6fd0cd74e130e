// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/cylinder/result.hpp>
#include <trackplex/kalman/track_state.hpp>
#include <trackplex/seeding/tracking_events.hpp>
#include <trackplex/validation/tracking_quality.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

/// @file
/// Comparison of the results of `cylinder::tracking_chain` with the truth.

namespace trackplex::validation {

/// Returns the pseudorapidity -ln tan(theta / 2) of a polar angle (rad).
inline double eta_of(double theta) { return -std::log(std::tan(0.5 * theta)); }

namespace detail {

/// Returns the index of a hit of a layer among all hits of its event.
inline std::size_t index_of(const seeding::TrackingEvents& event, std::size_t layer,
                            std::int32_t hit) {
  return std::size_t(event.hits.offsets[layer] + hit);
}

/// Returns the particle of more than half of these hits, or -1.
inline std::int32_t majority_of(const seeding::TrackingEvents& event,
                                std::span<const std::int32_t> hits) {
  std::vector<std::int32_t> owners;
  for (std::size_t layer = 0; layer < hits.size(); ++layer)
    owners.push_back(hits[layer] < 0 ? -1
                                     : event.particle_of_hit[index_of(event, layer, hits[layer])]);
  for (const auto owner : owners)
    if (2 * std::size_t(std::count(owners.begin(), owners.end(), owner)) > owners.size())
      return owner;
  return -1;
}

inline std::optional<double> azimuth_of_first(const seeding::TrackingEvents& event,
                                              std::span<const std::int32_t> hits) {
  for (std::size_t layer = 0; layer < hits.size(); ++layer)
    if (hits[layer] >= 0) {
      const auto first = index_of(event, layer, hits[layer]);
      return std::atan2(event.hits.y[first], event.hits.x[first]);
    }
  return std::nullopt;
}

}  // namespace detail

/// Returns the particle that left all hits of a track (`hits`: one per layer, -1 for none), or -1.
inline std::int32_t only_particle(const seeding::TrackingEvents& event,
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

/// Compares the tracks or seeds of one event with its particles. A seed that does not come from the
/// truth belongs to the particle of more than half of its hits. pT (GeV) and eta of tracks are
/// those of their states, which the chain must have kept (`TrackingParams::all_states`); phi (rad)
/// is that of their first hit.
inline TrackingQuality quality_of(const seeding::TrackingEvents& event,
                                  const cylinder::TrackList& tracks, int seed_layers,
                                  const TrackingQualityParams& params = {}) {
  TrackingQuality quality(event, seed_layers, params);
  for (std::size_t t = 0; t < tracks.size(); ++t) {
    const auto hits = tracks.hits_of(t);
    const auto& state = tracks.states.at(t).parameters;
    quality.add(
        {.event = 0,
         .hits = hits,
         .seed_particle = tracks.particle[t] >= 0
                              ? tracks.particle[t]
                              : detail::majority_of(event, hits.first(std::size_t(seed_layers))),
         .pt = 1. / std::abs(state(kalman::Parameter::inverse_pt)),
         .eta = eta_of(state(kalman::Parameter::theta)),
         .phi = detail::azimuth_of_first(event, hits)});
  }
  return quality;
}

}  // namespace trackplex::validation
