// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// @file
/// Hits on modules, binned in the two natural coordinates of their layers for the search in
/// windows (layer_windows.hpp): azimuth and z of barrels, azimuth and r of disks, u and v of
/// planes.

#include <trackplex/geometry/detector.hpp>
#include <trackplex/search/binned_hits.hpp>
#include <trackplex/search/detector_hits.hpp>
#include <trackplex/search/layer_axes.hpp>

#include <cstdint>
#include <string>

namespace trackplex::search {

/// Hit on a module, in kernels.
template <class Number>
struct BinnedDetectorHit {
  using Real = Number;     ///< number type of a kernel
  IntegerOf<Real> module;  ///< number of its module
  Real u,                  ///< first coordinate in the frame of the module, cm
      v;                   ///< second coordinate, cm
  Real variance_u,         ///< variance of u, cm^2
      variance_v;          ///< variance of v, cm^2; 0: not measured
};

/// Binned hits of many events on the modules of a detector; see `BinnedHits` for places.
template <class T, class MemorySpace>
struct BinnedDetectorHits : LayerAxes<T, MemorySpace> {
  /// One-dimensional array in the memory space.
  template <class Element>
  using Array = Kokkos::View<Element*, MemorySpace>;
  static constexpr int records_per_hit = 3;       ///< quads of a hit
  static constexpr bool leaves_out = true;        ///< taken hits have no place
  static constexpr bool counts_in_layer = false;  ///< `index` counts the hits of all events

  geometry::Detector<T, MemorySpace> detector;  ///< of the hits
  /// By place: first and second coordinate, number of the module, distance from the layer's
  /// surface, up to the reach of the layer | u, v, their variances | x, y, z, first coordinate.
  Array<Quartet<T>> records;
  Array<std::int32_t> index;   ///< by place: index of the hit among those of all events
  Array<std::int32_t> places;  ///< first place of each bin, and the end of each layer
  Array<std::uint8_t> taken;   ///< by index: 1 if the hit is skipped; without entries, none is
  int events = 0;              ///< number of events; 0 until hits are binned

  /// Returns the part of `places` for a layer of an event: one entry per bin, and the end.
  KOKKOS_FORCEINLINE_FUNCTION std::int32_t* table(int event, int layer) const {
    return places.data() + std::size_t(event) * this->places_per_event + this->tables(layer);
  }

  /// Returns the bin and the first coordinate of each hit of a tile that starts at index
  /// `begin`, all on one layer; the bin is negative for taken hits.
  template <class Real, class Hits>
  KOKKOS_FORCEINLINE_FUNCTION BinOfHit<Real> bin_of(const Hits& hits, int layer, int begin,
                                                    const Tile<Real>& tile) const {
    using Integer = IntegerOf<Real>;
    const Integer number = tile.template load<Integer>(hits.module.data() + begin);
    const Integer module = select(tile.mask(), number, Integer(0));
    const auto point =
        geometry::to_global(detector.template frame<Real>(module),
                            geometry::Vector3<Real>{{tile.load(hits.u.data() + begin),
                                                     tile.load(hits.v.data() + begin), Real(0)}});
    const Integer same_layer = Integer(ScalarOf<Integer>(layer));
    const auto at = detector.template layer<Real>(same_layer).coordinates(point);
    Integer bin = this->bin(same_layer, at.first, at.second);
    if (taken.extent(0) > 0)
      bin =
          select(tile.template load<Integer>(taken.data() + begin) == Integer(0), bin, Integer(-1));
    return {bin, at.first};
  }
  /// Copies the hit with an index to a place.
  template <class Hits>
  KOKKOS_FUNCTION void store(const Hits& hits, int layer, int from, int place,
                             const T& first) const {
    using Integer = IntegerOf<T>;
    const std::int32_t module = hits.module(from);
    const geometry::Vector3<T> local = {{hits.u(from), hits.v(from), T(0)}};
    const auto point = geometry::to_global(detector.template frame<T>(Integer(module)), local);
    const auto of_layer = detector.template layer<T>(Integer(layer));
    auto* const to = &records(std::size_t(place) * records_per_hit);
    // A hit beyond the edge of its module may be farther from the surface than windows extend.
    const T reach = this->template reach<T>(Integer(layer));
    to[0] = {first, of_layer.coordinates(point).second, T(module),
             max(-reach, min(of_layer.surface.distance(point), reach))};
    to[1] = {hits.u(from), hits.v(from), hits.variance_u(from), hits.variance_v(from)};
    to[2] = {point(0), point(1), point(2), first};
  }

