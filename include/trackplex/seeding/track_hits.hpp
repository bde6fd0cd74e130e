// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/core/host_copy.hpp>
#include <trackplex/kalman/layer_hits.hpp>
#include <trackplex/kalman/track_states.hpp>

#include <cstdint>

namespace trackplex::seeding {

/// Which hits tracks have, of many events: on each layer one or none, as an index into the hits of
/// that layer and event (see `search::LayerHits`).
template <class MemorySpace>
struct TrackHits {
  using Array = Kokkos::View<std::int32_t*, MemorySpace>;

  Array index;  ///< at layer * stride() + track; negative where there is no hit
  Array event;  ///< of each track
  int tracks = 0, layers = 0;

  KOKKOS_FUNCTION int stride() const { return kalman::layer_stride(tracks); }
  KOKKOS_FUNCTION std::int32_t& operator()(int track, int layer) const {
    return index(layer * stride() + track);
  }

  template <class ExecutionSpace>
  void resize(const ExecutionSpace& exec, int n_tracks, int n_layers) {
    set_size(n_tracks, n_layers);
    reserve(exec, n_tracks, n_layers);
  }
  /// Room for the hits of so many tracks, from an instance, or what else `reserve(memory, view,
  /// label, n)` takes. The sizes stay.
  template <class Memory>
  void reserve(const Memory& memory, int n_tracks, int n_layers) {
    const auto n = std::size_t(kalman::layer_stride(n_tracks));
    using trackplex::reserve;
    reserve(memory, index, "Trackplex::Seeding::track_hits", std::size_t(n_layers) * n);
    reserve(memory, event, "Trackplex::Seeding::track_event", n);
  }
  /// There is room for them.
  void set_size(int n_tracks, int n_layers) {
    tracks = n_tracks;
    layers = n_layers;
  }
};

/// See core/host_copy.hpp.
template <class FromSpace, class ToSpace, class F>
void for_each_array(const TrackHits<FromSpace>& from, TrackHits<ToSpace>& to, const F& f) {
  to.set_size(from.tracks, from.layers);
  const auto n = std::size_t(from.stride());
  f(from.index, to.index, "Trackplex::Seeding::track_hits", std::size_t(from.layers) * n);
  f(from.event, to.event, "Trackplex::Seeding::track_event", n);
}

/// Starts of tracks: hits on the first `hits.layers` layers, and the state on the last of them,
/// which knows all of these hits.
template <class T, class MemorySpace>
struct Seeds {
  kalman::TrackStates<T, MemorySpace> states;
  TrackHits<MemorySpace> hits;
  Kokkos::View<T*, MemorySpace> chi2;  ///< of the fit of these hits

  int size() const { return hits.tracks; }

  template <class ExecutionSpace>
  void resize(const ExecutionSpace& exec, int n, int layers) {
    states.resize(exec, n);
    hits.resize(exec, n, layers);
    reserve_chi2(exec, n);
  }
  /// Room for so many; see `BasicMatriplex::reserve`.
  template <class Memory>
  void reserve(const Memory& memory, int n, int layers) {
    states.reserve(memory, n);
    hits.reserve(memory, n, layers);
    reserve_chi2(memory, n);
  }

 private:
  template <class Memory>
  void reserve_chi2(const Memory& memory, int n) {
    using trackplex::reserve;
    reserve(memory, chi2, "Trackplex::Seeding::seed_chi2", std::size_t(n));
  }
};

}  // namespace trackplex::seeding
