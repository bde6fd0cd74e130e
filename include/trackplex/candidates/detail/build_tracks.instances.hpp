// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// @file
/// Instances of track building on cylinders.

#include <trackplex/candidates/build_tracks.hpp>
#include <trackplex/core/kernel_instances.hpp>

namespace trackplex::kernels {

template <class T, int Width>
struct Building {
  using Real = LanesOf<T, Width>;
  using Binned = search::BinnedHits<T, Memory>;
  using Field = kalman::BasicUniformField<T>;
  using Found = tracks::FoundTracks<T, Memory>;
  using Search = candidates::CylinderSearch<Binned, Field, T>;
  template <bool update_all_children>
  using Combinatorial =
      candidates::detail::CombinatorialBuilder<Real, 6, update_all_children, Search, Found>;

  using BestHit = candidates::detail::BestHitBuilder<Real, Search, Found>;
  using Standard = Combinatorial<true>;
  using CloneEngine = Combinatorial<false>;
};

}  // namespace trackplex::kernels

#define TRACKPLEX_BUILD_TRACKS_INSTANCES(PREFIX, T, W) \
  TRACKPLEX_TILES(PREFIX, Building, T, W, BestHit)     \
  TRACKPLEX_TEAMS(PREFIX, Building, T, W, Standard)    \
  TRACKPLEX_TEAMS(PREFIX, Building, T, W, CloneEngine)

namespace trackplex {
TRACKPLEX_DECLARE_INSTANCES(BUILD_TRACKS, track_states, float)
}  // namespace trackplex
