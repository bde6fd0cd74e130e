// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "pipeline/lhcb_velo.hpp"

#include <catch2/catch_template_test_macros.hpp>
#include <trackplex/lhcb/velo_parameters.hpp>

#include "support/spaces.hpp"

using namespace trackplex;

TEMPLATE_LIST_TEST_CASE("The VELO sequence finds what the direct calls find", "[pipeline][lhcb]",
                        test::EnabledSpaces) {
  const auto events = test::velo_events(12);
  constexpr int width = default_lane_width<TestType, float>;
  for (const auto year : {lhcb::VeloConstants::y2020, lhcb::VeloConstants::y2023}) {
    CAPTURE(int(year));
    const auto parameters = lhcb::velo_tracking_parameters(year);
    test::check_velo_sequence<float, width>(TestType(), events, parameters);
    if constexpr (width > 1) test::check_velo_sequence<float, 1>(TestType(), events, parameters);
  }
}

TEMPLATE_LIST_TEST_CASE("The VELO sequence tells of seeds that found no slot", "[pipeline][lhcb]",
                        test::EnabledSpaces) {
  const std::vector events{test::toy_velo_event(400, 50, 3), test::toy_velo_event(5, 5, 4)};
  auto parameters = lhcb::velo_tracking_parameters(lhcb::VeloConstants::y2023);
  parameters.hits_per_slot = 1000;
  pipeline::VeloSequence<float, TestType> velo(TestType(), 20'000'000, parameters);
  const auto results = test::in_batches(velo, test::shared(events), 2);
  REQUIRE(results.size() == 2);
  CHECK(results[0].overflow > 100);
  CHECK(results[0].tracks.size() > 10);
  CHECK(results[1].overflow == 0);
}
