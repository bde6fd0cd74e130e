// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// @file
/// Tracks on cylinders, from hits to seeds.

#include "declare.hpp"

#include <trackplex/seeding/start_states.hpp>
#include <trackplex/seeding/triplets.hpp>

namespace trackplex::kernels {

template <class T, int Width>
struct CylinderSeeds {
  using Real = LanesOf<T, Width>;
  using Hits = search::LayerHits<T, Memory>;
  using Binned = search::BinnedHits<T, Memory>;
  using Tracks = seeding::TrackHits<Memory>;
  using States = ViewOf<kalman::TrackStates<T, Memory>>;
  template <class Layers>
  using Start = seeding::detail::StartStates<Real, Layers, Hits, Tracks,
                                             kalman::BasicUniformField<T>, States>;

  using BinHits = search::detail::BinHits<Real, Hits, Binned, Kokkos::View<std::int32_t*, Memory>,
                                          Kokkos::View<T*, Memory>>;
  using TripletRules = seeding::detail::CylinderTripletRules<Real, Binned, Hits>;
  using FindTriplets = seeding::detail::FindTriplets<Real, TripletRules, seeding::Triplets<Memory>>;
  using StartHere = Start<seeding::detail::TheseLayers>;
  using StartAnywhere = Start<seeding::detail::FirstMiddleLast>;
};

}  // namespace trackplex::kernels

#define TRACKPLEX_CYLINDER_SEEDS_KERNELS(PREFIX, T, W)       \
  TRACKPLEX_TEAMS(PREFIX, CylinderSeeds, T, W, BinHits)      \
  TRACKPLEX_TEAMS(PREFIX, CylinderSeeds, T, W, FindTriplets) \
  TRACKPLEX_TILES(PREFIX, CylinderSeeds, T, W, StartHere)    \
  TRACKPLEX_TILES(PREFIX, CylinderSeeds, T, W, StartAnywhere)

namespace trackplex {
TRACKPLEX_DECLARE_KERNELS(CYLINDER_SEEDS, track_states, float)
}  // namespace trackplex
