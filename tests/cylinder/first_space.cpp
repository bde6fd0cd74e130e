// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <catch2/catch_template_test_macros.hpp>

#include "checks.hpp"

TEMPLATE_TEST_CASE("The chain for cylinders: first space", "[cylinder]", float, double) {
  trackplex::test::check_tracking_chain<TestType, trackplex::test::FirstSpace>();
}
