// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>

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

/// VELO tracks of an event on the host: a view of arrays, which others own. Track i has the hits
/// [offsets[i], offsets[i + 1]) of `hits`.
struct VeloTrackList {
  std::span<const std::uint32_t> offsets;  ///< (track), one more than tracks; or empty: no tracks
  std::span<const std::uint16_t> hits;     ///< indices into the hits of the event, of all tracks
  std::span<const VeloTrackState> states;  ///< (track), or empty if the tracks were not fitted

  /// Number of tracks.
  std::size_t size() const { return offsets.empty() ? 0 : offsets.size() - 1; }

  /// Hits of track i, as indices into the hits of the event.
  std::span<const std::uint16_t> operator[](std::size_t i) const {
    return hits.subspan(offsets[i], offsets[i + 1] - offsets[i]);
  }

  /// Compares the contents of all arrays.
  friend bool operator==(const VeloTrackList& a, const VeloTrackList& b) {
    return std::ranges::equal(a.offsets, b.offsets) && std::ranges::equal(a.hits, b.hits) &&
           std::ranges::equal(a.states, b.states);
  }
};

}  // namespace trackplex::lhcb
