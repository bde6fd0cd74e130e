// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <algorithm>
#include <array>
#include <catch2/catch_test_macros.hpp>
#include <cstdint>
#include <string>
#include <trackplex/core/stable_sort.hpp>
#include <utility>
#include <vector>

using namespace trackplex;

TEST_CASE("Values are sorted, equal ones keep their order", "[core]") {
  std::uint32_t random = 1;
  for (const int n : {0, 1, 2, 7, 8, 9, 16, 17, 31, 32, 33, 64, 65, 100, 1000}) {
    std::vector<std::pair<std::uint32_t, std::string>> values;
    for (int i = 0; i < n; ++i) {
      random = random * 1664525u + 1013904223u;
      values.emplace_back((random >> 16) % std::uint32_t(n / 3 + 1), std::to_string(i));
    }
    const auto by_key = [](const auto& a, const auto& b) { return a.first < b.first; };
    auto expected = values;
    std::stable_sort(expected.begin(), expected.end(), by_key);
    stable_sort(values, by_key);
    INFO(n << " values");
    CHECK(values == expected);
  }
}

TEST_CASE("An array is sorted in descending order", "[core]") {
  std::array<double, 4> values{1., 4., 2., 3.};
  stable_sort(values, [](double a, double b) { return a > b; });
  CHECK(values == std::array<double, 4>{4., 3., 2., 1.});
}
