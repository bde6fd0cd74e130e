// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/kalman/track_state.hpp>

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace trackplex::cylinder {

/// Tracks or seeds of an event. Numbers are those of the kernels, of whatever type.
struct TrackList {
  int layers = 0;                      ///< of each track's entries in `hits`
  std::vector<std::int32_t> hits;      ///< track by track, layer by layer: which hit of the layer;
                                       ///< negative for none
  std::vector<std::int32_t> particle;  ///< that the seed was made of; -1 where it is not known
  std::vector<double> chi2;            ///< of seeds: of their fit; of tracks: of building
  /// Of seeds: on their last layer; of tracks: on the last layer that was searched. Empty unless
  /// they are asked for (`TrackingParams::all_states`).
  std::vector<kalman::TrackState<double>> states;

  std::size_t size() const { return particle.size(); }
  std::span<const std::int32_t> hits_of(std::size_t track) const {
    return std::span(hits).subspan(track * std::size_t(layers), std::size_t(layers));
  }
};

/// The fit of all hits of a track; see `kalman::FitResult`.
struct TrackFit {
  bool reached = false;  ///< all layers
  int measurements = 0, outliers = 0;
  double chi2 = 0.;
  kalman::TrackState<double> state;  ///< on the last layer; of the smoother: on the first
};

/// Seeds and tracks of an event.
struct CylinderResult {
  TrackList seeds, tracks;
  std::vector<TrackFit> fits;  ///< of each track
  int lost_seeds = 0;          ///< triplets beyond the capacities
};

}  // namespace trackplex::cylinder
