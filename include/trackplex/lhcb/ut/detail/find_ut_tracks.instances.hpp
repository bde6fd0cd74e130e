// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// @file
/// Instances of the search for tracks in the UT.

#include <trackplex/core/kernel_instances.hpp>
#include <trackplex/lhcb/ut/find_ut_tracks.hpp>

namespace trackplex::kernels {

template <class T, int Width>
struct FindUtTracks {
  using Real = LanesOf<T, Width>;
  using FindTracks =
      lhcb::detail::UtTrackletSearch<Real, lhcb::CompassInput<T, Memory>, lhcb::UtWindows<Memory>,
                                     lhcb::UtTracks<T, Memory>>;
};

}  // namespace trackplex::kernels

#define TRACKPLEX_FIND_UT_TRACKS_INSTANCES(PREFIX, T, W) \
  TRACKPLEX_TEAMS(PREFIX, FindUtTracks, T, W, FindTracks)

namespace trackplex {
TRACKPLEX_DECLARE_INSTANCES(FIND_UT_TRACKS, general, float)
}  // namespace trackplex
