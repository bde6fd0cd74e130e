// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <catch2/catch_template_test_macros.hpp>
#include <catch2/catch_test_macros.hpp>

#include "lhcb/decoded_ut_events.hpp"
#include "support/spaces.hpp"

using namespace trackplex;

namespace {

std::vector<lhcb::RawEvent> random_events() {
  std::vector<lhcb::RawEvent> events;
  unsigned seed = 1;
  for (const auto& [banks, hits] :
       {std::pair(0, 0), {1, 1}, {40, 3}, {0, 0}, {200, 7}, {700, 12}, {3, 600}, {0, 0}})
    events.push_back(test::random_ut_event(banks, hits, seed++));
  events.push_back(test::random_ut_event(40, 200, seed, true));
  events.push_back(test::in_order(events[4]));
  events.push_back(test::in_order(events[5]));
  return events;
}

template <int Width, class Real, class Space>
void check_random_ut_events(int team_size = 0) {
  for (const bool overlapping : {false, true}) {
    const auto ut = test::small_ut(overlapping);
    const auto events = random_events();
    const auto decoded = test::decode_on<Width, Real, Space>(ut, events, team_size);
    std::size_t first = 0;
    for (std::size_t e = 0; e < events.size(); ++e) {
      CAPTURE(Width, sizeof(Real), team_size, overlapping, e);
      const auto expected = test::decoded_ut<Real>(ut, events[e]);
      const auto found = decoded.event(e);
      CHECK(decoded.hits.event_offsets(e) == first);
      CHECK(found.unmapped == expected.unmapped);
      REQUIRE(found.hits.size() == expected.hits.size());
      for (std::size_t i = 0; i < found.hits.size(); ++i)
        REQUIRE(found.hits[i] == expected.hits[i]);
      first += expected.hits.size() + expected.unmapped;
    }
    CHECK(decoded.hits.event_offsets(events.size()) == first);
    CHECK(std::size_t(decoded.hits.n_hits) == first);
  }
}

}  // namespace

TEMPLATE_LIST_TEST_CASE("UT banks are decoded to sorted hits", "[lhcb]", test::EnabledSpaces) {
  check_random_ut_events<1, float, TestType>();
  check_random_ut_events<1, double, TestType>();
  if constexpr (is_host_space<TestType>) {
    check_random_ut_events<4, double, TestType>();
    check_random_ut_events<8, float, TestType>();
    const int threads = int(TestType().concurrency());
    check_random_ut_events<1, float, TestType>(threads);
    check_random_ut_events<1, double, TestType>(threads);
    check_random_ut_events<8, float, TestType>(threads);
    check_random_ut_events<4, double, TestType>(threads);
  } else {
    check_random_ut_events<1, float, TestType>(32);
    check_random_ut_events<1, double, TestType>(256);
  }
}
