// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// @file
/// Hits on cylinders for the fits of many tracks, and layers with material.

#include <trackplex/core/error.hpp>
#include <trackplex/core/shortest.hpp>
#include <trackplex/kalman/fit.hpp>
#include <trackplex/matriplex/matriplex.hpp>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <type_traits>

namespace trackplex::kalman {

/// Returns the stride of arrays with an item for each layer of each track, which is item
/// `layer * stride + track`: `tracks` rounded up to a multiple of 64, and so of every tile's width.
KOKKOS_FUNCTION constexpr int layer_stride(int tracks) { return (tracks + 63) / 64 * 64; }

/// Returns the number of items of arrays with an item for each layer of each track, see
/// `layer_stride`; `where` names the caller in the message.
/// @throws UsageError if a number is below zero
/// @throws CapacityError if there are more items than an int can number
inline int items_on_layers(std::string_view where, int layers, int tracks) {
  if (layers < 0 || tracks < 0)
    throw UsageError(where, "a number of layers or tracks is below zero",
                     std::to_string(layers) + " layers of " + std::to_string(tracks) + " tracks");
  constexpr auto max = std::numeric_limits<int>::max();
  const auto items = std::int64_t(layers) * ((std::int64_t(tracks) + 63) / 64 * 64);
  if (items > max || tracks > max - 63)
    throw CapacityError(where, "items, one for each layer of each track", std::size_t(items),
                        std::size_t(max), "fit fewer tracks at a time");
  return int(items);
}

/// Checks that states and hits belong to the same number of tracks; `where` names the caller in
/// the message.
/// @throws UsageError unless both numbers are equal
inline void check_tracks(std::string_view where, int tracks, int tracks_with_hits) {
  if (tracks != tracks_with_hits)
    throw UsageError(
        where, "states and hits are of different tracks",
        std::to_string(tracks) + " states, hits of " + std::to_string(tracks_with_hits) + " tracks",
        "give each track a state and its hits");
}
/// Checks the thickness of a layer of material; `where` names the caller in the message.
/// @throws UsageError unless it is finite and not negative
inline void check_thickness(std::string_view where, double thickness) {
  if (!(thickness >= 0.) || !std::isfinite(thickness))
    throw UsageError(where, "the thickness of a layer is no length", shortest(thickness) + " cm",
                     "0 stands for no material");
}

/// Returns the tile of items on a layer that belongs to a tile of tracks; see `layer_stride`.
template <class Real>
KOKKOS_FORCEINLINE_FUNCTION Tile<Real> tile_of_layer(const Tile<Real>& tracks, int layer,
                                                     int stride) {
  return {layer * stride + tracks.first, tracks.count};
}

/// Layers of a tile of tracks for `fit`, with a hit of each track on each layer. The surface is
/// the cylinder through the track's hit.
template <class Number, class PositionView, class CovarianceView>
struct TileOfCylinderMeasurements {
  using Real = Number;        ///< number type of a kernel
  PositionView position;      ///< cm; item `layer * stride + track`
  CovarianceView covariance;  ///< cm^2; item `layer * stride + track`
  Tile<Real> tile;            ///< the tracks
  int layers,                 ///< number of layers
      stride;                 ///< see `layer_stride`

  /// Returns the number of layers.
  KOKKOS_FORCEINLINE_FUNCTION int size() const { return layers; }
  /// Returns the cylinder through the hit of each lane.
  KOKKOS_FORCEINLINE_FUNCTION Cylinder<Real> surface(int layer) const {
    const auto p = position.load(tile_of_layer(tile, layer, stride));
    return {sqrt(fma(p(0), p(0), p(1) * p(1)))};
  }
  /// Returns the lanes that have a track.
  KOKKOS_FORCEINLINE_FUNCTION MaskOf<Real> present(int /*layer*/) const { return tile.mask(); }
  /// Returns the measurement of r phi and z, see `measure_on_cylinder`.
  KOKKOS_FORCEINLINE_FUNCTION auto measure(int layer, const Parameters<Real>& at) const {
    const auto there = tile_of_layer(tile, layer, stride);
    return measure_on_cylinder(SpacePoint<Real>{position.load(there), covariance.load(there)}, at);
  }
};

/// Hits of many tracks on cylinders, one per track and layer, in the order of the
/// fit: item `layer * stride() + track`.
template <class T, class MemorySpace>
struct CylinderMeasurements {
  /// x, y, z of each hit, cm.
  Matriplex<T, 3, 1, MemorySpace> position{"Trackplex::Kalman::hit_position"};
  /// Covariance of each position, cm^2.
  SymMatriplex<T, 3, MemorySpace> covariance{"Trackplex::Kalman::hit_covariance"};
  int layers = 0,  ///< number of layers
      tracks = 0;  ///< number of tracks

  /// Returns the distance between items of consecutive layers, see `layer_stride`.
  int stride() const { return layer_stride(tracks); }

