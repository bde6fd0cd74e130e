// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <catch2/catch_template_test_macros.hpp>
#include <type_traits>

#include "velo_ut_chain.hpp"

using namespace trackplex;

TEST_CASE("UT tracks in double precision are the same at all widths", "[reproducibility]") {
  using Space = test::FirstSpace;
  test::check_velo_ut<double, Space, 1>();
  if constexpr (is_host_space<Space>) test::check_velo_ut<double, Space, 8>();
}

TEMPLATE_LIST_TEST_CASE("UT tracks are the same in all spaces", "[reproducibility]",
                        test::EnabledSpaces) {
  if constexpr (!std::is_same_v<TestType, test::FirstSpace>) {
    test::check_velo_ut<float, TestType, 1>();
    if constexpr (is_host_space<TestType>) {
      const int threads = int(TestType().concurrency());
      test::check_velo_ut<float, TestType, 1>(7, threads);
      test::check_velo_ut<float, TestType, 8>();
    } else {
      test::check_velo_ut<double, TestType, 1>();
    }
  }
}
