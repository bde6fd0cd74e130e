// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <catch2/catch_test_macros.hpp>

#include "lhcb/decoded_scifi_events.hpp"
#include "support/refusals.hpp"

using namespace trackplex;
using Space = HostExecutor;
using test::check_refused;

namespace {

auto table_of(const lhcb::ScifiGeometry& geometry) {
  return lhcb::scifi_decoding_table<float>(Space(), geometry);
}

}  // namespace

TEST_CASE("SciFi banks need the geometry of their version", "[lhcb]") {
  using Hits = lhcb::ScifiHits<float, Space::memory_space>;
  for (const bool has_links : {false, true}) {
    const auto geometry = test::small_scifi(has_links), other = test::small_scifi(!has_links);
    const std::vector<lhcb::RawEvent> events = {
        test::random_scifi_event(geometry, has_links ? 7 : 6, 3, 5, 1)};
    const auto banks = test::loaded_scifi_banks(Space(), events);
    const lhcb::DecodeScifi<float, Space> decode{table_of(geometry)}, wrong{table_of(other)};
    Hits hits;
    check_refused<UsageError>([&] { decode(Space(), banks, hits); }, "not allocated");
    decode.allocate(GrowingMemory<Space>{Space()}, banks, hits);
    CHECK_NOTHROW(decode(Space(), banks, hits));
    check_refused<UsageError>([&] { wrong(Space(), banks, hits); },
                              has_links ? "version 7 (the geometry lists the channels of versions 4"
                                        : "version 6 (the geometry lists the SiPMs of versions 7");
    Space().fence();
  }
}

TEST_CASE("Damaged SciFi banks are named when they are staged", "[lhcb]") {
  const auto geometry = test::small_scifi();
  std::vector<lhcb::RawEvent> events = {test::random_scifi_event(geometry, 5, 3, 5, 1)};
  events[0].name = "file 7, event 3";
  CHECK_NOTHROW(test::staged_scifi_banks(events));
  events[0].scifi.version = 3;
  check_refused([&] { test::staged_scifi_banks(events); },
                "file 7, event 3: SciFi banks: are of version 3 (known: 4 to 8)");
  events[0].scifi.version = 5;
  events[0].scifi.push_back(239, {});
  check_refused([&] { test::staged_scifi_banks(events); }, "SciFi bank 3 (source 239)");
}

TEST_CASE("An event with more SciFi clusters than 16 bits count is refused", "[lhcb]") {
  std::vector<lhcb::RawEvent> events(1);
  events[0].name = "crowded";
  events[0].scifi.version = 4;
  for (const std::uint16_t source : {0, 1})
    events[0].scifi.push_back(source, test::scifi_payload(std::vector<std::uint32_t>(40000, 4)));
  check_refused<CapacityError>([&] { test::staged_scifi_banks(events); },
                               "crowded: 80000 SciFi clusters");
}

TEST_CASE("The description of the SciFi is checked", "[lhcb]") {
  const auto refuses = [&](bool has_links, const auto& change, const char* message) {
    auto geometry = test::small_scifi(has_links);
    change(geometry);
    check_refused<UsageError>([&] { table_of(geometry); }, message);
  };
  refuses(
      false, [](auto& g) { g.x.pop_back(); }, "1536 entries for mats");
  refuses(
      false, [](auto& g) { g.first_channel.pop_back(); }, "240 banks");
  refuses(
      true, [](auto& g) { g.sipms.pop_back(); }, "240 banks");
  refuses(
      true, [](auto& g) { g.sources[3] = 1u << 20; }, "the source 1048576");
}

TEST_CASE("Without SciFi banks there is nothing to decode", "[lhcb]") {
  const auto decoded = test::decode_scifi_on<1, float, Space>(test::small_scifi(), {});
  CHECK(decoded.hits.n_hits == 0);
  std::vector<lhcb::RawEvent> events(2);
  const auto empty = test::decode_scifi_on<1, float, Space>(test::small_scifi(true), events);
  for (const std::size_t e : {0, 1}) CHECK(empty.event(e).hits.empty());
}

TEST_CASE("Padding of SciFi banks is no cluster", "[lhcb]") {
  const std::uint32_t payload[] = {0xabcdef01u, 0x00000008u, 0x00050000u};
  for (const auto& [words, n] : {std::pair(0u, 0), {1u, 0}, {2u, 1}, {3u, 4}})
    CHECK(lhcb::detail::ScifiWords(payload, words).n == n);  // a zero at the end only
}
