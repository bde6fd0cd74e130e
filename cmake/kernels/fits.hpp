// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// @file
/// Fits of tracks on cylinders: of their hits in a detector, and of one hit on each layer.

#include "declare.hpp"

#include <trackplex/kalman/fit_tracks.hpp>
#include <trackplex/seeding/track_layers.hpp>

namespace trackplex::kernels {

template <class T, int Width>
struct Fits {
  using Real = LanesOf<T, Width>;
  using States = ViewOf<kalman::TrackStates<T, Memory>>;
  using Results = kalman::FitResults<T, Memory>;
  using HitsOnLayers = ViewOf<kalman::CylinderHits<T, Memory>>;
  using HitsInDetector = kalman::HitsInMaterial<seeding::TrackLayers<T, Memory>>;
  template <class Field, class Hits>
  using Fit = kalman::detail::FitTracks<Real, kalman::FitForm::gain, States, Field, Hits, Results>;
  template <class Field, class Hits>
  using Smooth =
      kalman::detail::SmoothTracks<Real, Width, 2, kalman::FitForm::gain, kalman::CentralTrack,
                                   States, Field, Hits, Results, ViewOf<Matriplex<T, 2, 1, Memory>>,
                                   ViewOf<SymMatriplex<T, 2, Memory>>>;

  using FitOnLayers = Fit<kalman::BasicUniformField<T>, HitsOnLayers>;
  using FitInMaterial = Fit<kalman::BasicUniformField<T>, kalman::HitsInMaterial<HitsOnLayers>>;
  using SmoothOnLayers = Smooth<kalman::BasicUniformField<T>, HitsOnLayers>;
  using SmoothInMaterial =
      Smooth<kalman::BasicUniformField<T>, kalman::HitsInMaterial<HitsOnLayers>>;
  using FitSeeds = Fit<kalman::BasicUniformField<T>, HitsInDetector>;
  using FitInDetector = Fit<kalman::BasicSolenoidField<T>, HitsInDetector>;
  using SmoothInDetector = Smooth<kalman::BasicSolenoidField<T>, HitsInDetector>;
};

}  // namespace trackplex::kernels

#define TRACKPLEX_FITS_KERNELS(PREFIX, T, W)            \
  TRACKPLEX_TILES(PREFIX, Fits, T, W, FitOnLayers)      \
  TRACKPLEX_TILES(PREFIX, Fits, T, W, FitInMaterial)    \
  TRACKPLEX_TILES(PREFIX, Fits, T, W, SmoothOnLayers)   \
  TRACKPLEX_TILES(PREFIX, Fits, T, W, SmoothInMaterial) \
  TRACKPLEX_TILES(PREFIX, Fits, T, W, FitSeeds)         \
  TRACKPLEX_TILES(PREFIX, Fits, T, W, FitInDetector)    \
  TRACKPLEX_TILES(PREFIX, Fits, T, W, SmoothInDetector)

namespace trackplex {
TRACKPLEX_DECLARE_KERNELS(FITS, track_states, float)
}  // namespace trackplex
