// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/beam/bunch/detail/sort_particles.hpp>
#include <trackplex/beam/bunch/particle_table.hpp>
#include <trackplex/core/stable_sort.hpp>

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <span>
#include <utility>
#include <vector>

namespace trackplex::beam::detail {

TRACKPLEX_INLINE std::vector<int> order_of(std::span<const std::int64_t> ids,
                                           std::span<const Loss> losses) {
  const auto before = [&](int i, int j) {
    return key_of(ids[std::size_t(i)], losses[std::size_t(i)]) <
           key_of(ids[std::size_t(j)], losses[std::size_t(j)]);
  };
  const int n = int(ids.size());
  int sorted = std::min(n, 1);
  while (sorted < n && !before(sorted, sorted - 1)) ++sorted;
  if (sorted == n) return {};
  std::vector<int> order(ids.size());
  std::iota(order.begin(), order.end(), 0);
  stable_sort(order, before);
  return order;
}

TRACKPLEX_INLINE void sort_particles(ParticleTable& table) {
  const auto order = order_of(table.ids, table.losses);
  if (order.empty()) return;
  for_each_column(table, [&](auto& column) {
    auto sorted = column;
    for (std::size_t i = 0; i < order.size(); ++i) sorted[i] = column[order[i]];
    column = std::move(sorted);
  });
}

TRACKPLEX_INLINE bool are_sorted_shares(std::span<const std::int64_t> ids,
                                        std::span<const Loss> losses, bool own_are_sorted,
                                        const Share& share) {
  const Share dealt(share.all, reduce_block, share.ranks);
  std::vector<ParticleKey> ends;
  if (!ids.empty()) ends = {key_of(ids.front(), losses.front()), key_of(ids.back(), losses.back())};
  const auto all_ends = gather_all(share.ranks, ends);  // by all ranks, whatever the rest says
  const bool are_sorted = own_are_sorted && share.first == dealt.first && share.n == dealt.n &&
                          std::ranges::is_sorted(all_ends);
  return !on_any(share.ranks, !are_sorted);
}

/// Number of particles of a sorted table whose keys are below a key, or, `inclusive`, at most it.
TRACKPLEX_INLINE std::int64_t count_below(const ParticleTable& table, const ParticleKey& key,
                                          bool inclusive = false) {
  std::int64_t low = 0, high = table.size();
  while (low < high) {
    const std::int64_t middle = low + (high - low) / 2;
    const auto at = key_of(table, std::size_t(middle));
    if (inclusive ? at <= key : at < key)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

/// The largest keys, one for each rank, with at most `starts[rank]` particles below them: those of
/// the particles with which shares begin. Found bit by bit.
TRACKPLEX_INLINE std::vector<ParticleKey> first_keys(const ParticleTable& table, const Ranks& ranks,
                                                     const std::vector<std::int64_t>& starts) {
  std::vector<ParticleKey> keys(starts.size(), ParticleKey{});
  for (int bit = 127; bit >= 0; --bit) {
    auto larger = keys;
    std::vector<std::int64_t> below;
    for (auto& key : larger) {
      key[bit / 64 == 0] |= std::uint64_t(1) << bit % 64;
      below.push_back(count_below(table, key));
    }
    ranks.add(below);
    for (std::size_t r = 0; r < starts.size(); ++r)
      if (below[r] <= starts[r]) keys[r] = larger[r];
  }
  return keys;
}

/// How many of a rank's particles with the key at the beginning of each share belong before it:
/// `n_equal` has their numbers, `n_wanted` those of all ranks that do. The first ranks' do.
TRACKPLEX_INLINE std::vector<std::int64_t> equal_before(const Ranks& ranks,
                                                        const std::vector<std::int64_t>& n_equal,
                                                        const std::vector<std::int64_t>& n_wanted) {
  std::vector<std::size_t> one_for_each(n_equal.size() + 1);
  std::iota(one_for_each.begin(), one_for_each.end(), std::size_t(0));
  const auto transposed = [&](const std::vector<std::int64_t>& values) {
    return exchange(ranks, std::span<const std::int64_t>(values), one_for_each);
  };
  auto taken = transposed(n_equal);  // of the ranks, for the share of this one
  std::int64_t wanted = n_wanted[std::size_t(ranks.rank())];
  for (auto& n : taken) wanted -= n = std::min(n, wanted);
  return transposed(taken);
}

TRACKPLEX_INLINE std::vector<std::size_t> parts_in_order(const ParticleTable& table,
                                                         const Ranks& ranks) {
  const std::int64_t all = sum_over(&ranks, table.size());
  std::vector<std::int64_t> starts;
  for (int r = 0; r < ranks.size(); ++r)
    starts.push_back(Share::begin_of(all, reduce_block, r, ranks.size()));
  const auto keys = first_keys(table, ranks, starts);
  std::vector<std::int64_t> below, equal;
  for (const auto& first : keys) {
    below.push_back(count_below(table, first));
    equal.push_back(count_below(table, first, true) - below.back());
  }
  auto wanted = below;
  ranks.add(wanted);
  for (std::size_t r = 0; r < starts.size(); ++r) wanted[r] = starts[r] - wanted[r];
  const auto before = equal_before(ranks, equal, wanted);
  std::vector<std::size_t> begins;
  for (std::size_t r = 0; r < starts.size(); ++r)
    begins.push_back(std::size_t(below[r] + before[r]));
  begins.push_back(table.ids.size());
  return begins;
}

TRACKPLEX_INLINE void deal_particles(ParticleTable& table, const std::vector<std::size_t>& begins,
                                     const Ranks& ranks) {
  for_each_column(table, [&]<class T>(std::vector<T>& column) {
    column = exchange(ranks, std::span<const T>(column), begins);
  });
}

}  // namespace trackplex::beam::detail
