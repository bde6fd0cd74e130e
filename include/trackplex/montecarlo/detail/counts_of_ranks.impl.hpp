// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/core/ranks.hpp>
#include <trackplex/montecarlo/detail/counts_of_ranks.hpp>
#include <trackplex/montecarlo/transport_counts.hpp>

#include <algorithm>
#include <bit>
#include <cstdint>
#include <span>
#include <vector>

namespace trackplex::montecarlo::detail {

TRACKPLEX_INLINE HistoryRange part_of(const HistoryRange& range, const Ranks& ranks) {
  const auto rank = std::uint64_t(ranks.rank()), size = std::uint64_t(ranks.size());
  const auto begin = [&](std::uint64_t r) {
    return range.begin + range.size() / size * r + std::min(r, range.size() % size);
  };
  return {begin(rank), begin(rank + 1)};
}

TRACKPLEX_INLINE std::vector<std::int64_t> numbers_of(const TransportCounts& counts) {
  const auto& moments = counts.moments;
  std::vector<std::int64_t> numbers{std::int64_t(moments.histories), std::int64_t(moments.skipped),
                                    std::int64_t(counts.lane_steps)};
  for (const auto& sum : moments.sums) {
    numbers.push_back(sum.high);
    numbers.push_back(std::int64_t(sum.low));
  }
  return numbers;
}

/// Sets them.
TRACKPLEX_INLINE void set_numbers(TransportCounts& counts, std::span<const std::int64_t> numbers) {
  auto& moments = counts.moments;
  moments.histories = std::uint64_t(numbers[0]);
  moments.skipped = std::uint64_t(numbers[1]);
  counts.lane_steps = std::uint64_t(numbers[2]);
  for (std::size_t i = 0; i < std::size(moments.sums); ++i) {
    moments.sums[i] = {numbers[3 + 2 * i], 0};
    moments.sums[i] += numbers[4 + 2 * i];
  }
}

TRACKPLEX_INLINE void add_numbers(const Ranks& ranks, TransportCounts& counts) {
  auto numbers = numbers_of(counts);
  ranks.add(numbers);
  set_numbers(counts, numbers);
}

TRACKPLEX_INLINE void share_counts(const Ranks& ranks, TransportCounts& counts) {
  std::vector<std::int64_t> own;
  if (ranks.rank() == 0) {
    own = numbers_of(counts);
    own.push_back(std::int64_t(counts.cells.size()));
    for (const auto& range : counts.histories.ranges()) {
      own.push_back(std::int64_t(range.begin));
      own.push_back(std::int64_t(range.end));
    }
  }
  const auto all = gather_all(ranks, std::span<const std::int64_t>(own));
  if (ranks.rank() == 0) return;
  counts = {};
  set_numbers(counts, all);
  std::size_t next = numbers_of(counts).size();
  counts.cells.resize(std::size_t(all[next++]));
  for (; next < all.size(); next += 2)
    counts.histories.add({std::uint64_t(all[next]), std::uint64_t(all[next + 1])});
}

TRACKPLEX_INLINE double of_first(const Ranks& ranks, double value) {
  std::int64_t bits = ranks.rank() == 0 ? std::bit_cast<std::int64_t>(value) : 0;
  ranks.add({&bits, 1});
  return std::bit_cast<double>(bits);
}

}  // namespace trackplex::montecarlo::detail
