// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/core/compiled.hpp>
#include <trackplex/cylinder/result.hpp>
#include <trackplex/tracks/tracking_events.hpp>
#include <trackplex/validation/tracking_quality.hpp>

#include <cstddef>
#include <cstdint>
#include <span>

/// @file
/// Comparison of the results of `cylinder::tracking_chain` with the truth.

namespace trackplex::validation {

namespace detail {

/// Returns the index of a hit of a layer among all hits of its event.
inline std::size_t index_of(const tracks::TrackingEvents& event, std::size_t layer,
                            std::int32_t hit) {
  return std::size_t(event.hits.offsets[layer] + hit);
}

}  // namespace detail

/// Returns the particle that left all hits of a track (`hits`: one per layer, -1 for none), or -1.
std::int32_t only_particle(const tracks::TrackingEvents& event, std::span<const std::int32_t> hits);

/// Compares the tracks or seeds of one event with its particles. A seed that does not come from the
/// truth belongs to the particle that left more than half of its hits. pT (GeV) and eta of tracks
/// are those of their states, which the chain must keep (`TrackingParams::all_states`); phi (rad)
/// is that of their first hit.
TrackingQuality quality_of(const tracks::TrackingEvents& event, const cylinder::TrackList& tracks,
                           int seed_layers, const TrackingQualityParams& params = {});

}  // namespace trackplex::validation

#if !defined(TRACKPLEX_COMPILED)
#include <trackplex/validation/detail/cylinder_tracking.impl.hpp>
#endif
