// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// @file
/// Axes of bins of the layers of a detector in their natural coordinates (geometry::LaneLayer),
/// one layer in each lane. Lengths in cm, angles in rad.

#include <trackplex/core/copy.hpp>
#include <trackplex/core/error.hpp>
#include <trackplex/core/math.hpp>
#include <trackplex/core/quartet.hpp>
#include <trackplex/core/spaces.hpp>
#include <trackplex/geometry/description.hpp>
#include <trackplex/geometry/layer_extents.hpp>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <numbers>
#include <vector>

namespace trackplex::search {

/// Max number of bins of an axis of a layer.
inline constexpr int max_bins_of_axis = 2048;

/// Axis of one coordinate of a layer, in each lane.
template <class Number>
struct LaneAxis {
  using Real = Number;              ///< number type of a kernel
  using Integer = IntegerOf<Real>;  ///< numbers of bins
  Real low,                         ///< lower end
      per_width,                    ///< bins per unit
      bins,                         ///< number of bins
      period;                       ///< of an azimuth; 0: a straight axis

  /// Returns the bin of a value, 0 to `bins` - 1; beyond the ends of a straight axis, the first
  /// or the last bin.
  KOKKOS_FORCEINLINE_FUNCTION Integer bin(const Real& value) const {
    return convert<Integer>(wrap(floor((value - low) * per_width)));
  }
  /// Returns the bins of the values up to `half` from `centre`, around the circle for an azimuth:
  /// the first bin and the number of bins, each bin once. Values whose computed distance is `half`
  /// are in one of these bins, whatever the rounding.
  KOKKOS_FORCEINLINE_FUNCTION void around(const Real& centre, const Real& half, Integer& first,
                                          Integer& count) const {
    using T = ScalarOf<Real>;
    constexpr T few_roundings = 8 * trackplex::detail::FloatFormat<T>::epsilon;
    const Real wide = fma(Real(few_roundings), abs(centre) + half + period, half);
    const Real below = floor((centre - wide - low) * per_width),
               above = floor((centre + wide - low) * per_width);
    const auto is_circle = period > Real(0);
    const Real begin = wrap(below);
    const Real n = select(is_circle, above - below, wrap(above) - begin) + Real(1);
    first = convert<Integer>(begin);
    count = convert<Integer>(max(Real(1), min(n, bins)));
  }

 private:
  KOKKOS_FORCEINLINE_FUNCTION Real wrap(const Real& bin) const {
    const Real turned = bin - bins * floor(bin / bins);
    const Real any = select(period > Real(0), turned, bin);
    return min(max(Real(0), any), bins - Real(1));  // NaN: the first bin
  }
};

/// Numbers of bins of a detector's layers.
struct LayerAxesParams {
  /// Hits of a full event on each layer, about the number of bins; layers without an entry have
  /// `default_hits`.
  std::vector<int> hits{};
  int default_hits = 2000;  ///< see `hits`
};

/// Axes of bins of the layers of a detector, in a memory space. The first coordinate selects the
/// row; a window covers some rows, with one run of bins in each.
template <class T, class MemorySpace>
struct LayerAxes {
  static constexpr int quads = 3;  ///< quads of a layer
  /// Of each layer: low, bins per unit, number of bins and period (0: straight) of the first
  /// coordinate | the same of the second one | reach: the largest distance of a point on a module
  /// from the layer's surface, cm; thickness of the layer with its modules in radiation lengths;
  /// variances of typical hits along both coordinates, cm^2.
  Kokkos::View<Quartet<T>*, MemorySpace> axes;
  /// Of each layer, the begin of its part of an event's table, and the end.
  Kokkos::View<std::int32_t*, MemorySpace> tables;
  int layers = 0;            ///< number of layers
  int places_per_event = 0;  ///< entries of an event's table: bins, and one per layer

