// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <trackplex/simulation/detail/draws.hpp>

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_floating_point.hpp>

#include <cmath>

namespace {

using Catch::Matchers::WithinAbs;
using trackplex::simulation::detail::Draws;

/// Mean and variance of many numbers.
struct Moments {
  double mean = 0.;
  double variance = 0.;
};

constexpr int n = 200000;

template <class Draw>
Moments moments(const Draw& draw) {
  double sum = 0., squares = 0.;
  for (int i = 0; i < n; ++i) {
    const double value = draw();
    sum += value;
    squares += value * value;
  }
  return {sum / n, squares / n - sum / n * (sum / n)};
}

/// Five standard deviations of the mean of n numbers.
double tolerance(double variance) { return 5. * std::sqrt(variance / n); }

}  // namespace

TEST_CASE("Draws have the moments of their distributions", "[simulation]") {
  Draws draws(7, 3);
  const auto flat = moments([&] { return draws.coarse_uniform(); });
  CHECK_THAT(flat.mean, WithinAbs(0.5, tolerance(1. / 12.)));
  CHECK_THAT(flat.variance, WithinAbs(1. / 12., 0.001));
  const auto first = moments([&] { return draws.normal_pair().first; });
  CHECK_THAT(first.mean, WithinAbs(0., tolerance(1.)));
  CHECK_THAT(first.variance, WithinAbs(1., tolerance(2.)));
  const auto product = moments([&] {
    const auto pair = draws.normal_pair();
    return pair.first * pair.second;
  });
  CHECK_THAT(product.mean, WithinAbs(0., tolerance(1.)));
  CHECK_THAT(product.variance, WithinAbs(1., tolerance(8.)));
  const auto decay = moments([&] { return draws.exponential(); });
  CHECK_THAT(decay.mean, WithinAbs(1., tolerance(1.)));
  CHECK_THAT(decay.variance, WithinAbs(1., tolerance(8.)));
  const auto often = moments([&] { return draws.happens(0.3) ? 1. : 0.; });
  CHECK_THAT(often.mean, WithinAbs(0.3, tolerance(0.21)));
  const auto cosine = moments([&] { return draws.direction().first; });
  CHECK_THAT(cosine.mean, WithinAbs(0., tolerance(0.5)));
  CHECK_THAT(cosine.variance, WithinAbs(0.5, tolerance(0.125)));
}

TEST_CASE("Poisson numbers have mean and variance alike", "[simulation]") {
  for (const double mean : {0.5, 5.3, 16., 100.}) {
    Draws draws(1, static_cast<std::uint64_t>(mean));
    const auto result = moments([&] { return static_cast<double>(draws.poisson(mean)); });
    CHECK_THAT(result.mean, WithinAbs(mean, tolerance(mean)));
    CHECK_THAT(result.variance, WithinAbs(mean, tolerance(2. * mean * mean + mean)));
  }
  Draws draws(1, 1);
  CHECK(draws.poisson(0.) == 0);
}

TEST_CASE("What is certain happens, what is impossible does not", "[simulation]") {
  Draws draws(1, 2);
  int happened = 0;
  for (int i = 0; i < 1000; ++i) happened += draws.happens(0.) ? 1 : 0;
  CHECK(happened == 0);
  for (int i = 0; i < 1000; ++i) happened += draws.happens(1.) ? 1 : 0;
  CHECK(happened == 1000);
}
