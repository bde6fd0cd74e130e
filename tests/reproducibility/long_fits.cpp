// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <catch2/catch_template_test_macros.hpp>
#include <catch2/catch_test_macros.hpp>
#include <trackplex/core/fingerprint.hpp>

#include "golden_hashes.hpp"
#include "lhcb/fit/fit_events.hpp"
#include "support/spaces.hpp"
#include "support/team_sizes.hpp"

#include <algorithm>
#include <cstddef>
#include <string>
#include <vector>

/// Fits of generated long tracks, with and without hits in the UT.

using namespace trackplex;

namespace {

template <class T, int Width, class Space>
std::string long_fits_hash(std::size_t batch, int team_size = 0) {
  static const auto all = [] {
    test::LongFitGenerator generate(21, 1.);
    std::vector<test::LongFitEvent> events;
    for (const int n : {30, 0, 90, 1}) events.push_back(generate.event(n));
    return events;
  }();
  Fingerprint hash;
  for (std::size_t first = 0; first < all.size(); first += batch) {
    const std::vector<test::LongFitEvent> some(
        all.begin() + std::ptrdiff_t(first),
        all.begin() + std::ptrdiff_t(std::min(first + batch, all.size())));
    for (const auto& event : test::long_fits_on<T, Width, Space>(some, 1., team_size))
      for (const auto& fit : event) {
        const auto& s = fit.state;
        for (const double value : {s.x, s.y, s.z, s.tx, s.ty, s.qop, fit.chi2}) hash.add(T(value));
        for (const double value : fit.covariance.c) hash.add(T(value));
        hash.add(fit.ndf);
      }
  }
  return hash.hex();
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
