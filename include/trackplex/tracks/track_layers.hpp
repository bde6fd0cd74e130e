// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/core/quartet.hpp>
#include <trackplex/hits/layer_hits.hpp>
#include <trackplex/tracks/track_hits.hpp>

#include <cstddef>
#include <string>
#include <string_view>

namespace trackplex::tracks {

/// Max number of layers of a detector of cylinders.
inline constexpr int max_layers = 32;

/// Detector of concentric cylinders around the z axis.
/// @tparam T scalar of the radii
template <class T>
struct BasicCylinderLayers {
  Kokkos::Array<T, max_layers> radius{};  ///< of each layer, cm, from the inside outwards
  int size = 0;                           ///< number of layers

  /// Rounds the radii to another scalar.
  template <class To>
  KOKKOS_FUNCTION constexpr operator BasicCylinderLayers<To>() const {
    BasicCylinderLayers<To> layers;
    for (int i = 0; i < size; ++i) layers.radius[i] = To(radius[i]);
    layers.size = size;
    return layers;
  }
};
/// Detector of concentric cylinders in double precision, for users; it converts to the detector of
/// kernels.
using CylinderLayers = BasicCylinderLayers<double>;

namespace detail {

/// Index of a track's hit among the hits of all events, if it has one.
template <class Real, class Hits>
KOKKOS_FORCEINLINE_FUNCTION IntegerOf<Real> place_of_hit(const Hits& hits,
                                                         const IntegerOf<Real>& event,
                                                         const IntegerOf<Real>& layer,
                                                         const IntegerOf<Real>& index,
                                                         MaskOf<Real> mask) {
  using Integer = IntegerOf<Real>;
  const Integer group = event * Integer(ScalarOf<Integer>(hits.layers)) + layer;
  return gather<Integer>(hits.offsets.data(), group, mask) + index;
}

/// Hit at an index; zeros where the mask is not set.
template <class Real, class Hits>
KOKKOS_FORCEINLINE_FUNCTION kalman::SpacePoint<Real> gather_hit(const Hits& hits,
                                                                const IntegerOf<Real>& place,
                                                                MaskOf<Real> mask) {
  using Integer = IntegerOf<Real>;
  kalman::SpacePoint<Real> hit{};
  if (none_of(mask)) return hit;  // there may be no hits at all
  hit.position = {{gather<Real>(hits.x.data(), place, mask),
                   gather<Real>(hits.y.data(), place, mask),
                   gather<Real>(hits.z.data(), place, mask)}};
  const Integer row = select(mask, place, Integer(0)) * Integer(6);
  const auto first = gather_four<Real>(hits.covariance.data(), row);
  const auto last = gather_four<Real>(hits.covariance.data() + 2, row);
  const Real elements[6] = {first.x, first.y, first.z, first.w, last.z, last.w};
  for (int e = 0; e < 6; ++e) hit.covariance.elements[e] = select(mask, elements[e], Real(0));
  return hit;
}

/// The hits of a tile of tracks as layers for `kalman::fit`. A layer is the cylinder through a
/// track's hit or, without a hit, the cylinder of the detector.
template <class Number, class Hits, class Tracks>
struct TileOfTrackLayers {
  using Real = Number;
  using Integer = IntegerOf<Real>;
  const Hits* hits;
  const Tracks* tracks;
  const BasicCylinderLayers<ScalarOf<Real>>* detector;
  Tile<Real> tile;
  Integer event;

  KOKKOS_FORCEINLINE_FUNCTION int size() const { return tracks->layers; }

  KOKKOS_FORCEINLINE_FUNCTION MaskOf<Real> present(int layer) const {
    return index(layer) >= Integer(0) && tile.mask();
  }
  KOKKOS_FORCEINLINE_FUNCTION kalman::Cylinder<Real> surface(int layer) const {
    const auto mask = present(layer);
    const Integer place = place_of(layer, mask);
    const Real x = gather<Real>(hits->x.data(), place, mask);
    const Real y = gather<Real>(hits->y.data(), place, mask);
    const Real nominal = Real(detector->radius[layer]);
    return {select(mask, sqrt(fma(x, x, y * y)), nominal)};
  }
  KOKKOS_FORCEINLINE_FUNCTION void prefetch(int layer) const {
    const Integer place = place_of(layer, present(layer));
    trackplex::prefetch(hits->x.data(), place);
    trackplex::prefetch(hits->y.data(), place);
    trackplex::prefetch(hits->z.data(), place);
    trackplex::prefetch(hits->covariance.data(), place * Integer(6));
  }
  KOKKOS_FORCEINLINE_FUNCTION auto measure(int layer, const kalman::Parameters<Real>& at) const {
    const auto mask = present(layer);
    const Integer place = place_of(layer, mask);
    kalman::SpacePoint<Real> hit = gather_hit<Real>(*hits, place, mask);
    // Lanes without a hit: any position that is a valid divisor
    hit.position(0) = select(mask, hit.position(0), at(0));
    hit.position(1) = select(mask, hit.position(1), at(1));
    return kalman::measure_on_cylinder(hit, at);
  }

 private:
  KOKKOS_FORCEINLINE_FUNCTION Integer index(int layer) const {
    return tile.template load<Integer>(tracks->index.data() +
                                       std::size_t(layer) * tracks->stride());
  }
  KOKKOS_FORCEINLINE_FUNCTION Integer place_of(int layer, MaskOf<Real> mask) const {
    return place_of_hit<Real>(*hits, event, Integer(ScalarOf<Integer>(layer)), index(layer), mask);
  }
};

}  // namespace detail

/// Hits of tracks on cylinders, the layers of `kalman::fit_tracks` and
/// `kalman::smooth_tracks`. The surface of a layer is the cylinder through the track's hit, or the
/// nominal cylinder without a hit. It is a `kalman::Cylinder`, whose crossings are in closed form:
/// with `geometry::Surface` a fit on ten layers takes at least 14 % longer (processor time of one
/// core, Zen, g++ 12 -O3).
template <class T, class MemorySpace>
struct TrackLayers {
  using Scalar = T;                      ///< scalar of the hits
  hits::LayerHits<T, MemorySpace> hits;  ///< of all events
  TrackHits<MemorySpace> tracks;         ///< hits of each track
  BasicCylinderLayers<T> detector;       ///< nominal radii

  /// Checks, before a launch, that hits, tracks, detector and the number of states match.
  /// @throws UsageError that names `where` if they do not
  void check(std::string_view where, int states) const {
    kalman::check_tracks(where, states, tracks.tracks);
    const int layers = hits.layers < detector.size ? hits.layers : detector.size;
    if (tracks.layers > layers || detector.size > max_layers)
      throw UsageError(where, "tracks, hits and detector do not belong together",
                       std::to_string(tracks.layers) + ", " + std::to_string(hits.layers) +
                           " and " + std::to_string(detector.size) + " layers");
  }

  /// Returns the layers of a tile of tracks, for `kalman::fit` in a kernel.
  template <class Real>
  KOKKOS_FORCEINLINE_FUNCTION auto of(const Tile<Real>& tile) const {
    return detail::TileOfTrackLayers<Real, hits::LayerHits<T, MemorySpace>, TrackHits<MemorySpace>>{
        &hits, &tracks, &detector, tile, tile.template load<IntegerOf<Real>>(tracks.event.data())};
  }
};

}  // namespace trackplex::tracks

#if defined(TRACKPLEX_INSTANCES)
#include <trackplex/tracks/detail/track_layers.instances.hpp>
#endif
