// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// @file
/// Instances of the track finder in an axisymmetric field map.

#include <trackplex/core/kernel_instances.hpp>
#include <trackplex/detector/track_finder.hpp>
#include <trackplex/geometry/field_map.hpp>

#include <cstdint>

namespace trackplex::kernels {

template <class T, int Width>
struct DetectorFinding {
  using Real = LanesOf<T, Width>;
  using Model = kalman::CentralTrack;
  using Field = kalman::HelicesInField<
      geometry::DisplacedField<geometry::AxisymmetricFieldMap<T, Memory>, T>>;
  using Hits = hits::DetectorHits<T, Memory>;
  using Binned = search::BinnedDetectorHits<T, Memory>;
  using States = ViewOf<kalman::TrackStates<T, Memory, Model>>;
  using ConstStates = ConstViewOf<kalman::TrackStates<T, Memory, Model>>;
  using Layers = tracks::DetectorTrackLayers<T, Memory>;
  using Search = candidates::DetectorSearch<Model, T, Memory, Field>;
  using Found = tracks::FoundTracks<T, Memory, Model>;

  using Bin = search::detail::BinHits<Real, Hits, Binned, Kokkos::View<std::int32_t*, Memory>,
                                      Kokkos::View<T*, Memory>>;
  using See = seeding::detail::SeePoints<Real, Binned, Hits>;
  using Triplets = seeding::detail::FindTriplets<
      Real, seeding::detail::DetectorTripletRules<Real, Binned, Hits, Field>,
      seeding::Triplets<Memory>, seeding::detail::TripletsOfTeams<Memory>>;
  using Start =
      seeding::detail::StartStates<Real, seeding::detail::FirstMiddleLast,
                                   seeding::DetectorPoints<T, Memory>, tracks::TrackHits<Memory>,
                                   seeding::detail::FieldAlongZ<Field, T>, States>;
  using Fit = kalman::detail::FitTracks<Real, kalman::FitForm::gain, States, Field, Layers>;
  using Build = candidates::detail::CombinatorialBuilder<Real, 4, false, Search, Found>;
  using FindOverlaps = candidates::detail::FindOverlapHits<Real, Search, ConstStates, States,
                                                           Layers, tracks::TrackHits<Memory>>;
  using BuildInner = candidates::detail::BestHitBuilder<Real, Search, Found>;
};

}  // namespace trackplex::kernels

#define TRACKPLEX_TRACK_FINDER_INSTANCES(PREFIX, T, W)       \
  TRACKPLEX_TEAMS(PREFIX, DetectorFinding, T, W, Bin)        \
  TRACKPLEX_TEAMS(PREFIX, DetectorFinding, T, W, See)        \
  TRACKPLEX_TEAMS(PREFIX, DetectorFinding, T, W, Triplets)   \
  TRACKPLEX_TILES(PREFIX, DetectorFinding, T, W, Start)      \
  TRACKPLEX_TILES(PREFIX, DetectorFinding, T, W, Fit)        \
  TRACKPLEX_TEAMS(PREFIX, DetectorFinding, T, W, Build)      \
  TRACKPLEX_TILES(PREFIX, DetectorFinding, T, W, BuildInner) \
  TRACKPLEX_TILES(PREFIX, DetectorFinding, T, W, FindOverlaps)

namespace trackplex {
TRACKPLEX_DECLARE_INSTANCES(TRACK_FINDER, track_states, float)
}  // namespace trackplex
