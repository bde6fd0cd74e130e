// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <examples/kalman_fit/same_states.hpp>

#include <catch2/catch_test_macros.hpp>

using kalman_fit::first_difference;

TEST_CASE("The first track that differs between runs is found", "[kalman_fit]") {
  CHECK(!first_difference({}, {}));
  CHECK(!first_difference({1, 2, 3}, {1, 2, 3}));
  CHECK(first_difference({1, 2, 3}, {1, 4, 5}) == 1u);
  CHECK(first_difference({1, 2, 3}, {1, 2}) == 2u);
  CHECK(first_difference({}, {1}) == 0u);
}
