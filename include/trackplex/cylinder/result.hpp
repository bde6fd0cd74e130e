// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/kalman/fit.hpp>
#include <trackplex/kalman/track_state.hpp>

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace trackplex::cylinder {

/// Tracks or seeds of an event. Numbers are those of the kernels, converted to double.
struct TrackList {
  int layers = 0;  ///< number of layers of each track
  /// (track, layer), track by track: index of the hit on the layer, negative for none.
  std::vector<std::int32_t> hits;
  std::vector<std::int32_t> particle;  ///< particle of the seed; -1 if not known
  std::vector<double> chi2;            ///< of the seed's fit, or the sum over the hits of building
  /// States of seeds on their last layer, or of tracks on the last layer that was searched (cm,
  /// 1/GeV, rad). Empty unless requested by `TrackingParams::all_states`.
  std::vector<kalman::TrackState<double>> states;

  /// Returns the number of tracks.
  std::size_t size() const { return particle.size(); }
  /// Returns the hits of a track, one entry per layer.
  std::span<const std::int32_t> hits_of(std::size_t track) const {
    return std::span(hits).subspan(track * std::size_t(layers), std::size_t(layers));
  }
};

/// Fit of all hits of a track; see `kalman::FitResult`.
struct TrackFit {
  bool reached = false;  ///< whether the fit reached all layers, see `kalman::FitResult`
  kalman::FitStatus status = kalman::FitStatus::fitted;  ///< what went wrong, if anything
  int measurements = 0,  ///< measured numbers in the fit: two for each hit
      outliers = 0;      ///< measurements rejected for their chi2
  double chi2 = 0.;      ///< of the measurements in the fit
  /// State on the last layer; with the smoother, on the first layer (cm, 1/GeV, rad).
  kalman::TrackState<double> state;
};

/// Seeds and tracks of an event, the result of `TrackingChain`.
struct CylinderResult {
  TrackList seeds,             ///< all seeds
      tracks;                  ///< tracks, in the order of their seeds
  std::vector<TrackFit> fits;  ///< one per track
  int lost_seeds = 0;          ///< triplets, hits and pairs beyond the capacities
};

}  // namespace trackplex::cylinder
