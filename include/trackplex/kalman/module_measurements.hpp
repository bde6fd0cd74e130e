// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// @file
/// Hits on modules for the fits of many tracks: on planes of any orientation, with one, two or
/// three coordinates in the frame of the module.

#include <trackplex/core/copy.hpp>
#include <trackplex/kalman/cylinder_measurements.hpp>

#include <cstdint>
#include <string>
#include <string_view>

namespace trackplex::kalman {

/// Layers of a tile of tracks for `fit`: each lane has the plane of its own module on each layer,
/// or skips the layer.
template <class Number, class HitsView>
struct TileOfModuleMeasurements {
  using Real = Number;                                   ///< number type of a kernel
  static constexpr int dimension = HitsView::dimension;  ///< max number of coordinates of a hit
  const HitsView* hits;                                  ///< of all tracks
  Tile<Real> tile;                                       ///< the tracks

  /// Returns the number of layers.
  KOKKOS_FORCEINLINE_FUNCTION int size() const { return hits->layers; }
  /// Returns the lanes that cross a module: those whose axes are not 0.
  KOKKOS_FORCEINLINE_FUNCTION MaskOf<Real> crosses(int layer) const {
    const auto axes = hits->axes.load(items(layer));
    const Real size =
        fma(axes(0, 0), axes(0, 0), fma(axes(0, 1), axes(0, 1), axes(0, 2) * axes(0, 2)));
    return tile.mask() && size > Real(0);
  }
  /// Returns the plane of each lane's module.
  KOKKOS_FORCEINLINE_FUNCTION geometry::Surface<Real> surface(int layer) const {
    return frame(layer).surface();
  }
  /// Returns the lanes that measure at least one coordinate.
  KOKKOS_FORCEINLINE_FUNCTION MaskOf<Real> present(int layer) const {
    return crosses(layer) && count(layer) > Integer(0);
  }
  /// Returns the measurement in the frame of the module, see `measure_in_module`.
  KOKKOS_FORCEINLINE_FUNCTION auto measure(int layer, const Parameters<Real>& at) const {
    auto hit = frame(layer);
    hit.covariance = hits->covariance.load(items(layer));
    hit.dimension = select(tile.mask(), count(layer), Integer(0));
    return measure_in_module(hit, at);
  }
  /// Returns whether the hits have material.
  KOKKOS_FORCEINLINE_FUNCTION bool has_material() const { return hits->has_material; }
  /// Returns the material of each lane's module; of thickness 0 if the hits have none.
  KOKKOS_FORCEINLINE_FUNCTION LayerConstants<Real> material(int layer) const {
    if (!hits->has_material) return {Real(0), Real(0), hits->material_properties};
    const auto thickness = hits->material.load(items(layer));
    return {thickness(0), thickness(1), hits->material_properties};
  }

 private:
  using Integer = IntegerOf<Real>;
  KOKKOS_FORCEINLINE_FUNCTION Tile<Real> items(int layer) const {
    return tile_of_layer(tile, layer, layer_stride(hits->tracks));
  }
  KOKKOS_FORCEINLINE_FUNCTION Integer count(int layer) const {
    return items(layer).template load<Integer>(hits->count.data());
  }
  KOKKOS_FORCEINLINE_FUNCTION ModuleHit<Real, dimension> frame(int layer) const {
    const auto axes = hits->axes.load(items(layer));
    return {hits->point.load(items(layer)),
            {{axes(0, 0), axes(0, 1), axes(0, 2)}},
            {{axes(1, 0), axes(1, 1), axes(1, 2)}},
            {},
            Integer(0)};
  }
};

/// Hits of many tracks on modules, in the order of the fit: item `layer *
/// stride() + track`. Layers count along each track; tracks may have different numbers of layers,
/// and each item has its own module.
///
/// The track skips an item whose axes are 0: the rest of a shorter track, or a gap. An item with
/// axes and a `count` of 0 is a module that the track crosses without being measured. `allocate`
/// with an instance fills new memory with zeros: no layers.
/// @tparam M max number of coordinates of a hit: 1 for strips, 2 for pixels and strips, 3 for these
/// and space points
template <class T, class MemorySpace, int M = 2>
struct ModuleMeasurements {
  /// Measured point of each hit, cm; of a strip, any point on it. Without a measurement, any
  /// point of the plane.
  Matriplex<T, 3, 1, MemorySpace> point{"Trackplex::Kalman::module_point"};
  /// Axes u and v of each module, as rows: perpendicular unit vectors.
  Matriplex<T, 2, 3, MemorySpace> axes{"Trackplex::Kalman::module_axes"};
  /// Covariance of the coordinates along u, v and u x v, cm^2.
  SymMatriplex<T, M, MemorySpace> covariance{"Trackplex::Kalman::module_covariance"};
  /// Number of coordinates that were measured, 0 to M; a strip measures that along u.
  Kokkos::View<std::int8_t*, MemorySpace> count;
  /// Thickness of each module along its normal, optional (of size 0: no material): in radiation
  /// lengths, and xi = K/2 Z/A rho d in GeV.
  Matriplex<T, 2, 1, MemorySpace> material{"Trackplex::Kalman::module_material"};
  Material material_properties = silicon;  ///< mean excitation energy and density effect of all
                                           ///< modules
  int layers = 0,                          ///< max number of layers of a track
      tracks = 0;                          ///< number of tracks

