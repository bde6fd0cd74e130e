// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_exception.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

#include "lhcb/decoded_ut_events.hpp"

using namespace trackplex;
using Catch::Matchers::ContainsSubstring;
using Catch::Matchers::MessageMatches;
using Space = HostExecutor;

namespace {

auto table_of(const test::SmallUt& ut) {
  return lhcb::ut_decoding_table<float>(Space(), ut.boards, ut.geometry, ut.groups);
}

}  // namespace

TEST_CASE("UT banks of other versions are refused", "[lhcb]") {
  const auto ut = test::small_ut();
  std::vector<lhcb::RawEvent> events = {test::random_ut_event(3, 5, 1)};
  events[0].name = "file 7, event 3";
  events[0].ut.version = 4;
  CHECK_THROWS_MATCHES(
      test::staged_banks(events), UsageError,
      MessageMatches(ContainsSubstring("file 7, event 3") && ContainsSubstring("version 4") &&
                     ContainsSubstring("not supported") && ContainsSubstring("ut_v4_hits")));

  events[0].ut.version = 3;
  auto banks = test::loaded_banks(Space(), events);
  banks.ut_banks.version = 4;
  const lhcb::DecodeUt<float, Space> decode{table_of(ut)};
  lhcb::UtHits<float, Space::memory_space> hits;
  decode.allocate(GrowingMemory<Space>{Space()}, banks, hits);
  CHECK_THROWS_MATCHES(decode(Space(), banks, hits), UsageError,
                       MessageMatches(ContainsSubstring("version 4")));
}

TEST_CASE("A damaged UT bank is named", "[lhcb]") {
  std::vector<lhcb::RawEvent> events = {test::random_ut_event(3, 5, 1)};
  const std::uint32_t three_hits_in_two_words[] = {3, 0};
  events[0].ut.push_back(77, three_hits_in_two_words);
  const auto stage = [&] { test::staged_banks(events); };
  CHECK_THROWS_MATCHES(
      stage(), InputError,
      MessageMatches(ContainsSubstring("event 1: UT bank[3]") && ContainsSubstring("3 hits") &&
                     ContainsSubstring("board 77")));
  events[0].ut.bytes[3] = 10;  // not whole words, but enough
  events[0].ut.words.push_back(0);
  events[0].ut.first_words.back() += 1;
  CHECK_NOTHROW(stage());
  events[0].ut.bytes[3] = 9;
  CHECK_THROWS_AS(stage(), InputError);
  events[0].ut.push_back(78, {});  // not even a header
  events[0].ut.bytes[3] = 10;
  CHECK_THROWS_AS(stage(), InputError);
}

TEST_CASE("A UT bank has no more hits than its words hold", "[lhcb]") {
  for (const std::uint32_t count : {0u, 3u, 4u, 5u, 0xffffu}) {
    CAPTURE(count);
    const std::uint32_t payload[] = {0x20000u | count, 0, 0};  // above the count stand other bits
    CHECK(lhcb::detail::ut_bank_hits(payload, 3) == int(std::min(count, 4u)));
    CHECK(lhcb::detail::ut_bank_hits(payload, 1) == 0);
    CHECK(lhcb::detail::ut_bank_hits(payload, 0) == 0);
  }
}

TEST_CASE("UT hits are allocated for their own events", "[lhcb]") {
  const auto ut = test::small_ut();
  const std::vector<lhcb::RawEvent> events = {test::random_ut_event(3, 5, 1),
                                              test::random_ut_event(3, 5, 2)};
  const auto banks = test::loaded_banks(Space(), events);
  const auto one = test::loaded_banks(Space(), std::span(events).first(1));
  const lhcb::DecodeUt<float, Space> decode{table_of(ut)};
  auto other = decode;
  --other.table.groups;
  const GrowingMemory<Space> memory{Space()};
  lhcb::UtHits<float, Space::memory_space> hits;
  decode.allocate(memory, one, hits);
  CHECK_THROWS_AS(decode(Space(), banks, hits), UsageError);
  other.allocate(memory, banks, hits);
  CHECK_THROWS_AS(decode(Space(), banks, hits), UsageError);
  decode.allocate(memory, banks, hits);
  CHECK_NOTHROW(decode(Space(), banks, hits));
  Space().fence();
}

TEST_CASE("Without events there is nothing to decode", "[lhcb]") {
  const auto decoded = test::decode_on<1, float, Space>(test::small_ut(), {});
  CHECK(decoded.hits.n_hits == 0);
  CHECK(decoded.hits.event_offsets(0) == 0);
}

TEST_CASE("The description of the UT is checked", "[lhcb]") {
  const auto good = test::small_ut();
  CHECK_NOTHROW(table_of(good));
  const auto refuses = [&](const auto& change, const char* message) {
    auto ut = good;
    change(ut);
    CHECK_THROWS_MATCHES(table_of(ut), UsageError, MessageMatches(ContainsSubstring(message)));
  };
  refuses([](auto& ut) { ut.geometry.x.pop_back(); }, "1048 sectors");
  refuses([](auto& ut) { ut.groups.of_sector.clear(); }, "sector groups");
  refuses([](auto& ut) { ut.boards.channel.pop_back(); }, "differ in length");
  refuses([](auto& ut) { ut.boards.strips_per_hybrid[5] = 256; },
          "UT board 5: it reads 256 strips");
  refuses([](auto& ut) { ut.boards.station[13] = 3; }, "UT board 2: hybrid 1");
  refuses([](auto& ut) { ut.boards.layer[13] = 0; }, "does not exist");
  refuses([](auto& ut) { ut.boards.region[13] = 4; }, "does not exist");
  refuses([](auto& ut) { ut.boards.sector[13] = 99; }, "does not exist");
  refuses([](auto& ut) { ut.boards.sector[13] = 0; }, "does not exist");
}

TEST_CASE("Hybrids are numbered by group and y, in rows", "[lhcb]") {
  const auto ut = test::small_ut();
  const auto hybrids = lhcb::detail::connected_hybrids<double>(ut.boards, ut.geometry, ut.groups);
  CHECK(hybrids.size() == 1037);  // of 1048 sectors, 11 are not connected
  CHECK(hybrids.back().row == 1036);
  for (std::size_t i = 1; i < hybrids.size(); ++i) {
    const auto &a = hybrids[i - 1], &b = hybrids[i];
    CHECK((a.group < b.group || (a.group == b.group && a.highest_y < b.lowest_y)));
  }
  const auto close = test::small_ut(true);
  const auto rows =
      lhcb::detail::connected_hybrids<double>(close.boards, close.geometry, close.groups);
  CHECK(rows.back().row < 1036 - 300);  // columns of U and V layers are one row each
}

TEST_CASE("An event with more UT hits than 16 bits count is refused", "[lhcb]") {
  std::vector<lhcb::RawEvent> events(1);
  events[0].name = "crowded";
  events[0].ut.version = 3;
  for (const std::uint16_t board : {0, 1}) {
    std::vector<std::uint32_t> payload(1 + 20000, 0u);
    payload[0] = 40000;
    events[0].ut.push_back(board, payload);
  }
  CHECK_THROWS_MATCHES(test::staged_banks(events), CapacityError,
                       MessageMatches(ContainsSubstring("crowded: 80000 UT hits")));
}
