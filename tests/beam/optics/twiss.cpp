// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <complex>
#include <numbers>
#include <trackplex/beam/optics/chromaticity.hpp>
#include <trackplex/beam/optics/twiss.hpp>
#include <utility>

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
  // a sum resonance: coupling moves eigenvalues off the unit circle
  BeamLine line = cell();
  line.push_back({"SQ", Quadrupole{.length = 0.2, .k1 = 8., .misalignment = {.tilt = 0.3}}});
  CHECK_THROWS_AS(periodic_twiss(map_of(line, 1)), UsageError);
  TransferMap flat = TransferMap::identity(1);
  flat.R(1, 1) = 0.;
  CHECK_THROWS_AS(behind(Optics{}, flat, 0.), UsageError);
}

TEST_CASE("modes of a ring that is turned around its axis are those of the ring, turned",
          "[beam]") {
  const auto turn = map_of(cell(), 1);
  const auto flat = periodic_twiss(turn);
  for (const double angle : {0.3, -0.6}) {
    const auto turned =
        concatenated(concatenated(rotation_map(angle, 1), turn), rotation_map(-angle, 1));
    const auto optics = periodic_twiss(turned);
    const double c2 = std::cos(angle) * std::cos(angle), s2 = 1. - c2;
    CHECK(is_near(optics.tune_x, flat.tune_x, 1e-14));
    CHECK(is_near(optics.tune_y, flat.tune_y, 1e-14));
    CHECK(is_near(optics.start.x.beta, flat.start.x.beta * c2, 1e-12));
    CHECK(is_near(optics.start.x.alpha, flat.start.x.alpha * c2, 1e-12));
    CHECK(is_near(optics.start.first_in_y.beta(), flat.start.x.beta * s2, 1e-12));
    CHECK(is_near(optics.start.first_in_y.alpha(), flat.start.x.alpha * s2, 1e-12));
    CHECK(is_near(optics.start.first_in_y.area(), s2, 1e-13));
    CHECK(is_near(optics.start.y.beta, flat.start.y.beta * c2, 1e-12));
    CHECK(is_near(optics.start.second_in_x.beta(), flat.start.y.beta * s2, 1e-12));
    CHECK(is_near(std::hypot(optics.start.dispersion[0], optics.start.dispersion[2]),
                  flat.start.dispersion[0], 1e-12));
  }
}

TEST_CASE("coupled optics repeat themselves, and particles stay in their modes", "[beam]") {
  BeamLine line = cell();
  line.push_back({"SQ", Quadrupole{.length = 0.2, .k1 = 0.3, .misalignment = {.tilt = 0.5}}});
  line.push_back({"S", Solenoid{.length = 0.2, .ks = 0.4}});
  const auto turn = map_of(line, 1);
  const auto periodic = periodic_twiss(turn);
  const auto optics = optics_along(line, periodic.start);
  const Optics &first = optics.front(), &last = optics.back();
  CHECK(first.first_in_y.beta() > 0.01 * first.x.beta);
  CHECK(is_near(last.x.beta, first.x.beta, 1e-12));
  CHECK(is_near(last.y.alpha, first.y.alpha, 1e-12));
  CHECK(std::abs(last.first_in_y.position - first.first_in_y.position) < 1e-12);
  CHECK(std::abs(last.first_in_y.slope - first.first_in_y.slope) < 1e-12);
  CHECK(std::abs(last.second_in_x.position - first.second_in_x.position) < 1e-12);
  for (int i = 0; i < 4; ++i) CHECK(is_near(last.dispersion[i], first.dispersion[i], 1e-12));
  CHECK(is_near(last.phase_x, 2. * std::numbers::pi * periodic.tune_x, 1e-12));
  CHECK(is_near(last.phase_y, 2. * std::numbers::pi * periodic.tune_y, 1e-12));
  const auto [p, q] = std::pair(periodic.tune_x, periodic.tune_y);
  CHECK(is_near(2. * std::cos(2. * std::numbers::pi * p) + 2. * std::cos(2. * std::numbers::pi * q),
                turn.R(1, 1) + turn.R(2, 2) + turn.R(3, 3) + turn.R(4, 4), 1e-13));
  // a particle in the first mode reaches the root of both of its beta functions
  const auto mode = trackplex::beam::detail::mode_vector(first.x, first.first_in_y, true);
  TransferMap::Vector v{};
  for (int i = 0; i < 4; ++i) v[i] = std::real(mode[i]);
  double most_x = 0., most_y = 0.;
  for (int n = 0; n < 20000; ++n, v = turn(v)) {
    most_x = std::max(most_x, std::abs(v[x]));
    most_y = std::max(most_y, std::abs(v[y]));
  }
  CHECK(is_near(most_x, std::sqrt(first.x.beta), 1e-6));
  CHECK(is_near(most_y, std::sqrt(first.first_in_y.beta()), 1e-6));
}

