// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// @file
/// Tallies: counts of the ends of histories. A tally is a type that is copied to the device and has
/// two functions: `int cells()`, its number of cells, and `int cell(end)`, the cell of an
/// `End<T>`; with `describe()` it also has a name and axes. Custom tallies have the same form.
/// An end whose cell is not in 0 to `cells()` - 1 is not counted. Counts are integers: the order
/// does not matter, and ranges of histories add up exactly.

#include <trackplex/core/math.hpp>
#include <trackplex/histogram/axes.hpp>
#include <trackplex/montecarlo/history.hpp>
#include <trackplex/montecarlo/tally_description.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace trackplex::montecarlo {

/// Position z of an end, in units of the limit of the track length: a quantity of tallies.
struct Longitudinal {
  static constexpr const char* name = "longitudinal";  ///< Name in descriptions and files.
  /// Returns z of an end.
  template <class T>
  KOKKOS_FORCEINLINE_FUNCTION static T of(const End<T>& end) {
    return end.z;
  }
};
/// Distance of an end from the z axis, in units of the limit of the track length.
struct Transverse {
  static constexpr const char* name = "transverse";  ///< Name in descriptions and files.
  /// Returns sqrt(x^2 + y^2) of an end.
  template <class T>
  KOKKOS_FORCEINLINE_FUNCTION static T of(const End<T>& end) {
    return sqrt(fma(end.x, end.x, end.y * end.y));
  }
};
/// Cosine of the angle between the final direction and the z axis.
struct Cosine {
  static constexpr const char* name = "cosine";  ///< Name in descriptions and files.
  /// Returns the z component of the final direction.
  template <class T>
  KOKKOS_FORCEINLINE_FUNCTION static T of(const End<T>& end) {
    return end.direction.z;
  }
};
/// Angle between the final direction and the z axis, rad, 0 to pi; small angles to full precision.
struct Angle {
  static constexpr const char* name = "angle";  ///< Name in descriptions and files.
  /// Returns the angle of an end, rad.
  template <class T>
  KOKKOS_FORCEINLINE_FUNCTION static T of(const End<T>& end) {
    const auto& v = end.direction;
    return atan2(sqrt(fma(v.x, v.x, v.y * v.y)), v.z);
  }
};

/// Returns the cell of a value on an axis of n bins: 0 below the axis and for NaN, 1 to n in the
/// bins, n + 1 from the upper edge on.
template <class T>
KOKKOS_FORCEINLINE_FUNCTION int cell_on(const histogram::RegularAxis<T>& axis, T value) {
  const T position = axis.position(value);
  if (!(position >= T(0))) return 0;
  return position < T(axis.bins()) ? 1 + int(position) : axis.bins() + 1;
}

/// Tally of one quantity on an axis, with a cell below and a cell beyond it.
/// @tparam Quantity `Longitudinal`, `Transverse`, `Cosine`, `Angle` or a custom type with a `name`
///                  and a function `of(end)`
/// @tparam T        precision of the histories, as of `Transport`
template <class Quantity, class T>
class AxisTally {
 public:
  /// Makes a tally with the bins of a range, in the unit of the quantity.
  /// @throws UsageError if the range is empty or not finite, or has no or too many bins
  explicit AxisTally(const AxisRange& range)
      : axis_(range.low, range.high, range.bins), range_(range) {}

  /// Returns the number of cells: bins, below and beyond.
  KOKKOS_FUNCTION int cells() const { return axis_.bins() + 2; }
  /// Returns the cell of an end.
  KOKKOS_FUNCTION int cell(const End<T>& end) const { return cell_on(axis_, Quantity::of(end)); }

  /// Returns name, axis and number of cells.
  TallyDescription describe() const {
    return {Quantity::name, {{Quantity::name, range_}}, cells()};
  }

 private:
  histogram::RegularAxis<T> axis_;
  AxisRange range_;
};

