// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <array>
#include <catch2/catch_approx.hpp>
#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>
#include <cmath>
#include <numbers>
#include <trackplex/beam/elements/canonical_bend.hpp>
#include <trackplex/beam/elements/exact_solenoid.hpp>
#include <trackplex/beam/elements/thin_bend.hpp>
#include <trackplex/beam/tracking_steps.hpp>

using namespace trackplex;
using namespace trackplex::beam;

namespace {

using Vector = Particle<double>;

Vector particle(const std::array<double, 6>& values) {
  Vector v{};
  for (int c = 0; c < 6; ++c) v[c] = values[c];
  return v;
}
Vector behind(const BendEdge& edge, Vector v) {
  const auto c = steps::Edge{edge}.coefficients();
  REQUIRE(steps::Edge::pass<double>(c.data(), v));
  return v;
}
Vector behind(const BendBody& body, Vector v) {
  const auto c = steps::Bend<false>{body}.coefficients();
  REQUIRE(steps::Bend<false>::pass<double>(c.data(), v));
  return v;
}
/// Edges and body of a bend without errors; of a positive angle.
Vector behind(const CanonicalBend& bend, Vector v) {
  return behind(bend.edge(true), behind(bend.body(bend.slices), behind(bend.edge(false), v)));
}

/// Largest element of J^T S J - S of a map of slopes, in canonical coordinates.
template <class Map>
double symplecticity(const Map& map, const Vector& at) {
  const auto turned = [&](Vector q) {
    Vector v = q;
    beam::detail::to_slopes(v);
    v = map(v);
    beam::detail::to_momenta(v);
    return v;
  };
  Vector start = at;
  beam::detail::to_momenta(start);
  double j[6][6];
  constexpr double h = 1e-3;
  for (int c = 0; c < 6; ++c) {
    const auto difference = [&](double step, int i) {
      Vector up = start, down = start;
      up[c] += step;
      down[c] -= step;
      return (turned(up)[i] - turned(down)[i]) / (2. * step);
    };
    for (int i = 0; i < 6; ++i)
      j[i][c] = (15. * difference(h, i) - 6. * difference(2. * h, i) + difference(3. * h, i)) / 10.;
  }
  double largest = 0.;
  for (int a = 0; a < 6; ++a)
    for (int b = 0; b < 6; ++b) {
      double sum = 0.;
      for (int pair = 0; pair < 3; ++pair)  // s is longer for later particles
        sum += (pair == 2 ? -1. : 1.) *
               (j[2 * pair][a] * j[2 * pair + 1][b] - j[2 * pair + 1][a] * j[2 * pair][b]);
      if (a / 2 == b / 2 && a != b) sum -= (a < b ? 1. : -1.) * (a / 2 == 2 ? -1. : 1.);
      largest = std::max(largest, std::abs(sum));
    }
  return largest;
}

/// Line in the plane y = 0 and circle of a particle in a rectangular magnet of a sector's angle:
/// place and slope behind it, and the way less that of the axis.
std::array<double, 3> rectangular_magnet(double angle, double length, double k0, double x,
                                         double xp, double delta) {
  // Origin in the centre of the axis' circle at the symmetry plane; z along the chord.
  const double rho = length / angle, half = 0.5 * angle, face = rho * std::sin(half);
  const double radius = (1. + delta) / k0;
  // entrance: the axis is at (rho cos(half), -face) and turned by half towards positive x
  double slope = std::atan(xp) + half;
  const double x0 = rho * std::cos(half) + x * std::cos(half), z0 = -face - x * std::sin(half);
  double way = (-face - z0) / std::cos(slope);
  double px = x0 + way * std::sin(slope);
  // circle towards negative x
  const double sine = std::sin(slope) - 2. * face / radius, behind = std::asin(sine);
  px += radius * (std::cos(behind) - std::cos(slope));
  way += radius * (slope - behind);
  slope = behind;
  // exit plane through (rho cos(half), face), its normal turned by -half
  const double normal_x = -std::sin(half), normal_z = std::cos(half);
  const double dx = px - rho * std::cos(half);
  const double more = -dx * normal_x / (std::sin(slope) * normal_x + std::cos(slope) * normal_z);
  px += more * std::sin(slope);
  const double pz = face + more * std::cos(slope);
  way += more;
  const double at = (px - rho * std::cos(half)) * std::cos(half) + (pz - face) * std::sin(half);
  return {at, std::tan(slope + half), way - length};
}

}  // namespace

