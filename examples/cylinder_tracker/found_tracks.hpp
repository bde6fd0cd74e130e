// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/kalman/track_state.hpp>

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace cylinder_tracker {

/// What the final fit and the smoother made of a track.
struct FinalFit {
  bool complete = false;  ///< reached all layers
  double chi2 = 0.;
  int degrees_of_freedom = 0;
  trackplex::kalman::TrackState<double> first;  ///< smoothed, on the first layer
};

/// Tracks or seeds of many events on the host.
struct TrackList {
  int layers = 0;                      ///< of each track's entries in `hits`
  std::vector<std::int32_t> event;     ///< of each track
  std::vector<std::int32_t> particle;  ///< of the seed, in the event; -1 where it is not known
  std::vector<std::int32_t> hits;      ///< track by track, layer by layer; negative for none
  std::vector<float> chi2;             ///< of building
  std::vector<FinalFit> fits;          ///< one for each track, or none at all
  std::uint64_t fingerprint = 0;       ///< of all bits of hits, chi2, states and fits

  std::size_t size() const { return event.size(); }
  std::span<const std::int32_t> hits_of(std::size_t track) const {
    return std::span(hits).subspan(track * std::size_t(layers), std::size_t(layers));
  }
};

}  // namespace cylinder_tracker
