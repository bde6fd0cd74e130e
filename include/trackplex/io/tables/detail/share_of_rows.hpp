// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/core/ranks.hpp>
#include <trackplex/io/table.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <type_traits>
#include <variant>
#include <vector>

namespace trackplex::io::detail {

/// Rows of a file that a rank gets.
struct RowsOfRank {
  std::size_t first = 0, n = 0, all = 0;
};

/// The share of a rank, in whole blocks of `reduce_block`; without ranks, all rows.
inline RowsOfRank share_of_rows(std::size_t all, const Ranks* ranks) {
  if (!ranks) return {0, all, all};
  const auto begin = [&](int rank) {
    return std::size_t(Share::begin_of(std::int64_t(all), reduce_block, rank, ranks->size()));
  };
  const std::size_t first = begin(ranks->rank());
  return {first, begin(ranks->rank() + 1) - first, all};
}

/// Keeps the rows of a rank in a list of all rows, or an empty one.
template <class List>
void keep_rows(List& list, const RowsOfRank& rows) {
  if (list.empty()) return;
  list.erase(list.begin() + std::ptrdiff_t(rows.first + rows.n), list.end());
  list.erase(list.begin(), list.begin() + std::ptrdiff_t(rows.first));
}

/// Deals the rows of a table of numbers, of which each rank has some that follow those of the ranks
/// before it, to their shares.
inline void deal_rows(TableOfFile& table, const Ranks& ranks) {
  const auto n = std::int64_t(table.rows()), first = sum_before(&ranks, n);
  const std::int64_t all = sum_over(&ranks, n);
  std::vector<std::size_t> begins;
  for (int r = 0; r <= ranks.size(); ++r)
    begins.push_back(std::size_t(std::clamp<std::int64_t>(
        Share::begin_of(all, reduce_block, r, ranks.size()) - first, 0, n)));
  const auto deal = [&]<class T>(std::vector<T>& values) {
    if constexpr (std::is_arithmetic_v<T>)
      values = exchange(ranks, std::span<const T>(values), begins);
  };
  for (auto& column : table.columns) std::visit(deal, column.values);
  deal(table.lines);
  table.first_row = share_of_rows(std::size_t(all), &ranks).first;
}

}  // namespace trackplex::io::detail
