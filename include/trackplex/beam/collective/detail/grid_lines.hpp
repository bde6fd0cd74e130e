// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// @file
/// Lines of numbers in arrays of several dimensions, to and from the scratch memory of transforms.

#include <trackplex/core/lines_fft.hpp>

#include <cstdint>

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
  } else {
    const int shift = log2_of(n);
    team.template for_each<double>(n * lines_at_once, [&](Tile<double> i) {
      const int l = i.first >> shift, j = i.first - (l << shift);
      to(j)[l] = l < block.count
                     ? double(from[std::int64_t(l) * lines.line + std::int64_t(j) * lines.element])
                     : 0.;
    });
  }
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
  } else {
    const int shift = log2_of(n);
    team.template for_each<double>(block.count << shift, [&](Tile<double> i) {
      const int l = i.first >> shift, j = i.first - (l << shift);
      to[std::int64_t(l) * lines.line + std::int64_t(j) * lines.element] = from(j)[l];
    });
  }
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
