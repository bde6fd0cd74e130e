// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// @file
/// Hits of many events and layers in bins of azimuth and one more coordinate, for the search of
/// windows (hit_windows.hpp).
///
/// A layer's bins stand azimuth by azimuth; those of one azimuth, and so their hits, follow each
/// other along the other coordinate. A window is a few azimuths, each with one run of hits.

#include <trackplex/core/algorithm.hpp>
#include <trackplex/core/copy.hpp>
#include <trackplex/core/quad.hpp>
#include <trackplex/core/team_launch.hpp>
#include <trackplex/histogram/axes.hpp>
#include <trackplex/search/detail/bin_hits.hpp>
#include <trackplex/search/layer_hits.hpp>

#include <cstdint>
#include <limits>
#include <numbers>
#include <string>
#include <vector>

namespace trackplex::search {

/// The second coordinate of a hit: z, cm.
struct AlongZ {
  template <class Real>
  KOKKOS_FORCEINLINE_FUNCTION static Real of(const Real& /*x*/, const Real& /*y*/, const Real& z) {
    return z;
  }
};

/// The second coordinate of a hit: its pseudorapidity asinh(z / r), as seen from the origin.
struct AlongEta {
  template <class Real>
  KOKKOS_FORCEINLINE_FUNCTION static Real of(const Real& x, const Real& y, const Real& z) {
    const Real t = abs(z) / sqrt(fma(x, x, y * y));
    return copysign(log(t + sqrt(fma(t, t, Real(1)))), z);
  }
};

/// Numbers of bins of a layer.
struct BinCounts {
  int azimuth, second;
};

/// About one bin for each hit of a full layer, as many along azimuth as along the other coordinate:
/// with fewer, windows show hits that are not wanted; with more, the tables leave the cache.
inline BinCounts bins_for_hits(int hits_per_layer) {
  int azimuth = 64;
  while (azimuth < 1024 && 4 * azimuth * azimuth <= 5 * hits_per_layer) azimuth *= 2;
  const int second = hits_per_layer / azimuth;
  return {azimuth, second < 16 ? 16 : second > 1024 ? 1024 : second};
}

/// A hit as kernels see it: its place, its azimuth and its covariance. Three records of four
/// numbers, so that lanes gather them together.
template <class Real>
struct BinnedHit {
  Real x, y, z, phi;
  Real covariance[6];  ///< xx, yx, yy, zx, zy, zz
};

/// Bins of the layers of a detector. `Axis` is the axis of the second coordinate, one for each
/// layer: a `RegularAxis<T>` or a `VariableAxis<T>`.
template <class T, class MemorySpace, class Axis = histogram::RegularAxis<T>>
struct HitBins {
  template <class Element>
  using Array = Kokkos::View<Element*, MemorySpace>;

  Array<std::int32_t> tables;  ///< of each layer, where its part of an event's places begins
  Array<Axis> axes;            ///< of each layer
  histogram::WrappedAxis<T> azimuth;
  int layers = 0;
  int places_per_event = 0;  ///< one for each bin, and one more for each layer

  /// No bins yet.
  HitBins() = default;
  /// Bins for the layers that `second` has axes of.
  /// @throws UsageError if there are no bins, or too many
  template <class ExecutionSpace>
  HitBins(const ExecutionSpace& exec, int azimuth_bins, const std::vector<Axis>& second)
      : azimuth(-std::numbers::pi, std::numbers::pi, azimuth_bins), layers(int(second.size())) {
    if (second.empty()) throw UsageError("HitBins", "a detector has at least one layer");
    std::vector<std::int32_t> begin;
    std::int64_t size = 0;
    for (const Axis& axis : second) {
      begin.push_back(std::int32_t(size));
      size += std::int64_t(azimuth_bins) * axis.bins() + 1;
      if (size > std::numeric_limits<std::int32_t>::max())
        throw UsageError("HitBins", "there are too many bins", {}, "make them wider");
    }
    places_per_event = int(size);
    tables = to_device<std::int32_t>(exec, "Trackplex::Search::tables", begin);
    axes = to_device<Axis>(exec, "Trackplex::Search::axes", second);
  }

  template <class Real>
  KOKKOS_FORCEINLINE_FUNCTION IntegerOf<Real> bin(int layer, const Real& phi,
                                                  const Real& along) const {
    using Integer = IntegerOf<Real>;
    const Axis& axis = axes(layer);
    return azimuth.bin(phi) * Integer(ScalarOf<Integer>(axis.bins())) + axis.bin(along);
  }
};

/// Hits in their bins.
template <class T, class MemorySpace, class SecondCoordinate = AlongZ,
          class Axis = histogram::RegularAxis<T>>
struct BinnedHits : HitBins<T, MemorySpace, Axis> {
  using Coordinate = SecondCoordinate;
  using Bins = HitBins<T, MemorySpace, Axis>;
  template <class Element>
  using Array = Kokkos::View<Element*, MemorySpace>;
  static constexpr int records_per_hit = 3;

