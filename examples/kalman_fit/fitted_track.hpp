// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/kalman/track_state.hpp>

#include <vector>

namespace kalman_fit {

/// What the smoother says of a track on one layer, and the truth.
struct SmoothedLayer {
  trackplex::kalman::Parameters<double> truth;
  trackplex::kalman::TrackState<double> state;
  trackplex::Vector<double, 2> residual;  ///< r phi and z of the hit and of the smoothed state
  trackplex::Symmetric<double, 2> residual_covariance;
};

/// A track of any run on the host, in double precision.
struct FittedTrack {
  bool complete = false;  ///< particle and fit have both reached the last layer
  double chi2 = 0.;
  int measurements = 0;  ///< numbers that the fit used: two for each hit
  int outliers = 0;
  trackplex::kalman::TrackState<double> fitted;  ///< at the last layer
  std::vector<SmoothedLayer> layers;
};

}  // namespace kalman_fit
