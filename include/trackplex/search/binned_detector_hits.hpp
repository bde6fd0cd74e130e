// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// @file
/// Hits on modules, binned in the two natural coordinates of their layers for the search in
/// windows (hit_windows.hpp): azimuth and z of barrels, azimuth and r of disks, u and v of
/// planes.

#include <trackplex/geometry/detector.hpp>
#include <trackplex/hits/detector_hits.hpp>
#include <trackplex/search/binned_hits.hpp>
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

/// Bins of the layers of a detector of modules.
template <class T, class MemorySpace>
struct DetectorBins : LayerAxes<T, MemorySpace> {
  geometry::Detector<T, MemorySpace> detector;  ///< of the hits
  /// By index of the hit: 1 if it is skipped; without entries, none is. See `BinFreeHits`.
  Kokkos::View<std::uint8_t*, MemorySpace> taken;

  /// No bins.
  DetectorBins() = default;
  /// Bins of these axes.
  DetectorBins(const geometry::Detector<T, MemorySpace>& of_detector,
               const LayerAxes<T, MemorySpace>& axes)
      : LayerAxes<T, MemorySpace>(axes), detector(of_detector) {}

  /// Checks that hits are on these layers.
  /// @throws UsageError that names `where` if hits, bins and detector have different numbers of
  /// layers
  /// @throws CapacityError if there are more than 2^24 modules
  template <class Hits>
  void check(const char* where, const Hits& hits) const {
    if (hits.layers != this->layers || hits.layers != detector.n_layers)
      throw UsageError(where, "hits, bins and detector have different layers",
                       std::to_string(hits.layers) + ", " + std::to_string(this->layers) + " and " +
                           std::to_string(detector.n_layers));
    constexpr int max_modules = 1 << 24;  // records hold the numbers of modules as T
    if (detector.n_modules > max_modules)
      throw CapacityError(where, "modules", std::size_t(detector.n_modules), max_modules);
  }
};

/// Binned hits of many events on the modules of a detector. The records of a hit are the first and
/// the second coordinate, the number of the module and the distance from the layer's surface, up to
/// the reach of the layer | u, v, their variances | x, y, z, first coordinate.
template <class T, class MemorySpace>
struct BinnedDetectorHits : BinnedRecords<T, MemorySpace, DetectorBins<T, MemorySpace>> {
  using Hits = hits::DetectorHits<T, MemorySpace>;  ///< hits without bins
  /// `index` counts the hits of all events; taken hits have no place.
  static constexpr bool on_modules = true;

  /// Returns the bin and the first coordinate of each hit of a tile that starts at index
  /// `begin`, all on one layer; the bin is negative for taken hits.
  template <class Real>
  KOKKOS_FORCEINLINE_FUNCTION BinOfHit<Real> bin_of(const Hits& hits, int layer, int begin,
                                                    const Tile<Real>& tile) const {
    using Integer = IntegerOf<Real>;
    const Integer number = tile.template load<Integer>(hits.module.data() + begin);
    const Integer module = select(tile.mask(), number, Integer(0));
    const auto point =
        geometry::to_global(this->detector.template frame<Real>(module),
                            geometry::Vector3<Real>{{tile.load(hits.u.data() + begin),
                                                     tile.load(hits.v.data() + begin), Real(0)}});
    const Integer same_layer = Integer(ScalarOf<Integer>(layer));
    const auto at = this->detector.template layer<Real>(same_layer).coordinates(point);
    Integer bin = this->bin(same_layer, at.first, at.second);
    if (this->taken.extent(0) > 0)
      bin = select(tile.template load<Integer>(this->taken.data() + begin) == Integer(0), bin,
                   Integer(-1));
    return {bin, at.first};
  }
  /// Copies the hit with an index to a place.
  KOKKOS_FUNCTION void store(const Hits& hits, int layer, int from, int place,
                             const T& first) const {
    using Integer = IntegerOf<T>;
    const std::int32_t module = hits.module(from);
    const geometry::Vector3<T> local = {{hits.u(from), hits.v(from), T(0)}};
    const auto point =
        geometry::to_global(this->detector.template frame<T>(Integer(module)), local);
    const auto of_layer = this->detector.template layer<T>(Integer(layer));
    auto* const to = &this->records(std::size_t(place) * this->records_per_hit);
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
    const auto a = this->template record<Real>(0, place), b = this->template record<Real>(1, place);
    return {convert<Integer>(a.z), b.x, b.y, b.z, b.w};
  }
  /// Returns the number of the layer of the hit at a place.
  KOKKOS_FUNCTION std::int32_t layer_of(int place) const {
    const auto& first_record = this->records(std::size_t(place) * this->records_per_hit);
    return this->detector.layer_of_module(std::size_t(first_record.z));
  }
  /// Loads the point (x, y, z; cm) of the hit at a place and its first coordinate, one for each
  /// lane.
  template <class Real>
  KOKKOS_FORCEINLINE_FUNCTION Quartet<Real> point(const IntegerOf<Real>& place) const {
    return this->template record<Real>(2, place);
  }
};

/// `BinHits` of the hits on modules without a flag: later passes of a track finder skip the hits
/// of tracks that were found.
/// @tparam Width number of lanes
template <class T, class ExecutionSpace,
          int Width = default_lane_width<ExecutionSpace, T, KernelKind::track_states>>
struct BinFreeHits
    : BinHits<T, ExecutionSpace, BinnedDetectorHits<T, MemoryOf<ExecutionSpace>>, Width> {
  static constexpr const char* name = "bin_free_hits";
  using Binned = BinnedDetectorHits<T, MemoryOf<ExecutionSpace>>;  ///< output
  using Bin = BinHits<T, ExecutionSpace, Binned, Width>;           ///< binning of all hits
  using typename Bin::Hits, typename Bin::Scratch;
  /// Flags of skipped hits, by index; without entries, none is skipped.
  using Taken = decltype(Binned::taken);

  /// Allocates the binned hits and the scratch arrays.
  /// @throws UsageError and CapacityError as `BinHits`, and UsageError if there are fewer flags
  /// than hits
  template <class Memory>
  void allocate(const Memory& memory, const Hits& hits, const Taken& taken, Binned& binned,
                Scratch& scratch) const {
    if (taken.extent(0) > 0 && taken.extent(0) < std::size_t(hits.hits))
      throw UsageError(name, "there are flags of fewer hits",
                       std::to_string(taken.extent(0)) + " for " + std::to_string(hits.hits));
    Bin::allocate(memory, hits, binned, scratch);
  }
  /// Enqueues the kernel on the instance.
  void operator()(const ExecutionSpace& exec, const Hits& hits, const Taken& taken, Binned& binned,
                  Scratch& scratch) const {
    binned.taken = taken;
    Bin::operator()(exec, hits, binned, scratch);
  }
};

}  // namespace trackplex::search
