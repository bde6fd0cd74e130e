// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <algorithm>
#include <catch2/catch_approx.hpp>
#include <catch2/catch_template_test_macros.hpp>
#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <functional>
#include <limits>
#include <numbers>
#include <trackplex/beam/bunch/canonical.hpp>
#include <trackplex/beam/bunch/particle_table.hpp>
#include <trackplex/core/host_executor.hpp>
#include <trackplex/simulation/bunch_generator.hpp>
#include <trackplex/validation/kolmogorov_smirnov.hpp>

#include "support/lane_widths.hpp"
#include "support/spaces.hpp"

using namespace trackplex;
using namespace trackplex::beam;
using Catch::Approx;
using simulation::BunchCoordinates;
using simulation::BunchParams;
using simulation::BunchProfile;
using simulation::generate_bunch;

namespace {

using Host = HostExecutor;

template <class T>
constexpr int lanes = default_lane_width<Host, T>;

template <class T, class Space, int Width>
ParticleTable generated(const BunchParams& params) {
  const Space exec;
  Workspace<Space> workspace;
  return download(exec, generate_bunch<T, Space, Width>(exec, params, workspace));
}

Moments moments_of_generated(const BunchParams& params) {
  const Host exec;
  Workspace<Host> workspace;
  return moments_of(exec, generate_bunch<double>(exec, params, workspace), workspace);
}

bool same_particles(const ParticleTable& a, const ParticleTable& b) {
  for (int c = 0; c < n_coordinates; ++c)
    if (a.v[c] != b.v[c]) return false;
  return a.ids == b.ids;
}

/// Everything that a bunch may have.
BunchParams rich_params() {
  BunchParams params;
  params.particles = 100000;
  params.x = {.emittance = 4e-9,
              .beta = 12.,
              .alpha = -1.5,
              .dispersion = 0.3,
              .dispersion_slope = -0.05,
              .position = 2e-3,
              .slope = -1e-4};
  params.y = {.normalized_emittance = 3e-7, .beta = 3., .alpha = 0.8};
  params.sigma_s = 2e-4;
  params.sigma_delta = 3e-4;
  params.chirp = 4.;
  params.mean_s = 5e-3;
  params.mean_delta = -2e-3;
  return params;
}

void check_moments(const Moments& m, const BunchParams& p, double relative, double sigmas) {
  const auto plane = [&](const simulation::BunchPlane& wanted, Coordinate c) {
    const auto optics = m.betatron_optics(c);
    const double emittance =
        wanted.emittance > 0. ? wanted.emittance : wanted.normalized_emittance / p.p0;
    CHECK(optics.emittance == Approx(emittance).epsilon(relative));
    CHECK(optics.beta == Approx(wanted.beta).epsilon(relative));
    CHECK(std::abs(optics.alpha - wanted.alpha) < relative * (1. + wanted.alpha * wanted.alpha));
    const double error = std::sqrt(emittance * wanted.beta) / m.sigma(delta) * sigmas;
    CHECK(std::abs(optics.dispersion - wanted.dispersion) < error);
    const double gamma = (1. + wanted.alpha * wanted.alpha) / wanted.beta;
    CHECK(std::abs(optics.dispersion_slope - wanted.dispersion_slope) <
          std::sqrt(emittance * gamma) / m.sigma(delta) * sigmas);
    CHECK(std::abs(m.mean[c] - wanted.position) < m.sigma(c) * sigmas);
    CHECK(std::abs(m.mean[c + 1] - wanted.slope) < m.sigma(c + 1) * sigmas);
  };
  plane(p.x, x);
  plane(p.y, y);
  CHECK(m.length() == Approx(p.sigma_s).epsilon(relative));
  const double chirped = p.chirp * p.sigma_s;
  CHECK(m.sigma(delta) == Approx(std::hypot(p.sigma_delta, chirped)).epsilon(relative));
  CHECK(std::abs(m.chirp() - p.chirp) < p.sigma_delta / p.sigma_s * sigmas);
  CHECK(std::abs(m.mean[s] - p.mean_s) < p.sigma_s * sigmas);
  CHECK(std::abs(m.mean[delta] - p.mean_delta) < m.sigma(delta) * sigmas);
}

/// Kolmogorov's probability of values that should be distributed as `cumulated` says.
double probability(std::vector<double> values, const std::function<double(double)>& cumulated) {
  std::sort(values.begin(), values.end());
  const double n = double(values.size());
  double distance = 0.;
  for (std::size_t i = 0; i < values.size(); ++i) {
    const double expected = cumulated(values[i]);
    distance = std::max({distance, expected - double(i) / n, double(i + 1) / n - expected});
  }
  const double root = std::sqrt(n);
  return validation::kolmogorov_p_value((root + 0.12 + 0.11 / root) * distance);
}

/// Of a normal distribution between -cutoff and cutoff that is scaled to variance 1.
struct ScaledNormal {
  double cutoff, inside, sigma;
  explicit ScaledNormal(double cutoff) : cutoff(cutoff) {
    inside = std::erf(cutoff / std::numbers::sqrt2);
    const double density = std::exp(-0.5 * cutoff * cutoff) / std::sqrt(2. * std::numbers::pi);
    sigma = std::sqrt(1. - 2. * cutoff * density / inside);
  }
  double cumulated(double v) const {
    return 0.5 + 0.5 * std::erf(v * sigma / std::numbers::sqrt2) / inside;
  }
  double largest() const { return cutoff / sigma; }
};

}  // namespace

