// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <catch2/catch_template_test_macros.hpp>
#include <catch2/catch_test_macros.hpp>

#include "golden_hashes.hpp"
#include "lhcb/fit/field_events.hpp"
#include "long_fit_hashes.hpp"
#include "support/spaces.hpp"
#include "support/team_sizes.hpp"

#include <cstddef>
#include <string>

/// Fits of generated long tracks in a field map.

using namespace trackplex;

namespace {

template <class T, int Width, class Space>
std::string field_fits_hash(std::size_t batch, int team_size = 0) {
  return test::long_fits_hash<T>(
      test::long_fit_events<test::FieldTrackGenerator>(), batch,
      [&](const auto& some) { return test::map_fits_on<T, Width, Space>(some, 1., team_size); });
}

}  // namespace

TEMPLATE_LIST_TEST_CASE(
    "fits of long tracks in a field map are the same in all spaces and at all widths",
    "[reproducibility]", test::EnabledSpaces) {
  const auto& golden = test::field_fits_golden;
  CHECK(field_fits_hash<float, 1, TestType>(1) == golden.single_precision);
  CHECK(field_fits_hash<double, 1, TestType>(4) == golden.double_precision);
  if constexpr (is_host_space<TestType>) {
    CHECK(field_fits_hash<float, 8, TestType>(3) == golden.single_precision);
    CHECK(field_fits_hash<float, 16, TestType>(4) == golden.single_precision);
    CHECK(field_fits_hash<double, 4, TestType>(1) == golden.double_precision);
  }
}

TEMPLATE_LIST_TEST_CASE("fits of long tracks in a field map are the same with teams of any size",
                        "[reproducibility][teams]", test::EnabledSpaces) {
  if constexpr (is_host_space<TestType>)
    for (const int size : test::tested_team_sizes<TestType>()) {
      CAPTURE(size);
      CHECK(field_fits_hash<float, 8, TestType>(4, size) ==
            test::field_fits_golden.single_precision);
    }
}
