// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <utility>
#include <vector>

namespace trackplex {
namespace detail {

/// Sorts by insertion.
template <class Iterator, class Less>
void insertion_sort(Iterator begin, Iterator end, const Less& less) {
  for (Iterator next = begin; next != end; ++next) {
    auto value = std::move(*next);
    Iterator to = next;
    for (; to != begin && less(value, *(to - 1)); --to) *to = std::move(*(to - 1));
    *to = std::move(value);
  }
}

/// Merges pairs of adjacent sorted runs of `width` values; in the last pair one run may be shorter.
template <class From, class To, class Less>
void merge_runs(From from, To to, std::ptrdiff_t n, std::ptrdiff_t width, const Less& less) {
  const auto at = [&](std::ptrdiff_t i) { return std::make_move_iterator(from + std::min(i, n)); };
  for (std::ptrdiff_t i = 0; i < n; i += 2 * width)
    to = std::merge(at(i), at(i + width), at(i + width), at(i + 2 * width), to, less);
}

}  // namespace detail

/// Sorts values on the host; equal values keep their order. The same as `std::stable_sort`, but
/// the one of libstdc++ 12 calls a deprecated function, about which clang 19 warns wherever it is
/// used.
/// @param values  vector or array of values that can be copied
/// @param less  whether one value comes before another
template <class Values, class Less>
void stable_sort(Values& values, const Less& less) {
  constexpr std::ptrdiff_t run = 8;
  const auto begin = values.begin();
  const std::ptrdiff_t n = std::ssize(values);
  for (std::ptrdiff_t i = 0; i < n; i += run)
    detail::insertion_sort(begin + i, begin + std::min(i + run, n), less);
  if (n <= run) return;
  std::vector<typename Values::value_type> other(begin, values.end());
  for (std::ptrdiff_t width = run; width < n; width *= 4) {
    detail::merge_runs(begin, other.begin(), n, width, less);
    detail::merge_runs(other.begin(), begin, n, 2 * width,
                       less);  // where one run is left: moves it
  }
}

}  // namespace trackplex
