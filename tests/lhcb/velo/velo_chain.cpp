// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lhcb/velo/velo_chain.hpp"

#include <catch2/catch_template_test_macros.hpp>
#include <cmath>
#include <string>
#include <trackplex/core/host_executor.hpp>
#include <trackplex/lhcb/velo/velo_params.hpp>
#include <vector>

#include "support/lane_widths.hpp"
#include "support/refusals.hpp"
#include "support/spaces.hpp"

using namespace trackplex;

TEMPLATE_LIST_TEST_CASE("The VELO chain finds the same in an arena, in batches of any size",
                        "[lhcb]", test::EnabledSpaces) {
  const auto events = test::velo_events(12);
  constexpr int width = default_lane_width<TestType, float>;
  for (const auto year : {lhcb::VeloConstants::y2020, lhcb::VeloConstants::y2023}) {
    CAPTURE(int(year));
    const auto params = lhcb::velo_params(year);
    test::check_velo_chain<float, width>(TestType(), events, params);
    if constexpr (test::all_widths) test::check_velo_chain<float, 1>(TestType(), events, params);
    test::check_velo_chain<double, default_lane_width<TestType, double>>(TestType(), events,
                                                                         params);
  }
}

TEMPLATE_LIST_TEST_CASE("The VELO chain tells of seeds that found no slot", "[lhcb]",
                        test::EnabledSpaces) {
  const std::vector events{test::toy_velo_event(400, 50, 3), test::toy_velo_event(5, 5, 4)};
  auto params = lhcb::velo_params(lhcb::VeloConstants::y2023);
  params.hits_per_slot = 1000;
  const auto results = lhcb::velo_chain<float>(TestType(), params)(events);
  REQUIRE(results.size() == 2);
  CHECK(results[0].overflow > 100);
  CHECK(results[0].tracks.size() > 10);
  CHECK(results[1].overflow == 0);
}

TEST_CASE("Cuts of Search by triplet out of range are refused", "[lhcb]") {
  const std::vector events{test::toy_velo_event(5, 5, 4)};
  const auto refused = [&](const auto& change, const std::string& message) {
    lhcb::TripletParams params;
    change(params);
    test::check_refused<UsageError>(
        [&] { lhcb::velo_chain<float>(HostExecutor(), params)(events); }, message);
  };
  refused([](auto& p) { p.hits_per_slot = 0; }, "number of hits per slot cannot be 0");
  refused([](auto& p) { p.max_scatter = std::nan(""); }, "largest scatter cannot be nan");
  refused([](auto& p) { p.phi_window = -0.1; }, "window in phi cannot be -0.1");
  refused([](auto& p) { p.nearest_next = 0; },
          "number of candidates for the first hit cannot be 0");
}