TEST_CASE("a generated bunch has the optical functions asked for", "[simulation]") {
  // rms values of n Gaussian particles vary by less than 1/sqrt(n), means by 1/sqrt(n) rms
  const auto params = rich_params();
  const double error = 5. / std::sqrt(double(params.particles));
  check_moments(moments_of_generated(params), params, error, error);
}

TEST_CASE("exact moments are exact", "[simulation]") {
  auto params = rich_params();
  params.exact_moments = true;
  for (const int n : {7, 100, 5000}) {
    CAPTURE(n);
    params.particles = n;
    for (const auto profile : {BunchProfile::gaussian, BunchProfile::flat}) {
      params.profile = profile;
      check_moments(moments_of_generated(params), params, 1e-9, 1e-9);
    }
  }
  params.modulation_depth = 0.5;
  params.modulation_wavelength = 1e-4;
  check_moments(moments_of_generated(params), params, 1e-9, 1e-9);

  const Host exec;
  Workspace<Host> workspace;
  const auto single = generate_bunch<float>(exec, params, workspace);
  // In float, mean_delta and position are many sigma: their rounding is seen.
  check_moments(moments_of(exec, single, workspace), params, 2e-5, 1e-5);
}

TEST_CASE("canonical moments are those asked for", "[simulation]") {
  auto params = rich_params();
  params.coordinates = BunchCoordinates::canonical;
  params.x = {.emittance = 1e-4, .beta = 0.01, .position = 1e-3, .slope = 0.02};
  params.y = {.emittance = 4e-5, .beta = 0.02, .alpha = 0.5, .dispersion_slope = 0.1};
  params.cutoff = std::numeric_limits<double>::infinity();
  params.mean_delta = 0.01;
  const Host exec;
  Workspace<Host> workspace;
  const auto check = [&](double tolerance) {
    const auto bunch = generate_bunch<double>(exec, params, workspace);
    const auto moments = beam::canonical_moments_of<double>(exec, bunch, workspace);
    namespace q = beam::canonical;
    const double delta = std::hypot(params.sigma_delta, params.chirp * params.sigma_s);
    CHECK(moments.sigma(q::x) == Approx(1e-3).epsilon(tolerance));
    CHECK(moments.sigma(q::px) == Approx(0.1).epsilon(tolerance));
    CHECK(moments.emittance(q::x) == Approx(1e-4).epsilon(2. * tolerance));
    CHECK(moments.mean[q::x] == Approx(1e-3).margin(1e-3 * tolerance));
    CHECK(moments.mean[q::px] == Approx(0.02).margin(0.1 * tolerance));
    const double py2 = 4e-5 / 0.02 * 1.25 + 0.01 * delta * delta;
    CHECK(moments.sigma(q::py) == Approx(std::sqrt(py2)).epsilon(tolerance));
    CHECK(moments.sigma(q::ct) == Approx(params.sigma_s).epsilon(tolerance));
    CHECK(moments.sigma(q::pt) == Approx(delta).epsilon(tolerance));
    CHECK(moments.mean[q::pt] == Approx(-0.01).margin(delta * tolerance));
    // a chirp is of the energy, which minus pt deviates by
    CHECK(moments.covariance[q::ct][q::pt] ==
          Approx(-params.chirp * params.sigma_s * params.sigma_s)
              .margin(delta * params.sigma_s * tolerance));
  };
  check(5. / std::sqrt(double(params.particles)));
  params.exact_moments = true;
  check(1e-9);
  params.x.beta = 1e-3;
  CHECK_THROWS_AS(params.check(), UsageError);
}

