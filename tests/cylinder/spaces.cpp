// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <catch2/catch_template_test_macros.hpp>
#include <tuple>
#include <type_traits>

#include "checks.hpp"

namespace {
#if defined(TRACKPLEX_EMULATED_DEVICE)
using Reals = std::tuple<float>;  // the other one takes as long to compile
#else
using Reals = std::tuple<float, double>;
#endif
}  // namespace

TEMPLATE_LIST_TEST_CASE("The chain for cylinders", "[cylinder]", Reals) {
  trackplex::test::for_each_space([]<class Space>(std::type_identity<Space>) {
    DYNAMIC_SECTION(Space().name()) { trackplex::test::check_tracking_chain<TestType, Space>(); }
  });
}
