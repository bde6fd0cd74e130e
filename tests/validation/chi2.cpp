// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <trackplex/core/random.hpp>
#include <trackplex/validation/chi2.hpp>

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_floating_point.hpp>

#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

using Catch::Matchers::WithinAbs;
using Catch::Matchers::WithinRel;
using namespace trackplex;
using namespace trackplex::validation;

TEST_CASE("The incomplete gamma functions have the known values", "[validation]") {
  struct Row {
    double a, x, lower, upper;
  };
  // series with 40 digits
  for (const Row& row : {Row{0.5, 0.5, 0.6826894921370859, 0.3173105078629141},
                         Row{0.5, 20, 0.99999999974603714, 2.539628589470865e-10},
                         Row{2.5, 1, 0.15085496391539036, 0.84914503608460964},
                         Row{10, 12, 0.75760783832948765, 0.24239216167051235},
                         Row{19.5, 30, 0.98307785133616397, 0.016922148663836035},
                         Row{20, 5, 3.4521358209144602e-7, 0.99999965478641791},
                         Row{50, 80, 0.99986921602340859, 0.00013078397659141034},
                         Row{94.5, 83, 0.11506104802518745, 0.88493895197481255},
                         Row{100, 100, 0.51329879827914866, 0.48670120172085134},
                         Row{500, 600, 0.99998774405766938, 1.2255942330622904e-5},
                         Row{5000, 5100, 0.92067111892238102, 0.079328881077618977},
                         Row{5e5, 5.005e5, 0.76032319517447864, 0.23967680482552136},
                         Row{5e5, 4.99e5, 0.078580291987144946, 0.92141970801285505},
                         Row{1e-3, 1e-5, 0.98912304469578267, 0.010876955304217331}}) {
    const auto [lower, upper] = validation::detail::regularized_gamma(row.a, row.x);
    CAPTURE(row.a, row.x);
    CHECK_THAT(lower, WithinRel(row.lower, 2e-13));
    CHECK_THAT(upper, WithinRel(row.upper, 2e-13));
  }
}

TEST_CASE("p-values of chi2 have the known values", "[validation]") {
  for (const double chi2 : {0., 0.1, 1., 3.84, 30., 300., 1400.}) {
    CAPTURE(chi2);
    // normal, exponential and Poisson distribution
    CHECK_THAT(chi2_p_value(chi2, 1), WithinRel(std::erfc(std::sqrt(0.5 * chi2)), 1e-12));
    CHECK_THAT(chi2_p_value(chi2, 2), WithinRel(std::exp(-0.5 * chi2), 1e-12));
    double term = std::exp(-0.5 * chi2), sum = term;
    for (int k = 1; k < 30; ++k) sum += term *= 0.5 * chi2 / k;
    CHECK_THAT(chi2_p_value(chi2, 60), WithinRel(sum, 1e-11));
  }
  // critical values of the tables
  for (const auto& [chi2, freedom] : {std::pair(3.8415, 1), std::pair(18.307, 10),
                                      std::pair(43.773, 30), std::pair(124.342, 100)})
    CHECK_THAT(chi2_p_value(chi2, freedom), WithinAbs(0.05, 2e-6));
  CHECK(chi2_p_value(0., 5) == 1.);
  CHECK(chi2_p_value(1e6, 5) == 0.);
  CHECK(chi2_p_value(1., 1e9) == 1.);
  CHECK(chi2_p_value(std::numeric_limits<double>::infinity(), 5) == 0.);
  CHECK_THROWS_AS(chi2_p_value(-1., 5), UsageError);
  CHECK_THROWS_AS(chi2_p_value(std::nan(""), 5), UsageError);
  CHECK_THROWS_AS(chi2_p_value(1., 0), UsageError);
}