TEST_CASE("a bend with exact edges is a rectangular magnet", "[beam]") {
  CanonicalBend bend{.length = 1.2, .angle = 0.5, .entrance = 0.25, .exit = 0.25};
  bend.entrance_effects = bend.exit_effects = EdgeEffects::exact;
  bend.slices = 50;
  bend.integration_order = 6;
  for (const double k0 : {0.5 / 1.2, 0.3})
    for (const double x0 : {-0.03, 0., 0.05})
      for (const double xp0 : {-0.02, 0.03})
        for (const double d : {-0.05, 0., 0.1}) {
          CAPTURE(k0, x0, xp0, d);
          bend.k0 = k0;
          const Vector v = behind(bend, particle({x0, xp0, 0., 0., 0., d}));
          const auto expected = rectangular_magnet(0.5, 1.2, k0, x0, xp0, d);
          CHECK(v[x] == Catch::Approx(expected[0]).margin(1e-12));
          CHECK(v[xp] == Catch::Approx(expected[1]).margin(1e-12));
          CHECK(v[s] == Catch::Approx(expected[2]).margin(1e-12));
        }
}

TEST_CASE("exact edges are symplectic", "[beam]") {
  for (const bool is_exit : {false, true})
    for (const double radius : {2., -3.}) {
      const BendEdge edge{.effects = EdgeEffects::exact,
                          .is_exit = is_exit,
                          .angle = 0.3,
                          .radius = radius,
                          .half_gap = 0.03,
                          .fringe = 0.4,
                          .curve = 0.2};
      for (const auto& at : {std::array<double, 6>{}, {0.02, 0.03, -0.01, 0.02, 1e-3, 0.05}})
        CHECK(symplecticity([&](const Vector& v) { return behind(edge, v); }, particle(at)) < 2e-9);
    }
}

TEST_CASE("edges agree to first order", "[beam]") {
  constexpr double h = 1e-6;
  for (const bool is_exit : {false, true}) {
    BendEdge edge{.is_exit = is_exit, .angle = 0.3, .radius = 2., .half_gap = 0.03, .fringe = 0.4};
    const auto kicks = [&](EdgeEffects effects) {
      edge.effects = effects;
      return std::pair(behind(edge, particle({h, 0., 0., 0., 0., 0.}))[xp] / h,
                       behind(edge, particle({0., 0., h, 0., 0., 0.}))[yp] / h);
    };
    const auto expected = kicks(EdgeEffects::slopes);
    for (const EdgeEffects effects : {EdgeEffects::linear, EdgeEffects::exact}) {
      const auto [x_kick, y_kick] = kicks(effects);
      CHECK(x_kick == Catch::Approx(expected.first).epsilon(1e-5));
      // the field of the fringe counts to second order in its extent only
      CHECK(y_kick == Catch::Approx(expected.second).epsilon(2e-3));
    }
  }
}

TEST_CASE("linear edges act alike on all momenta, and by the angle of crossing", "[beam]") {
  BendEdge edge{.effects = EdgeEffects::linear, .angle = 0.3, .radius = 2., .crossing = 0.1};
  for (const double d : {-0.2, 0., 0.3}) {
    Vector v = behind(edge, particle({0.01, 0., 0.02, 0., 0., d}));
    beam::detail::to_momenta(v);
    CHECK(v[xp] == Catch::Approx(0.5 * std::tan(0.3) * 0.01));
    CHECK(v[yp] == Catch::Approx(-0.5 * std::tan(0.4) * 0.02));
  }
}

TEST_CASE("a straight magnet with a dipole bends on a circle", "[beam]") {
  CanonicalBend magnet{.length = 0.5, .slices = 20, .integration_order = 6};
  magnet.k0 = 0.4;
  magnet.entrance_effects = magnet.exit_effects = EdgeEffects::exact;
  CHECK(magnet.axis_bend().angle == 0.);
  TrackingSteps steps;
  steps.segments.emplace_back();
  StepBuilder builder(steps, 0);
  magnet.add_steps(builder);
  REQUIRE(steps.steps.size() == 3);  // edge, body, edge
  Vector v = particle({0.01, 0.02, 0., 0., 0., 0.05});
  const auto pass = [&](int i, auto step) {
    decltype(step)::template pass<double>(&steps.coefficients[steps.steps[i].first], v);
  };
  pass(0, steps::Edge{});
  pass(1, steps::CanonicalMultipole<false>{});
  pass(2, steps::Edge{});
  const double sine = std::sin(std::atan(0.02)) - 0.4 * 0.5 / 1.05, angle = std::asin(sine);
  CHECK(v[xp] == Catch::Approx(std::tan(angle)).epsilon(1e-11));
  CHECK(v[x] == Catch::Approx(0.01 + 1.05 / 0.4 * (std::cos(angle) - std::cos(std::atan(0.02)))));
  CHECK(v[s] == Catch::Approx(1.05 / 0.4 * (std::atan(0.02) - angle) - 0.5));
}