  /// Loads the hit at a place, one for each lane; every lane's place must be valid.
  template <class Real, class Integer>
  KOKKOS_FORCEINLINE_FUNCTION BinnedDetectorHit<Real> hit(const Integer& place) const {
    const Integer at = place * Integer(records_per_hit);
    const auto a = gather_quartets<Real>(records.data(), at);
    const auto b = gather_quartets<Real>(records.data() + 1, at);
    return {convert<Integer>(a.z), b.x, b.y, b.z, b.w};
  }
  /// Loads the point (x, y, z; cm) of the hit at a place and its first coordinate, one for each
  /// lane.
  template <class Real, class Integer>
  KOKKOS_FORCEINLINE_FUNCTION Quartet<Real> point(const Integer& place) const {
    return gather_quartets<Real>(records.data() + 2, place * Integer(records_per_hit));
  }
};

/// Algorithm that sorts hits on modules into bins, stably: hits of one bin keep their order. It
/// launches one kernel, with one team per layer and event.
/// @tparam Width number of lanes
template <class T, class ExecutionSpace,
          int Width = default_lane_width<ExecutionSpace, T, KernelKind::track_states>>
struct BinDetectorHits {
  static constexpr const char* name = "bin_detector_hits";
  using MemorySpace = MemoryOf<ExecutionSpace>;       ///< of its arrays
  using Hits = DetectorHits<T, MemorySpace>;          ///< input
  using Binned = BinnedDetectorHits<T, MemorySpace>;  ///< output
  /// Flags of skipped hits, by index; without entries, none is skipped.
  using Taken = Kokkos::View<std::uint8_t*, MemorySpace>;
  /// Arrays that only this algorithm needs.
  using Scratch = detail::BinningScratch<T, MemorySpace>;

  geometry::Detector<T, MemorySpace> detector;  ///< of the hits
  LayerAxes<T, MemorySpace> axes;               ///< bins of all layers
  /// Threads of a team, which sorts one layer of one event.
  int team_size = SpaceTraits<ExecutionSpace>::large_team_size;

  /// Allocates the binned hits and the scratch arrays.
  /// @throws UsageError if hits, bins and detector have different numbers of layers, if there
  /// are fewer flags than hits, or too many bins or hits for 32-bit indices
  /// @throws CapacityError if there are more than 2^24 modules
  template <class Memory>
  void allocate(const Memory& memory, const Hits& hits, const Taken& taken, Binned& binned,
                Scratch& scratch) const {
    check(hits, taken);
    static_cast<LayerAxes<T, MemorySpace>&>(binned) = axes;
    binned.detector = detector;
    detail::allocate_bins(name, memory, hits, axes.places_per_event, binned, scratch);
  }

  /// Enqueues the kernel on the instance.
  void operator()(const ExecutionSpace& exec, const Hits& hits, const Taken& taken, Binned& binned,
                  Scratch& scratch) const {
    binned.taken = taken;
    detail::bin_hits<LanesOf<T, Width>>(exec, "Trackplex::Search::bin_detector_hits", hits, binned,
                                        scratch, team_size);
  }

 private:
  void check(const Hits& hits, const Taken& taken) const {
    if (hits.layers != axes.layers || hits.layers != detector.n_layers)
      throw UsageError(name, "hits, bins and detector have different layers",
                       std::to_string(hits.layers) + ", " + std::to_string(axes.layers) + " and " +
                           std::to_string(detector.n_layers));
    if (taken.extent(0) > 0 && taken.extent(0) < std::size_t(hits.hits))
      throw UsageError(name, "there are flags of fewer hits",
                       std::to_string(taken.extent(0)) + " for " + std::to_string(hits.hits));
    // Records hold the numbers of modules as T.
    constexpr int max_modules = 1 << 24;
    if (detector.n_modules > max_modules)
      throw CapacityError(name, "modules", std::size_t(detector.n_modules), max_modules);
  }
};

}  // namespace trackplex::search
