// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/core/error.hpp>
#include <trackplex/lhcb/ut_bank_v4.hpp>

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace trackplex::lhcb {

TRACKPLEX_INLINE std::vector<UtV4Hit> ut_v4_hits(std::span<const std::uint32_t> payload) {
  const auto bad = [](std::string problem) {
    return InputError({"UT bank of version 4"}, problem, {}, "leave the bank out");
  };
  std::vector<UtV4Hit> hits;
  if (payload.size() < ut_v4_least_words) return hits;
  for (int lane = 0; lane < ut_v4_lanes; ++lane) {
    const int n = ut_v4_lane_hits(payload.data(), lane);
    if (n == ut_v4_bad) throw bad("its board marked lane " + std::to_string(lane) + " as bad");
    if (n > 0 && ut_v4_word(lane, n - 1) >= payload.size())
      throw bad("lane " + std::to_string(lane) + " has " + std::to_string(n) + " hits, which " +
                std::to_string(payload.size()) + " words do not hold");
    for (int hit = 0; hit < n; ++hit)
      hits.push_back({lane, ut_v4_strip(payload.data(), lane, hit)});
  }
  return hits;
}

}  // namespace trackplex::lhcb
