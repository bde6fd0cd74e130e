// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "cylinder_checks.hpp"

TEST_CASE("The sequence for cylinders: double, first space", "[cylinder]") {
  trackplex::test::check_cylinder_sequence<double, trackplex::test::FirstSpace>();
}
