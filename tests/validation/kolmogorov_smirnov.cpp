// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <trackplex/core/random.hpp>
#include <trackplex/validation/kolmogorov_smirnov.hpp>

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_floating_point.hpp>

#include <array>
#include <cmath>
#include <cstdint>
#include <vector>

using Catch::Matchers::WithinAbs;
using Catch::Matchers::WithinRel;
using namespace trackplex;
using namespace trackplex::validation;

TEST_CASE("Kolmogorov's distribution has the known values", "[validation]") {
  // the alternating series with 40 digits
  const std::vector<std::array<double, 2>> values = {
      {0.3, 0.99999069419866543},   {0.5, 0.96394524366487509},    {1., 0.26999967167735452},
      {1.17, 0.12939004218561879},  {1.19, 0.11774229287977165},   {1.5, 0.022217962616525129},
      {2., 0.00067092525577969535}, {2.745, 5.7041434483131064e-7}};
  for (const auto& [t, p] : values) CHECK_THAT(kolmogorov_p_value(t), WithinRel(p, 1e-13));
  CHECK(kolmogorov_p_value(0.) == 1.);
  CHECK(kolmogorov_p_value(0.04) == 1.);
  CHECK(kolmogorov_p_value(30.) == 0.);
  // the critical values of the tables, and 5 sigma
  CHECK_THAT(kolmogorov_p_value(1.3581), WithinAbs(0.05, 1e-5));
  CHECK_THAT(kolmogorov_p_value(1.6276), WithinAbs(0.01, 1e-5));
  CHECK_THAT(p_value_of_sigmas(5.), WithinRel(5.733031437583892e-7, 1e-13));
  for (double t = 0.05, before = 1.; t < 4.; before = kolmogorov_p_value(t), t += 0.01)
    REQUIRE(kolmogorov_p_value(t) <= before);
}

TEST_CASE("The distance is that of the cumulated fractions", "[validation]") {
  const std::vector<int> a = {1, 2, 3, 4};
  const std::vector<std::uint64_t> b = {8, 6, 4, 2};
  const auto test = kolmogorov_smirnov(a, b);
  CHECK_THAT(test.distance, WithinAbs(0.4, 1e-15));  // 3/10 and 14/20
  CHECK(test.edge == 2);
  CHECK_THAT(test.n, WithinRel(200. / 30., 1e-15));
  CHECK_THAT(test.statistic, WithinRel(0.4 * std::sqrt(200. / 30.), 1e-15));
  const double root = std::sqrt(200. / 30.);
  CHECK(test.p_value == kolmogorov_p_value((root + 0.12 + 0.11 / root) * test.distance));
  CHECK(kolmogorov_smirnov(b, a).distance == test.distance);

  const std::vector<int> twice = {2, 4, 6, 8};
  CHECK(kolmogorov_smirnov(a, twice).distance == 0.);
  CHECK(kolmogorov_smirnov(a, twice).p_value == 1.);

  const std::array<unsigned, 2> left = {3, 0}, right = {0, 5};
  CHECK(kolmogorov_smirnov(left, right).distance == 1.);
}

TEST_CASE("Underflow and overflow are bins of the test", "[validation]") {
  const std::vector<int> a = {1, 1}, b = {1, 1};
  CHECK(kolmogorov_smirnov({a, 8, 0}, {b, 0, 8}).distance == 0.8);
  CHECK(kolmogorov_smirnov({a, 8, 0}, {b, 8, 0}).distance == 0.);
  CHECK(BinnedCounts(a, 3, 4).total() == 9);
  CHECK(BinnedCounts(a, 3, 4).size() == 4);
  CHECK(BinnedCounts(a).total() == 2);
}

TEST_CASE("The test refuses what is not comparable", "[validation]") {
  const std::vector<int> two = {1, 2}, three = {1, 2, 3}, none = {0, 0}, negative = {1, -1};
  CHECK_THROWS_AS(kolmogorov_smirnov(two, three), UsageError);
  CHECK_THROWS_AS(kolmogorov_smirnov(two, none), UsageError);
  CHECK_THROWS_AS(kolmogorov_smirnov(none, two), UsageError);
  CHECK_THROWS_AS(kolmogorov_smirnov(two, negative), UsageError);
  CHECK_THROWS_AS(kolmogorov_smirnov(two, {two, 0, 0}), UsageError);
  CHECK_THROWS_AS(kolmogorov_smirnov({two, 0, -1}, {two, 0, 0}), UsageError);
  CHECK_THROWS_AS(kolmogorov_smirnov(std::vector<int>{}, std::vector<int>{}), UsageError);
}

TEST_CASE("Bins are no samples: their order and the numbers of entries count", "[validation]") {
  std::vector<std::uint64_t> peak(100), mirrored(100), shuffled(100);
  for (std::size_t i = 0; i < 100; ++i) peak[i] = i < 20 ? 1000 - 50 * i : 1;
  for (std::size_t i = 0; i < 100; ++i) mirrored[i] = peak[99 - i];
  for (std::size_t i = 0; i < 100; ++i) shuffled[i] = peak[i * 37 % 100];
  CHECK_FALSE(kolmogorov_smirnov(peak, mirrored).compatible());
  CHECK_FALSE(kolmogorov_smirnov(peak, shuffled).compatible());
  CHECK(kolmogorov_smirnov(peak, peak).compatible());

  // the same fractions, from more and more entries
  const std::vector<int> few = {10, 11}, few_else = {11, 10};
  const std::vector<int> many = {100000, 110000}, many_else = {110000, 100000};
  CHECK(kolmogorov_smirnov(few, few_else).compatible(1.));
  CHECK_FALSE(kolmogorov_smirnov(many, many_else).compatible(5.));
}

TEST_CASE("p-values of samples of one distribution are uniform", "[validation]") {
  constexpr int trials = 4000, bins = 1000;
  for (const auto& [n1, n2] : {std::pair(500, 300), std::pair(30, 12)}) {
    std::array<int, 4> below{};  // p < 0.5, 0.2, 0.05, 0.01
    for (int trial = 0; trial < trials; ++trial) {
      RandomStream<double> random(7, std::uint64_t(trial), std::uint32_t(n1));
      std::vector<int> a(bins), b(bins);
      for (int i = 0; i < n1; ++i) ++a[std::size_t(random.below(bins))];
      for (int i = 0; i < n2; ++i) ++b[std::size_t(random.below(bins))];
      const double p = kolmogorov_smirnov(a, b).p_value;
      below[0] += p < 0.5;
      below[1] += p < 0.2;
      below[2] += p < 0.05;
      below[3] += p < 0.01;
    }
    // the distances of small samples are multiples of 1/60
    const double systematic = n1 == 30 ? 0.1 : 0.03;
    for (const auto& [count, p] : {std::pair(below[0], 0.5), std::pair(below[1], 0.2),
                                   std::pair(below[2], 0.05), std::pair(below[3], 0.01)}) {
      CAPTURE(n1, p);
      CHECK_THAT(double(count) / trials,
                 WithinAbs(p, 3. * std::sqrt(p * (1. - p) / trials) + systematic * p));
    }
  }
}
