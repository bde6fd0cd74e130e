// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// @file
/// Instances of the search for tracks in the SciFi.

#include <trackplex/core/kernel_instances.hpp>
#include <trackplex/lhcb/scifi/find_scifi_tracks.hpp>

namespace trackplex::kernels {

template <class T, int Width>
struct FindScifiTracks {
  using Real = LanesOf<T, Width>;
  using FindTracks = lhcb::detail::ScifiTrackSearch<Real, lhcb::SeedingInput<T, Memory>,
                                                    lhcb::ScifiTracks<T, Memory>>;
};

}  // namespace trackplex::kernels

#define TRACKPLEX_FIND_SCIFI_TRACKS_INSTANCES(PREFIX, T, W) \
  TRACKPLEX_TEAMS(PREFIX, FindScifiTracks, T, W, FindTracks)

namespace trackplex {
TRACKPLEX_DECLARE_INSTANCES(FIND_SCIFI_TRACKS, general, float)
}  // namespace trackplex
