// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <catch2/catch_test_macros.hpp>
#include <trackplex/lhcb/check_raw_banks.hpp>

#include "support/refusals.hpp"
#include "support/small_raw_event.hpp"

using namespace trackplex;
using lhcb::RawBanks;
using test::check_refused;
using test::Words;

namespace {

RawBanks one_bank(int version, std::uint16_t source, const Words& words) {
  RawBanks banks;
  banks.version = version;
  banks.push_back(source, words);
  return banks;
}

void check_vp_refused(const RawBanks& banks, const std::string& message) {
  check_refused([&] { lhcb::check_vp_banks(banks, "E"); }, message);
}

void check_ut_refused(const RawBanks& banks, const std::string& message) {
  check_refused([&] { lhcb::check_ut_banks(banks, "E"); }, message);
}

void check_scifi_refused(const RawBanks& banks, const std::string& message) {
  check_refused([&] { lhcb::check_scifi_banks(banks, "E"); }, message);
}

/// The first words of a bank of version 4 with these numbers of hits in lanes 0 to 5.
Words lanes(std::array<std::uint32_t, 6> n, std::size_t words) {
  Words payload = {n[4] | n[5] << 8, n[0] | n[1] << 8 | n[2] << 16 | n[3] << 24};
  payload.resize(words);
  return payload;
}

}  // namespace

TEST_CASE("Banks as they should be pass", "[lhcb]") {
  CHECK_NOTHROW(lhcb::check_raw_event(test::small_raw_event()));
  CHECK_NOTHROW(lhcb::check_raw_event({}));
  CHECK_NOTHROW(lhcb::check_vp_banks(one_bank(2, 1, {0, 7, 8}), "E"));  // more than is needed
}

TEST_CASE("Versions that no decoder knows are refused", "[lhcb]") {
  check_vp_refused(one_bank(3, 0, {0}), "E: VP banks: are of version 3 (known: 2)");
  check_ut_refused(one_bank(2, 0, {0}), "E: UT banks: are of version 2 (known: 3 and 4)");
  check_scifi_refused(one_bank(3, 0, {0}), "E: SciFi banks: are of version 3 (known: 4 to 8)");
  check_scifi_refused(one_bank(9, 0, {0}), "E: SciFi banks: are of version 9 (known: 4 to 8)");
}

TEST_CASE("Damaged VP banks are refused", "[lhcb]") {
  check_vp_refused(one_bank(2, 208, {0}),
                   "E: VP bank 0 (source 208): there is no such source (they end at 207)");
  auto twice = one_bank(2, 6, {0});
  twice.push_back(7, Words{0});
  twice.push_back(6, Words{0});
  check_vp_refused(twice, "E: VP bank 2 (source 6): a bank before it has the same source");
  check_vp_refused(one_bank(2, 3, {}),
                   "E: VP bank 0 (source 3): its payload has 0 bytes (a number of super-pixels "
                   "need 4)");
  check_vp_refused(one_bank(2, 3, {2, 0}), "its payload has 8 bytes (2 super-pixels need 12)");
  check_vp_refused(one_bank(2, 3, {0xffffffff, 0}), "4294967295 super-pixels need 17179869184");
  auto short_of_a_byte = one_bank(2, 3, {1, 0});
  short_of_a_byte.bytes[0] = 7;
  check_vp_refused(short_of_a_byte, "its payload has 7 bytes (1 super-pixels need 8)");
  CHECK_NOTHROW(lhcb::check_vp_banks(one_bank(2, 3, {1, 0xffffffff}), "E"));
}

TEST_CASE("Damaged UT banks of version 3 are refused", "[lhcb]") {
  check_ut_refused(one_bank(3, 240, {0}), "E: UT bank 0 (source 240): there is no such source");
  check_ut_refused(one_bank(3, 1, {}), "its payload has 0 bytes (a number of hits need 4)");
  check_ut_refused(one_bank(3, 1, {0x800003, 0}), "its payload has 8 bytes (3 hits need 10)");
  auto odd = one_bank(3, 1, {3, 0, 0});
  odd.bytes[0] = 10;
  CHECK_NOTHROW(lhcb::check_ut_banks(odd, "E"));
  odd.bytes[0] = 9;
  check_ut_refused(odd, "3 hits need 10");
  CHECK_NOTHROW(lhcb::check_ut_banks(one_bank(3, 1, {2, 0xffffffff}), "E"));
}

