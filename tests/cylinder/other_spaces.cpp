// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <catch2/catch_template_test_macros.hpp>

#include "checks.hpp"

TEMPLATE_TEST_CASE("The chain for cylinders: other spaces", "[cylinder]", float, double) {
  const trackplex::test::EnabledSpaces* const spaces = nullptr;
  trackplex::test::check_other_spaces<TestType>(spaces);
}
