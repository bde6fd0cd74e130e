// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "cylinder_checks.hpp"

TEST_CASE("The sequence for cylinders: double, other spaces", "[cylinder]") {
  const trackplex::test::EnabledSpaces* const spaces = nullptr;
  trackplex::test::check_other_spaces<double>(spaces);
}
