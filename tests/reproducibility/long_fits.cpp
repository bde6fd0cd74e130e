// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <catch2/catch_template_test_macros.hpp>
#include <catch2/catch_test_macros.hpp>

#include "golden_hashes.hpp"
#include "long_fit_hashes.hpp"
#include "support/spaces.hpp"
#include "support/team_sizes.hpp"

#include <cstddef>
#include <string>

/// Fits of generated long tracks, with and without hits in the UT.

using namespace trackplex;

namespace {

template <class T, int Width, class Space>
std::string long_fits_hash(std::size_t batch, int team_size = 0) {
  return test::long_fits_hash<T>(
      test::long_fit_events<test::LongFitGenerator>(), batch,
      [&](const auto& some) { return test::long_fits_on<T, Width, Space>(some, 1., team_size); });
}

}  // namespace

TEMPLATE_LIST_TEST_CASE("fits of long tracks are the same in all spaces and at all widths",
                        "[reproducibility]", test::EnabledSpaces) {
  const auto& golden = test::long_fits_golden;
  CHECK(long_fits_hash<float, 1, TestType>(1) == golden.single_precision);
  CHECK(long_fits_hash<double, 1, TestType>(4) == golden.double_precision);
  if constexpr (is_host_space<TestType>) {
    CHECK(long_fits_hash<float, 8, TestType>(3) == golden.single_precision);
    CHECK(long_fits_hash<float, 16, TestType>(4) == golden.single_precision);
    CHECK(long_fits_hash<double, 4, TestType>(1) == golden.double_precision);
  }
}

TEMPLATE_LIST_TEST_CASE("fits of long tracks are the same with teams of any size",
                        "[reproducibility][teams]", test::EnabledSpaces) {
  if constexpr (is_host_space<TestType>)
    for (const int size : test::tested_team_sizes<TestType>()) {
      CAPTURE(size);
      CHECK(long_fits_hash<float, 8, TestType>(4, size) == test::long_fits_golden.single_precision);
    }
}
