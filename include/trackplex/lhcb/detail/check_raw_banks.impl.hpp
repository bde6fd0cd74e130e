// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/core/error.hpp>
#include <trackplex/lhcb/check_raw_banks.hpp>
#include <trackplex/lhcb/raw_banks.hpp>
#include <trackplex/lhcb/scifi/scifi_geometry.hpp>
#include <trackplex/lhcb/ut/ut_geometry.hpp>
#include <trackplex/lhcb/ut_bank_v4.hpp>
#include <trackplex/lhcb/velo/velo_pixels.hpp>

#include <algorithm>
#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace trackplex::lhcb {
namespace detail {

TRACKPLEX_INLINE RawBankChecks::RawBankChecks(const RawBanks& banks, std::string_view event,
                                              std::string_view kind)
    : banks_(banks), event_(event), kind_(kind) {
  const std::size_t n = banks.size();
  bool fits = banks.bytes.size() == n && banks.first_words.size() == n + 1 &&
              banks.first_words.front() == 0 && banks.first_words.back() == banks.words.size();
  for (std::size_t b = 0; fits && b < n; ++b)
    fits =
        banks.first_words[b] <= banks.first_words[b + 1] &&
        banks.first_words[b + 1] - banks.first_words[b] == (std::uint64_t(banks.bytes[b]) + 3) / 4;
  if (!fits)
    throw UsageError(event_, "the arrays of its " + kind_ + " banks do not agree", {},
                     "make them with RawBanks::push_back");
}

TRACKPLEX_INLINE void RawBankChecks::fail(std::size_t bank, const std::string& problem,
                                          const std::string& why) const {
  throw InputError({event_, kind_ + " bank " + std::to_string(bank) + " (source " +
                                std::to_string(banks_.sources[bank]) + ")"},
                   problem, why, "the event is damaged, or of another format");
}

TRACKPLEX_INLINE void RawBankChecks::fail_version(const std::string& known) const {
  throw InputError({event_, kind_ + " banks"}, "are of version " + std::to_string(banks_.version),
                   "known: " + known);
}

TRACKPLEX_INLINE void RawBankChecks::check_sources(std::size_t end) const {
  std::vector<bool> seen(end);
  for (std::size_t b = 0; b < banks_.size(); ++b) {
    const auto source = banks_.sources[b];
    if (source >= end) fail(b, "there is no such source", "they end at " + std::to_string(end - 1));
    if (seen[source]) fail(b, "a bank before it has the same source");
    seen[source] = true;
  }
}

TRACKPLEX_INLINE void RawBankChecks::check_payload(std::size_t bank, std::uint64_t needed,
                                                   const std::string& what) const {
  if (banks_.bytes[bank] < needed)
    fail(bank, "its payload has " + std::to_string(banks_.bytes[bank]) + " bytes",
         what + " need " + std::to_string(needed));
}

TRACKPLEX_INLINE void check_vp_bank(const RawBankChecks& checks, const RawBanks& banks,
                                    std::size_t b) {
  checks.check_payload(b, 4, "a number of super-pixels");
  const auto words = banks.payload(b);
  checks.check_payload(b, 4 * (std::uint64_t(words[0]) + 1),
                       std::to_string(words[0]) + " super-pixels");
}

TRACKPLEX_INLINE void check_ut_bank_3(const RawBankChecks& checks, const RawBanks& banks,
                                      std::size_t b) {
  checks.check_payload(b, 4, "a number of hits");
  const auto words = banks.payload(b);
  const std::uint32_t n = words[0] & 0xffff;
  checks.check_payload(b, 4 + 2 * n, std::to_string(n) + " hits");
}

/// A bank that its board marks as bad passes: this is how the board sent it.
TRACKPLEX_INLINE void check_ut_bank_4(const RawBankChecks& checks, const RawBanks& banks,
                                      std::size_t b) {
  checks.check_payload(b, 4 * ut_v4_header_words, "the numbers of hits");
  const auto words = banks.payload(b);
  if (words.size() < ut_v4_least_words) return;
  std::array<int, ut_v4_lanes> counts;
  for (int lane = 0; lane < ut_v4_lanes; ++lane) counts[lane] = ut_v4_lane_hits(words.data(), lane);
  if (std::find(counts.begin(), counts.end(), ut_v4_bad) != counts.end()) return;
  for (int lane = 0; lane < ut_v4_lanes; ++lane) {
    if (counts[lane] == 0) continue;
    const int last = counts[lane] - 1;
    checks.check_payload(b, 4 * ut_v4_word(lane, last) + 2 * (last % 2 + 1),
                         std::to_string(counts[lane]) + " hits in lane " + std::to_string(lane));
  }
}

TRACKPLEX_INLINE void check_scifi_bank(const RawBankChecks& checks, const RawBanks& banks,
                                       std::size_t b) {
  checks.check_payload(b, 4, "the two words of a header");
  if (banks.bytes[b] % 2 != 0)
    checks.fail(b, "its payload has " + std::to_string(banks.bytes[b]) + " bytes",
                "words of clusters have 2");
}

}  // namespace detail

TRACKPLEX_INLINE void check_vp_banks(const RawBanks& banks, std::string_view event) {
  const detail::RawBankChecks checks(banks, event, "VP");
  if (banks.size() == 0) return;
  if (banks.version != vp_bank_version) checks.fail_version(std::to_string(vp_bank_version));
  checks.check_sources(velo_sensor_count);
  for (std::size_t b = 0; b < banks.size(); ++b) detail::check_vp_bank(checks, banks, b);
}

TRACKPLEX_INLINE void check_ut_banks(const RawBanks& banks, std::string_view event) {
  const detail::RawBankChecks checks(banks, event, "UT");
  if (banks.size() == 0) return;
  if (banks.version != ut_bank_versions[0] && banks.version != ut_bank_versions[1])
    checks.fail_version(std::to_string(ut_bank_versions[0]) + " and " +
                        std::to_string(ut_bank_versions[1]));
  checks.check_sources(UtBoards::count);
  for (std::size_t b = 0; b < banks.size(); ++b) {
    if (banks.version == ut_bank_versions[0])
      detail::check_ut_bank_3(checks, banks, b);
    else
      detail::check_ut_bank_4(checks, banks, b);
  }
}

TRACKPLEX_INLINE void check_scifi_banks(const RawBanks& banks, std::string_view event) {
  const detail::RawBankChecks checks(banks, event, "SciFi");
  if (banks.size() == 0) return;
  const auto [first, last] = scifi_bank_versions;
  if (banks.version < first || banks.version > last)
    checks.fail_version(std::to_string(first) + " to " + std::to_string(last));
  constexpr std::size_t all_sources = 0x10000;
  checks.check_sources(banks.version < scifi_link_version ? scifi_banks : all_sources);
  for (std::size_t b = 0; b < banks.size(); ++b) detail::check_scifi_bank(checks, banks, b);
}

TRACKPLEX_INLINE void check_raw_event(const RawEvent& event) {
  check_vp_banks(event.vp, event.name);
  check_ut_banks(event.ut, event.name);
  check_scifi_banks(event.scifi, event.name);
}

}  // namespace trackplex::lhcb