TEST_CASE("optics about an orbit are those of neighbours of the particle on it", "[beam]") {
  BeamLine line = cell();
  line.insert(line.begin() + 2, {"S", Sextupole{.length = 0.1, .k2 = 30., .order = 3}});
  const auto turn = map_of(line, 3);
  const TransferMap::Vector orbit = {2e-3, -1e-4, 1e-3, 2e-4, 0., 1e-3};
  const auto linear = linear_about(orbit, turn);
  constexpr double h = 1e-4;
  for (int j = 0; j < n_coordinates; ++j) {
    auto more = orbit, less = orbit;
    more[j] += h;
    less[j] -= h;
    const auto up = turn(more), down = turn(less), middle = turn(orbit);
    for (int i = 0; i < n_coordinates; ++i) {
      CHECK(linear.component[i].c == middle[i]);
      CHECK(is_near(linear.component[i].r[j], (up[i] - down[i]) / (2. * h), 1e-6));
    }
  }
  // the way of the particle along the line is that of the map of the line, to second order
  const auto map = map_of(line, 2);
  const auto about = periodic_twiss(linear_about(orbit, map));
  const auto along = optics_along(line, about.start, 0., orbit).back();
  CHECK(is_near(along.x.beta, about.start.x.beta, 1e-3));
  CHECK_FALSE(is_near(along.x.beta, periodic_twiss(map).start.x.beta, 1e-2));
}

TEST_CASE("chromaticity and momentum compaction are derivatives along the dispersive orbit",
          "[beam]") {
  BeamLine line = cell();
  line.insert(line.begin() + 2, {"S", Sextupole{.length = 0.1, .k2 = 3.}});
  const auto turn = map_of(line, 2);
  const auto periodic = periodic_twiss(turn);
  const double length = length_of(line);
  const auto found = chromaticity(turn, periodic, length);
  const auto orbit_at = [&](double momentum) {
    TransferMap::Vector v{};
    v[delta] = momentum;
    for (int i = 0; i < 60; ++i) {  // Newton
      const auto linear = linear_about(v, turn);
      std::array<std::complex<double>, 4> step;
      trackplex::beam::detail::ComplexMatrix<4> m{};
      for (int r = 0; r < 4; ++r) {
        for (int c = 0; c < 4; ++c) m[r][c] = (r == c ? 1. : 0.) - linear.component[r].r[c];
        step[r] = linear.component[r].c - v[r];
      }
      trackplex::beam::detail::solve<4>(m, step);
      for (int r = 0; r < 4; ++r) v[r] += std::real(step[r]);
    }
    return v;
  };
  constexpr double h = 1e-4;
  const auto up = orbit_at(h), down = orbit_at(-h);
  const auto of_up = periodic_twiss(linear_about(up, turn)),
             of_down = periodic_twiss(linear_about(down, turn));
  CHECK(is_near(found.x, (of_up.tune_x - of_down.tune_x) / (2. * h), 1e-5));
  CHECK(is_near(found.y, (of_up.tune_y - of_down.tune_y) / (2. * h), 1e-5));
  CHECK(std::abs(found.x) > 0.01);
  const double longer = turn(up)[s], shorter = turn(down)[s];
  CHECK(is_near(found.momentum_compaction, (longer - shorter) / (2. * h * length), 1e-6));
  CHECK(is_near(found.momentum_compaction2, (longer + shorter) / (2. * h * h * length), 1e-5));
  for (int i = 0; i < 4; ++i) {
    CAPTURE(i, found.second_dispersion[i], (up[i] + down[i]) / (2. * h * h));
    CHECK(is_near(found.second_dispersion[i], (up[i] + down[i]) / (2. * h * h), 1e-3));
  }
}

TEST_CASE("chromaticities of normal modes are those of planes where these are not coupled",
          "[beam]") {
  BeamLine line = cell();
  line.insert(line.begin() + 2, {"S", Sextupole{.length = 0.1, .k2 = 3.}});
  const auto turn = map_of(line, 2);
  const Optics start = periodic_twiss(turn).start;
  const auto& of = start.dispersion;
  const TransferMap::Vector direction = {of[0], of[1], of[2], of[3], 0., 1.};
  const auto planes = trackplex::beam::detail::chromaticities_of_planes(turn, direction),
             modes = trackplex::beam::detail::chromaticities_of_modes(turn, direction);
  for (int i = 0; i < 2; ++i) CHECK(is_near(planes[i], modes[i], 1e-9));
}

TEST_CASE("rings whose planes change places are stable", "[beam]") {
  TransferMap exchange = TransferMap::identity(1);
  for (int i = 0; i < 4; ++i)
    for (int j = 0; j < 4; ++j) exchange.R(i + 1, j + 1) = j == (i ^ 2) ? 1. : 0.;
  BeamLine line = {{"Q1", Quadrupole{.length = 0.2, .k1 = 2.}},
                   {"D", Drift{1.}},
                   {"Q2", Quadrupole{.length = 0.2, .k1 = -2.}},
                   {"D", Drift{1.}},
                   {"M", MapElement(1., exchange)}};
  const auto turn = map_of(line, 2);
  const auto periodic = periodic_twiss(turn);
  const auto folded = [](double tune) { return std::min(tune, 1. - tune); };
  CHECK(std::abs(folded(periodic.tune_x) + folded(periodic.tune_y) - 0.5) < 1e-12);
  CHECK(std::abs(std::min(folded(periodic.tune_x), folded(periodic.tune_y)) - 0.11296) < 5e-6);
  CHECK_NOTHROW(chromaticity(turn, periodic, length_of(line)));
  const auto end = optics_along(line, periodic.start).back();
  CHECK(is_near(end.x.beta, periodic.start.x.beta, 1e-10));
  CHECK(is_near(end.y.beta, periodic.start.y.beta, 1e-10));
  CHECK(std::abs(std::remainder(end.phase_x / 2. / std::numbers::pi - periodic.tune_x, 1.)) <
        1e-10);
}