TEST_CASE("coordinates are truncated normal numbers", "[simulation]") {
  for (const double cutoff : {0.5, 1.5, 3., 8., std::numeric_limits<double>::infinity()}) {
    CAPTURE(cutoff);
    BunchParams params;
    params.cutoff = cutoff;
    params.x = {.emittance = 1., .beta = 1.};
    params.y = {.emittance = 1., .beta = 1.};
    params.sigma_s = params.sigma_delta = 1.;
    const auto table = generated<double, Host, 4>(params);
    const ScaledNormal normal(std::min(cutoff, 30.));
    for (int c = 0; c < n_coordinates; ++c) {
      CAPTURE(c);
      CHECK(probability(table.v[c], [&](double v) { return normal.cumulated(v); }) > 1e-4);
      const auto [low, high] = std::minmax_element(table.v[c].begin(), table.v[c].end());
      const double limit = normal.largest() * (1. + 1e-14);
      CHECK(*low >= -limit);
      CHECK(*high <= limit);
      if (cutoff <= 3.) CHECK(*high - *low > 1.9 * normal.largest());
    }
  }
}

TEST_CASE("the quantiles of the normal distribution", "[simulation]") {
  using simulation::detail::normal_quantile;
  for (const double z : {1e-3, 0.4, 1.43, 1.45, 2.5, 4.9, 5.1, 6.5, 7.}) {
    const double p = 0.5 * std::erf(z / std::numbers::sqrt2);
    // p has lost digits of the tail: so has z, by the inverse of the density
    const double density = std::exp(-0.5 * z * z) / std::sqrt(2. * std::numbers::pi);
    const double tolerance = 1e-15 * z + 1.2e-16 / density;
    CHECK(std::abs(normal_quantile(p) - z) < tolerance);
    CHECK(normal_quantile(-p) == -normal_quantile(p));
  }
  CHECK(normal_quantile(0.) == 0.);
  CHECK(std::isfinite(normal_quantile(0.5)));
}

