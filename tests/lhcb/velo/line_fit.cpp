// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <catch2/catch_approx.hpp>
#include <catch2/catch_template_test_macros.hpp>
#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_floating_point.hpp>
#include <random>
#include <trackplex/core/lanes.hpp>
#include <trackplex/lhcb/velo/line_fit.hpp>
#include <vector>

using namespace trackplex;
using Catch::Approx;
using Catch::Matchers::WithinAbs;

namespace {

struct Hit {
  double x, y, z;
};

template <class Real>
lhcb::LineFit<Real> fit_hits(const std::vector<Hit>& hits, MaskOf<Real> mask = true) {
  using T = ScalarOf<Real>;
  lhcb::LineFit<Real> fit;
  for (const auto& h : hits) fit.add_to_mean(Real(T(h.x)), Real(T(h.y)), Real(T(h.z)), mask);
  fit.finish_mean();
  for (const auto& h : hits) fit.add_to_slope(Real(T(h.x)), Real(T(h.y)), Real(T(h.z)), mask);
  fit.finish_slope();
  for (const auto& h : hits) fit.add_to_chi2(Real(T(h.x)), Real(T(h.y)), Real(T(h.z)), mask);
  return fit;
}

}  // namespace

TEMPLATE_TEST_CASE("hits on a line give the line back", "[seeding]", float, double) {
  const double eps = sizeof(TestType) == 4 ? 1e-5 : 1e-12;
  const auto fit = fit_hits<TestType>({{1., -2., 700.}, {0.9, -1.8, 690.}, {0.5, -1., 650.}});
  CHECK(fit.tx == Approx(0.01).epsilon(eps));
  CHECK(fit.ty == Approx(-0.02).epsilon(eps));
  CHECK_THAT(fit.sum2, WithinAbs(0., 1e-9));
  // x = 0.01 (z - 600), y = -0.02 (z - 600): closest to the axis where it crosses it.
  CHECK(fit.z_at_beam() == Approx(600.).epsilon(eps * 10));
}

TEST_CASE("the textbook formulas give the same line in long double", "[seeding]") {
  std::mt19937 random(7);
  std::uniform_real_distribution<double> uniform(-40., 40.);
  for (int repetition = 0; repetition < 100; ++repetition) {
    std::vector<Hit> hits;
    for (int i = 0; i < 3 + repetition % 24; ++i)
      hits.push_back({uniform(random), uniform(random), 25. * i - 280.});
    long double n = 0, z = 0, zz = 0, x = 0, xz = 0;
    for (const auto& h : hits) {
      n += 1;
      z += h.z;
      zz += (long double)h.z * h.z;
      x += h.x;
      xz += (long double)h.x * h.z;
    }
    const long double d = n * zz - z * z;
    const auto fit = fit_hits<double>(hits);
    REQUIRE(fit.tx == Approx(double((n * xz - x * z) / d)).epsilon(1e-11).margin(1e-12));
    REQUIRE(fit.x - fit.tx * fit.z0 ==
            Approx(double((x * zz - xz * z) / d)).epsilon(1e-11).margin(1e-11));
    const auto single = fit_hits<float>(hits);
    REQUIRE(single.tx == Approx(fit.tx).epsilon(1e-4).margin(1e-6));
  }
}

TEST_CASE("pulls of the slope and chi2 are those of a fit", "[seeding]") {
  std::mt19937 random(11);
  std::normal_distribution<double> normal;
  const double sigma = 0.0125;
  double pull = 0., pull2 = 0., chi2 = 0.;
  const int n = 4000;
  for (int i = 0; i < n; ++i) {
    std::vector<Hit> hits;
    for (int h = 0; h < 6; ++h) {
      const double z = 25. * h;
      hits.push_back({0.1 * z + sigma * normal(random), -0.2 * z + 3. + sigma * normal(random), z});
    }
    const auto fit = fit_hits<double>(hits);
    const double p = (fit.tx - 0.1) / (sigma / std::sqrt(fit.szz));
    pull += p / n;
    pull2 += p * p / n;
    chi2 += fit.sum2 / (sigma * sigma) / n;
  }
  CHECK(std::abs(pull) < 0.05);
  CHECK_THAT(pull2, WithinAbs(1., 0.07));
  CHECK_THAT(chi2, WithinAbs(8., 0.2));  // 2 x 6 measurements, 4 parameters
}

TEST_CASE("degenerate input stays finite", "[seeding]") {
  const auto none = fit_hits<float>({});
  CHECK(none.n == 0.f);
  CHECK(std::isfinite(none.z_at_beam()));
  const auto parallel = fit_hits<float>({{1., 2., 0.}, {1., 2., 10.}, {1., 2., 20.}});
  CHECK(parallel.z_at_beam() == 10.f);
  const auto same_z = fit_hits<float>({{1., 2., 5.}, {2., 3., 5.}});
  CHECK(std::isfinite(same_z.z_at_beam()));
}

TEST_CASE("lanes leave masked hits out", "[seeding]") {
  using Real = Lanes<float, 4>;
  lhcb::LineFit<Real> fit;
  const auto even = (lane_index<IntegerOf<Real>>() & IntegerOf<Real>(1)) == IntegerOf<Real>(0);
  fit.add_to_mean(Real(1.f), Real(1.f), Real(0.f), true);
  fit.add_to_mean(Real(2.f), Real(3.f), Real(10.f), true);
  fit.add_to_mean(Real(99.f), Real(99.f), Real(20.f), even);
  CHECK(extract(fit.n, 0) == 3.f);
  CHECK(extract(fit.n, 1) == 2.f);
  fit.finish_mean();
  CHECK(extract(fit.x, 1) == 1.5f);
  CHECK(extract(fit.x, 2) == 34.f);
}
