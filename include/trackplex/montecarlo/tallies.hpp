// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// @file
/// Tallies: where the ends of histories are counted. A tally has a number of `cells()` and tells
/// the `cell(end)` of an end; users write their own in the same way. Counts are integers: their
/// order does not matter, and ranges of histories add up exactly.

#include <trackplex/core/math.hpp>
#include <trackplex/histogram/axes.hpp>
#include <trackplex/montecarlo/history.hpp>

namespace trackplex::montecarlo {

/// Quantities of an end, in units of the limit of the track length.
struct Longitudinal {
  template <class T>
  KOKKOS_FORCEINLINE_FUNCTION static T of(const End<T>& end) {
    return end.z;
  }
};
struct Transverse {
  template <class T>
  KOKKOS_FORCEINLINE_FUNCTION static T of(const End<T>& end) {
    return sqrt(fma(end.x, end.x, end.y * end.y));
  }
};
/// Cosine of the angle between the direction at the end and the z axis.
struct Cosine {
  template <class T>
  KOKKOS_FORCEINLINE_FUNCTION static T of(const End<T>& end) {
    return end.direction.z;
  }
};

/// The cell of a value on an axis with n bins: 0 below the axis (and for what is no number), then
/// the bins, n + 1 from its end on.
template <class T>
KOKKOS_FORCEINLINE_FUNCTION int cell_on(const histogram::RegularAxis<T>& axis, T value) {
  const T position = axis.position(value);
  if (!(position >= T(0))) return 0;
  return position < T(axis.bins()) ? 1 + int(position) : axis.bins() + 1;
}

/// Counts of a quantity on an axis, and of what is below and beyond it.
template <class Quantity, class T>
struct AxisTally {
  histogram::RegularAxis<T> axis;

  KOKKOS_FUNCTION int cells() const { return axis.bins() + 2; }
  KOKKOS_FUNCTION int cell(const End<T>& end) const { return cell_on(axis, Quantity::of(end)); }
};

/// Counts of two quantities on the product of two axes, row by row of the first.
template <class First, class Second, class T>
struct PlaneTally {
  histogram::RegularAxis<T> first, second;

  KOKKOS_FUNCTION int cells() const { return (first.bins() + 2) * (second.bins() + 2); }
  KOKKOS_FUNCTION int cell(const End<T>& end) const {
    return cell_on(first, First::of(end)) * (second.bins() + 2) + cell_on(second, Second::of(end));
  }
};

/// Several tallies, whose cells follow one another.
template <class... Tallies>
struct TallyList;
template <>
struct TallyList<> {
  KOKKOS_FUNCTION int cells() const { return 0; }
  template <class End, class Count>
  KOKKOS_FUNCTION void count(const End&, int, const Count&) const {}
};
template <class First, class... Others>
struct TallyList<First, Others...> {
  First first;
  TallyList<Others...> others;

  KOKKOS_FUNCTION int cells() const { return first.cells() + others.cells(); }
  /// Calls `count(cell)` for the cell of each tally; those of the first begin at `offset`.
  template <class End, class Count>
  KOKKOS_FUNCTION void count(const End& end, int offset, const Count& count_in) const {
    count_in(offset + first.cell(end));
    others.count(end, offset + first.cells(), count_in);
  }
};

inline TallyList<> tallies() { return {}; }
template <class First, class... Others>
TallyList<First, Others...> tallies(const First& first, const Others&... others) {
  return {first, tallies(others...)};
}

}  // namespace trackplex::montecarlo
