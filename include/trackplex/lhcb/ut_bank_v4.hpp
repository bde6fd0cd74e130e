// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// @file
/// UT banks of version 4: which lanes of a board have seen which strips. Where those strips stand
/// is not known to Trackplex.
///
/// The payload begins with two words of counts, a byte for the hits of each lane: lanes 4 and 5 in
/// the low bytes of the first word, lanes 0 to 3 in the second. Rows of 16 half words follow; a row
/// has two hits of each lane, those of lane 5 first and those of lane 0 in half words 10 and 11.

#include <trackplex/core/error.hpp>

#include <Kokkos_Core.hpp>

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace trackplex::lhcb {

inline constexpr int ut_v4_lanes = 6;
inline constexpr std::size_t ut_v4_header_words = 2;

/// A board that has no hits sends fewer words than these, and its counts mean nothing.
inline constexpr std::size_t ut_v4_least_words = 6;

/// Count of a lane by which a board says that the bank is bad.
inline constexpr int ut_v4_bad = 255;

/// Hits of a lane, or ut_v4_bad, from the header.
KOKKOS_FORCEINLINE_FUNCTION constexpr int ut_v4_lane_hits(const std::uint32_t* payload, int lane) {
  return int(lane < 4 ? payload[1] >> 8 * lane & 0xffu : payload[0] >> 8 * (lane - 4) & 0xffu);
}

/// Word of the payload that holds a hit of a lane.
KOKKOS_FORCEINLINE_FUNCTION constexpr std::size_t ut_v4_word(int lane, int hit) {
  return ut_v4_header_words + 8 * std::size_t(hit / 2) + std::size_t(ut_v4_lanes - 1 - lane);
}

/// Strip of a hit, 0 to 2047; its word must be in the payload.
KOKKOS_FORCEINLINE_FUNCTION constexpr int ut_v4_strip(const std::uint32_t* payload, int lane,
                                                      int hit) {
  return int(payload[ut_v4_word(lane, hit)] >> (16 * (hit % 2) + 5) & 0x7ffu);
}

/// A hit of a bank of version 4.
struct UtV4Hit {
  int lane = 0;
  int strip = 0;

  friend bool operator==(const UtV4Hit&, const UtV4Hit&) = default;
};

/// The hits of a bank of version 4, lane by lane.
/// @throws InputError if the payload is marked as bad, or shorter than its counts ask for
inline std::vector<UtV4Hit> ut_v4_hits(std::span<const std::uint32_t> payload) {
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
