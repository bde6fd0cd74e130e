// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/core/team.hpp>
#include <trackplex/lhcb/detail/super_pixels.hpp>

#include <limits>

/// @file
/// Super-pixels that are not in the order of their places, or are duplicated: no detector sends
/// such banks, so that this need not be fast, only correct and of order n log^2 n for n
/// super-pixels.

namespace trackplex::lhcb::detail {

/// Numbers before and after all super-pixels.
inline constexpr int before_super_pixels = std::numeric_limits<int>::min();
inline constexpr int behind_super_pixels = std::numeric_limits<int>::max();

/// Place of number i of two sorted runs, [first, middle) and [middle, end), in the merged run;
/// among equal numbers those of the first run come first.
KOKKOS_INLINE_FUNCTION int place_in_merged(const int* numbers, int first, int middle, int end,
                                           int i) {
  const int number = numbers[i];
  const bool in_first = i < middle;
  int low = in_first ? middle : first, high = in_first ? end : middle;
  const int begin = low;
  while (low < high) {
    const int half = (low + high) / 2;
    if (numbers[half] < number || (!in_first && numbers[half] == number)) {
      low = half + 1;
    } else {
      high = half;
    }
  }
  return (in_first ? i : first + i - middle) + low - begin;
}

/// Sorts n numbers and returns the array that holds the result: one of the two.
template <class Team>
KOKKOS_FUNCTION int* merge_sort(const Team& team, int* numbers, int* buffer, int n) {
  for (int run = 1; run < n; run *= 2) {
    team.template for_each<int>(n, [&](Tile<int> tile) {
      const int first = tile.first / (2 * run) * (2 * run);
      const int middle = min(first + run, n), end = min(first + 2 * run, n);
      buffer[place_in_merged(numbers, first, middle, end, tile.first)] = numbers[tile.first];
    });
    team.barrier();
    int* const sorted = buffer;
    buffer = numbers;
    numbers = sorted;
  }
  return numbers;
}

/// Makes one super-pixel of those at the same place, from n words in order, the last of which may
/// be `behind_super_pixels`, and returns the number of what it writes to `merged`.
template <class Team>
KOKKOS_FUNCTION int merge_same_places(const Team& team, const int* words, int n, int* merged) {
  const auto place = [words](int i) { return words[i] >> super_pixel_place_shift; };
  return team.compact(
      n,
      [&](int i) {
        return words[i] != behind_super_pixels && (i == 0 || place(i - 1) != place(i));
      },
      [&](int i, int to) {
        int word = words[i];
        for (int same = i + 1; same < n && place(same) == place(i); ++same) word |= words[same];
        merged[to] = word;
      });
}

/// Writes the components of n super-pixels in order, the lower one of each first, and returns their
/// number.
template <class Team>
KOKKOS_FUNCTION int split_super_pixels(const Team& team, const int* words, int n, int* components) {
  return team.compact(
      2 * n, [&](int i) { return i % 2 == 0 || upper_component(words[i / 2]) != 0; },
      [&](int i, int to) {
        const int word = words[i / 2], upper = upper_component(word);
        components[to] = i % 2 == 0 ? word ^ upper : (word & ~0xff) | upper;
      });
}

}  // namespace trackplex::lhcb::detail
