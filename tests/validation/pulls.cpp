// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <trackplex/core/error.hpp>
#include <trackplex/core/random.hpp>
#include <trackplex/validation/bin_edges.hpp>
#include <trackplex/validation/pulls.hpp>

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_floating_point.hpp>

#include <cmath>
#include <limits>
#include <numbers>
#include <optional>

using Catch::Matchers::WithinAbs;
using Catch::Matchers::WithinRel;
using namespace trackplex;
using trackplex::validation::Pulls;

namespace {

/// n pulls, each draw(stream).
template <class Draw>
Pulls drawn(int n, Draw draw, std::uint64_t stream = 1) {
  RandomStream<double> random(99, stream);
  Pulls pulls;
  for (int i = 0; i < n; ++i) pulls.add(draw(random));
  return pulls;
}

Pulls normal_pulls(int n, double mean, double sigma, std::uint64_t stream = 1) {
  return drawn(
      n, [=](auto& random) { return random.normal(mean, sigma); }, stream);
}

}  // namespace

TEST_CASE("Statistics of a few pulls", "[validation]") {
  Pulls pulls;
  CHECK(pulls.count() == 0);
  CHECK(pulls.mean() == 0.);
  CHECK(pulls.sigma() == 0.);
  CHECK(pulls.mean_error() == 0.);
  CHECK(pulls.fraction_within(1) == 0.);
  CHECK(pulls.min() == std::numeric_limits<double>::infinity());
  pulls.add(3., 1., 2.);  // 1
  CHECK(pulls.sigma() == 0.);
  CHECK(pulls.sigma_error() == 0.);
  pulls.add(-3., 1., 2.);  // -2
  pulls.add(2.5);
  pulls.add(-3.5);
  CHECK(pulls.count() == 4);
  CHECK_THAT(pulls.mean(), WithinAbs(-0.5, 1e-15));
  CHECK_THAT(pulls.sigma(), WithinRel(std::sqrt((2.25 + 2.25 + 9. + 9.) / 3.), 1e-15));
  CHECK_THAT(pulls.mean_error(), WithinRel(pulls.sigma() / 2., 1e-15));
  CHECK_THAT(pulls.sigma_error(), WithinRel(pulls.sigma() / std::sqrt(6.), 1e-15));
  CHECK(pulls.min() == -3.5);
  CHECK(pulls.max() == 2.5);
  CHECK(pulls.count_within(1) == 1);
  CHECK(pulls.fraction_within(2) == 0.5);
  CHECK(pulls.fraction_within(3) == 0.75);
}

TEST_CASE("Pulls refuse bad input", "[validation]") {
  const double nan = std::nan(""), infinity = std::numeric_limits<double>::infinity();
  Pulls pulls;
  for (const double error : {0., -1., nan, infinity})
    CHECK_THROWS_AS(pulls.add(1., 1., error), UsageError);
  CHECK_THROWS_AS(pulls.add(nan, 1., 1.), UsageError);
  CHECK_THROWS_AS(pulls.add(1., infinity, 1.), UsageError);
  CHECK_THROWS_AS(pulls.add(nan), UsageError);
  CHECK(pulls.count() == 0);
  CHECK_THROWS_AS(pulls.compatible_with_unit_normal(), UsageError);
  CHECK_THROWS_AS(pulls.fraction_within(0), UsageError);
  CHECK_THROWS_AS(pulls.count_within(4), UsageError);
}

TEST_CASE("Merged pulls are those of all", "[validation]") {
  RandomStream<double> random(1, 2);
  Pulls all, merged, part;
  for (int i = 0; i < 1000; ++i) {
    const double pull = 1e6 + random.normal();
    all.add(pull);
    part.add(pull);
    if (i % 77 == 0) merged += std::exchange(part, {});
  }
  merged += part;
  merged += Pulls();
  CHECK(merged.count() == all.count());
  CHECK_THAT(merged.mean(), WithinRel(all.mean(), 1e-15));
  CHECK_THAT(merged.sigma(), WithinRel(all.sigma(), 1e-9));
  CHECK_THAT(merged.sigma(), WithinAbs(1., 0.1));
  CHECK(merged.min() == all.min());
  CHECK(merged.max() == all.max());
  for (const int k : {1, 2, 3}) CHECK(merged.count_within(k) == all.count_within(k));
}