TEST_CASE("thin bends are symplectic, and their maps derivatives", "[beam]") {
  const bool is_curved = GENERATE(false, true);
  const ThinBend bend{0.05, {{0.05, 0.1, 1.}, {0., 0.2}}, 2., {}, is_curved};
  const auto track = [&](Vector v) {
    TrackingSteps all;
    all.segments.emplace_back();
    StepBuilder builder(all, 0);
    bend.add_steps(builder);
    REQUIRE(all.steps.size() == 2);
    steps::ThinBend::pass<double>(&all.coefficients[all.steps[0].first], v);
    steps::CanonicalMultipole<false>::pass<double>(&all.coefficients[all.steps[1].first], v);
    return v;
  };
  CHECK(symplecticity(track, particle({0.01, 0.02, -0.01, 0.01, 0., 0.03})) < 1e-9);
  const Vector zero = track(particle({}));
  for (int i = 0; i < 4; ++i) CHECK(std::abs(zero[i]) < 1e-15);
  TransferMap map = bend.map_to(1);
  constexpr double h = 1e-4;
  for (int c = 0; c < 6; ++c) {
    Vector up{}, down{};
    up[c] = h;
    down[c] = -h;
    up = track(up);
    down = track(down);
    for (int i = 0; i < 6; ++i)
      CHECK(map.R(i + 1, c + 1) == Catch::Approx((up[i] - down[i]) / (2. * h)).margin(1e-7));
  }
  TransferMap second = bend.map_to(2);
  for (const auto& [j, k] : {std::pair{1, 1}, {3, 1}, {3, 3}}) {
    const auto at = [&, j = j, k = k](double a, double b) {
      Vector v{};
      v[j - 1] += a * h;
      v[k - 1] += b * h;
      return track(v);
    };
    const Vector pp = at(1., 1.), pm = at(1., -1.), mp = at(-1., 1.), mm = at(-1., -1.);
    for (const int i : {2, 4}) {
      const double mixed = (pp[i - 1] - pm[i - 1] - mp[i - 1] + mm[i - 1]) / (4. * h * h);
      CHECK(second.T(i, j, k) == Catch::Approx(j == k ? 0.5 * mixed : mixed).margin(1e-5));
    }
  }
}

TEST_CASE("expanded drifts are symplectic", "[beam]") {
  const auto track = [](Vector v) {
    const auto c = steps::ExpandedDrift{2.}.coefficients();
    steps::ExpandedDrift::pass<double>(c.data(), v);
    return v;
  };
  CHECK(symplecticity(track, particle({0.01, 0.1, -0.01, 0.2, 0., 0.1})) < 1e-9);
  Vector v = particle({0., 0.1, 0., -0.2, 0., 0.1});
  beam::detail::to_momenta(v);
  const double qx = v[xp], qy = v[yp];
  v = track(particle({0., 0.1, 0., -0.2, 0., 0.1}));
  CHECK(v[x] == Catch::Approx(2. * qx / 1.1));
  CHECK(v[y] == Catch::Approx(2. * qy / 1.1));
  CHECK(v[s] == Catch::Approx((qx * qx + qy * qy) / (1.1 * 1.1)));
}

TEST_CASE("solenoids are symplectic helices, and their maps derivatives", "[beam]") {
  constexpr double length = 0.8, ks = 1.5;
  const auto track = [&](Vector v) {
    const auto c = steps::SolenoidHelix{length, ks}.coefficients();
    REQUIRE(steps::SolenoidHelix::pass<double>(c.data(), v));
    return v;
  };
  CHECK(symplecticity(track, particle({0.01, 0.1, -0.02, 0.05, 0., 0.1})) < 1e-9);
  TransferMap map = ExactSolenoid{length, ks}.map_to(1);
  constexpr double h = 1e-5;
  for (int c = 0; c < 4; ++c) {
    Vector up{}, down{};
    up[c] = h;
    down[c] = -h;
    up = track(up);
    down = track(down);
    for (int i = 0; i < 4; ++i)
      CHECK(map.R(i + 1, c + 1) == Catch::Approx((up[i] - down[i]) / (2. * h)).margin(1e-8));
  }
  // x p_y - y p_x outside of the field stays
  Vector v = particle({0.01, 0.1, -0.02, 0.05, 0., 0.1}), w = track(v);
  beam::detail::to_momenta(v);
  beam::detail::to_momenta(w);
  CHECK(w[x] * w[yp] - w[y] * w[xp] == Catch::Approx(v[x] * v[yp] - v[y] * v[xp]));
}
