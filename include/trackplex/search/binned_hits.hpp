// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// @file
/// Hits of many events and layers, binned in two coordinates for the search in windows
/// (hit_windows.hpp): points in azimuth and a second coordinate, hits on modules in the natural
/// coordinates of their layers (binned_detector_hits.hpp).
///
/// A layer's bins are ordered by the first and then by the second coordinate, and so are their
/// hits: a window covers a few rows of bins, each with one run of consecutive hits.

#include <trackplex/core/algorithm.hpp>
#include <trackplex/core/copy.hpp>
#include <trackplex/core/quartet.hpp>
#include <trackplex/core/team_launch.hpp>
#include <trackplex/histogram/axes.hpp>
#include <trackplex/hits/layer_hits.hpp>
#include <trackplex/search/detail/bin_hits.hpp>

#include <cstdint>
#include <limits>
#include <numbers>
#include <string>
#include <vector>

namespace trackplex::search {

/// Second coordinate of a hit: z.
struct AlongZ {
  /// Returns z (cm) of a point (cm).
  template <class Real>
  KOKKOS_FORCEINLINE_FUNCTION static Real of(const Real& /*x*/, const Real& /*y*/, const Real& z) {
    return z;
  }
};

/// Second coordinate of a hit: its pseudorapidity as seen from the origin.
struct AlongEta {
  /// Returns asinh(z / r) of a point (cm) that is not on the z axis.
  template <class Real>
  KOKKOS_FORCEINLINE_FUNCTION static Real of(const Real& x, const Real& y, const Real& z) {
    const Real t = abs(z) / sqrt(fma(x, x, y * y));
    return copysign(log(t + sqrt(fma(t, t, Real(1)))), z);
  }
};

/// Numbers of bins of a layer.
struct BinCounts {
  int azimuth,  ///< in azimuth
      second;   ///< along the second coordinate
};

/// Suggests numbers of bins: about one bin per hit of a full layer, as many in azimuth (a
/// power of two, 64 to 1024) as along the second coordinate (16 to 1024). With fewer bins, windows
/// have more hits to test; with more, the tables do not fit into the cache.
inline BinCounts bins_for_hits(int hits_per_layer) {
  int azimuth = 64;
  while (azimuth < 1024 && 4 * azimuth * azimuth <= 5 * hits_per_layer) azimuth *= 2;
  const int second = hits_per_layer / azimuth;
  return {azimuth, second < 16 ? 16 : second > 1024 ? 1024 : second};
}

/// Point in kernels. In memory it is three records of four numbers, which lanes gather together.
template <class Real>
struct BinnedHit {
  Real x,              ///< cm
      y,               ///< cm
      z,               ///< cm
      phi;             ///< azimuth, -pi to pi
  Real covariance[6];  ///< xx, yx, yy, zx, zy, zz, cm^2
};

/// Bin of a hit in its layer, and its first coordinate.
template <class Real>
struct BinOfHit {
  IntegerOf<Real> bin;  ///< number of the bin; negative: the hit is skipped
  Real first;           ///< first coordinate, such as the azimuth in rad
};

/// Bins of the layers of a detector, in azimuth and a second coordinate.
/// @tparam Axis axis of the second coordinate, one per layer: a `histogram::RegularAxis<T>` or
/// a `histogram::VariableAxis<T>`
template <class T, class MemorySpace, class Axis = histogram::RegularAxis<T>>
struct HitBins {
  /// One-dimensional array in the memory space.
  template <class Element>
  using Array = Kokkos::View<Element*, MemorySpace>;

  Array<std::int32_t> tables;         ///< of each layer: begin of its part of an event's table
  Array<Axis> axes;                   ///< of each layer, along the second coordinate
  histogram::WrappedAxis<T> azimuth;  ///< -pi to pi, the same for all layers
  int layers = 0;                     ///< number of layers
  int places_per_event = 0;           ///< entries of an event's table: bins, and one per layer