  /// Returns the number of bins of a layer.
  KOKKOS_FORCEINLINE_FUNCTION int bins_of(int layer) const {
    return tables(layer + 1) - tables(layer) - 1;
  }
  /// Returns the axis of the first coordinate of each lane's layer.
  template <class Real>
  KOKKOS_FORCEINLINE_FUNCTION LaneAxis<Real> first_axis(const IntegerOf<Real>& layer) const {
    return axis<Real>(layer, 0);
  }
  /// Returns the axis of the second coordinate of each lane's layer.
  template <class Real>
  KOKKOS_FORCEINLINE_FUNCTION LaneAxis<Real> second_axis(const IntegerOf<Real>& layer) const {
    return axis<Real>(layer, 1);
  }
  /// Returns the reach of each lane's layer, cm.
  template <class Real>
  KOKKOS_FORCEINLINE_FUNCTION Real reach(const IntegerOf<Real>& layer) const {
    return properties<Real>(layer).x;
  }
  /// Returns reach (cm), thickness in radiation lengths, and the variances of typical hits along
  /// the first and the second coordinate (cm^2) of each lane's layer.
  template <class Real>
  KOKKOS_FORCEINLINE_FUNCTION Quartet<Real> properties(const IntegerOf<Real>& layer) const {
    using Integer = IntegerOf<Real>;
    return gather_quartets<Real>(axes.data() + 2, layer * Integer(quads));
  }
  /// Returns the bin of a point of each lane's layer, counted within the layer.
  template <class Real>
  KOKKOS_FORCEINLINE_FUNCTION IntegerOf<Real> bin(const IntegerOf<Real>& layer, const Real& first,
                                                  const Real& second) const {
    const auto along = second_axis<Real>(layer);
    return first_axis<Real>(layer).bin(first) * convert<IntegerOf<Real>>(along.bins) +
           along.bin(second);
  }

 private:
  template <class Real>
  KOKKOS_FORCEINLINE_FUNCTION LaneAxis<Real> axis(const IntegerOf<Real>& layer, int quad) const {
    using Integer = IntegerOf<Real>;
    const auto q = gather_quartets<Real>(axes.data() + quad, layer * Integer(quads));
    return {q.x, q.y, q.z, q.w};
  }
};

namespace detail {

/// Square bins of about the area per hit.
struct BinsOfLayer {
  int first, second;
};
inline BinsOfLayer bins_of_layer(const geometry::LayerExtents& extents, int hits) {
  const double across = extents.first_length, along = extents.second.high - extents.second.low;
  const double side = std::sqrt(across * along / std::max(hits, 1));
  const auto count = [&](double length) {
    return std::clamp(int(std::lround(length / side)), 1, max_bins_of_axis);
  };
  return {count(across), count(along)};
}

}  // namespace detail

/// Returns axes for the layers of a detector in the memory of an instance, and waits until that is
/// done.
/// @throws UsageError if there are no layers, or too many bins
template <class T, class ExecutionSpace>
LayerAxes<T, MemoryOf<ExecutionSpace>> layer_axes(const ExecutionSpace& exec,
                                                  const geometry::DetectorDescription& detector,
                                                  const LayerAxesParams& params = {}) {
  if (detector.layers.empty()) throw UsageError("layer_axes", "the detector has no layers");
  std::vector<Quartet<T>> axes;
  std::vector<std::int32_t> tables{0};
  std::int64_t places = 0;
  for (std::size_t i = 0; i < detector.layers.size(); ++i) {
    const auto extents = geometry::extents_of(detector, int(i));
    const auto bins = detail::bins_of_layer(
        extents, i < params.hits.size() ? params.hits[i] : params.default_hits);
    const auto axis = [](const geometry::Extent& range, int n, double period) {
      return Quartet<T>{T(range.low), T(n / (range.high - range.low)), T(n), T(period)};
    };
    axes.push_back(
        axis(extents.first, bins.first, extents.is_azimuth ? 2. * std::numbers::pi : 0.));
    axes.push_back(axis(extents.second, bins.second, 0.));
    axes.push_back({T(extents.reach), T(extents.radiation_lengths), T(extents.variance_first),
                    T(extents.variance_second)});
    places += std::int64_t(bins.first) * bins.second + 1;
    if (places > std::numeric_limits<std::int32_t>::max())
      throw UsageError("layer_axes", "there are too many bins", {}, "ask for fewer hits per layer");
    tables.push_back(std::int32_t(places));
  }
  LayerAxes<T, MemoryOf<ExecutionSpace>> result;
  result.layers = int(detector.layers.size());
  result.places_per_event = int(places);
  result.axes = trackplex::to_device<Quartet<T>>(exec, "Trackplex::Search::layer_axes", axes);
  result.tables = trackplex::to_device<std::int32_t>(exec, "Trackplex::Search::tables", tables);
  return result;
}

}  // namespace trackplex::search
