// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/seeding/track_hits.hpp>

namespace trackplex::candidates {

/// What building made of each seed.
template <class T, class MemorySpace>
struct FoundTracks {
  using Number = T;
  template <class Element>
  using Array = Kokkos::View<Element*, MemorySpace>;

  seeding::TrackHits<MemorySpace> hits;        ///< on all layers, those of the seed included
  kalman::TrackStates<T, MemorySpace> states;  ///< on the last layer that was searched
  Array<T> chi2;                               ///< sum over the hits that were found after the seed
  Array<std::int32_t> found;                   ///< hits that were found after the seed

  int size() const { return hits.tracks; }

  template <class ExecutionSpace>
  void resize(const ExecutionSpace& exec, int tracks, int layers) {
    hits.resize(exec, tracks, layers);
    states.resize(exec, tracks);
    reserve_numbers(exec, tracks);
  }
  /// Room for so many; see `BasicMatriplex::reserve`.
  template <class Memory>
  void reserve(const Memory& memory, int tracks, int layers) {
    hits.reserve(memory, tracks, layers);
    states.reserve(memory, tracks);
    reserve_numbers(memory, tracks);
  }

 private:
  template <class Memory>
  void reserve_numbers(const Memory& memory, int tracks) {
    using trackplex::reserve;
    reserve(memory, chi2, "Trackplex::Candidates::chi2", std::size_t(tracks));
    reserve(memory, found, "Trackplex::Candidates::found", std::size_t(tracks));
  }
};

}  // namespace trackplex::candidates
