// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// @file
/// UT banks of version 4: strips hit in the lanes of a board. Trackplex does not know the positions
/// of these strips.
///
/// The payload begins with two words of counts, one byte for the hits of each lane: lanes 4 and 5
/// in the low bytes of the first word, lanes 0 to 3 in the second. Rows of 16 half words follow; a
/// row has two hits of each lane, those of lane 5 first and those of lane 0 in half words 10
/// and 11.

#include <trackplex/core/compiled.hpp>

#include <Kokkos_Core.hpp>

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace trackplex::lhcb {

/// Number of lanes of a board.
inline constexpr int ut_v4_lanes = 6;
/// Number of words before the first row of hits.
inline constexpr std::size_t ut_v4_header_words = 2;

/// Min number of words of a bank with hits; the counts of shorter banks are meaningless.
inline constexpr std::size_t ut_v4_least_words = 6;

/// Count of a lane that marks the bank as bad.
inline constexpr int ut_v4_bad = 255;

/// Number of hits of a lane from the header of a payload, or ut_v4_bad.
KOKKOS_FORCEINLINE_FUNCTION constexpr int ut_v4_lane_hits(const std::uint32_t* payload, int lane) {
  return int(lane < 4 ? payload[1] >> 8 * lane & 0xffu : payload[0] >> 8 * (lane - 4) & 0xffu);
}

/// Index of the word of the payload with hit number `hit` of a lane.
KOKKOS_FORCEINLINE_FUNCTION constexpr std::size_t ut_v4_word(int lane, int hit) {
  return ut_v4_header_words + 8 * std::size_t(hit / 2) + std::size_t(ut_v4_lanes - 1 - lane);
}

/// Strip of a hit, 0 to 2047. Its word must be in the payload.
KOKKOS_FORCEINLINE_FUNCTION constexpr int ut_v4_strip(const std::uint32_t* payload, int lane,
                                                      int hit) {
  return int(payload[ut_v4_word(lane, hit)] >> (16 * (hit % 2) + 5) & 0x7ffu);
}

/// Hit of a bank of version 4.
struct UtV4Hit {
  int lane = 0;   ///< lane of the board, 0 to 5
  int strip = 0;  ///< strip of the lane, 0 to 2047

  /// Compares both members.
  friend bool operator==(const UtV4Hit&, const UtV4Hit&) = default;
};

/// Decodes the hits of a bank of version 4, lane by lane.
/// @throws InputError if the payload is marked as bad, or too short for its counts
std::vector<UtV4Hit> ut_v4_hits(std::span<const std::uint32_t> payload);

}  // namespace trackplex::lhcb

#if !defined(TRACKPLEX_COMPILED)
#include <trackplex/lhcb/detail/ut_bank_v4.impl.hpp>
#endif
