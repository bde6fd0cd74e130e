// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace trackplex::lhcb {

/// State of a straight VELO track at its closest approach to the z axis.
struct VeloTrackState {
  double x = 0.;          ///< mm
  double y = 0.;          ///< mm
  double z = 0.;          ///< mm
  double tx = 0.;         ///< dx/dz
  double ty = 0.;         ///< dy/dz
  double chi2 = 0.;       ///< of the straight-line fit in x and y
  int ndf = 0;            ///< degrees of freedom: twice the number of hits, less 4
  bool backward = false;  ///< whether the track flies towards negative z

  /// Compares all members.
  friend bool operator==(const VeloTrackState&, const VeloTrackState&) = default;
};

/// VELO tracks of an event on the host. Track i has the hits [offsets[i], offsets[i + 1]) of
/// `hits`.
struct VeloTrackList {
  std::vector<std::uint32_t> offsets{0};  ///< (track), one more than tracks
  std::vector<std::uint16_t> hits;        ///< indices into the hits of the event, of all tracks
  std::vector<VeloTrackState> states;     ///< (track), or empty if the tracks were not fitted

  /// Number of tracks.
  std::size_t size() const { return offsets.empty() ? 0 : offsets.size() - 1; }

  /// Hits of track i, as indices into the hits of the event.
  std::span<const std::uint16_t> operator[](std::size_t i) const {
    return {hits.data() + offsets[i], offsets[i + 1] - offsets[i]};
  }

  /// Appends a track without a state.
  void push_back(std::span<const std::uint16_t> track_hits) {
    hits.insert(hits.end(), track_hits.begin(), track_hits.end());
    offsets.push_back(static_cast<std::uint32_t>(hits.size()));
  }

  /// Appends a track with its state; either all tracks of a list have a state, or none.
  void push_back(std::span<const std::uint16_t> track_hits, const VeloTrackState& state) {
    push_back(track_hits);
    states.push_back(state);
  }

  /// Compares all members.
  friend bool operator==(const VeloTrackList&, const VeloTrackList&) = default;
};

}  // namespace trackplex::lhcb