  Array<Quad<T>> records;      ///< by place: x, y, z, phi | xx, yx, yy, zx | zy, zz, -, -
  Array<std::int32_t> index;   ///< by place: which hit of its layer and event this is
  Array<std::int32_t> places;  ///< where each bin begins; one entry more for each layer
  int events = 0;              ///< 0 until there are hits in the bins

  /// The part of `places` for a layer of an event.
  KOKKOS_FORCEINLINE_FUNCTION std::int32_t* table(int event, int layer) const {
    return places.data() + std::size_t(event) * this->places_per_event + this->tables(layer);
  }

  /// The hit at a place, one for each lane; every lane's place must be valid.
  template <class Real, class Integer>
  KOKKOS_FORCEINLINE_FUNCTION BinnedHit<Real> hit(const Integer& place) const {
    const Integer at = place * Integer(records_per_hit);
    const auto a = gather_quads<Real>(records.data(), at);
    const auto b = gather_quads<Real>(records.data() + 1, at);
    const auto c = gather_quads<Real>(records.data() + 2, at);
    return {a.x, a.y, a.z, a.w, {b.x, b.y, b.z, b.w, c.x, c.y}};
  }
};

/// Puts hits into bins; hits of one bin keep their order. One kernel, with a team for each layer of
/// each event. `Width` is the number of lanes.
template <class T, class ExecutionSpace, class Binned = BinnedHits<T, MemoryOf<ExecutionSpace>>,
          int Width = default_lane_width<ExecutionSpace, T>>
struct BinHits {
  static constexpr const char* name = "bin_hits";
  using Hits = LayerHits<T, MemoryOf<ExecutionSpace>>;
  template <class Element>
  using Array = Kokkos::View<Element*, MemoryOf<ExecutionSpace>>;
  struct Scratch {
    Array<std::int32_t> keys, order, cursors;
    Array<T> phi;
  };

  typename Binned::Bins bins;
  int team_size = 0;  ///< 0: the space's own

  /// @throws UsageError if hits and bins are for different numbers of layers, or too many
  template <class Memory>
  void allocate(const Memory& memory, const Hits& hits, Binned& binned, Scratch& scratch) const {
    check(hits);
    static_cast<typename Binned::Bins&>(binned) = bins;
    binned.events = 0;  // until operator() has put hits into the bins
    const auto of_binned = memory.of(binned);
    // Some more, so that any place that a lane asks for exists
    const auto n = std::size_t(hits.hits) + 1;
    const auto places = std::size_t(hits.events) * std::size_t(bins.places_per_event);
    allocate_array(of_binned, binned.records, "Trackplex::Search::records",
                   n * Binned::records_per_hit);
    allocate_array(of_binned, binned.index, "Trackplex::Search::binned_index", n);
    allocate_array(of_binned, binned.places, "Trackplex::Search::places", places);
    allocate_array(memory.scratch(), scratch.keys, "Trackplex::Search::bins", n);
    allocate_array(memory.scratch(), scratch.order, "Trackplex::Search::order", n);
    allocate_array(memory.scratch(), scratch.phi, "Trackplex::Search::phi", n);
    allocate_array(memory.scratch(), scratch.cursors, "Trackplex::Search::cursors", places);
  }

  void operator()(const ExecutionSpace& exec, const Hits& hits, Binned& binned,
                  Scratch& scratch) const {
    using Kernel = detail::BinHits<LanesOf<T, Width>, Hits, Binned, Array<std::int32_t>, Array<T>>;
    binned.events = hits.events;
    for_each_team(exec, "Trackplex::Search::bin_hits", hits.events * hits.layers,
                  Kernel{hits, binned, scratch.keys, scratch.order, scratch.cursors, scratch.phi},
                  team_size);
  }

 private:
  void check(const Hits& hits) const {
    if (hits.layers != bins.layers)
      throw UsageError(
          name, "hits and bins are for different detectors",
          std::to_string(hits.layers) + " and " + std::to_string(bins.layers) + " layers");
    // Kernels count in 32 bits.
    constexpr std::int64_t max_places = std::numeric_limits<std::int32_t>::max();
    if (std::int64_t(hits.events) * bins.places_per_event > max_places ||
        (std::int64_t(hits.hits) + 1) * Binned::records_per_hit > max_places)
      throw UsageError(name, "there are too many events for one batch",
                       std::to_string(hits.events) + " events, " + std::to_string(hits.hits) +
                           " hits, " + std::to_string(bins.places_per_event) + " bins per event",
                       "use smaller batches, or wider bins");
  }
};

}  // namespace trackplex::search
