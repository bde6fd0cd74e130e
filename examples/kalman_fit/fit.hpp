// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <common/run.hpp>
#include <common/timing.hpp>
#include <trackplex/kalman/fit.hpp>
#include <trackplex/simulation/cylinder_tracks.hpp>

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

namespace kalman_fit {

/// Max number of layers, which sets the memory of the smoother.
inline constexpr int max_layers = 20;

struct FitSettings {
  trackplex::simulation::CylinderTrackParams detector;
  double field = 3.8112;  ///< T
  int tracks = 10000;
  std::optional<double> max_chi2;  ///< of a hit
};

/// The smoothed state on a layer, and the truth.
struct SmoothedLayer {
  trackplex::kalman::Parameters<double> truth;
  trackplex::kalman::TrackState<double> state;
  trackplex::Vector<double, 2> residual;  ///< r phi and z of the hit and of the smoothed state
  trackplex::Symmetric<double, 2> residual_covariance;
};

/// A track of any run on the host, in double precision.
struct FittedTrack {
  bool complete = false;  ///< particle and fit have reached the last layer
  trackplex::kalman::FitStatus status = trackplex::kalman::FitStatus::fitted;  ///< of the fit
  double chi2 = 0.;
  int measurements = 0;  ///< numbers that the fit used: two for each hit
  int outliers = 0;
  trackplex::kalman::TrackState<double> fitted;  ///< at the last layer
  std::vector<SmoothedLayer> layers;             ///< if it is complete
  std::uint64_t fingerprint = 0;                 ///< of all bits of fit and layers
};

struct Fits {
  std::vector<FittedTrack> tracks;
  /// Per track: fit, and smooth, which is a fit that remembers its steps and the way back.
  trackplex::program::Times time_us;
};

/// Generates tracks, fits and smooths them once as a warm-up and then `repeat` times. Compiled once
/// per backend and number type, in fit.cpp.
/// @throws Error where a repetition gives other states than the one before
template <class Real, class ExecutionSpace>
Fits fit_and_smooth(const trackplex::program::Run<Real, ExecutionSpace>& run,
                    const FitSettings& settings, int repeat,
                    const std::function<void()>& after_repetition);

}  // namespace kalman_fit
