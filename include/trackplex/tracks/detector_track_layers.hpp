// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/geometry/detector.hpp>
#include <trackplex/hits/detector_hits.hpp>
#include <trackplex/kalman/cylinder_measurements.hpp>
#include <trackplex/tracks/track_hits.hpp>

#include <cstddef>
#include <string>
#include <string_view>

namespace trackplex::tracks {

/// Order of the hits of tracks in a fit.
enum class FitOrder {
  first_to_last,  ///< order of the slots
  last_to_first   ///< reverse order
};

/// Layers of a tile of tracks for `kalman::fit`: each lane has the plane of the module of its own
/// hit, or skips the layer.
/// @tparam Layers a `DetectorTrackLayers`
template <class Number, class Layers>
struct TileOfDetectorHits {
  using Real = Number;   ///< number type of a kernel
  const Layers* layers;  ///< of all tracks
  Tile<Real> tile;       ///< the tracks

  /// Returns the number of layers: the slots of a track.
  KOKKOS_FORCEINLINE_FUNCTION int size() const { return layers->tracks.layers; }
  /// Returns the lanes that have a hit.
  KOKKOS_FORCEINLINE_FUNCTION MaskOf<Real> crosses(int layer) const {
    return tile.mask() && index(layer) >= Integer(0);
  }
  /// Returns the lanes that have a hit.
  KOKKOS_FORCEINLINE_FUNCTION MaskOf<Real> present(int layer) const { return crosses(layer); }
  /// Returns the plane of the module of each lane's hit.
  KOKKOS_FORCEINLINE_FUNCTION geometry::Surface<Real> surface(int layer) const {
    return hit(layer).surface();
  }
  /// Returns the measurement in the frame of the module, see `measure_in_module`.
  KOKKOS_FORCEINLINE_FUNCTION auto measure(int layer, const kalman::Parameters<Real>& at) const {
    return kalman::measure_in_module(hit(layer), at);
  }
  /// Returns the slot of the tracks' hits on a layer.
  KOKKOS_FORCEINLINE_FUNCTION int slot(int layer) const {
    return layers->order == FitOrder::first_to_last ? layer : size() - 1 - layer;
  }
  /// Returns the number of the module of each lane's hit; 0 in lanes without a hit.
  KOKKOS_FORCEINLINE_FUNCTION IntegerOf<Real> module(int layer) const {
    return gather<Integer>(layers->hits.module.data(), index(layer), crosses(layer));
  }
  /// Prefetches the modules of a layer and the hits of the next layer, which give its modules.
  KOKKOS_FORCEINLINE_FUNCTION void prefetch(int layer) const {
    if (layer == 0) prefetch_hits(0);
    if (layer + 1 < size()) prefetch_hits(layer + 1);
    layers->detector.prefetch(module(layer));
  }
  /// Returns whether the detector counts as material.
  KOKKOS_FORCEINLINE_FUNCTION bool has_material() const { return layers->with_material; }
  /// Returns the material of each lane's module and of its layer; if a track has several
  /// modules on a layer, the material of the layer counts with the last one.
  KOKKOS_FORCEINLINE_FUNCTION kalman::LayerConstants<Real> material(int layer) const {
    if (!layers->with_material) return {Real(0), Real(0), layers->material};
    const Integer module = this->module(layer);
    const Integer of_module = gather<Integer>(layers->detector.layer_of_module.data(), module);
    const Real of_layer = layers->detector.template layer<Real>(of_module).radiation_lengths;
    const Real thickness = layers->detector.template radiation_lengths<Real>(module) +
                           select(is_last_on(layer, of_module), of_layer, Real(0));
    const auto xi = layers->material.bethe_factor / layers->material.per_radiation_length;
    return {thickness, thickness * Real(xi), layers->material};
  }

 private:
  using Integer = IntegerOf<Real>;
  using I = ScalarOf<Integer>;

