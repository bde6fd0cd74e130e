// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "fitted_track.hpp"

#include <trackplex/kalman/fit.hpp>
#include <trackplex/program/run.hpp>
#include <trackplex/program/timing.hpp>
#include <trackplex/simulation/cylinder_tracks.hpp>

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

namespace kalman_fit {

/// The smoother keeps its way through so many layers.
inline constexpr int max_layers = 20;

struct FitSettings {
  trackplex::simulation::CylinderTrackParams detector;
  double field = 3.8112;  ///< T
  int tracks = 10000;
  trackplex::kalman::FitOptions options;
  int repeat = 5;  ///< timed repetitions after the warm-up
  std::function<void()> after_repetition = [] {};
  std::function<void(const FittedTrack&)> visit;  ///< is shown all tracks at the end, if not empty
};

struct Fits {
  /// Per track: the fingerprint of all bits of the fit, and of the states and residuals on all
  /// layers.
  std::vector<std::uint64_t> fingerprints;
  /// Per track, in microseconds: fit, and smooth, which is a fit that remembers its way and the way
  /// back.
  std::map<std::string, trackplex::program::Spread> time_us;
};

/// Generates tracks, fits and smooths them once as a warm-up and then `repeat` times; throws if a
/// repetition gives other states than the one before. Compiled once per backend and number type, in
/// fit_and_smooth.cpp.
template <class Real, class ExecutionSpace>
Fits fit_and_smooth(const trackplex::program::Run<Real, ExecutionSpace>& run,
                    const FitSettings& settings);

}  // namespace kalman_fit
