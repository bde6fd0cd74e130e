// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// @file
/// Instances of fits of the hits of found tracks on cylinders.

#include <trackplex/core/kernel_instances.hpp>
#include <trackplex/kalman/field_along_z.hpp>
#include <trackplex/kalman/fit_tracks.hpp>
#include <trackplex/tracks/track_layers.hpp>

namespace trackplex::kernels {

template <class T, int Width>
struct FitTrackLayers {
  using Real = LanesOf<T, Width>;
  using States = ViewOf<kalman::TrackStates<T, Memory>>;
  using Hits = kalman::HitsInMaterial<tracks::TrackLayers<T, Memory>>;
  using Solenoid = kalman::BasicSolenoidField<T>;
  template <class Field>
  using Fit = kalman::detail::FitTracks<Real, kalman::FitForm::gain, States, Field, Hits>;

  using FitSeeds = Fit<kalman::BasicUniformField<T>>;
  using FitInDetector = Fit<Solenoid>;
  using SmoothInDetector =
      kalman::detail::SmoothTracks<kalman::SmoothedFit<Real, 2>, States, Solenoid, Hits>;
};

}  // namespace trackplex::kernels

#define TRACKPLEX_TRACK_LAYERS_INSTANCES(PREFIX, T, W)         \
  TRACKPLEX_TILES(PREFIX, FitTrackLayers, T, W, FitSeeds)      \
  TRACKPLEX_TILES(PREFIX, FitTrackLayers, T, W, FitInDetector) \
  TRACKPLEX_TILES(PREFIX, FitTrackLayers, T, W, SmoothInDetector)

namespace trackplex {
TRACKPLEX_DECLARE_INSTANCES(TRACK_LAYERS, track_states, float)
}  // namespace trackplex