  KOKKOS_FORCEINLINE_FUNCTION void prefetch_hits(int layer) const {
    const Integer hit = index(layer);
    const auto& hits = layers->hits;
    trackplex::prefetch(hits.module.data(), hit);
    trackplex::prefetch(hits.u.data(), hit);
    trackplex::prefetch(hits.v.data(), hit);
    trackplex::prefetch(hits.variance_u.data(), hit);
    trackplex::prefetch(hits.variance_v.data(), hit);
  }
  /// Lanes whose next hit is on another layer of the detector, or that have no next hit.
  KOKKOS_FORCEINLINE_FUNCTION MaskOf<Real> is_last_on(int layer, const Integer& of_detector) const {
    if (layer + 1 == size()) return MaskOf<Real>(true);
    const Integer next = index(layer + 1);
    const auto has_next = tile.mask() && next >= Integer(0);
    const Integer next_layer =
        gather<Integer>(layers->detector.layer_of_module.data(),
                        gather<Integer>(layers->hits.module.data(), next, has_next));
    return !has_next || next_layer != of_detector;
  }
  KOKKOS_FORCEINLINE_FUNCTION Integer index(int layer) const {
    const auto& tracks = layers->tracks;
    return tile.template load<Integer>(tracks.index.data() +
                                       std::size_t(slot(layer)) * tracks.stride());
  }
  KOKKOS_FORCEINLINE_FUNCTION kalman::ModuleHit<Real, 2> hit(int layer) const {
    const auto& hits = layers->hits;
    const Integer at = index(layer);
    const auto mask = tile.mask() && at >= Integer(0);
    const auto frame = layers->detector.template frame<Real>(
        gather<Integer>(hits.module.data(), at, mask));  // module 0 without a hit
    const Real u = gather<Real>(hits.u.data(), at, mask), v = gather<Real>(hits.v.data(), at, mask);
    const Real variance_u = gather<Real>(hits.variance_u.data(), at, mask),
               variance_v = gather<Real>(hits.variance_v.data(), at, mask);
    const Integer dimension = select(variance_v > Real(0), Integer(2), Integer(1));
    const auto on_u = geometry::add_scaled(frame.centre, u, frame.u);
    return {geometry::add_scaled(on_u, v, frame.v),
            frame.u,
            frame.v,
            {{variance_u, Real(0), variance_v}},
            select(mask, dimension, Integer(0))};
  }
};

/// Hits of tracks on the modules of a detector, the layers of
/// `kalman::fit_tracks` and `kalman::smooth_tracks`. Slot k of a track (`TrackHits`) holds the
/// index of its k-th hit among the hits of all events, or -1: the track then skips the slot. The
/// surface is the plane of the hit's module. A hit measures u and v, or only u if its variance of
/// v is 0.
template <class T, class MemorySpace>
struct DetectorTrackLayers {
  using Scalar = T;                             ///< scalar of the hits
  hits::DetectorHits<T, MemorySpace> hits;      ///< of all events
  TrackHits<MemorySpace> tracks;                ///< hits of each track
  geometry::Detector<T, MemorySpace> detector;  ///< modules and layers
  bool with_material = true;                    ///< false: no material
  FitOrder order = FitOrder::first_to_last;     ///< of the hits in a fit
  /// Properties of all material. The thicknesses in radiation lengths are those of the detector:
  /// of the hit's module, plus that of the module's layer. If modules overlap, the material of the
  /// layer counts with the last one.
  kalman::MaterialConstants<T> material = kalman::silicon;

  /// Checks, before a launch, that hits, tracks, detector and the number of states match.
  /// @throws UsageError that names `where` if they do not
  void check(std::string_view where, int states) const {
    kalman::check_tracks(where, states, tracks.tracks);
    if (hits.layers != detector.n_layers)
      throw UsageError(
          where, "hits and detector do not belong together",
          std::to_string(hits.layers) + " and " + std::to_string(detector.n_layers) + " layers");
  }

  /// Returns the layers of a tile of tracks, for `kalman::fit` in a kernel.
  template <class Real>
  KOKKOS_FORCEINLINE_FUNCTION TileOfDetectorHits<Real, DetectorTrackLayers> of(
      const Tile<Real>& tile) const {
    return {this, tile};
  }
};

}  // namespace trackplex::tracks
