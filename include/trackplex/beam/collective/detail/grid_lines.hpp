// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// @file
/// Lines of numbers in arrays of several dimensions, to and from the scratch memory of transforms.

#include <trackplex/core/lines_fft.hpp>
#include <trackplex/core/quartet.hpp>

#include <cstdint>
#include <type_traits>

namespace trackplex::beam::detail {

/// Logarithm of a power of two.
KOKKOS_FUNCTION constexpr int log2_of(int power) {
  int log = 0;
  while ((1 << log) < power) ++log;
  return log;
}

/// Lines of an array: number j of line i in a group g is at g group + i line + j element.
struct ArrayLines {
  int groups, per_group;
  int group, line, element;  ///< distances

  /// Blocks of at most `size` lines of one group.
  KOKKOS_FUNCTION int blocks(int size = lines_at_once) const {
    return groups * ((per_group + size - 1) / size);
  }
};

/// Consecutive lines of a group.
struct LineBlock {
  std::int64_t first;  ///< place of the first number of the first line
  int count;           ///< number of lines

  KOKKOS_FUNCTION LineBlock(const ArrayLines& lines, int block, int size = lines_at_once) {
    const int in_group = (lines.per_group + size - 1) / size;
    const int g = block / in_group, i = (block - g * in_group) * size;
    first = std::int64_t(g) * lines.group + std::int64_t(i) * lines.line;
    count = lines.per_group - i < size ? lines.per_group - i : size;
  }
  KOKKOS_FUNCTION LineBlock(std::int64_t at, int lines) : first(at), count(lines) {}
};

/// Number j of eight lines in scratch memory.
struct LinePlace {
  double* first;
  KOKKOS_FORCEINLINE_FUNCTION double* operator()(int j) const { return first + j * lines_at_once; }
};

/// Loads the first n numbers of eight lines whose numbers are neighbours, for lanes of lines; n is
/// a multiple of 4.
template <class Team, class Place>
KOKKOS_FUNCTION void load_lanes(const Team& team, const double* from, const ArrayLines& lines,
                                int count, int n, const Place& to) {
  using Real = typename Team::Real;
  using Index = IntegerOf<Real>;
  using I = ScalarOf<Index>;
  team.for_each(n / 4 * lines_at_once, [&](Tile<Real> tile) {
    const int j = tile.first / lines_at_once * 4, l = tile.first % lines_at_once;
    const Index line = lane_index<Index>() + Index(I(l));
    const auto inside = line < Index(I(count));
    const Quartet<Real> four =
        gather_four<Real>(from + j, select(inside, line, Index(I(0))) * Index(I(lines.line)));
    const Real zero(0);
    store(to(j) + l, select(inside, four.x, zero));
    store(to(j + 1) + l, select(inside, four.y, zero));
    store(to(j + 2) + l, select(inside, four.z, zero));
    store(to(j + 3) + l, select(inside, four.w, zero));
  });
}

/// Stores the first n numbers of eight lines whose numbers become neighbours, for lanes of numbers;
/// n is a multiple of the lanes.
template <class Team>
KOKKOS_FUNCTION void store_lanes(const Team& team, double* to, const ArrayLines& lines, int count,
                                 int n, const LinePlace& from) {
  using Real = typename Team::Real;
  using Index = IntegerOf<Real>;
  using I = ScalarOf<Index>;
  const int shift = log2_of(n);
  team.for_each(n * lines_at_once / 4, [&](Tile<Real> tile) {
    const int l = tile.first >> shift << 2, j = tile.first & (n - 1);
    const Quartet<Real> four =
        gather_four<Real>(from(j) + l, lane_index<Index>() * Index(I(lines_at_once)));
    double* const row = to + std::int64_t(l) * lines.line + j;
    if (l < count) store(row, four.x);
    if (l + 1 < count) store(row + lines.line, four.y);
    if (l + 2 < count) store(row + std::int64_t(2) * lines.line, four.z);
    if (l + 3 < count) store(row + std::int64_t(3) * lines.line, four.w);
  });
}

/// Loads the first n numbers of eight lines, zeros where a block has fewer; `to(j)` is the place
/// of number j of the first line. Where numbers of a line are neighbours, n is a power of two.
template <class Team, class Number, class Place>
KOKKOS_FUNCTION void load_lines(const Team& team, const Number* array, const ArrayLines& lines,
                                const LineBlock& block, int n, const Place& to) {
  using Real = typename Team::Real;
  const Number* const from = array + block.first;
  if (lines.line == 1) {
    team.for_each(n * lines_at_once, [&](Tile<Real> tile) {
      const int j = tile.first / lines_at_once, l = tile.first % lines_at_once;
      const Number* const p = from + std::int64_t(j) * lines.element + l;
      const int left = block.count - l;
      store(to(j) + l, left >= width_of<Real> ? load<Real>(p) : load_first<Real>(p, max(left, 0)));
    });
    return;
  }
  if constexpr (width_of<Real> >= 4 && std::is_same_v<Number, double>)
    if (n >= lines_at_once) return load_lanes(team, from, lines, block.count, n, to);
  const int shift = log2_of(n);
  team.template for_each<double>(n * lines_at_once, [&](Tile<double> i) {
    const int l = i.first >> shift, j = i.first - (l << shift);
    to(j)[l] = l < block.count
                   ? double(from[std::int64_t(l) * lines.line + std::int64_t(j) * lines.element])
                   : 0.;
  });
}

/// Stores the first n numbers of the lines of a block; the counterpart of `load_lines`.
template <class Team, class Place>
KOKKOS_FUNCTION void store_lines(const Team& team, double* array, const ArrayLines& lines,
                                 const LineBlock& block, int n, const Place& from) {
  using Real = typename Team::Real;
  double* const to = array + block.first;
  if (lines.line == 1) {
    team.for_each(n * lines_at_once, [&](Tile<Real> tile) {
      const int j = tile.first / lines_at_once, l = tile.first % lines_at_once;
      const int left = block.count - l;
      if (left > 0)
        store_first(to + std::int64_t(j) * lines.element + l, load<Real>(from(j) + l),
                    min(left, width_of<Real>));
    });
    return;
  }
  if constexpr (width_of<Real> >= 4 && std::is_same_v<Place, LinePlace>)
    if (n >= lines_at_once) return store_lanes(team, to, lines, block.count, n, from);
  const int shift = log2_of(n);
  team.template for_each<double>(block.count << shift, [&](Tile<double> i) {
    const int l = i.first >> shift, j = i.first - (l << shift);
    to[std::int64_t(l) * lines.line + std::int64_t(j) * lines.element] = from(j)[l];
  });
}

/// Sets the numbers from `begin` to `end` of eight lines to 0.
template <class Team, class Place>
KOKKOS_FUNCTION void clear_lines(const Team& team, int begin, int end, const Place& to) {
  using Real = typename Team::Real;
  team.for_each((end - begin) * lines_at_once, [&](Tile<Real> tile) {
    store(to(begin + tile.first / lines_at_once) + tile.first % lines_at_once, Real(0));
  });
}

}  // namespace trackplex::beam::detail
