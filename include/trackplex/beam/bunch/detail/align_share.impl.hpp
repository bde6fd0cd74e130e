// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/beam/bunch/detail/align_share.hpp>
#include <trackplex/core/copy.hpp>

#include <algorithm>
#include <cstdint>
#include <vector>

namespace trackplex::beam::detail {

TRACKPLEX_INLINE ShareStarts starts_of(const std::vector<int>& sizes) {
  ShareStarts starts{0};
  for (const int n : sizes) starts.push_back(starts.back() + n);
  return starts;
}

TRACKPLEX_INLINE ShareStarts aligned_starts(const ShareStarts& now) {
  const std::int64_t ranks = std::int64_t(now.size()) - 1, all = now.back();
  ShareStarts starts{0};
  std::int64_t largest = 0;
  for (std::int64_t r = 1; r <= ranks; ++r) {
    const std::int64_t nearest = (now[r] + reduce_block / 2) / reduce_block * reduce_block;
    starts.push_back(r == ranks ? all : std::min(nearest, all));
    largest = std::max(largest, starts[r] - starts[r - 1]);
  }
  if (largest <= all / ranks + all / ranks / 4 + reduce_block) return starts;
  for (std::int64_t r = 1; r < ranks; ++r) starts[r] = Share::begin_of(all, reduce_block, r, ranks);
  return starts;
}

}  // namespace trackplex::beam::detail
