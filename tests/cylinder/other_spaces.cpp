// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <catch2/catch_template_test_macros.hpp>
#include <tuple>

#include "checks.hpp"

namespace {
#if defined(TRACKPLEX_EMULATED_DEVICE)
using Reals = std::tuple<float>;  // the other one takes as long to compile
#else
using Reals = std::tuple<float, double>;
#endif
}  // namespace

TEMPLATE_LIST_TEST_CASE("The chain for cylinders: other spaces", "[cylinder]", Reals) {
  const trackplex::test::EnabledSpaces* const spaces = nullptr;
  trackplex::test::check_other_spaces<TestType>(spaces);
}
