// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <catch2/matchers/catch_matchers_exception.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

#include "vp_clusters_check.hpp"

using namespace trackplex;
using Catch::Matchers::ContainsSubstring;
using Catch::Matchers::MessageMatches;

namespace {

void stage(const lhcb::RawEvent& event) { test::staged_banks(std::span(&event, 1)); }

lhcb::RawEvent event_with(int sensor, const std::vector<std::uint32_t>& payload) {
  lhcb::RawEvent event;
  event.name = "event 7";
  event.vp.version = 2;
  event.vp.push_back(0, std::vector<std::uint32_t>{0});
  event.vp.push_back(std::uint16_t(sensor), payload);
  return event;
}

}  // namespace

TEST_CASE("damaged VP banks are refused by name", "[lhcb]") {
  const auto refused = [](const lhcb::RawEvent& event, const std::string& problem) {
    CHECK_THROWS_MATCHES(
        stage(event), InputError,
        MessageMatches(ContainsSubstring("event 7: VP bank[") && ContainsSubstring(problem)));
  };
  CHECK_NOTHROW(stage(event_with(207, {1, 0x01})));
  CHECK_NOTHROW(stage(event_with(207, {0, 0x01})));
  refused(event_with(208, {1, 0x01}), "bank[1]: there is no sensor 208");
  refused(event_with(207, {2, 0x01}), "bank[1]: it is too short");
  refused(event_with(207, {0xffffffff, 0x01}), "bank[1]: it is too short");
  refused(event_with(207, {}), "bank[1]: it is too short for its super-pixels (it is empty)");
  auto cut = event_with(207, {1, 0x01});
  cut.vp.bytes[1] = 7;
  refused(cut, "1 in 4 bytes");
  auto version = event_with(207, {1, 0x01});
  version.vp.version = 3;
  refused(version, "version 3 is not supported");
}

TEST_CASE("an event with more hits than 16 bits count is refused", "[lhcb]") {
  lhcb::RawEvent event;
  event.name = "event 7";
  event.vp.version = 2;
  std::vector<std::uint32_t> words{32767};
  for (std::uint32_t i = 0; i < 32767; ++i) words.push_back((i % (384 * 64)) << 8 | 0x05);
  event.vp.push_back(5, words);
  CHECK_NOTHROW(stage(event));  // 65534 hits at most
  event.vp.push_back(6, std::vector<std::uint32_t>{1, 0x01});
  CHECK_NOTHROW(stage(event));
  event.vp.push_back(7, std::vector<std::uint32_t>{1, 0x01});
  CHECK_THROWS_MATCHES(stage(event), CapacityError,
                       MessageMatches(ContainsSubstring("event 7: 65536 hits do not fit")));
}