  /// No bins.
  HitBins() = default;
  /// Bins for as many layers as `second` has axes.
  /// @throws UsageError if there are no layers or bins, or too many bins
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
    tables = trackplex::to_device<std::int32_t>(exec, "Trackplex::Search::tables", begin);
    axes = trackplex::to_device<Axis>(exec, "Trackplex::Search::axes", second);
  }

  /// Checks that hits are on these layers.
  /// @throws UsageError that names `where` if they are on another number of layers
  template <class Hits>
  void check(const char* where, const Hits& hits) const {
    if (hits.layers != layers)
      throw UsageError(where, "hits and bins are for different detectors",
                       std::to_string(hits.layers) + " and " + std::to_string(layers) + " layers");
  }
  /// Returns the number of bins of a layer.
  KOKKOS_FORCEINLINE_FUNCTION int bins_of(int layer) const {
    return azimuth.bins() * axes(layer).bins();
  }
  /// Returns the bin inside a layer of an azimuth (rad) and a value of the second coordinate.
  template <class Real>
  KOKKOS_FORCEINLINE_FUNCTION IntegerOf<Real> bin(int layer, const Real& phi,
                                                  const Real& along) const {
    using Integer = IntegerOf<Real>;
    const Axis& axis = axes(layer);
    return azimuth.bin(phi) * Integer(ScalarOf<Integer>(axis.bins())) + axis.bin(along);
  }
};

/// Records of the binned hits of many events. A place is the position of a hit among the hits of
/// all events, layers and bins.
/// @tparam TheBins bins of the layers: `HitBins` or `DetectorBins`
template <class T, class MemorySpace, class TheBins>
struct BinnedRecords : TheBins {
  using Bins = TheBins;  ///< bins without hits
  /// One-dimensional array in the memory space.
  template <class Element>
  using Array = Kokkos::View<Element*, MemorySpace>;
  static constexpr int records_per_hit = 3;  ///< quads of a hit

  Array<Quartet<T>> records;   ///< by place: what `store` of the kind of hits writes
  Array<std::int32_t> index;   ///< by place: index of the hit, see `on_modules`
  Array<std::int32_t> places;  ///< first place of each bin, and the end of each layer:
                               ///< `events * places_per_event` entries
  int events = 0;              ///< number of events; 0 until hits are binned

  /// Returns the part of `places` for a layer of an event: one entry per bin, and the end.
  KOKKOS_FORCEINLINE_FUNCTION std::int32_t* table(int event, int layer) const {
    return places.data() + std::size_t(event) * this->places_per_event + this->tables(layer);
  }
  /// Loads one of the records of the hit at a place, one for each lane.
  template <class Real>
  KOKKOS_FORCEINLINE_FUNCTION Quartet<Real> record(int number, const IntegerOf<Real>& place) const {
    using Integer = IntegerOf<Real>;
    return gather_quartets<Real>(records.data() + number, place * Integer(records_per_hit));
  }
};

/// Binned points of many events. The records of a hit are x, y, z, phi | xx, yx, yy, zx | zy, zz,
/// -, -.
/// @tparam SecondCoordinate `AlongZ` or `AlongEta`
/// @tparam Axis axis of the second coordinate, see `HitBins`
template <class T, class MemorySpace, class SecondCoordinate = AlongZ,
          class Axis = histogram::RegularAxis<T>>
struct BinnedHits : BinnedRecords<T, MemorySpace, HitBins<T, MemorySpace, Axis>> {
  using Coordinate = SecondCoordinate;           ///< second coordinate of a hit
  using Hits = hits::LayerHits<T, MemorySpace>;  ///< hits without bins
  static constexpr bool on_modules = false;      ///< `index` counts the hits of a layer and event

