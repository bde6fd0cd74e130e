// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/core/error.hpp>
#include <trackplex/kalman/fit.hpp>
#include <trackplex/matriplex/matriplex.hpp>

#include <cmath>
#include <cstdint>
#include <string>
#include <string_view>
#include <type_traits>

namespace trackplex::kalman {

/// Something for each layer of each track stands at item `layer * stride + track`, where the stride
/// is a multiple of every tile's width.
KOKKOS_FUNCTION constexpr int layer_stride(int tracks) { return (tracks + 63) / 64 * 64; }

/// @throws UsageError unless there are hits of exactly these tracks
inline void check_tracks(std::string_view where, int tracks, int tracks_with_hits) {
  if (tracks != tracks_with_hits)
    throw UsageError(
        where, "states and hits are of different tracks",
        std::to_string(tracks) + " states, hits of " + std::to_string(tracks_with_hits) + " tracks",
        "give each track a state and its hits");
}
/// @throws UsageError unless the thickness is a length
inline void check_layer(std::string_view where, const ThinLayer& layer) {
  if (!(layer.thickness >= 0.) || !std::isfinite(layer.thickness))
    throw UsageError(where, "the thickness of a layer is no length",
                     std::to_string(layer.thickness) + " cm", "0 stands for no material");
}

/// The tile of a layer that belongs to a tile of tracks.
template <class Real>
KOKKOS_FORCEINLINE_FUNCTION Tile<Real> tile_of_layer(const Tile<Real>& tracks, int layer,
                                                     int stride) {
  return {layer * stride + tracks.first, tracks.count};
}

/// The hits of a tile of tracks on cylinders: layers in the sense of `fit`, each of them the
/// cylinder through the track's hit.
template <class Number, class PositionView, class CovarianceView>
struct TileOfCylinderHits {
  using Real = Number;
  PositionView position;
  CovarianceView covariance;
  Tile<Real> tile;
  int layers, stride;

  KOKKOS_FORCEINLINE_FUNCTION int size() const { return layers; }
  KOKKOS_FORCEINLINE_FUNCTION Cylinder<Real> surface(int layer) const {
    const auto p = position.load(tile_of_layer(tile, layer, stride));
    return {sqrt(fma(p(0), p(0), p(1) * p(1)))};
  }
  KOKKOS_FORCEINLINE_FUNCTION MaskOf<Real> present(int /*layer*/) const { return tile.mask(); }
  KOKKOS_FORCEINLINE_FUNCTION auto measure(int layer, const Parameters<Real>& at) const {
    const auto there = tile_of_layer(tile, layer, stride);
    return measure_on_cylinder(SpacePoint<Real>{position.load(there), covariance.load(there)}, at);
  }
};

/// Hits of many tracks on cylindrical layers, one of each track on each layer, in the order in
/// which a fit meets them.
template <class T, class MemorySpace>
struct CylinderHits {
  Matriplex<T, 3, 1, MemorySpace> position{"Trackplex::Kalman::hit_position"};      ///< cm
  SymMatriplex<T, 3, MemorySpace> covariance{"Trackplex::Kalman::hit_covariance"};  ///< cm^2
  int layers = 0, tracks = 0;

  int stride() const { return layer_stride(tracks); }

  template <class ExecutionSpace>
  void allocate(const ExecutionSpace& exec, int n_layers, int n_tracks) {
    layers = n_layers;
    tracks = n_tracks;
    position.allocate(exec, layers * stride());
    covariance.allocate(exec, layers * stride());
  }

  /// The view for kernels: `of(tile)` gives the hits of a tile of tracks.
  /// @throws UsageError if fewer hits are allocated than `layers` and `tracks` say
  auto view() const {
    const auto hits = std::int64_t(layers) * stride();
    if (layers < 0 || position.size() < hits || covariance.size() < hits)
      throw UsageError("CylinderHits", "there are fewer hits than layers of tracks",
                       std::to_string(layers) + " layers of " + std::to_string(tracks) + " tracks",
                       "allocate them");
    return View<decltype(position.const_view()), decltype(covariance.const_view())>{
        position.const_view(), covariance.const_view(), layers, tracks};
  }

  template <class PositionView, class CovarianceView>
  struct View {
    PositionView position;
    CovarianceView covariance;
    int layers, tracks;

    void check(std::string_view where, int states) const { check_tracks(where, states, tracks); }

    template <class Real>
    KOKKOS_FORCEINLINE_FUNCTION auto of(const Tile<Real>& tile) const {
      return TileOfCylinderHits<Real, PositionView, CovarianceView>{position, covariance, tile,
                                                                    layers, layer_stride(tracks)};
    }
  };
};

/// Layers with the same material at each of them.
template <class Layers>
struct WithLayerMaterial {
  using Real = typename Layers::Real;
  Layers layers;
  ThinLayer layer_material;

  KOKKOS_FORCEINLINE_FUNCTION int size() const { return layers.size(); }
  KOKKOS_FORCEINLINE_FUNCTION auto surface(int layer) const { return layers.surface(layer); }
  KOKKOS_FORCEINLINE_FUNCTION MaskOf<Real> present(int layer) const {
    return layers.present(layer);
  }
  KOKKOS_FORCEINLINE_FUNCTION auto measure(int layer, const Parameters<Real>& at) const {
    return layers.measure(layer, at);
  }
  KOKKOS_FORCEINLINE_FUNCTION const ThinLayer& material(int /*layer*/) const {
    return layer_material;
  }
};

/// Hits whose layers have material.
template <class Hits>
struct HitsInMaterial {
  Hits hits;
  ThinLayer layer_material;

  void check(std::string_view where, int states) const {
    check_layer(where, layer_material);
    if constexpr (requires { hits.check(where, states); }) hits.check(where, states);
  }

  template <class Real>
  KOKKOS_FORCEINLINE_FUNCTION auto of(const Tile<Real>& tile) const {
    const auto layers = hits.of(tile);
    return WithLayerMaterial<std::decay_t<decltype(layers)>>{layers, layer_material};
  }
};
template <class Hits>
HitsInMaterial(Hits, ThinLayer) -> HitsInMaterial<Hits>;

}  // namespace trackplex::kalman