TEST_CASE("chi2 of two histograms is that of a contingency table", "[validation]") {
  // | 30 20 | 50 | expected 33 1/3, 16 2/3; 66 2/3, 33 1/3
  // | 70 30 | 100|
  const std::vector<int> a = {30, 70}, b = {20, 30};
  const auto test = chi2_of_two(a, b);
  const double expected[] = {100. / 3, 200. / 3, 50. / 3, 100. / 3};
  const double counts[] = {30, 70, 20, 30};
  double chi2 = 0;
  for (int i = 0; i < 4; ++i)
    chi2 += (counts[i] - expected[i]) * (counts[i] - expected[i]) / expected[i];
  CHECK_THAT(test.chi2, WithinRel(chi2, 1e-13));
  CHECK(test.bins == 2);
  CHECK(test.degrees_of_freedom == 1);
  CHECK(test.p_value == chi2_p_value(test.chi2, 1));
  CHECK(test.compatible());
  CHECK_THAT(chi2_of_two(b, a).chi2, WithinRel(chi2, 1e-13));

  const std::vector<int> other = {300, 700}, else_ = {500, 500}, thrice = {90, 210};
  CHECK_FALSE(chi2_of_two(other, else_).compatible());
  CHECK_THAT(chi2_of_two(a, thrice).chi2, WithinAbs(0., 1e-25));
}

TEST_CASE("Bins with few entries take no part", "[validation]") {
  const std::vector<int> a = {100, 0, 5, 200, 300}, b = {90, 0, 6, 210, 310};
  CHECK(chi2_of_two(a, b).bins == 3);
  CHECK(chi2_of_two(a, b, 11).bins == 4);
  CHECK(chi2_of_two(a, b, 0).bins == 4);
  CHECK(chi2_of_two({a, 40, 0}, {b, 30, 0}).bins == 4);
  const std::vector<int> inner = {100, 200, 300}, inner_b = {90, 210, 310};
  CHECK(chi2_of_two(a, b).chi2 == chi2_of_two(inner, inner_b).chi2);
  CHECK_THROWS_AS(chi2_of_two(a, b, 100000), UsageError);
  CHECK_THROWS_AS(chi2_of_two(a, inner), UsageError);
  const std::vector<int> left = {1, 50, 50}, right = {1, 0, 0};
  CHECK_THROWS_AS(chi2_of_two(left, right), UsageError);
}

TEST_CASE("chi2 of expected counts", "[validation]") {
  const std::vector<int> dice = {22, 21, 22, 27, 22, 36};
  const std::vector<double> fair(6, 25.);
  const auto test = chi2_of_expected(dice, fair, 1);
  CHECK_THAT(test.chi2, WithinRel((9 + 16 + 9 + 4 + 9 + 121) / 25., 1e-14));
  CHECK(test.degrees_of_freedom == 5);
  CHECK_THAT(test.p_value, WithinAbs(0.24231, 1e-5));
  CHECK(chi2_of_expected(dice, fair).degrees_of_freedom == 6);

  const std::vector<double> few = {25., 25., 25., 25., 25., 9.};
  CHECK(chi2_of_expected(dice, few).bins == 5);
  CHECK(chi2_of_expected(dice, few, 0, 1.).bins == 6);
  CHECK(chi2_of_expected(dice, few, 0, 9.).bins == 6);  // not below the minimum
  const std::vector<double> enough = {25., 25., 25., 25., 25., 10.};
  CHECK(chi2_of_expected(dice, enough).bins == 6);
  const std::vector<double> zero = {25., 25., 25., 25., 25., 0.}, negative = {-1., 2., 3., 1, 1, 1};
  CHECK_THROWS_AS(chi2_of_expected(dice, zero), UsageError);
  CHECK_THROWS_AS(chi2_of_expected(dice, negative), UsageError);
  CHECK_THROWS_AS(chi2_of_expected({dice, 0, 0}, fair), UsageError);
  CHECK_THROWS_AS(chi2_of_expected(dice, fair, 6), UsageError);
  const std::vector<double> with_outside = {1., 25., 25., 25., 25., 25., 25., 1.};
  CHECK(chi2_of_expected({dice, 0, 0}, with_outside).bins == 6);
}

TEST_CASE("p-values of chi2 are uniform where the hypothesis is true", "[validation]") {
  constexpr int trials = 2000, bins = 20;
  const std::vector<double> expected(bins, 40.);
  int two_below = 0, expected_below = 0;
  for (int trial = 0; trial < trials; ++trial) {
    RandomStream<double> random(8, std::uint64_t(trial));
    std::vector<std::int64_t> a(bins), b(bins);
    for (auto& count : a) count = random.poisson(40.);
    for (auto& count : b) count = random.poisson(100.);
    two_below += chi2_of_two(a, b).p_value < 0.1;
    expected_below += chi2_of_expected(a, expected).p_value < 0.1;
  }
  CHECK_THAT(two_below / double(trials), WithinAbs(0.1, 0.025));
  CHECK_THAT(expected_below / double(trials), WithinAbs(0.1, 0.025));
}
