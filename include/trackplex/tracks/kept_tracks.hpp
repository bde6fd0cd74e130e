// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/tracks/found_tracks.hpp>

#include <cstddef>
#include <cstdint>

namespace trackplex::tracks {

/// Tracks that were kept, in their original order.
/// @tparam Model meaning of the last three parameters of their states
template <class T, class MemorySpace, kalman::TrackModel Model = kalman::CentralTrack>
struct KeptTracks {
  FoundTracks<T, MemorySpace, Model> tracks;        ///< the tracks
  Kokkos::View<std::int32_t*, MemorySpace> origin;  ///< of each track: its index among the tracks
                                                    ///< before the removal; empty: all were kept

  /// Allocates n tracks on `layers` layers if there are fewer.
  template <class Memory>
  void allocate(const Memory& memory, int n, int layers) {
    tracks.allocate(memory, n, layers);
    allocate_array(memory, origin, "Trackplex::Tracks::origin", std::size_t(n));
  }
};

}  // namespace trackplex::tracks
