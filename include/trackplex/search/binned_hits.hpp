// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// @file
/// Hits of many events and layers in bins of azimuth and one more coordinate, for the search of
/// windows (hit_windows.hpp).
///
/// A layer's bins stand azimuth by azimuth; those of one azimuth, and so their hits, follow each
/// other along the other coordinate. A window is a few azimuths, each with one run of hits.

#include <trackplex/core/quad.hpp>
#include <trackplex/core/team_launch.hpp>
#include <trackplex/core/workspace.hpp>
#include <trackplex/histogram/axes.hpp>
#include <trackplex/search/layer_hits.hpp>

#include <numbers>
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

/// Numbers of bins of a layer, for `BinnedHits`.
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

/// What a kernel knows of a hit: its place, its azimuth and its covariance. Three records of four
/// numbers, so that lanes gather them together.
template <class Real>
struct BinnedHit {
  Real x, y, z, phi;
  Real covariance[6];  ///< xx, yx, yy, zx, zy, zz
};

/// The hits in their bins. `Axis` is the axis of the second coordinate, one for each layer: a
/// `RegularAxis<T>` or a `VariableAxis<T>`.
template <class T, class MemorySpace, class SecondCoordinate = AlongZ,
          class Axis = histogram::RegularAxis<T>>
struct BinnedHits {
  using Coordinate = SecondCoordinate;
  template <class Element>
  using Array = Kokkos::View<Element*, MemorySpace>;
  static constexpr int records_per_hit = 3;

  Array<Quad<T>> records;      ///< by place: x, y, z, phi | xx, yx, yy, zx | zy, zz, -, -
  Array<std::int32_t> index;   ///< by place: which hit of its layer and event this is
  Array<std::int32_t> places;  ///< where each bin begins; one entry more for each layer
  Array<std::int32_t> tables;  ///< of each layer, where its part of `places` begins in an event's
  Array<Axis> axes;            ///< of each layer
  histogram::WrappedAxis<T> azimuth;
  int events = 0, layers = 0;
  int places_per_event = 0;

  /// No bins yet.
  BinnedHits() = default;
  /// Bins for the layers that `second` has axes of.
  /// @throws UsageError if there are no bins, or too many
  template <class ExecutionSpace>
  BinnedHits(const ExecutionSpace& exec, int azimuth_bins, const std::vector<Axis>& second)
      : azimuth(-std::numbers::pi, std::numbers::pi, azimuth_bins), layers(int(second.size())) {
    if (second.empty()) throw UsageError("BinnedHits", "a detector has at least one layer");
    reserve(exec, tables, "Trackplex::Search::tables", second.size());
    reserve(exec, axes, "Trackplex::Search::axes", second.size());
    const auto host_tables = Kokkos::create_mirror_view(tables);
    const auto host_axes = Kokkos::create_mirror_view(axes);
    std::int64_t size = 0;
    for (std::size_t i = 0; i < second.size(); ++i) {
      host_tables(i) = std::int32_t(size);
      host_axes(i) = second[i];
      size += std::int64_t(azimuth_bins) * second[i].bins() + 1;
      if (size > std::numeric_limits<std::int32_t>::max())
        throw UsageError("BinnedHits", "there are too many bins", {}, "make them wider");
    }
    places_per_event = int(size);
    Kokkos::deep_copy(exec, tables, host_tables);
    Kokkos::deep_copy(exec, axes, host_axes);
    exec.fence();
  }

  /// The part of `places` for a layer of an event.
  KOKKOS_FORCEINLINE_FUNCTION std::int32_t* table(int event, int layer) const {
    return places.data() + std::size_t(event) * places_per_event + tables(layer);
  }

  template <class Real>
  KOKKOS_FORCEINLINE_FUNCTION IntegerOf<Real> bin(int layer, const Real& phi,
                                                  const Real& along) const {
    using Integer = IntegerOf<Real>;
    const Axis& axis = axes(layer);
    return azimuth.bin(phi) * Integer(ScalarOf<Integer>(axis.bins())) + axis.bin(along);
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

}  // namespace trackplex::search

#include <trackplex/search/detail/bin_hits.hpp>

namespace trackplex::search {

/// Room for these hits in their bins, from an instance, or what else `reserve(memory, view, label,
/// n)` takes.
/// @throws UsageError if hits and bins are for different numbers of layers, or too many
template <class Memory, class MemorySpace, class T, class Coordinate, class Axis>
void reserve_bins(const Memory& memory, const LayerHits<T, MemorySpace>& hits,
                  BinnedHits<T, MemorySpace, Coordinate, Axis>& binned) {
  if (hits.layers != binned.layers)
    throw UsageError(
        "bin_hits", "hits and bins are for different detectors",
        std::to_string(hits.layers) + " and " + std::to_string(binned.layers) + " layers");
  using Binned = BinnedHits<T, MemorySpace, Coordinate, Axis>;
  // Kernels count in 32 bits.
  constexpr std::int64_t most = std::numeric_limits<std::int32_t>::max();
  if (std::int64_t(hits.events) * binned.places_per_event > most ||
      (std::int64_t(hits.hits) + 1) * Binned::records_per_hit > most)
    throw UsageError("bin_hits", "there are too many events for one batch",
                     std::to_string(hits.events) + " events, " + std::to_string(hits.hits) +
                         " hits, " + std::to_string(binned.places_per_event) + " bins per event",
                     "use smaller batches, or wider bins");
  // Some more, so that any place that a lane asks for exists
  const auto n = std::size_t(hits.hits) + 1;
  reserve(memory, binned.records, "Trackplex::Search::records", n * Binned::records_per_hit);
  reserve(memory, binned.index, "Trackplex::Search::binned_index", n);
  reserve(memory, binned.places, "Trackplex::Search::places",
          std::size_t(hits.events) * std::size_t(binned.places_per_event));
}

/// Puts hits into bins; hits of one bin keep their order. `binned` says which bins, and grows where
/// it is too small. Width is the number of lanes. Enqueues one kernel on the instance, with a team
/// for each layer of each event.
/// @throws UsageError if hits and bins are for different numbers of layers, or too many
template <int Width, class Space, class T, class Coordinate, class Axis>
void bin_hits(const Space& exec, const LayerHits<T, MemoryOf<Space>>& hits,
              BinnedHits<T, MemoryOf<Space>, Coordinate, Axis>& binned, Workspace<Space>& workspace,
              int team_size = 0) {
  using Binned = BinnedHits<T, MemoryOf<Space>, Coordinate, Axis>;
  reserve_bins(exec, hits, binned);
  const auto n = std::size_t(hits.hits);
  binned.events = hits.events;
  const auto keys = workspace.template get<std::int32_t>(exec, "Trackplex::Search::bins", n);
  const auto order = workspace.template get<std::int32_t>(exec, "Trackplex::Search::order", n);
  const auto phi = workspace.template get<T>(exec, "Trackplex::Search::phi", n);
  const auto cursors = workspace.template get<std::int32_t>(exec, "Trackplex::Search::cursors",
                                                            binned.places.extent(0));
  using Kernel = detail::BinHits<LanesOf<T, Width>, LayerHits<T, MemoryOf<Space>>, Binned,
                                 decltype(keys), decltype(phi)>;
  for_each_team(exec, "Trackplex::Search::bin_hits", hits.events * hits.layers,
                Kernel{hits, binned, keys, order, cursors, phi}, team_size);
}

}  // namespace trackplex::search