TEST_CASE("Damaged UT banks of version 4 are refused", "[lhcb]") {
  check_ut_refused(one_bank(4, 1, {0}), "its payload has 4 bytes (the numbers of hits need 8)");
  CHECK_NOTHROW(lhcb::check_ut_banks(one_bank(4, 1, lanes({}, 2)), "E"));
  // Lane 0 has entries 10 and 11 of each row, lane 5 entries 0 and 1.
  CHECK_NOTHROW(lhcb::check_ut_banks(one_bank(4, 1, lanes({2, 0, 0, 0, 0, 2}, 2 + 6)), "E"));
  check_ut_refused(one_bank(4, 1, lanes({2, 0, 0, 0, 0, 2}, 2 + 5)),
                   "its payload has 28 bytes (2 hits in lane 0 need 32)");
  CHECK_NOTHROW(lhcb::check_ut_banks(one_bank(4, 1, lanes({2, 0, 0, 0, 0, 3}, 2 + 9)), "E"));
  check_ut_refused(one_bank(4, 1, lanes({2, 0, 0, 0, 0, 3}, 2 + 8)),
                   "its payload has 40 bytes (3 hits in lane 5 need 42)");
  check_ut_refused(one_bank(4, 1, lanes({0, 0, 0, 0, 254, 0}, 8)), "254 hits in lane 4 need 40");
  CHECK_NOTHROW(lhcb::check_ut_banks(one_bank(4, 1, lanes({255, 9, 9, 9, 9, 9}, 2)), "E"));
}

TEST_CASE("Arrays of banks that do not agree are refused", "[lhcb]") {
  const auto refused = [](auto damage) {
    auto event = test::small_raw_event();
    damage(event.vp);
    check_refused<UsageError>([&] { lhcb::check_raw_event(event); },
                              "small: the arrays of its VP banks do not agree");
  };
  refused([](RawBanks& banks) { banks.bytes.pop_back(); });
  refused([](RawBanks& banks) { banks.sources.push_back(9); });
  refused([](RawBanks& banks) { banks.first_words.clear(); });
  refused([](RawBanks& banks) { banks.first_words[0] = 1; });
  refused([](RawBanks& banks) { banks.first_words[1] = 100; });
  refused([](RawBanks& banks) { banks.words.push_back(0); });
  refused([](RawBanks& banks) { ++banks.bytes[1]; });
  refused([](RawBanks& banks) { banks.bytes[1] = 0xffffffff; });
}

TEST_CASE("Damaged SciFi banks are refused", "[lhcb]") {
  CHECK_NOTHROW(lhcb::check_scifi_banks(one_bank(5, 239, {0, 7, 8}), "E"));
  CHECK_NOTHROW(lhcb::check_scifi_banks(one_bank(8, 0x4801, {0}), "E"));
  check_scifi_refused(one_bank(6, 240, {0}),
                      "E: SciFi bank 0 (source 240): there is no such source (they end at 239)");
  auto twice = one_bank(7, 0x4801, {0});
  twice.push_back(0x4801, Words{0});
  check_scifi_refused(twice,
                      "E: SciFi bank 1 (source 18433): a bank before it has the same source");
  check_scifi_refused(
      one_bank(5, 3, {}),
      "E: SciFi bank 0 (source 3): its payload has 0 bytes (the two words of a header "
      "need 4)");
  auto odd = one_bank(5, 3, {0, 7});
  odd.bytes[0] = 7;
  check_scifi_refused(odd, "its payload has 7 bytes (words of clusters have 2)");
  lhcb::RawEvent event;
  event.name = "E";
  event.scifi = odd;
  check_refused([&] { lhcb::check_raw_event(event); }, "E: SciFi bank 0");
}
