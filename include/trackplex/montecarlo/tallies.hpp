// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// @file
/// Tallies: where the ends of histories are counted. A tally has a number of `cells()` and tells
/// the `cell(end)` of an end; users write their own in the same way. An end whose cell is not one
/// of 0 to `cells()` - 1 is not counted. Counts are integers: their order does not matter, and
/// ranges of histories add up exactly.

#include <trackplex/core/math.hpp>
#include <trackplex/histogram/axes.hpp>
#include <trackplex/montecarlo/history.hpp>
#include <trackplex/montecarlo/tally_description.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace trackplex::montecarlo {

/// Quantities of an end; lengths in units of the limit of the track length.
struct Longitudinal {
  static constexpr const char* name = "longitudinal";
  template <class T>
  KOKKOS_FORCEINLINE_FUNCTION static T of(const End<T>& end) {
    return end.z;
  }
};
/// Distance from the z axis.
struct Transverse {
  static constexpr const char* name = "transverse";
  template <class T>
  KOKKOS_FORCEINLINE_FUNCTION static T of(const End<T>& end) {
    return sqrt(fma(end.x, end.x, end.y * end.y));
  }
};
/// Cosine of the angle between the direction at the end and the z axis.
struct Cosine {
  static constexpr const char* name = "cosine";
  template <class T>
  KOKKOS_FORCEINLINE_FUNCTION static T of(const End<T>& end) {
    return end.direction.z;
  }
};
/// The angle itself, rad, 0 to pi; small ones to full precision.
struct Angle {
  static constexpr const char* name = "angle";
  template <class T>
  KOKKOS_FORCEINLINE_FUNCTION static T of(const End<T>& end) {
    const auto& v = end.direction;
    return atan2(sqrt(fma(v.x, v.x, v.y * v.y)), v.z);
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
class AxisTally {
 public:
  /// @throws UsageError for a range that is empty or not finite
  explicit AxisTally(const AxisRange& range)
      : axis_(range.low, range.high, range.bins), range_(range) {}

  KOKKOS_FUNCTION int cells() const { return axis_.bins() + 2; }
  KOKKOS_FUNCTION int cell(const End<T>& end) const { return cell_on(axis_, Quantity::of(end)); }

  TallyDescription describe() const {
    return {Quantity::name, {{Quantity::name, range_}}, cells()};
  }

 private:
  histogram::RegularAxis<T> axis_;
  AxisRange range_;
};

/// Counts of two quantities on the product of two axes, row by row of the first.
template <class First, class Second, class T>
class PlaneTally {
 public:
  static constexpr std::int64_t max_cells = 1 << 28;

  /// @throws UsageError for a range that is empty or not finite
  /// @throws CapacityError for more than `max_cells`
  PlaneTally(const AxisRange& first, const AxisRange& second)
      : first_(first.low, first.high, first.bins),
        second_(second.low, second.high, second.bins),
        ranges_{first, second} {
    const std::int64_t n = (std::int64_t(first.bins) + 2) * (std::int64_t(second.bins) + 2);
    if (n > max_cells)
      throw CapacityError("PlaneTally", "cells", std::size_t(n), std::size_t(max_cells),
                          "take wider bins");
  }

  KOKKOS_FUNCTION int cells() const { return (first_.bins() + 2) * (second_.bins() + 2); }
  KOKKOS_FUNCTION int cell(const End<T>& end) const {
    return cell_on(first_, First::of(end)) * (second_.bins() + 2) +
           cell_on(second_, Second::of(end));
  }

  TallyDescription describe() const {
    return {std::string(First::name) + "_" + Second::name,
            {{First::name, ranges_[0]}, {Second::name, ranges_[1]}},
            cells()};
  }

 private:
  histogram::RegularAxis<T> first_, second_;
  AxisRange ranges_[2];
};

/// Several tallies, whose cells follow one another.
template <class... Tallies>
struct TallyList;
template <>
struct TallyList<> {
  KOKKOS_FUNCTION int cells() const { return 0; }
  template <class End, class Count>
  KOKKOS_FUNCTION void count(const End&, int, const Count&) const {}
  void describe(std::vector<TallyDescription>&) const {}
};
template <class First, class... Others>
struct TallyList<First, Others...> {
  First first;
  TallyList<Others...> others;

  KOKKOS_FUNCTION int cells() const { return first.cells() + others.cells(); }
  /// Calls `count_in(cell)` for the cell of each tally; those of the first begin at `offset`.
  template <class End, class Count>
  KOKKOS_FUNCTION void count(const End& end, int offset, const Count& count_in) const {
    const int cell = first.cell(end), cells = first.cells();
    if (cell >= 0 && cell < cells) count_in(offset + cell);
    others.count(end, offset + cells, count_in);
  }
  /// A tally that does not describe itself is "user", without axes.
  void describe(std::vector<TallyDescription>& list) const {
    if constexpr (requires { first.describe(); }) {
      list.push_back(first.describe());
    } else {
      list.push_back({"user", {}, first.cells()});
    }
    others.describe(list);
  }
};

inline TallyList<> tallies() { return {}; }
template <class First, class... Others>
TallyList<First, Others...> tallies(const First& first, const Others&... others) {
  return {first, tallies(others...)};
}

/// Descriptions of the tallies of a list, in their order.
template <class... Tallies>
std::vector<TallyDescription> descriptions(const TallyList<Tallies...>& list) {
  std::vector<TallyDescription> result;
  list.describe(result);
  return result;
}

}  // namespace trackplex::montecarlo