  /// Returns the distance between items of consecutive layers, see `layer_stride`.
  int stride() const { return layer_stride(tracks); }

  /// Sets the numbers of layers and tracks, and allocates if the capacity is too small; see
  /// `BasicMatriplex::allocate`.
  /// @throws UsageError, CapacityError as `items_on_layers` does
  template <class Memory>
  void allocate(const Memory& memory, int n_layers, int n_tracks, bool with_material = false) {
    const int n = items_on_layers("ModuleMeasurements", n_layers, n_tracks);
    layers = n_layers;
    tracks = n_tracks;
    point.allocate(memory, n);
    axes.allocate(memory, n);
    covariance.allocate(memory, n);
    material.allocate(memory, with_material ? n : 0);
    const bool grows = count.extent(0) < std::size_t(n);
    allocate_array(memory, count, "Trackplex::Kalman::module_count", std::size_t(n));
    if constexpr (Kokkos::is_execution_space<Memory>::value)
      if (grows) fill_with_zeros(memory, count);
  }

  /// Returns the `View` for kernels and for `fit_tracks`.
  /// @throws UsageError if fewer hits are allocated than `layers` and `tracks` say
  auto view() const {
    const int n = items_on_layers("ModuleMeasurements", layers, tracks);
    const bool with_material = material.size() > 0;
    if (point.size() < n || axes.size() < n || covariance.size() < n ||
        count.extent(0) < std::size_t(n) || (with_material && material.size() < n))
      throw UsageError("ModuleMeasurements", "there are fewer hits than layers of tracks",
                       std::to_string(layers) + " layers of " + std::to_string(tracks) + " tracks",
                       "allocate them");
    return View{point.const_view(),
                axes.const_view(),
                covariance.const_view(),
                material.const_view(),
                count,
                material_properties,
                with_material,
                layers,
                tracks};
  }

  /// Hits as `fit_tracks` and `smooth_tracks` use them.
  struct View {
    using Scalar = T;                    ///< scalar of the hits
    static constexpr int dimension = M;  ///< max number of coordinates of a hit
    /// Points, axes, covariances and material of all items.
    typename Matriplex<T, 3, 1, MemorySpace>::ConstView point;
    typename Matriplex<T, 2, 3, MemorySpace>::ConstView axes;        ///< of the modules
    typename SymMatriplex<T, M, MemorySpace>::ConstView covariance;  ///< cm^2
    typename Matriplex<T, 2, 1, MemorySpace>::ConstView material;    ///< radiation lengths, xi
    Kokkos::View<const std::int8_t*, MemorySpace> count;             ///< numbers of coordinates
    MaterialConstants<T> material_properties;                        ///< of all modules
    bool has_material;                                               ///< or `material` is empty
    int layers,                                                      ///< max number of layers
        tracks;                                                      ///< number of tracks

    /// Checks that there are as many states as tracks.
    /// @throws UsageError otherwise
    void check(std::string_view where, int states) const { check_tracks(where, states, tracks); }

    /// Returns the layers of a tile of tracks.
    template <class Real>
    KOKKOS_FORCEINLINE_FUNCTION TileOfModuleMeasurements<Real, View> of(
        const Tile<Real>& tile) const {
      return {this, tile};
    }
  };
};

}  // namespace trackplex::kalman
