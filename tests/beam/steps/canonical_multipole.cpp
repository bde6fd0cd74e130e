// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_floating_point.hpp>
#include <cmath>
#include <trackplex/beam/bunch/particle_table.hpp>
#include <trackplex/beam/line_tracker.hpp>
#include <trackplex/beam/maps/element_maps.hpp>
#include <trackplex/beam/steps/bend_steps.hpp>
#include <trackplex/core/counted.hpp>
#include <trackplex/core/host_executor.hpp>
#include <utility>

using namespace trackplex;
using namespace trackplex::beam;
using Catch::Matchers::WithinAbs;

namespace {

using Space = HostExecutor;

template <class Field>
Particle<double> through(const Particle<double>& in, double length, double strength, int slices,
                         int order) {
  const auto coefficients = slice_coefficients(length, strength, slices, order);
  Particle<double> v = in;
  REQUIRE(integrate_magnet<Field>(coefficients.data(), int(coefficients.size()) / 2, slices, v));
  return v;
}

double distance(const Particle<double>& a, const Particle<double>& b) {
  double largest = 0.;
  for (int c = 0; c < n_coordinates; ++c) largest = std::max(largest, std::abs(a[c] - b[c]));
  return largest;
}

const Particle<double> particle{{2e-3, -1e-3, 1.5e-3, 8e-4, 1e-4, 5e-3}};

/// By how much errors shrink where slices are halved, as a power of two.
template <class Field>
double order_of(double strength, int order, int slices) {
  const auto exact = through<Field>(particle, 1., strength, 64, 6);
  const double coarse = distance(through<Field>(particle, 1., strength, slices, order), exact);
  const double fine = distance(through<Field>(particle, 1., strength, 2 * slices, order), exact);
  return std::log2(coarse / fine);
}

}  // namespace

TEST_CASE("integration has the order that it says", "[beam]") {
  for (const int order : {2, 4, 6}) {
    CHECK_THAT(order_of<QuadrupoleField>(4., order, 2), WithinAbs(order, 0.5));
    CHECK_THAT(order_of<SextupoleField>(2000., order, 4), WithinAbs(order, 0.7));
  }
  CHECK_THROWS_AS(slice_coefficients(1., 1., 4, 3), UsageError);
  CHECK_THROWS_AS(slice_coefficients(1., 1., 0, 4), UsageError);
}

TEST_CASE("a kick costs one root and one division", "[beam]") {
  using Real = Counted<double>;
  Particle<Real> start;
  for (int c = 0; c < n_coordinates; ++c) start[c] = Real(particle[c]);
  const auto of_magnet = [&](int slices) {
    const auto coefficients = slice_coefficients(0.3, 4., slices, 4);
    Particle<Real> v = start;
    return count_operations(
        [&] { integrate_magnet<QuadrupoleField>(coefficients.data(), 3, slices, v); });
  };
  const auto of_bend = [&](int slices) {
    const BendBody body{.length = 0.3, .angle = 0.1, .field_angle = 0.1, .slices = slices};
    const auto coefficients = beam::detail::bend_coefficients(body);
    Particle<Real> v = start;
    return count_operations(
        [&] { beam::detail::pass_bend<false>(coefficients.data(), NoRadiation{}, v); });
  };
  for (const auto& [one, five] :
       {std::pair(of_magnet(1), of_magnet(5)), std::pair(of_bend(1), of_bend(5))}) {
    CHECK(five.sqrt - one.sqrt == 4 * 3);
    CHECK(five.divide - one.divide == 4 * 3);
  }
}

TEST_CASE("what Taylor maps leave out grows with the order after theirs", "[beam]") {
  const auto error = [](double scale, int order, bool sextupole) {
    Particle<double> small;
    for (int c = 0; c < n_coordinates; ++c) small[c] = scale * particle[c];
    const auto exact = sextupole ? through<SextupoleField>(small, 0.3, 50., 32, 6)
                                 : through<QuadrupoleField>(small, 0.3, 5., 32, 6);
    const auto map = sextupole ? sextupole_map(0.3, 50., order) : quadrupole_map(0.3, 5., order);
    TransferMap::Vector v;
    for (int c = 0; c < n_coordinates; ++c) v[c] = small[c];
    v = map(v);
    double largest = 0.;
    for (const int c : {x, xp, y, yp}) largest = std::max(largest, std::abs(v[c] - exact[c]));
    return largest;
  };
  for (const bool sextupole : {false, true})
    for (const int order : {1, 2, 3}) {
      CAPTURE(sextupole, order);
      const double found = std::log2(error(1., order, sextupole) / error(0.5, order, sextupole));
      // Quadrupoles are odd in the slopes: their second order only couples them to delta.
      CHECK_THAT(found, WithinAbs(order + 1, 0.4));
    }
}

TEST_CASE("the Jacobian of the integration is symplectic", "[beam]") {
  // In the canonical momenta q of the slopes, by central differences.
  const auto slopes_to_q = [](Particle<double> v) {
    const double r = std::sqrt(1. + v[xp] * v[xp] + v[yp] * v[yp]);
    v[xp] *= (1. + v[delta]) / r;
    v[yp] *= (1. + v[delta]) / r;
    return v;
  };
  const auto q_to_slopes = [](Particle<double> v) {
    const double p = 1. + v[delta];
    const double pz = std::sqrt(p * p - v[xp] * v[xp] - v[yp] * v[yp]);
    v[xp] /= pz;
    v[yp] /= pz;
    return v;
  };
  const auto map = [&](const Particle<double>& q) {
    return slopes_to_q(through<SextupoleField>(q_to_slopes(q), 0.5, 300., 2, 4));
  };
  const double h = 1e-6;
  double jacobian[4][4];
  for (int j = 0; j < 4; ++j) {
    Particle<double> up = slopes_to_q(particle), down = up;
    up[j] += h;
    down[j] -= h;
    const auto a = map(up), b = map(down);
    for (int i = 0; i < 4; ++i) jacobian[i][j] = (a[i] - b[i]) / (2 * h);
  }
  const double form[4][4] = {{0, 1, 0, 0}, {-1, 0, 0, 0}, {0, 0, 0, 1}, {0, 0, -1, 0}};
  for (int i = 0; i < 4; ++i)
    for (int j = 0; j < 4; ++j) {
      double sum = 0.;
      for (int k = 0; k < 4; ++k)
        for (int l = 0; l < 4; ++l) sum += jacobian[k][i] * form[k][l] * jacobian[l][j];
      CHECK(std::abs(sum - form[i][j]) < 2e-9);
    }
}

TEST_CASE("particles that turn around are lost", "[beam]") {
  ParticleTable table(2, 100.);
  table.v[x] = {1e-3, 0.9};
  const Space exec;
  auto bunch = upload<double>(exec, table);
  LineTracker<double, Space>(exec, {{"k", CanonicalQuadrupole{1., 10.}}}, {0., 0.}).track(bunch);
  const auto out = download(exec, bunch);
  CHECK(out.losses[0].element == Loss::none);
  CHECK(out.losses[1].element == 0);
  CHECK(out.v[x][1] == 0.9);
}
