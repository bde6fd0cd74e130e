// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <catch2/catch_template_test_macros.hpp>
#include <type_traits>

#include "support/team_sizes.hpp"
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
      test::check_velo_ut<float, TestType, 8>();
    } else {
      test::check_velo_ut<double, TestType, 1>();
    }
  }
}

TEMPLATE_LIST_TEST_CASE("UT tracks are the same with teams of any size", "[reproducibility][teams]",
                        test::EnabledSpaces) {
  if constexpr (is_host_space<TestType>) {
    const auto of_one_thread = test::velo_ut_hashes<float, 1, TestType>({}, 2, 1, 2);
    for (const int size : test::tested_team_sizes<TestType>()) {
      CAPTURE(size);
      CHECK(test::velo_ut_hashes<float, 1, TestType>({}, 2, size, 2) == of_one_thread);
      CHECK(test::velo_ut_hashes<float, 8, TestType>({}, 2, size, 2) == of_one_thread);
    }
  }
}
