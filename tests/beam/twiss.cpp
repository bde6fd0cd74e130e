// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <numbers>
#include <trackplex/beam/twiss.hpp>

using namespace trackplex;
using namespace trackplex::beam;

namespace {

/// A cell with bends; weak enough not to be unstable, and with a dispersion.
BeamLine cell() {
  const Element qf{"QF", Quadrupole{.length = 0.2, .k1 = 1.5}};
  const Element qd{"QD", Quadrupole{.length = 0.2, .k1 = -1.5}};
  const Element bend{"B",
                     Bend{.magnet = {.length = 0.6, .angle = 0.1, .entrance = 0.05, .exit = 0.05}}};
  const Element drift{"D", Drift{.length = 0.3}};
  return {qf, drift, bend, drift, qd, drift, bend, drift};
}

bool is_near(double a, double b, double tolerance) { return std::abs(a - b) <= tolerance; }

}  // namespace

TEST_CASE("optics of a drift widen as its formulas say", "[beam]") {
  Optics start;
  start.x = {2., 0.5};
  start.y = {3., -1.};
  start.dispersion[0] = 0.7;
  start.dispersion[1] = -0.2;
  const auto optics = optics_along({{"D", Drift{.length = 1.5}}}, start);
  REQUIRE(optics.size() == 2);
  const Optics& end = optics[1];
  const double l = 1.5;
  CHECK(end.position == l);
  CHECK(is_near(end.x.beta, 2. - 2. * l * 0.5 + l * l * start.x.gamma(), 1e-14));
  CHECK(is_near(end.x.alpha, 0.5 - l * start.x.gamma(), 1e-14));
  CHECK(is_near(end.y.beta, 3. + 2. * l + l * l * start.y.gamma(), 1e-14));
  CHECK(is_near(end.dispersion[0], 0.7 - 0.2 * l, 1e-15));
  // d phase = ds/beta, integrated
  double phase = 0.;
  const int steps = 100000;
  for (int i = 0; i < steps; ++i) {
    const double at = (i + 0.5) * l / steps;
    phase += l / steps / (2. - 2. * at * 0.5 + at * at * start.x.gamma());
  }
  CHECK(is_near(end.phase_x, phase, 1e-9));
}

TEST_CASE("a bend makes the dispersion of its circle", "[beam]") {
  Bend bend{.magnet = {.length = 0.5, .angle = 0.2}};
  bend.magnet.entrance_edge = bend.magnet.exit_edge = false;
  const auto optics = optics_along({{"B", bend}}, Optics{});
  const double radius = 0.5 / 0.2;
  CHECK(is_near(optics[1].dispersion[0], radius * (1. - std::cos(0.2)), 1e-14));
  CHECK(is_near(optics[1].dispersion[1], std::sin(0.2), 1e-14));
  CHECK(optics[1].dispersion[2] == 0.);
}

TEST_CASE("periodic optics repeat themselves", "[beam]") {
  const BeamLine line = cell();
  const auto periodic = periodic_twiss(map_of(line, 2));
  const auto optics = optics_along(line, periodic.start);
  REQUIRE(optics.size() == line.size() + 1);
  const Optics& first = optics.front();
  const Optics& last = optics.back();
  CHECK(is_near(last.position, length_of(line), 1e-14));
  CHECK(is_near(last.x.beta, first.x.beta, 1e-12));
  CHECK(is_near(last.x.alpha, first.x.alpha, 1e-12));
  CHECK(is_near(last.y.beta, first.y.beta, 1e-12));
  CHECK(is_near(last.y.alpha, first.y.alpha, 1e-12));
  for (int i = 0; i < 4; ++i) CHECK(is_near(last.dispersion[i], first.dispersion[i], 1e-12));
  CHECK(first.dispersion[0] > 0.1);
  CHECK(is_near(last.phase_x, 2. * std::numbers::pi * periodic.tune_x, 1e-12));
  CHECK(is_near(last.phase_y, 2. * std::numbers::pi * periodic.tune_y, 1e-12));
  // wide where it focuses
  CHECK(optics[0].x.beta > optics[4].x.beta);
  CHECK(optics[0].y.beta < optics[4].y.beta);
}

TEST_CASE("tunes of thin quadrupoles are those of textbooks", "[beam]") {
  // sin(mu/2) = L/(4 f): half cells of L/2, quadrupoles of focal length f
  const double l = 4., f = 2.5, length = 1e-5, k1 = 1. / (f * length);
  const Element qf{"QF", Quadrupole{.length = length, .k1 = k1}};
  const Element qd{"QD", Quadrupole{.length = length, .k1 = -k1}};
  const Element drift{"D", Drift{.length = 0.5 * l}};
  const auto optics = periodic_twiss(map_of(BeamLine{qf, drift, qd, drift}, 1));
  const double mu = 2. * std::asin(l / (4. * f));
  CHECK(is_near(optics.tune_x, mu / (2. * std::numbers::pi), 1e-5));
  CHECK(is_near(optics.tune_y, mu / (2. * std::numbers::pi), 1e-5));
}

TEST_CASE("tunes above a half are told from those below", "[beam]") {
  const BeamLine one = cell();
  const double of_one = periodic_twiss(map_of(one, 1)).tune_x;
  REQUIRE((of_one > 0.0625 && of_one < 0.0666));  // of 8 cells above a half, of 16 above 1
  for (const int n : {3, 4, 7, 8, 12, 16}) {
    BeamLine line;
    for (int i = 0; i < n; ++i) line.insert(line.end(), one.begin(), one.end());
    const double expected = n * of_one - std::floor(n * of_one);
    CHECK(is_near(periodic_twiss(map_of(line, 1)).tune_x, expected, 1e-12));
  }
}

TEST_CASE("particles stay on the ellipse of the optics", "[beam]") {
  const auto map = map_of(cell(), 1);
  const auto optics = periodic_twiss(map);
  const auto area = [&](const TransferMap::Vector& v) {
    const PlaneTwiss& t = optics.start.x;
    return t.gamma() * v[x] * v[x] + 2. * t.alpha * v[x] * v[xp] + t.beta * v[xp] * v[xp];
  };
  TransferMap::Vector v = {1e-3, 2e-4, 0., 0., 0., 0.};
  const double expected = area(v);
  for (int turn = 0; turn < 1000; ++turn) v = map(v);
  CHECK(std::abs(area(v) / expected - 1.) < 1e-10);
  // the particle of another momentum on the dispersion comes back to where it was
  TransferMap::Vector off{};
  off[delta] = 1e-3;
  for (int i = 0; i < 4; ++i) off[i] = 1e-3 * optics.start.dispersion[i];
  const auto after = map(off);
  for (int i = 0; i < 4; ++i) CHECK(is_near(after[i], off[i], 1e-17));
}

TEST_CASE("optics that do not exist are refused", "[beam]") {
  CHECK_THROWS_AS(periodic_twiss(drift_map(1., 1)), UsageError);
  CHECK_THROWS_AS(periodic_twiss(quadrupole_map(0.2, 5., 1)), UsageError);  // in y
  CHECK_THROWS_AS(periodic_twiss(TransferMap::identity(1)), UsageError);
  const Element skew{"SQ", Quadrupole{.length = 0.2, .k1 = 1., .misalignment = {.tilt = 0.3}}};
  BeamLine line = cell();
  line.push_back(skew);
  CHECK_THROWS_AS(periodic_twiss(map_of(line, 1)), UsageError);
  try {
    optics_along(line, Optics{});
    FAIL("no error");
  } catch (const UsageError& error) {
    CHECK(std::string(error.what()).find("element 'SQ'") == 0);
  }
}
