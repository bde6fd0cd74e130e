// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// @file
/// Windows over hits on modules, with a separate layer for each lane; see hit_windows.hpp.

#include <trackplex/search/binned_detector_hits.hpp>
#include <trackplex/search/hit_windows.hpp>

namespace trackplex::search {

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

/// Returns the rows of bins of a window on the layer of each lane.
template <class Real, class T, class MemorySpace>
KOKKOS_FORCEINLINE_FUNCTION RowsOfBins<Real> rows_of_window(
    const BinnedDetectorHits<T, MemorySpace>& binned, const IntegerOf<Real>& layer,
    const IntegerOf<Real>& events, const LayerWindow<Real>& window) {
  using Integer = IntegerOf<Real>;
  using I = ScalarOf<Integer>;
  const auto across = binned.template first_axis<Real>(layer),
             along = binned.template second_axis<Real>(layer);
  const Real reach = binned.template reach<Real>(layer);
  RowsOfBins<Real> rows;
  rows.table = binned.places.data();
  rows.begin =
      events * Integer(I(binned.places_per_event)) + gather<Integer>(binned.tables.data(), layer);
  rows.rows = convert<Integer>(across.bins);
  rows.bins = convert<Integer>(along.bins);
  across.around(window.first, fma(abs(window.first_slope), reach, window.half_first), rows.first,
                rows.count);
  // Slightly wider: the exact test, not the bins, decides which hits are inside
  using S = ScalarOf<Real>;
  constexpr S few_roundings = S(8) * trackplex::detail::FloatFormat<S>::epsilon;
  const Real half = fma(abs(window.second_slope), reach, window.half_second);
  const Real wide = fma(Real(few_roundings), abs(window.second) + half, half);
  rows.low = along.bin(window.second - wide);
  rows.high = along.bin(window.second + wide);
  return rows;
}

/// Returns the lanes whose hit, given by its first record, is inside the window.
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

}  // namespace trackplex::search
