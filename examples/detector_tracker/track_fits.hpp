// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "states.hpp"

#include <common/run.hpp>
#include <common/timing.hpp>
#include <trackplex/io/detectors/cmssw_tracks.hpp>
#include <trackplex/kalman/fit.hpp>

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace detector_tracker {

/// Parameters of generated tracks and of their fit.
struct FitSettings {
  std::vector<std::string> input;    ///< files; none: generated tracks
  int tracks = 10000;                ///< to generate
  double min_pt = 1., max_pt = 10.;  ///< of these, GeV
  double field = 3.8157;             ///< at the origin, T
  std::optional<double> max_chi2;    ///< of a hit
  std::uint64_t seed = 1;
};

/// A measured point on a module, and the module's material.
struct Hit {
  Vector3 point;                  ///< cm
  Vector3 u, v;                   ///< axes of the module
  double variance_u, variance_v;  ///< of the point along them, cm^2
  bool is_strip;                  ///< measures u alone
  double radiation_lengths;       ///< thickness along the normal
  double xi;                      ///< K/2 Z/A rho d, GeV
};

/// A track to be fitted.
struct Track {
  State truth;            ///< at the vertex; the covariance is 0
  std::vector<Hit> hits;  ///< from the vertex outwards
};

/// The tracks of the files, or generated ones. Impossible tracks and hits are left out and counted.
/// @throws InputError if a file is damaged, or a track has too few hits
std::vector<Track> tracks_of(const FitSettings& settings, trackplex::io::CmsswLeftOut& left_out);

/// A fit on the host, in double precision.
struct FittedTrack {
  bool reached = false;  ///< the vertex
  trackplex::kalman::FitStatus status = trackplex::kalman::FitStatus::fitted;
  double chi2 = 0.;
  int measurements = 0;           ///< numbers that the fit used
  int outliers = 0;               ///< hits that it left out
  State state;                    ///< on the plane of the vertex, see normal_of
  std::uint64_t fingerprint = 0;  ///< of all bits of the fit
};

struct Fits {
  std::vector<FittedTrack> tracks;
  trackplex::program::Times time_us;  ///< per track
};

/// Fits tracks from their last hits to the vertex, once as a warm-up and then `repeat` times.
/// Compiled once per backend and number type, in fit.cpp.
/// @throws Error where a repetition gives other states than the one before
template <class Real, class ExecutionSpace>
Fits fit_tracks(const trackplex::program::Run<Real, ExecutionSpace>& run,
                const std::vector<Track>& tracks, const FitSettings& settings, int repeat,
                const std::function<void()>& after_repetition);

}  // namespace detector_tracker
