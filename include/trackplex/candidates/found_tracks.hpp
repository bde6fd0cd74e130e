// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/kalman/track_states.hpp>
#include <trackplex/seeding/track_hits.hpp>

#include <cstdint>
#include <utility>

namespace trackplex::candidates {

/// Tracks that were built, one of each seed.
template <class T, class MemorySpace>
struct FoundTracks {
  using Number = T;
  using States = kalman::TrackStates<T, MemorySpace>;
  using StatesView = decltype(std::declval<States&>().view());
  using ConstStatesView = decltype(std::declval<const States&>().const_view());
  template <class Element>
  using Array = Kokkos::View<Element*, MemorySpace>;

  seeding::TrackHits<MemorySpace> hits;  ///< on all layers, those of the seed included
  States states;                         ///< on the last layer that was searched
  Array<T> chi2;                         ///< sum over the hits that were found after the seed
  Array<std::int32_t> found;             ///< hits that were found after the seed

  int size() const { return hits.tracks; }

  /// See `BasicMatriplex::allocate`.
  template <class Memory>
  void allocate(const Memory& memory, int tracks, int layers) {
    hits.allocate(memory, tracks, layers);
    states.allocate(memory, tracks);
    allocate_array(memory, chi2, "Trackplex::Candidates::chi2", std::size_t(tracks));
    allocate_array(memory, found, "Trackplex::Candidates::found", std::size_t(tracks));
  }
  /// For these, there is capacity.
  void set_size(int tracks, int layers) {
    hits.set_size(tracks, layers);
    states.parameters.set_size(tracks);
    states.covariance.set_size(tracks);
  }
};

}  // namespace trackplex::candidates
