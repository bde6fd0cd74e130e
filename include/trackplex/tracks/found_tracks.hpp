// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// @file
/// Result of track building.

#include <trackplex/kalman/track_states.hpp>
#include <trackplex/tracks/track_hits.hpp>

#include <cstdint>
#include <utility>

namespace trackplex::tracks {

/// Built tracks, one from each seed, in the order of the seeds.
/// @tparam Model meaning of the last three parameters of the states
template <class T, class MemorySpace, kalman::TrackModel Model = kalman::CentralTrack>
struct FoundTracks {
  using Number = T;                                             ///< number type in memory
  using States = kalman::TrackStates<T, MemorySpace, Model>;    ///< states of all tracks
  using StatesView = decltype(std::declval<States&>().view());  ///< states for kernels that write
                                                                ///< them
  /// States for kernels that read them.
  using ConstStatesView = decltype(std::declval<const States&>().const_view());
  /// One-dimensional array in the memory space.
  template <class Element>
  using Array = Kokkos::View<Element*, MemorySpace>;

  TrackHits<MemorySpace> hits;  ///< on all layers, including those of the seed
  States states;                ///< on cylinders, on the last layer that was searched; in
                                ///< detectors of modules, near the last hit
  Array<T> chi2;                ///< of each track: sum over the hits found after the seed
  Array<std::int32_t> found;    ///< of each track: number of hits found after the seed

  /// Returns the number of tracks.
  int size() const { return hits.tracks; }

  /// Sets the numbers of tracks and layers, and allocates if the capacity is too small; see
  /// `BasicMatriplex::allocate`.
  template <class Memory>
  void allocate(const Memory& memory, int tracks, int layers) {
    hits.allocate(memory, tracks, layers);
    states.allocate(memory, tracks);
    allocate_array(memory, chi2, "Trackplex::Tracks::chi2", std::size_t(tracks));
    allocate_array(memory, found, "Trackplex::Tracks::found", std::size_t(tracks));
  }
  /// Sets the numbers of tracks and layers, up to the capacity, without allocating.
  void set_size(int tracks, int layers) {
    hits.set_size(tracks, layers);
    states.parameters.set_size(tracks);
    states.covariance.set_size(tracks);
  }
};

}  // namespace trackplex::tracks