TEST_CASE("Unit normal pulls are recognised, and nothing else", "[validation]") {
  const auto good = normal_pulls(100000, 0., 1.);
  CHECK(good.compatible_with_unit_normal(3.));
  CHECK_THAT(good.fraction_within(1), WithinAbs(0.6827, 0.006));
  CHECK_THAT(good.fraction_within(2), WithinAbs(0.9545, 0.003));
  CHECK_THAT(good.fraction_within(3), WithinAbs(0.9973, 0.0008));
  CHECK_FALSE(normal_pulls(100000, 0.03, 1.).compatible_with_unit_normal());
  CHECK_FALSE(normal_pulls(100000, 0., 1.03).compatible_with_unit_normal());
  CHECK_FALSE(normal_pulls(100000, 0., 0.97).compatible_with_unit_normal());
  CHECK(normal_pulls(100, 0.03, 1.03).compatible_with_unit_normal());
  // mean 0 and sigma 1, but not normal
  const double edge = std::sqrt(3.);
  CHECK_FALSE(
      drawn(100000, [=](auto& r) { return r.uniform(-edge, edge); }).compatible_with_unit_normal());
  const auto tails = drawn(100000, [](auto& r) {
    return r.uniform() < 0.99 ? r.normal(0., std::sqrt(0.91 / 0.99)) : r.normal(0., 3.);
  });
  CHECK_THAT(tails.sigma(), WithinAbs(1., 0.02));
  CHECK_FALSE(tails.compatible_with_unit_normal());
}

TEST_CASE("The verdict is right as often as it says", "[validation]") {
  for (const int n : {5, 50, 5000}) {
    int wrong = 0;
    const int trials = n < 1000 ? 10000 : 500;
    for (int trial = 0; trial < trials; ++trial)
      wrong += !normal_pulls(n, 0., 1., std::uint64_t(trial)).compatible_with_unit_normal(2.);
    CAPTURE(n, wrong);
    // each of two to five tests, the first two independent, is off by chance in 4.55 % of the cases
    CHECK(wrong > 0.08 * trials);
    CHECK(wrong < (n < 30 ? 0.1 : 0.24) * trials);
  }
}

TEST_CASE("pulls of angles are modulo a turn", "[validation]") {
  Pulls pulls;
  for (const double turns : {-2., -1., 0., 1., 5.}) {
    pulls.add_angle(3.1412 + turns * 2. * std::numbers::pi, -3.1413, 1e-3);
    CHECK_THAT(pulls.max(), WithinAbs((3.1412 + 3.1413 - 2. * std::numbers::pi) / 1e-3, 1e-9));
    CHECK_THAT(pulls.min(), WithinAbs(pulls.max(), 1e-9));
  }
  CHECK(pulls.count() == 5);
  CHECK_THROWS_AS(pulls.add_angle(0., 0., 0.), UsageError);
}

TEST_CASE("azimuths are in the bins of any turn", "[validation]") {
  using validation::BinEdges;
  const double pi = std::numbers::pi;
  const auto around_0 = BinEdges::regular(4, -pi, pi), from_0 = BinEdges::regular(4, 0., 2. * pi);
  for (const double turn : {-4. * pi, -2. * pi, 0., 2. * pi}) {
    CHECK(around_0.find_azimuth(0.1 + turn) == 2);
    CHECK(around_0.find_azimuth(-3. + turn) == 0);
    CHECK(from_0.find_azimuth(-0.1 + turn) == 3);
    CHECK(from_0.find_azimuth(3. + turn) == 1);
  }
  CHECK(from_0.find(-0.1) == std::nullopt);
  CHECK(BinEdges::regular(2, -1., 1.).find_azimuth(2. * pi + 0.5) == 1);
  CHECK(BinEdges::regular(2, -1., 1.).find_azimuth(2.) == std::nullopt);
  CHECK(BinEdges{}.find_azimuth(1.) == std::nullopt);
  CHECK(from_0.find_azimuth(std::numeric_limits<double>::quiet_NaN()) == std::nullopt);
}
