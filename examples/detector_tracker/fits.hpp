// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "repetitions.hpp"
#include "states.hpp"

#include <trackplex/io/detectors/cmssw_tracks.hpp>
#include <trackplex/kalman/fit.hpp>
#include <trackplex/kalman/measurement.hpp>
#include <trackplex/simulation/cylinder_tracks.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace detector_tracker {

/// Max number of layers of cylinders, which sets the memory of the smoother.
inline constexpr int max_fit_layers = 20;

/// Parameters of tracks and of their fit.
struct FitSettings {
  std::vector<std::string> input{};            ///< files of muons; none: generated
  simulation::CylinderTrackParams detector{};  ///< of generated tracks
  int tracks = 10000;                          ///< to generate
  double field = 3.8112;                       ///< at the origin, T
  std::optional<double> max_chi2{};            ///< of a hit
};

/// A hit on a module, a strip or a pixel, and the module's material.
struct Hit {
  kalman::ModuleHit<double, 2> on_module;
  double radiation_lengths;  ///< thickness along the normal
  double xi;                 ///< K/2 Z/A rho d, GeV

  bool is_strip() const { return on_module.dimension == 1; }
};

/// A muon of CMS to be fitted.
struct Track {
  State truth;            ///< at the vertex; the covariance is 0
  std::vector<Hit> hits;  ///< from the vertex outwards
};

/// The tracks of the files, or generated ones. Impossible tracks and hits are left out and counted.
/// @throws InputError if a file is damaged, or a track has too few hits
std::vector<Track> tracks_of(const FitSettings& settings, io::CmsswLeftOut& left_out);

/// The smoothed state on a layer, and the truth.
struct SmoothedLayer {
  kalman::Parameters<double> truth;
  State state;
  Vector<double, 2> residual;  ///< r phi and z of the hit and of the smoothed state
  Symmetric<double, 2> residual_covariance;
};

/// A fit on the host, in double precision.
struct FittedTrack {
  bool reached = false;  ///< the fit, and a generated particle, have reached the end
  kalman::FitStatus status = kalman::FitStatus::fitted;
  double chi2 = 0.;
  int measurements = 0;  ///< numbers that the fit used
  int outliers = 0;      ///< hits that it skipped
  State state;           ///< at the last layer, or on the plane of the vertex, see normal_of
  std::vector<SmoothedLayer> layers{};  ///< of a smoothed track that has reached the end
  std::uint64_t fingerprint = 0;        ///< of all bits of fit and layers
};

/// Fits tracks from their last hits to the vertex. Compiled once per backend and number type, in
/// fit.cpp.
template <class Real, class ExecutionSpace>
Found<FittedTrack> fit_tracks(const program::Run<Real, ExecutionSpace>& run,
                              const std::vector<Track>& tracks, const FitSettings& settings,
                              const Repetitions& repetitions);

/// Generates tracks in cylinders, fits and smooths them; the latter is a fit that remembers its
/// steps, and the way back. Compiled once per backend and number type, in cylinder_fit.cpp.
template <class Real, class ExecutionSpace>
Found<FittedTrack> fit_and_smooth(const program::Run<Real, ExecutionSpace>& run,
                                  const FitSettings& settings, const Repetitions& repetitions);

}  // namespace detector_tracker
