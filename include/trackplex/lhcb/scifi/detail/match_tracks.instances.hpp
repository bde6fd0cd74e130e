// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// @file
/// Instances of the matching of tracks of VELO and SciFi.

#include <trackplex/core/kernel_instances.hpp>
#include <trackplex/lhcb/scifi/match_tracks.hpp>

namespace trackplex::kernels {

template <class T, int Width>
struct MatchTracks {
  using Real = LanesOf<T, Width>;
  using Match =
      lhcb::detail::TrackMatching<Real, lhcb::MatchInput<T, Memory>, lhcb::LongTracks<T, Memory>>;
};

}  // namespace trackplex::kernels

#define TRACKPLEX_MATCH_TRACKS_INSTANCES(PREFIX, T, W) \
  TRACKPLEX_TEAMS(PREFIX, MatchTracks, T, W, Match)

namespace trackplex {
TRACKPLEX_DECLARE_INSTANCES(MATCH_TRACKS, general, float)
}  // namespace trackplex