/// Tally of two quantities on the product of two axes, each with a cell below and one beyond; cells
/// of the second axis are contiguous.
/// @tparam First  quantity of the first axis, as of `AxisTally`
/// @tparam Second quantity of the second axis
/// @tparam T      precision of the histories, as of `Transport`
template <class First, class Second, class T>
class PlaneTally {
 public:
  static constexpr std::int64_t max_cells = 1 << 28;  ///< Max number of cells.

  /// Makes a tally with the bins of two ranges, in the units of their quantities.
  /// @throws UsageError if a range is empty or not finite, or has no or too many bins
  /// @throws CapacityError if there are more than `max_cells` cells
  PlaneTally(const AxisRange& first, const AxisRange& second)
      : first_(first.low, first.high, first.bins),
        second_(second.low, second.high, second.bins),
        ranges_{first, second} {
    const std::int64_t n = (std::int64_t(first.bins) + 2) * (std::int64_t(second.bins) + 2);
    if (n > max_cells)
      throw CapacityError("PlaneTally", "cells", std::size_t(n), std::size_t(max_cells),
                          "take wider bins");
  }

  /// Returns the number of cells.
  KOKKOS_FUNCTION int cells() const { return (first_.bins() + 2) * (second_.bins() + 2); }
  /// Returns the cell of an end.
  KOKKOS_FUNCTION int cell(const End<T>& end) const {
    return cell_on(first_, First::of(end)) * (second_.bins() + 2) +
           cell_on(second_, Second::of(end));
  }

  /// Returns name, both axes and number of cells.
  TallyDescription describe() const {
    return {std::string(First::name) + "_" + Second::name,
            {{First::name, ranges_[0]}, {Second::name, ranges_[1]}},
            cells()};
  }

 private:
  histogram::RegularAxis<T> first_, second_;
  AxisRange ranges_[2];
};

/// List of tallies, made by `tallies(...)`: the cells of all tallies, one tally after the other.
template <class... Tallies>
struct TallyList;
/// List without tallies.
template <>
struct TallyList<> {
  /// Returns 0.
  KOKKOS_FUNCTION int cells() const { return 0; }
  /// Counts nothing.
  template <class End, class Count>
  KOKKOS_FUNCTION void count(const End&, int, const Count&) const {}
  /// Adds no description.
  void describe(std::vector<TallyDescription>&) const {}
};
/// List of one tally or more.
template <class First, class... Others>
struct TallyList<First, Others...> {
  First first;                  ///< First tally, whose cells come first.
  TallyList<Others...> others;  ///< The other tallies.

  /// Returns the number of cells of all tallies.
  KOKKOS_FUNCTION int cells() const { return first.cells() + others.cells(); }
  /// Calls `count_in(cell)` with the cell of the end in each tally; cells of the first tally begin
  /// at `offset`.
  template <class End, class Count>
  KOKKOS_FUNCTION void count(const End& end, int offset, const Count& count_in) const {
    const int cell = first.cell(end), cells = first.cells();
    if (cell >= 0 && cell < cells) count_in(offset + cell);
    others.count(end, offset + cells, count_in);
  }
  /// Appends the description of each tally. A tally without `describe()` is "user", without axes.
  void describe(std::vector<TallyDescription>& list) const {
    if constexpr (requires { first.describe(); }) {
      list.push_back(first.describe());
    } else {
      list.push_back({"user", {}, first.cells()});
    }
    others.describe(list);
  }
};

/// Returns the list without tallies.
inline TallyList<> tallies() { return {}; }
/// Returns the list of these tallies, in this order.
template <class First, class... Others>
TallyList<First, Others...> tallies(const First& first, const Others&... others) {
  return {first, tallies(others...)};
}

/// Returns the descriptions of the tallies of a list, in order.
template <class... Tallies>
std::vector<TallyDescription> descriptions(const TallyList<Tallies...>& list) {
  std::vector<TallyDescription> result;
  list.describe(result);
  return result;
}

}  // namespace trackplex::montecarlo
