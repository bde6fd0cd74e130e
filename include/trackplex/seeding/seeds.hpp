// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/kalman/fit_tracks.hpp>
#include <trackplex/kalman/host_track_states.hpp>
#include <trackplex/seeding/track_hits.hpp>

#include <cstdint>

namespace trackplex::seeding {

/// Seeds before their fit: hits on the first `hits.layers` layers, and states to fit these from.
template <class T, class MemorySpace>
struct StartSeeds {
  kalman::TrackStates<T, MemorySpace> states;
  TrackHits<MemorySpace> hits;

  int size() const { return hits.tracks; }

  /// See `BasicMatriplex::allocate`.
  template <class Memory>
  void allocate(const Memory& memory, int n, int layers) {
    states.allocate(memory, n);
    hits.allocate(memory, n, layers);
  }
};

/// Starts of tracks: hits on the first layers, and the state on the last of them, which knows all
/// of these hits.
template <class T, class MemorySpace>
struct Seeds : StartSeeds<T, MemorySpace> {
  kalman::FitResults<T, MemorySpace> fit;  ///< of these hits
};

/// Seeds on the host, in the same order in memory as those of a space.
template <class T, class MemorySpace>
struct StagedSeeds {
  kalman::HostTrackStates<T, MemorySpace> states;
  TrackHits<Kokkos::HostSpace> hits;

  int size() const { return hits.tracks; }
};

/// Origins of seeds, on the host.
struct SeedOrigins {
  using Array = Kokkos::View<std::int32_t*, Kokkos::HostSpace>;
  Array particle;  ///< of each seed: its index in the event; empty: not known
  Array lost;      ///< of each event: seeds beyond the capacities; empty: none
};

/// See core/copy.hpp.
template <class T, class MemorySpace, class F>
void for_each_array(const StagedSeeds<T, MemorySpace>& from, StartSeeds<T, MemorySpace>& to,
                    const F& f) {
  for_each_array(from.states, to.states, f);
  for_each_array(from.hits, to.hits, f);
}

}  // namespace trackplex::seeding
