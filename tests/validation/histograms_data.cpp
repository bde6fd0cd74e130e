// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The tests of histograms on distributions of scattered electrons, 1e7 in each: `peer_double` and
// `peer_float` are independent samples of one distribution, materials differ.

#include <support/data.hpp>
#include <trackplex/validation/chi2.hpp>
#include <trackplex/validation/kolmogorov_smirnov.hpp>

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_floating_point.hpp>

#include <algorithm>
#include <cstdint>
#include <fstream>
#include <string>
#include <vector>

namespace {

using Catch::Matchers::WithinAbs;
using namespace trackplex;
using namespace trackplex::validation;

/// The last column of bin_lo,bin_hi,density,counts.
std::vector<std::uint64_t> counts_of(const std::string& name) {
  std::ifstream file(test::reference_or_skip("coulomb/" + name + ".csv"));
  std::vector<std::uint64_t> counts;
  for (std::string line; std::getline(file, line);) {
    if (line.empty() || line[0] == '#' || line[0] == 'b') continue;
    counts.push_back(std::stoull(line.substr(line.rfind(',') + 1)));
  }
  REQUIRE(counts.size() == (name.ends_with("longitudinal") ? 201 : 101));
  return counts;
}

std::vector<std::uint64_t> rotated(std::vector<std::uint64_t> counts, int bins) {
  std::rotate(counts.begin(), counts.end() - bins, counts.end());
  return counts;
}

}  // namespace

TEST_CASE("Materials have the known distances", "[validation]") {
  struct Row {
    const char *first, *second;
    double longitudinal, transverse, tolerance;
  };
  for (const Row& row :
       {Row{"water", "air", 7.80e-3, 6.65e-3, 5e-6}, Row{"tissue", "water", 1.18e-2, 1.01e-2, 5e-5},
        Row{"bone", "water", 0.129, 0.106, 5e-4}, Row{"gold", "water", 0.698, 0.572, 5e-4}}) {
    CAPTURE(row.first, row.second);
    for (const auto& [axis, distance] :
         {std::pair("_longitudinal", row.longitudinal), std::pair("_transverse", row.transverse)}) {
      const auto first = counts_of(std::string("peer_double_") + row.first + axis);
      const auto second = counts_of(std::string("peer_double_") + row.second + axis);
      const auto test = kolmogorov_smirnov(first, second);
      CHECK_THAT(test.distance, WithinAbs(distance, row.tolerance * 1.001));
      CHECK(test.n == 5e6);
      CHECK_FALSE(test.compatible());
      CHECK_FALSE(chi2_of_two(first, second).compatible());
    }
  }
}

TEST_CASE("Samples of one material agree", "[validation]") {
  for (const char* material : {"air", "bone", "gold", "tissue", "water"}) {
    for (const char* axis : {"_longitudinal", "_transverse"}) {
      const auto one = counts_of(std::string("peer_float_") + material + axis);
      const auto other = counts_of(std::string("peer_double_") + material + axis);
      const auto test = kolmogorov_smirnov(one, other);
      const auto chi2 = chi2_of_two(one, other, 21);
      CAPTURE(material, axis, test.distance, test.p_value, chi2.chi2, chi2.degrees_of_freedom,
              chi2.p_value);
      CHECK(test.distance > 1.35e-4);
      CHECK(test.distance < 3.95e-4);
      CHECK(test.p_value > 0.44);
      CHECK(chi2.p_value > 0.13);
    }
  }
}

TEST_CASE("Mirrored, shifted and shuffled distributions do not pass", "[validation]") {
  const auto gold = counts_of("peer_double_gold_longitudinal");
  auto mirrored = gold, shuffled = gold;
  std::reverse(mirrored.begin(), mirrored.end());
  for (std::size_t i = 0; i < gold.size(); ++i) shuffled[i] = gold[i * 100 % gold.size()];
  CHECK(kolmogorov_smirnov(gold, mirrored).p_value < 1e-100);
  CHECK(kolmogorov_smirnov(gold, shuffled).p_value < 1e-100);
  CHECK(kolmogorov_smirnov(gold, rotated(gold, 20)).p_value < 1e-100);
  CHECK(kolmogorov_smirnov(gold, rotated(gold, 1)).p_value < 1e-100);
}
