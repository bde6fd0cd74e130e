// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// @file
/// Instances of fits of one hit on each cylinder.

#include <trackplex/core/kernel_instances.hpp>
#include <trackplex/kalman/fit_tracks.hpp>

namespace trackplex::kernels {

template <class T, int Width>
struct FitTracks {
  using Real = LanesOf<T, Width>;
  using States = ViewOf<kalman::TrackStates<T, Memory>>;
  using Field = kalman::BasicUniformField<T>;
  using Hits = ViewOf<kalman::CylinderMeasurements<T, Memory>>;
  using MaterialHits = kalman::HitsInMaterial<Hits>;
  template <class OfHits>
  using Fit = kalman::detail::FitTracks<Real, kalman::FitForm::gain, States, Field, OfHits>;
  template <class OfHits>
  using Smooth = kalman::detail::SmoothTracks<kalman::SmoothedFit<Real, 2>, States, Field, OfHits>;

  using FitOnLayers = Fit<Hits>;
  using FitInMaterial = Fit<MaterialHits>;
  using SmoothOnLayers = Smooth<Hits>;
  using SmoothInMaterial = Smooth<MaterialHits>;
};

}  // namespace trackplex::kernels

#define TRACKPLEX_FIT_TRACKS_INSTANCES(PREFIX, T, W)       \
  TRACKPLEX_TILES(PREFIX, FitTracks, T, W, FitOnLayers)    \
  TRACKPLEX_TILES(PREFIX, FitTracks, T, W, FitInMaterial)  \
  TRACKPLEX_TILES(PREFIX, FitTracks, T, W, SmoothOnLayers) \
  TRACKPLEX_TILES(PREFIX, FitTracks, T, W, SmoothInMaterial)

namespace trackplex {
TRACKPLEX_DECLARE_INSTANCES(FIT_TRACKS, track_states, float)
}  // namespace trackplex
