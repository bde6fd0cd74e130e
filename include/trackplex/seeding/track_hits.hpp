// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/core/reserve.hpp>
#include <trackplex/kalman/layer_hits.hpp>
#include <trackplex/kalman/track_states.hpp>

#include <cstdint>

namespace trackplex::seeding {

/// Which hits tracks have, of many events: on each layer one or none, as an index into the hits of
/// that layer and event (see `search::LayerHits`).
template <class Space>
struct TrackHits {
  using Array = Kokkos::View<std::int32_t*, typename Space::memory_space>;

  Array index;  ///< at layer * stride() + track; negative where there is no hit
  Array event;  ///< of each track
  int tracks = 0, layers = 0;

  KOKKOS_FUNCTION int stride() const { return kalman::layer_stride(tracks); }
  KOKKOS_FUNCTION std::int32_t& operator()(int track, int layer) const {
    return index(layer * stride() + track);
  }

  void resize(const Space& exec, int n_tracks, int n_layers) {
    tracks = n_tracks;
    layers = n_layers;
    reserve(exec, index, "Trackplex::Seeding::track_hits", std::size_t(layers) * stride());
    reserve(exec, event, "Trackplex::Seeding::track_event", std::size_t(stride()));
  }
};

/// Starts of tracks: hits on the first `hits.layers` layers, and the state on the last of them,
/// which knows all of these hits.
template <class T, class Space>
struct Seeds {
  kalman::TrackStates<T, Space> states;
  TrackHits<Space> hits;
  Kokkos::View<T*, typename Space::memory_space> chi2;  ///< of the fit of these hits

  int size() const { return hits.tracks; }

  void resize(const Space& exec, int n, int layers) {
    states.resize(exec, n);
    hits.resize(exec, n, layers);
    reserve(exec, chi2, "Trackplex::Seeding::seed_chi2", std::size_t(n));
  }
};

}  // namespace trackplex::seeding
