// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// @file
/// Instances of the search for long tracks.

#include <trackplex/core/kernel_instances.hpp>
#include <trackplex/lhcb/scifi/find_long_tracks.hpp>

namespace trackplex::kernels {

template <class T, int Width>
struct FindLongTracks {
  using Real = LanesOf<T, Width>;
  using FindTracks = lhcb::detail::LongTrackSearch<Real, lhcb::ForwardInput<T, Memory>,
                                                   lhcb::LongTracks<T, Memory>>;
};

}  // namespace trackplex::kernels

#define TRACKPLEX_FIND_LONG_TRACKS_INSTANCES(PREFIX, T, W) \
  TRACKPLEX_TEAMS(PREFIX, FindLongTracks, T, W, FindTracks)

namespace trackplex {
TRACKPLEX_DECLARE_INSTANCES(FIND_LONG_TRACKS, general, float)
}  // namespace trackplex
