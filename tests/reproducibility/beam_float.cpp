// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <catch2/catch_template_test_macros.hpp>

#include "support/lane_widths.hpp"
#include "support/spaces.hpp"
#include "tracked_bunches.hpp"

using namespace trackplex;

TEMPLATE_LIST_TEST_CASE("tracked bunches are the same everywhere in single precision",
                        "[reproducibility]", test::EnabledSpaces) {
  test::for_each_width<TestType>([]<int Width>() {
    test::check_tracked_bunches<float, Width, TestType>(&test::Golden::single_precision);
  });
}
