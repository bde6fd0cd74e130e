// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// @file
/// Windows over binned hits, one per lane: the bins give a few runs of hits, an exact test selects
/// the hits inside. Points are on the same layer in all lanes, hits on modules on a separate layer
/// in each.

#include <trackplex/search/binned_detector_hits.hpp>
#include <trackplex/search/binned_hits.hpp>

#include <cstdint>

namespace trackplex::search {

/// Window in azimuth and the second coordinate: |hit phi - phi| <= half_phi around the circle, and
/// |hit coordinate - along| <= half_along.
template <class Number>
struct HitWindow {
  using Real = Number;  ///< number type of a kernel
  Real phi;             ///< centre, -pi to pi
  Real half_phi;        ///< half width, rad, less than pi
  Real along,           ///< centre along the second coordinate: cm for `AlongZ`
      half_along;       ///< half width along the second coordinate
};

/// Window on a layer, in its natural coordinates: the hits with |coordinate - centre| <= half
/// width, where the centre depends on the hit's distance d from the layer's surface, along its
/// normal: centre + slope d. A window that is wider than the circle contains all hits.
template <class Number>
struct LayerWindow {
  using Real = Number;  ///< number type of a kernel
  Real first,           ///< centre along the first coordinate, rad or cm
      half_first;       ///< half width
  Real second,          ///< centre along the second coordinate, cm
      half_second;      ///< half width, cm
  Real first_slope,     ///< change of the first coordinate with the distance, per cm
      second_slope;     ///< change of the second coordinate with the distance
  Real period;          ///< of the first coordinate: 2 pi of an azimuth, else 0
};

namespace detail {

/// Up to three runs of places in each lane, numbered consecutively from 0 to `size` - 1.
template <class Number>
class PlaceRuns {
 public:
  using Integer = IntegerOf<Number>;
  static constexpr int runs = 3;

  KOKKOS_FORCEINLINE_FUNCTION void set(int run, const Integer& begin, const Integer& end) {
    shift_[run] = begin - size_;
    size_ += end - begin;
    end_[run] = size_;
  }
  KOKKOS_FORCEINLINE_FUNCTION Integer size() const { return size_; }
  KOKKOS_FORCEINLINE_FUNCTION Integer operator[](const Integer& i) const {
    return i + select(i < end_[0], shift_[0], select(i < end_[1], shift_[1], shift_[2]));
  }

