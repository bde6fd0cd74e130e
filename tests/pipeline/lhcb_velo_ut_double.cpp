// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "pipeline/lhcb_velo_ut.hpp"

#include <catch2/catch_template_test_macros.hpp>

#include "support/spaces.hpp"

using namespace trackplex;

TEMPLATE_LIST_TEST_CASE("The VELO and UT sequence finds what the direct calls find in doubles",
                        "[pipeline][lhcb]", test::EnabledSpaces) {
  constexpr int width = default_lane_width<TestType, double>;
  test::check_velo_ut_sequence<double, width>(TestType(), test::ideal_detector(),
                                              test::raw_events(8), {},
                                              {test::velo_ut_fused, test::velo_ut_step_by_step});
}
