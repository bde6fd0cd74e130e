// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "cylinder_checks.hpp"

TEST_CASE("The sequence for cylinders: float, first space", "[cylinder]") {
  trackplex::test::check_cylinder_sequence<float, trackplex::test::FirstSpace>();
}
