// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "pipeline/lhcb_velo_ut.hpp"

#include <catch2/catch_template_test_macros.hpp>
#include <trackplex/lhcb/velo_parameters.hpp>

#include "support/spaces.hpp"

using namespace trackplex;

TEMPLATE_LIST_TEST_CASE("The VELO and UT sequence finds what the direct calls find",
                        "[pipeline][lhcb]", test::EnabledSpaces) {
  const auto events = test::raw_events(10);
  constexpr int width = default_lane_width<TestType, float>;
  test::check_velo_ut_sequence<float, width>(
      TestType(), test::ideal_detector(), events, {},
      {test::velo_ut_fused, test::velo_ut_step_by_step, test::velo_ut_in_other_order});
  // Other choices of the parameters: sides apart, states at the beam
  lhcb::VeloUtParameters other;
  other.velo = lhcb::velo_tracking_parameters(lhcb::VeloConstants::y2020);
  other.ut = lhcb::compass_parameters(lhcb::CompassConstants::y2019);
  test::check_velo_ut_sequence<float, width>(TestType(), test::ideal_detector(), events, other,
                                             {test::velo_ut_fused, test::velo_ut_step_by_step});
}