  /// Returns the bin and the azimuth (rad) of each hit of a tile that starts at index `first`,
  /// all on one layer.
  template <class Real>
  KOKKOS_FORCEINLINE_FUNCTION BinOfHit<Real> bin_of(const Hits& hits, int layer, int first,
                                                    const Tile<Real>& tile) const {
    const Real x = tile.load(hits.x.data() + first), y = tile.load(hits.y.data() + first);
    const Real angle = atan2(y, x);
    const Real along = Coordinate::of(x, y, tile.load(hits.z.data() + first));
    return {this->bin(layer, angle, along), angle};
  }
  /// Copies the hit with an index to a place.
  KOKKOS_FUNCTION void store(const Hits& hits, int /*layer*/, int from, int place,
                             const T& phi) const {
    const auto* const c = &hits.covariance(from, 0);
    auto* const to = &this->records(std::size_t(place) * this->records_per_hit);
    to[0] = {hits.x(from), hits.y(from), hits.z(from), phi};
    to[1] = {c[0], c[1], c[2], c[3]};
    to[2] = {c[4], c[5], 0, 0};
  }

  /// Loads the hit at a place, one for each lane; every lane's place must be valid.
  template <class Real, class Integer>
  KOKKOS_FORCEINLINE_FUNCTION BinnedHit<Real> hit(const Integer& place) const {
    const auto a = point<Real>(place), b = this->template record<Real>(1, place),
               c = this->template record<Real>(2, place);
    return {a.x, a.y, a.z, a.w, {b.x, b.y, b.z, b.w, c.x, c.y}};
  }
  /// Loads the point (x, y, z; cm) of the hit at a place and its azimuth, one for each lane.
  template <class Real>
  KOKKOS_FORCEINLINE_FUNCTION Quartet<Real> point(const IntegerOf<Real>& place) const {
    return this->template record<Real>(0, place);
  }
  /// Prefetches the end of the records at places whose beginning is read anyway; see
  /// `trackplex::prefetch`.
  template <class Integer>
  KOKKOS_FORCEINLINE_FUNCTION void prefetch(const Integer& place) const {
    trackplex::prefetch(this->records.data() + (this->records_per_hit - 1),
                        place * Integer(this->records_per_hit));
  }
};

/// Algorithm that sorts hits into bins, stably: hits of one bin keep their order. It launches one
/// kernel, with one team per layer and event.
/// @tparam Binned a `BinnedHits` or `BinnedDetectorHits`
/// @tparam Width number of lanes
template <class T, class ExecutionSpace, class Binned = BinnedHits<T, MemoryOf<ExecutionSpace>>,
          int Width = default_lane_width<ExecutionSpace, T, KernelKind::track_states>>
struct BinHits {
  static constexpr const char* name = "bin_hits";
  using Hits = typename Binned::Hits;  ///< input
  /// Arrays that only this algorithm needs.
  using Scratch = detail::BinningScratch<T, MemoryOf<ExecutionSpace>>;

  typename Binned::Bins bins;  ///< of all layers
  /// Threads of a team, which sorts one layer of one event.
  int team_size = SpaceTraits<ExecutionSpace>::large_team_size;

  /// Allocates the binned hits and the scratch arrays.
  /// @throws UsageError if hits and bins are for different numbers of layers, or there are too many
  /// bins or hits for 32-bit indices
  /// @throws CapacityError if there are more than 2^24 modules
  template <class Memory>
  void allocate(const Memory& memory, const Hits& hits, Binned& binned, Scratch& scratch) const {
    bins.check(name, hits);
    static_cast<typename Binned::Bins&>(binned) = bins;
    detail::allocate_bins(name, memory, hits, bins.places_per_event, binned, scratch);
  }

  /// Enqueues the kernel on the instance.
  void operator()(const ExecutionSpace& exec, const Hits& hits, Binned& binned,
                  Scratch& scratch) const {
    detail::bin_hits<LanesOf<T, Width>>(exec, "Trackplex::Search::bin_hits", hits, binned, scratch,
                                        team_size);
  }
};

}  // namespace trackplex::search

#if defined(TRACKPLEX_INSTANCES)
#include <trackplex/search/detail/binned_hits.instances.hpp>
#endif
