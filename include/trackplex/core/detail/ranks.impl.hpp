// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/core/error.hpp>
#include <trackplex/core/ranks.hpp>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <limits>
#include <numeric>
#include <span>
#include <string>

namespace trackplex {

TRACKPLEX_INLINE int launched_processes() {
  for (const char* name : {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "MV2_COMM_WORLD_SIZE"})
    if (const char* value = std::getenv(name)) return std::atoi(value);
  return 0;
}

TRACKPLEX_INLINE std::int64_t sum_before(const Ranks* ranks, std::int64_t value) {
  if (!ranks) return 0;
  const auto all = gather_all(*ranks, std::span<const std::int64_t>(&value, 1));
  return std::accumulate(all.begin(), all.begin() + ranks->rank(), std::int64_t(0));
}

TRACKPLEX_INLINE Share::Share(std::int64_t all_items, int block, const Ranks* of)
    : all(all_items), ranks(of) {
  const std::int64_t rank = of ? of->rank() : 0, size = of ? of->size() : 1;
  first = begin_of(all, block, rank, size);
  const std::int64_t own = begin_of(all, block, rank + 1, size) - first;
  if (own > std::numeric_limits<int>::max())
    throw CapacityError("rank " + std::to_string(rank), "items", std::size_t(own),
                        std::size_t(std::numeric_limits<int>::max()), "use more ranks");
  n = int(own);
}

TRACKPLEX_INLINE std::int64_t Share::begin_of(std::int64_t all, int block, std::int64_t rank,
                                              std::int64_t size) {
  const std::int64_t blocks = all / block + (all % block != 0);
  const std::int64_t part = blocks / size, more = blocks % size;  // the first ones have one more
  return std::min((rank * part + std::min(rank, more)) * block, all);
}

TRACKPLEX_INLINE Share gather_share(int n, const Ranks* ranks) {
  Share share(n);
  share.first = sum_before(ranks, n);
  share.all = sum_over(ranks, n);
  share.ranks = ranks;
  return share;
}

}  // namespace trackplex