TEST_CASE("flat and modulated bunches", "[simulation]") {
  BunchParams params;
  params.sigma_s = 1e-3;
  params.mean_s = 0.2;
  const double length = std::sqrt(12.) * params.sigma_s;
  const double begin = params.mean_s - 0.5 * length;
  params.profile = BunchProfile::flat;
  const auto flat = generated<double, Host, 4>(params);
  const auto linear = [&](double v) { return std::clamp((v - begin) / length, 0., 1.); };
  CHECK(probability(flat.v[s], linear) > 1e-4);

  params.modulation_depth = 0.9;
  params.modulation_wavelength = length / 7.;
  const auto waves = generated<double, Host, 4>(params);
  const double k = 2. * std::numbers::pi / params.modulation_wavelength;
  CHECK(probability(waves.v[s], linear) < 1e-10);
  CHECK(probability(waves.v[s], [&](double v) {
          const double t = v - params.mean_s;
          // the ends, 3.5 waves from the middle, stay where they are
          return (t + params.modulation_depth / k * std::sin(k * t)) / length + 0.5;
        }) > 1e-4);
  // Each particle solves the equation of its place, to rounding.
  double worst = 0.;
  for (std::size_t i = 0; i < waves.v[s].size(); ++i) {
    const double t = waves.v[s][i] - params.mean_s;
    const double t0 = flat.v[s][i] - params.mean_s;
    worst = std::max(worst, std::abs(t + params.modulation_depth / k * std::sin(k * t) - t0));
  }
  CHECK(worst < 1e-15);
}

TEMPLATE_LIST_TEST_CASE("a bunch is the same everywhere", "[simulation]", test::EnabledSpaces) {
  auto params = rich_params();
  params.modulation_depth = 0.3;
  params.modulation_wavelength = 2e-5;
  for (const bool exact : {false, true})
    for (const int n : {0, 1, 2, 13, 1000, 10007}) {
      if (exact && n < 7) continue;
      params.particles = n;
      params.exact_moments = exact;
      CAPTURE(n, exact);
      const auto one = generated<double, Host, test::reference_lanes<lanes<double>>>(params);
      CHECK(one.size() == n);
      CHECK(same_particles(
          generated<double, TestType, default_lane_width<TestType, double>>(params), one));
      const auto single = generated<float, Host, test::reference_lanes<lanes<float>>>(params);
      CHECK(same_particles(generated<float, TestType, default_lane_width<TestType, float>>(params),
                           single));
    }
}

TEST_CASE("larger bunches begin with smaller ones, float ones are rounded", "[simulation]") {
  auto params = rich_params();
  params.particles = 1000;
  const auto large = generated<double, Host, 4>(params);
  const auto single = generated<float, Host, 4>(params);
  params.particles = 101;
  const auto small = generated<double, Host, 4>(params);
  params.seed = 2;
  const auto other = generated<double, Host, 4>(params);
  for (int c = 0; c < n_coordinates; ++c) {
    CHECK(std::equal(small.v[c].begin(), small.v[c].end(), large.v[c].begin()));
    CHECK(std::equal(large.v[c].begin(), large.v[c].end(), single.v[c].begin(),
                     [](double a, double b) { return double(float(a)) == b; }));
    CHECK_FALSE(other.v[c] == small.v[c]);
  }
  CHECK(small.reference.p0 == params.p0);
  CHECK(small.particle_charge == params.charge / 101);
}

TEST_CASE("impossible bunches are refused", "[simulation]") {
  const auto refused = [](const std::function<void(BunchParams&)>& change) {
    BunchParams params;
    change(params);
    CHECK_THROWS_AS(params.check(), UsageError);
  };
  CHECK_NOTHROW(BunchParams{}.check());
  refused([](BunchParams& p) { p.particles = -1; });
  refused([](BunchParams& p) { p.exact_moments = true, p.particles = 6; });
  refused([](BunchParams& p) { p.p0 = 0.; });
  refused([](BunchParams& p) { p.x.emittance = 1e-9; });  // there is a normalized one
  refused([](BunchParams& p) { p.y.beta = 0.; });
  refused([](BunchParams& p) { p.y.alpha = std::nan(""); });
  refused([](BunchParams& p) { p.cutoff = 0.; });
  refused([](BunchParams& p) { p.modulation_depth = 0.5; });  // of no wavelength
  refused([](BunchParams& p) { p.modulation_depth = 1., p.modulation_wavelength = 1.; });
  refused([](BunchParams& p) { p.mean_delta = -1.; });
}
