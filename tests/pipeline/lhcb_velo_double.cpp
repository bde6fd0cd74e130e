// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "pipeline/lhcb_velo.hpp"

#include <catch2/catch_template_test_macros.hpp>
#include <trackplex/lhcb/velo_parameters.hpp>

#include "support/spaces.hpp"

using namespace trackplex;

TEMPLATE_LIST_TEST_CASE("The VELO sequence finds what the direct calls find in double precision",
                        "[pipeline][lhcb]", test::EnabledSpaces) {
  const auto events = test::velo_events(12);
  constexpr int width = default_lane_width<TestType, double>;
  const auto parameters = lhcb::velo_tracking_parameters(lhcb::VeloConstants::y2023);
  test::check_velo_sequence<double, width>(TestType(), events, parameters);
  if constexpr (width > 1) test::check_velo_sequence<double, 1>(TestType(), events, parameters);
}
