// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/core/copy.hpp>
#include <trackplex/kalman/cylinder_measurements.hpp>
#include <trackplex/kalman/track_states.hpp>

#include <cstdint>

namespace trackplex::tracks {

/// Hits of the tracks of many events: on each layer one hit or none, as an index into the hits of
/// that layer and event (see `hits::LayerHits`).
template <class MemorySpace>
struct TrackHits {
  using Array = Kokkos::View<std::int32_t*, MemorySpace>;  ///< one integer per entry

  Array index;     ///< (layer, track), at layer * stride() + track; negative without a hit
  Array event;     ///< event of each track
  int tracks = 0,  ///< number of tracks, of all events
      layers = 0;  ///< number of layers

  /// Returns the stride in memory from layer to layer: the number of tracks, rounded up.
  KOKKOS_FUNCTION int stride() const { return kalman::layer_stride(tracks); }
  /// Returns the hit of a track on a layer, as a reference; negative without a hit.
  KOKKOS_FUNCTION std::int32_t& operator()(int track, int layer) const {
    return index(layer * stride() + track);
  }

  /// Sets the numbers and allocates the arrays; see `BasicMatriplex::allocate`.
  template <class Memory>
  void allocate(const Memory& memory, int n_tracks, int n_layers) {
    set_size(n_tracks, n_layers);
    allocate_arrays(memory, *this);
  }
  /// Sets only the numbers; the arrays must have the capacity.
  /// @throws UsageError, CapacityError as `kalman::items_on_layers` does
  void set_size(int n_tracks, int n_layers) {
    kalman::items_on_layers("hits of tracks", n_layers, n_tracks);
    tracks = n_tracks;
    layers = n_layers;
  }
};

/// Sets the sizes of `to` and calls f(array of from, array of to, label, entries) for each array;
/// see core/copy.hpp.
template <class FromSpace, class ToSpace, class F>
void for_each_array(const TrackHits<FromSpace>& from, TrackHits<ToSpace>& to, const F& f) {
  to.set_size(from.tracks, from.layers);
  const auto n = std::size_t(from.stride());
  f(from.index, to.index, "Trackplex::Tracks::track_hits", std::size_t(from.layers) * n);
  f(from.event, to.event, "Trackplex::Tracks::track_event", n);
}

}  // namespace trackplex::tracks
