// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <trackplex/core/error.hpp>
#include <trackplex/lhcb/ut_bank_v4.hpp>

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_exception.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

#include <array>
#include <random>

using namespace trackplex;
using Catch::Matchers::ContainsSubstring;
using Catch::Matchers::MessageMatches;

namespace {

using LanesOfBank = std::array<std::vector<int>, lhcb::ut_v4_lanes>;

/// The half words of a bank, as its format is described: 8 bytes of header, then rows of 16.
std::vector<std::uint32_t> payload_of(const LanesOfBank& lanes) {
  std::array<std::uint8_t, 8> counts{};
  std::size_t longest = 0;
  for (std::size_t lane = 0; lane < 6; ++lane) {
    const std::size_t byte[6] = {4, 5, 6, 7, 0, 1};
    counts[byte[lane]] = std::uint8_t(lanes[lane].size());
    longest = std::max(longest, lanes[lane].size());
  }
  std::vector<std::uint16_t> halves(4 + 16 * ((longest + 1) / 2), 0);
  for (std::size_t i = 0; i < 4; ++i)
    halves[i] = std::uint16_t(counts[2 * i] | counts[2 * i + 1] << 8);
  for (std::size_t lane = 0; lane < 6; ++lane)
    for (std::size_t hit = 0; hit < lanes[lane].size(); ++hit)
      halves[4 + 16 * (hit / 2) + 2 * (5 - lane) + hit % 2] =
          std::uint16_t(lanes[lane][hit] << 5 | 0x1d);  // low bits: ADC counts
  std::vector<std::uint32_t> payload;
  for (std::size_t i = 0; i < halves.size(); i += 2)
    payload.push_back(halves[i] | std::uint32_t(halves[i + 1]) << 16);
  return payload;
}

std::vector<lhcb::UtV4Hit> hits_of(const LanesOfBank& lanes) {
  std::vector<lhcb::UtV4Hit> hits;
  for (int lane = 0; lane < 6; ++lane)
    for (const int strip : lanes[std::size_t(lane)]) hits.push_back({lane, strip});
  return hits;
}

}  // namespace

TEST_CASE("A UT bank of version 4 by hand", "[lhcb]") {
  // lane 4: strip 3; lane 0: strips 5 and 2047; lane 5: strip 1
  const std::vector<std::uint32_t> payload = {
      0x00000101, 0x00000002, 1u << 5, 3u << 5, 0, 0, 0, 2047u << 21 | 5u << 5, 0, 0};
  CHECK(lhcb::ut_v4_hits(payload) == std::vector<lhcb::UtV4Hit>{{0, 5}, {0, 2047}, {4, 3}, {5, 1}});
}

TEST_CASE("UT banks of version 4 are decoded to lanes and strips", "[lhcb]") {
  std::mt19937 random(5);
  for (int bank = 0; bank < 200; ++bank) {
    LanesOfBank lanes;
    for (auto& strips : lanes) {
      strips.resize(random() % (bank % 7 == 0 ? 255 : 5));
      for (int& strip : strips) strip = int(random() % 2048);
    }
    REQUIRE(lhcb::ut_v4_hits(payload_of(lanes)) == hits_of(lanes));
  }
}

TEST_CASE("A short UT bank of version 4 has no hits", "[lhcb]") {
  // without hits a board sends less than six words, and the counts may be anything
  for (const std::size_t words : {0, 1, 2, 5})
    CHECK(lhcb::ut_v4_hits(std::vector<std::uint32_t>(words, 0xffffffffu)).empty());
}

TEST_CASE("Damaged UT banks of version 4 are errors", "[lhcb]") {
  auto payload = payload_of({{{1, 2, 3}, {}, {7}, {}, {}, {}}});
  CHECK(lhcb::ut_v4_hits(payload).size() == 4);
  auto cut = payload;
  cut.resize(lhcb::ut_v4_word(0, 2));  // without the word of the third hit of lane 0
  CHECK_THROWS_MATCHES(lhcb::ut_v4_hits(cut), InputError,
                       MessageMatches(ContainsSubstring("lane 0 has 3 hits")));
  cut = payload;
  cut.resize(lhcb::ut_v4_word(0, 2) + 1);
  CHECK(lhcb::ut_v4_hits(cut).size() == 4);
  payload[0] |= 255u << 8;  // lane 5
  CHECK_THROWS_MATCHES(lhcb::ut_v4_hits(payload), InputError,
                       MessageMatches(ContainsSubstring("lane 5 as bad")));
}