  /// Sets the numbers of layers and tracks, and allocates if the capacity is too small; see
  /// `BasicMatriplex::allocate`.
  /// @throws UsageError, CapacityError as `items_on_layers` does
  template <class ExecutionSpace>
  void allocate(const ExecutionSpace& exec, int n_layers, int n_tracks) {
    const int n = items_on_layers("CylinderMeasurements", n_layers, n_tracks);
    layers = n_layers;
    tracks = n_tracks;
    position.allocate(exec, n);
    covariance.allocate(exec, n);
  }

  /// Returns the `View` for kernels and for `fit_tracks`.
  /// @throws UsageError if fewer hits are allocated than `layers` and `tracks` say
  auto view() const {
    const int hits = items_on_layers("CylinderMeasurements", layers, tracks);
    if (position.size() < hits || covariance.size() < hits)
      throw UsageError("CylinderMeasurements", "there are fewer hits than layers of tracks",
                       std::to_string(layers) + " layers of " + std::to_string(tracks) + " tracks",
                       "allocate them");
    return View<decltype(position.const_view()), decltype(covariance.const_view())>{
        position.const_view(), covariance.const_view(), layers, tracks};
  }

  /// Hits as `fit_tracks` and `smooth_tracks` use them.
  template <class PositionView, class CovarianceView>
  struct View {
    using Scalar = T;           ///< scalar of the hits
    PositionView position;      ///< cm
    CovarianceView covariance;  ///< cm^2
    int layers,                 ///< number of layers
        tracks;                 ///< number of tracks

    /// Checks that there are as many states as tracks.
    /// @throws UsageError otherwise
    void check(std::string_view where, int states) const { check_tracks(where, states, tracks); }

    /// Returns the layers of a tile of tracks.
    template <class Real>
    KOKKOS_FORCEINLINE_FUNCTION auto of(const Tile<Real>& tile) const {
      return TileOfCylinderMeasurements<Real, PositionView, CovarianceView>{
          position, covariance, tile, layers, layer_stride(tracks)};
    }
  };
};

/// Layers of a tile of tracks, all with the same material.
template <class Layers>
struct WithLayerMaterial {
  using Real = typename Layers::Real;             ///< number type of a kernel
  Layers layers;                                  ///< without material
  LayerConstants<ScalarOf<Real>> layer_material;  ///< of every layer

  /// Returns the number of layers.
  KOKKOS_FORCEINLINE_FUNCTION int size() const { return layers.size(); }
  /// Returns the surface of a layer.
  KOKKOS_FORCEINLINE_FUNCTION auto surface(int layer) const { return layers.surface(layer); }
  /// Returns the lanes that have a measurement on a layer.
  KOKKOS_FORCEINLINE_FUNCTION MaskOf<Real> present(int layer) const {
    return layers.present(layer);
  }
  /// Returns the lanes that cross a layer, for layers that have `crosses`.
  KOKKOS_FORCEINLINE_FUNCTION MaskOf<Real> crosses(int layer) const
      requires(detail::WithCrossings<Layers>) {
    return layers.crosses(layer);
  }
  /// Returns the measurement on a layer, linearised about `at`.
  KOKKOS_FORCEINLINE_FUNCTION auto measure(int layer, const Parameters<Real>& at) const {
    return layers.measure(layer, at);
  }
  /// Prefetches what a layer reads, see fit.hpp.
  KOKKOS_FORCEINLINE_FUNCTION void prefetch(int layer) const {
    detail::prefetch_layer(layers, layer);
  }
  /// Returns the material, the same for every layer.
  KOKKOS_FORCEINLINE_FUNCTION const LayerConstants<ScalarOf<Real>>& material(int /*layer*/) const {
    return layer_material;
  }
};

/// Hits of many tracks whose layers all have the same material, for `fit_tracks` and
/// `smooth_tracks`.
/// @tparam Hits hits without material, with a member type `Scalar`, such as
/// `CylinderMeasurements::View`
template <class Hits>
struct HitsInMaterial {
  Hits hits;                                             ///< without material
  LayerConstants<typename Hits::Scalar> layer_material;  ///< of every layer, from a `ThinLayer`

  /// Checks the material and, where they can be checked, the hits.
  /// @throws UsageError if the thickness is not a length, or as `hits.check` does
  void check(std::string_view where, int states) const {
    check_thickness(where, double(layer_material.thickness));
    if constexpr (requires { hits.check(where, states); }) hits.check(where, states);
  }

  /// Returns the layers of a tile of tracks.
  template <class Real>
  KOKKOS_FORCEINLINE_FUNCTION auto of(const Tile<Real>& tile) const {
    const auto layers = hits.of(tile);
    return WithLayerMaterial<std::decay_t<decltype(layers)>>{layers, layer_material};
  }
};
/// Deduces the type of hits without material.
template <class Hits>
HitsInMaterial(Hits, ThinLayer) -> HitsInMaterial<Hits>;

}  // namespace trackplex::kalman