 private:
  Integer size_ = 0;
  Integer shift_[runs], end_[runs];
};

}  // namespace detail

/// Rows of bins that a window covers, in each lane: consecutive rows around the circle, and in
/// each row consecutive bins.
template <class Number>
struct RowsOfBins {
  using Integer = IntegerOf<Number>;  ///< numbers of rows and bins
  const std::int32_t* table;          ///< first place of each bin
  Integer begin;                      ///< entry of the first bin of row 0
  Integer rows,                       ///< number of rows
      bins;                           ///< number of bins of a row
  Integer first,                      ///< first row of the window
      count;                          ///< its number of rows
  Integer low,                        ///< first bin of the window in each row
      high;                           ///< last bin of the window
};

/// Returns the rows of bins of one lane.
template <class Real>
KOKKOS_FORCEINLINE_FUNCTION RowsOfBins<ScalarOf<Real>> rows_of_lane(const RowsOfBins<Real>& rows,
                                                                    int lane) {
  return {rows.table,
          extract(rows.begin, lane),
          extract(rows.rows, lane),
          extract(rows.bins, lane),
          extract(rows.first, lane),
          extract(rows.count, lane),
          extract(rows.low, lane),
          extract(rows.high, lane)};
}

namespace detail {
/// Half a width with a margin for roundings: the exact test, not the bins, decides which hits are
/// inside.
template <class Real>
KOKKOS_FORCEINLINE_FUNCTION Real with_margin(const Real& centre, const Real& half) {
  using S = ScalarOf<Real>;
  constexpr S few_roundings = S(8) * trackplex::detail::FloatFormat<S>::epsilon;
  return fma(Real(few_roundings), abs(centre) + half, half);
}
}  // namespace detail

/// Returns the rows of bins of a window in points, on one layer.
template <class Real, class T, class MemorySpace, class Coordinate, class Axis>
KOKKOS_FORCEINLINE_FUNCTION RowsOfBins<Real> rows_of_window(
    const BinnedHits<T, MemorySpace, Coordinate, Axis>& binned, int layer,
    const IntegerOf<Real>& events, const HitWindow<Real>& window) {
  using Integer = IntegerOf<Real>;
  using I = ScalarOf<Integer>;
  const auto& axis = binned.axes(layer);
  const auto arc = binned.azimuth.around(window.phi, window.half_phi);
  const Real half_along = detail::with_margin(window.along, window.half_along);
  return {binned.table(0, layer),
          events * Integer(I(binned.places_per_event)),
          Integer(I(binned.azimuth.bins())),
          Integer(I(axis.bins())),
          arc.first,
          arc.count,
          axis.bin(window.along - half_along),
          axis.bin(window.along + half_along)};
}

/// Returns the rows of bins between two axes of a layer: up to `half_first` from `first`, and up to
/// `half_second` from `second`. `table` has the places of its bins from `begin` on.
template <class Real>
KOKKOS_FORCEINLINE_FUNCTION RowsOfBins<Real> rows_between(
    const LaneAxis<Real>& across, const LaneAxis<Real>& along, const std::int32_t* table,
    const IntegerOf<Real>& begin, const Real& first, const Real& half_first, const Real& second,
    const Real& half_second) {
  RowsOfBins<Real> rows;
  rows.table = table;
  rows.begin = begin;
  rows.rows = convert<IntegerOf<Real>>(across.bins);
  rows.bins = convert<IntegerOf<Real>>(along.bins);
  across.around(first, half_first, rows.first, rows.count);
  const Real wide = detail::with_margin(second, half_second);
  rows.low = along.bin(second - wide);
  rows.high = along.bin(second + wide);
  return rows;
}

/// Returns the rows of bins of a window on the layer of each lane.
template <class Real, class T, class MemorySpace>
KOKKOS_FORCEINLINE_FUNCTION RowsOfBins<Real> rows_of_window(
    const BinnedDetectorHits<T, MemorySpace>& binned, const IntegerOf<Real>& layer,
    const IntegerOf<Real>& events, const LayerWindow<Real>& window) {
  using Integer = IntegerOf<Real>;
  const Real reach = binned.template reach<Real>(layer);
  return rows_between(binned.template first_axis<Real>(layer),
                      binned.template second_axis<Real>(layer), binned.places.data(),
                      events * Integer(ScalarOf<Integer>(binned.places_per_event)) +
                          gather<Integer>(binned.tables.data(), layer),
                      window.first, fma(abs(window.first_slope), reach, window.half_first),
                      window.second, fma(abs(window.second_slope), reach, window.half_second));
}

/// Returns the lanes whose point, given by its first record, is inside the window.
template <class Real, class T, class MemorySpace, class Coordinate, class Axis>
KOKKOS_FORCEINLINE_FUNCTION MaskOf<Real> is_inside(
    const BinnedHits<T, MemorySpace, Coordinate, Axis>& binned, const Quartet<Real>& hit,
    const HitWindow<Real>& window) {
  const Real along = Coordinate::of(hit.x, hit.y, hit.z);
  return abs(binned.azimuth.difference(hit.w, window.phi)) <= window.half_phi &&
         abs(along - window.along) <= window.half_along;
}

/// Returns the lanes whose hit on a module, given by its first record, is inside the window.
template <class Real, class T, class MemorySpace>
KOKKOS_FORCEINLINE_FUNCTION MaskOf<Real> is_inside(const BinnedDetectorHits<T, MemorySpace>&,
                                                   const Quartet<Real>& hit,
                                                   const LayerWindow<Real>& window) {
  const Real d = hit.x - fma(window.first_slope, hit.w, window.first);
  const Real half = Real(ScalarOf<Real>(0.5)) * window.period;
  const auto turned = half > Real(0) && abs(d) > half;
  const Real first = select(turned, d - copysign(window.period, d), d);
  const Real second = hit.y - fma(window.second_slope, hit.w, window.second);
  return abs(first) <= window.half_first && abs(second) <= window.half_second;
}

/// Calls `visit(place, hit, inside)` for the hits of a layer in the windows of the lanes of `mask`,
/// of all lanes together.
///
/// `events` is the event of each lane, `hit` the first record of a hit, and `inside` marks the
/// lanes that have one; `place` gives access to the rest of the hit (`BinnedHits::hit`). A lane
/// visits its hits row by row (azimuth by azimuth) from the lower end of its window, and in each
/// row in the order of places, independently of the other lanes.
///
/// @tparam Binned a `BinnedHits` or `BinnedDetectorHits`
/// @tparam Layer int, or an integer of each lane
/// @tparam Window `HitWindow<Real>` or `LayerWindow<Real>`
template <class Binned, class Layer, class Window, class Visit>
KOKKOS_FORCEINLINE_FUNCTION void for_each_hit_in(const Binned& binned, const Layer& layer,
                                                 const IntegerOf<typename Window::Real>& events,
                                                 const Window& window,
                                                 const MaskOf<typename Window::Real>& mask,
                                                 const Visit& visit) {
  using Real = typename Window::Real;
  using Integer = IntegerOf<Real>;
  using I = ScalarOf<Integer>;
  using Runs = detail::PlaceRuns<Real>;
  const RowsOfBins<Real> rows = rows_of_window<Real>(binned, layer, events, window);
  Integer at = rows.first;
  for (int turn = 0; any_of(mask && Integer(I(turn)) < rows.count); turn += Runs::runs) {
    Runs runs;
    for (int run = 0; run < Runs::runs; ++run) {
      const auto exists = mask && Integer(I(turn + run)) < rows.count;
      const Integer row = rows.begin + at * rows.bins;
      runs.set(run, gather<Integer>(rows.table, row + rows.low, exists),
               gather<Integer>(rows.table + 1, row + rows.high, exists));
      at = select(at + Integer(1) < rows.rows, at + Integer(1), Integer(0));
    }
    for (Integer i = 0;; i += Integer(1)) {
      const auto exists = i < runs.size();
      if (none_of(exists)) break;
      const Integer place = select(exists, runs[i], Integer(0));
      const auto hit =
          gather_quartets<Real>(binned.records.data(), place * Integer(Binned::records_per_hit));
      visit(place, hit, exists && is_inside<Real>(binned, hit, window));
    }
  }
}

}  // namespace trackplex::search
