// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lhcb/velo_ut_chain.hpp"

#include <catch2/catch_template_test_macros.hpp>
#include <trackplex/lhcb/velo/velo_params.hpp>

#include "support/lane_widths.hpp"
#include "support/spaces.hpp"

using namespace trackplex;

TEMPLATE_LIST_TEST_CASE("The VELO and UT chain finds the same in an arena, in batches of any size",
                        "[lhcb]", test::EnabledSpaces) {
  const auto events = test::raw_events(10);
  const auto& detector = test::ideal_detector();
  constexpr int width = default_lane_width<TestType, float>;
  test::check_velo_ut_chain<float, width>(TestType(), detector, events, {});
  if constexpr (test::all_widths)
    test::check_velo_ut_chain<float, 1>(TestType(), detector, events, {});
  test::check_velo_ut_chain<double, default_lane_width<TestType, double>>(TestType(), detector,
                                                                          events, {});
  // Other choices of the parameters: sides apart, states at the beam
  lhcb::VeloUtParams other;
  other.velo = lhcb::velo_params(lhcb::VeloConstants::y2020);
  other.ut = lhcb::compass_params(lhcb::CompassConstants::y2019);
  test::check_velo_ut_chain<float, width>(TestType(), detector, events, other);
}
