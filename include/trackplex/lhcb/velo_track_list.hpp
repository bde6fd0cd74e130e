// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace trackplex::lhcb {

/// A straight VELO track at its closest approach to the beam line (the z axis): position in mm,
/// slopes dx/dz and dy/dz.
struct VeloTrackState {
  double x = 0.;
  double y = 0.;
  double z = 0.;
  double tx = 0.;
  double ty = 0.;
  double chi2 = 0.;
  int ndf = 0;
  bool backward = false;  ///< flies towards negative z

  friend bool operator==(const VeloTrackState&, const VeloTrackState&) = default;
};

/// The tracks of one event on the host. Hits of track i are
/// [offsets[i], offsets[i + 1]) of `hits`, each an index into the hits of the event.
struct VeloTrackList {
  std::vector<std::uint32_t> offsets{0};
  std::vector<std::uint16_t> hits;
  std::vector<VeloTrackState> states;  ///< one per track, or none at all if nothing was fitted

  std::size_t size() const { return offsets.empty() ? 0 : offsets.size() - 1; }

  std::span<const std::uint16_t> operator[](std::size_t i) const {
    return {hits.data() + offsets[i], offsets[i + 1] - offsets[i]};
  }

  /// Appends a track without a state.
  void push_back(std::span<const std::uint16_t> track_hits) {
    hits.insert(hits.end(), track_hits.begin(), track_hits.end());
    offsets.push_back(static_cast<std::uint32_t>(hits.size()));
  }

  /// Appends a track with its state; all tracks of a list have one, or none.
  void push_back(std::span<const std::uint16_t> track_hits, const VeloTrackState& state) {
    push_back(track_hits);
    states.push_back(state);
  }

  friend bool operator==(const VeloTrackList&, const VeloTrackList&) = default;
};

}  // namespace trackplex::lhcb
