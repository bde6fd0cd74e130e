// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <catch2/catch_template_test_macros.hpp>

#include "support/spaces.hpp"
#include "tracked_bunches.hpp"

using namespace trackplex;

TEMPLATE_LIST_TEST_CASE("tracked bunches are the same everywhere in single precision",
                        "[reproducibility]", test::EnabledSpaces) {
  constexpr auto precision = &test::Golden::single_precision;
  test::check_tracked_bunches<float, 1, TestType>(precision);
  if constexpr (is_host_space<TestType>) {
    test::check_tracked_bunches<float, 4, TestType>(precision);
    test::check_tracked_bunches<float, 8, TestType>(precision);
    test::check_tracked_bunches<float, 16, TestType>(precision);
  }
}
