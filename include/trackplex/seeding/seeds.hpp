// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/kalman/fit_tracks.hpp>
#include <trackplex/kalman/host_track_states.hpp>
#include <trackplex/tracks/track_hits.hpp>

#include <cstdint>

namespace trackplex::seeding {

/// Seeds before their fit: hits on the first `hits.layers` layers, and the states from which a fit
/// of these hits starts. Units of the states as in `kalman::TrackState` (cm, 1/GeV, rad).
/// @tparam Model meaning of the last three parameters of the states
template <class T, class MemorySpace, kalman::TrackModel Model = kalman::CentralTrack>
struct StartSeeds {
  kalman::TrackStates<T, MemorySpace, Model> states;  ///< one per seed
  tracks::TrackHits<MemorySpace> hits;                ///< (seed, layer)
  /// For each seed in a detector of modules, the number of the layer of its last hit; else empty.
  Kokkos::View<std::int32_t*, MemorySpace> layer;

  /// Returns the number of seeds.
  int size() const { return hits.tracks; }

  /// Allocates n seeds on `layers` layers; see `BasicMatriplex::allocate`.
  template <class Memory>
  void allocate(const Memory& memory, int n, int layers) {
    states.allocate(memory, n);
    hits.allocate(memory, n, layers);
  }
};

/// Fitted seeds: hits on the first layers, and the state on the last of these layers from a fit of
/// all these hits.
/// @tparam Model meaning of the last three parameters of the states
template <class T, class MemorySpace, kalman::TrackModel Model = kalman::CentralTrack>
struct Seeds : StartSeeds<T, MemorySpace, Model> {
  kalman::FitResults<T, MemorySpace> fit;  ///< results of the fits, one per seed
};

/// Start seeds on the host, in the memory layout of `MemorySpace`, for a single copy to it.
template <class T, class MemorySpace>
struct StagedSeeds {
  kalman::HostTrackStates<T, MemorySpace> states;  ///< one per seed
  tracks::TrackHits<Kokkos::HostSpace> hits;       ///< (seed, layer)

  /// Returns the number of seeds.
  int size() const { return hits.tracks; }
};

/// Origins of seeds and losses of the seed search, on the host.
struct SeedOrigins {
  using Array = Kokkos::View<std::int32_t*, Kokkos::HostSpace>;  ///< one integer per entry
  Array particle;  ///< of each seed: index of its particle in the event; empty if not known
  Array lost;      ///< of each event: seeds, hits and pairs beyond the capacities; empty if none
};

/// Calls f for each pair of arrays, for copies to the device; see core/copy.hpp.
template <class T, class MemorySpace, class F>
void for_each_array(const StagedSeeds<T, MemorySpace>& from, StartSeeds<T, MemorySpace>& to,
                    const F& f) {
  for_each_array(from.states, to.states, f);
  for_each_array(from.hits, to.hits, f);
}

}  // namespace trackplex::seeding
