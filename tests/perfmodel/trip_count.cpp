// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <catch2/catch_approx.hpp>
#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_floating_point.hpp>
#include <random>
#include <trackplex/perfmodel/application.hpp>

using namespace trackplex::perfmodel;
using Catch::Approx;
using Catch::Matchers::WithinAbs;
using Catch::Matchers::WithinRel;

namespace {
const TripCount steps{.fixed = 1., .poisson = 33.5};
}

TEST_CASE("lanes in lock step wait for the longest", "[perfmodel]") {
  CHECK_THAT(mean(steps), WithinRel(34.5, 1e-14));
  CHECK_THAT(trackplex::perfmodel::detail::expected_maximum(
                 trackplex::perfmodel::detail::poisson_weights(33.5), 32),
             WithinAbs(46.03, 5e-3));
  CHECK_THAT(lock_step_efficiency(steps, 32), WithinAbs(0.7335, 5e-5));
  CHECK_THAT(lock_step_efficiency(steps, 8), WithinAbs(0.803, 5e-4));
  CHECK_THAT(lock_step_efficiency(steps, 64), WithinAbs(0.707, 5e-4));
  CHECK(lock_step_efficiency(steps, 1) == 1.);
  CHECK(lock_step_efficiency({.fixed = 20.}, 32) == 1.);
}

TEST_CASE("a flattened loop waits at its end only", "[perfmodel]") {
  const struct {
    int items;
    double efficiency;
  } rows[] = {{2, 0.80}, {4, 0.85}, {8, 0.89}, {16, 0.92}, {64, 0.96}};
  for (const auto& row : rows)
    CHECK_THAT(lock_step_efficiency(steps, 32, row.items), WithinAbs(row.efficiency, 5e-3));
}

TEST_CASE("a histogram of trip counts", "[perfmodel]") {
  // one or three iterations, equally likely: two lanes take 3 but for a quarter of the time
  const TripCount either{.histogram = {0., 2., 0., 2.}};
  CHECK_THAT(mean(either), WithinRel(2., 1e-14));
  CHECK_THAT(lock_step_efficiency(either, 2), WithinRel(2. / 2.5, 1e-14));
  // two items per lane: 2, 4 or 6 with 1/4, 1/2, 1/4; the larger of two: 2 * 1/16 + 4 * 1/2 + 6 *
  // 7/16
  CHECK_THAT(lock_step_efficiency(either, 2, 2), WithinRel(4. / 4.75, 1e-14));
  // a Poisson distribution written down
  const TripCount written{.fixed = 1.,
                          .histogram = trackplex::perfmodel::detail::poisson_weights(33.5)};
  for (const int items : {1, 2, 5})
    CHECK(lock_step_efficiency(written, 32, items) ==
          Approx(lock_step_efficiency(steps, 32, items)).epsilon(1e-9));
}

TEST_CASE("the efficiency is what drawing trip counts gives", "[perfmodel]") {
  std::mt19937 random(1);
  std::poisson_distribution<int> poisson(3.);
  double sum = 0., longest = 0.;
  for (int warp = 0; warp < 20000; ++warp) {
    int most = 0;
    for (int lane = 0; lane < 16; ++lane) {
      const int n = 2 + poisson(random);
      sum += n / 16.;
      most = std::max(most, n);
    }
    longest += most;
  }
  CHECK(lock_step_efficiency({.fixed = 2., .poisson = 3.}, 16) ==
        Approx(sum / longest).epsilon(5e-3));
}

TEST_CASE("distributions that are none are refused", "[perfmodel]") {
  using trackplex::UsageError;
  CHECK_THROWS_AS(mean({.poisson = 1., .histogram = {1.}}), UsageError);
  CHECK_THROWS_AS(mean({.histogram = {0., 0.}}), UsageError);
  CHECK_THROWS_AS(mean({.histogram = {1., -1.}}), UsageError);
  CHECK_THROWS_AS(lock_step_efficiency({.poisson = 1e9}, 32), UsageError);
  CHECK_THROWS_AS(lock_step_efficiency(steps, 32, 1000000), UsageError);
  CHECK_THROWS_AS(lock_step_efficiency(steps, 0), UsageError);
  CHECK_THROWS_AS(lock_step_efficiency(steps, 32, 0), UsageError);
}

TEST_CASE("loops inside each other", "[perfmodel]") {
  Application application;
  const Loop inner{.trip_count = {.poisson = 4.},
                   .operations = {.add = 1, .fma = 2, .special = 1},
                   .calls = {{.name = "log", .instructions = 30., .times = 0.5}},
                   .branches = {{.count = 2, .depth = 2}, {.count = 3, .diverging = false}}};
  application.loops = {Loop{.trip_count = {.fixed = 10.},
                            .instructions = 7.,
                            .branches = {{.count = 1, .depth = 1}},
                            .loops = {inner, inner}}};
  const auto totals = totals_of(application);
  CHECK(own_instructions(inner) == 3. + 20. + 15.);
  CHECK_THAT(totals.instructions, WithinRel(10. * (7. + 2. * 4. * 38.), 1e-14));
  CHECK_THAT(totals.operations.fma, WithinRel(160., 1e-14));
  CHECK_THAT(totals.operations.flops(), WithinRel(80. * 6., 1e-14));
  CHECK(totals.branches == 5.);
  CHECK(totals.depth == 3.);
  // the outer loop is the same in all lanes, the inner ones are not
  const double busy = lock_step_efficiency({.poisson = 4.}, 32);
  CHECK_THAT(efficiency_of(application, 32), WithinRel(3110. / (70. + 3040. / busy), 1e-14));
  CHECK(efficiency_of(application, 1) == 1.);
}
