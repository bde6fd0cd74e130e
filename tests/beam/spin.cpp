// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <array>
#include <catch2/catch_approx.hpp>
#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>
#include <cmath>
#include <cstdint>
#include <limits>
#include <numbers>
#include <string>
#include <trackplex/beam/bunch/canonical.hpp>
#include <trackplex/beam/bunch/particle_table.hpp>
#include <trackplex/beam/bunch/spin_moments.hpp>
#include <trackplex/beam/line_tracker.hpp>
#include <trackplex/beam/optics/spin_optics.hpp>
#include <trackplex/beam/split_line.hpp>
#include <trackplex/simulation/bunch_generator.hpp>
#include <vector>

using namespace trackplex;
using namespace trackplex::beam;

namespace {

constexpr double anomaly_of_references = 0.00115965218062;

/// beta gamma of electrons of 100 MeV of kinetic energy.
const double p0 = [] {
  const double gamma = 1. + 100. / 0.51099895069;
  return std::sqrt(gamma * gamma - 1.);
}();
const double gamma0 = std::sqrt(1. + p0 * p0);

/// The particle of the reference vectors.
ParticleTable reference_particle() {
  ParticleTable table(1, p0);
  const Particle<double> v =
      from_canonical(table.reference, Particle<double>{1e-3, 2e-2, -2e-3, 1e-2, 1e-3, -3e-2});
  for (int c = 0; c < n_coordinates; ++c) table.v[c][0] = v[c];
  table.anomaly = anomaly_of_references;
  table.set_spins(0.36, 0.48, 0.8);
  return table;
}

ParticleTable on_axis(double a, const SpinVector& spin, double momentum = p0) {
  ParticleTable table(1, momentum);
  table.anomaly = a;
  table.set_spins(spin[0], spin[1], spin[2]);
  return table;
}

ParticleTable tracked(const BeamLine& line, const ParticleTable& from, int turns = 1) {
  const HostExecutor exec;
  auto bunch = upload<double>(exec, from);
  LineTracker<double, HostExecutor>(exec, line, {0., 0.}).track(bunch, turns);
  return download(exec, bunch);
}

SpinVector spin_after(const BeamLine& line, const ParticleTable& from) {
  const auto table = tracked(line, from);
  REQUIRE(table.n_lost() == 0);
  return {table.spin[0][0], table.spin[1][0], table.spin[2][0]};
}

void check_close(const SpinVector& found, const SpinVector& right, double tolerance) {
  for (int c = 0; c < n_spin_components; ++c) {
    CAPTURE(c, found[c], right[c], found[c] - right[c]);
    CHECK(std::abs(found[c] - right[c]) <= tolerance);
  }
}

BeamLine chromatic(double length, double k1) {
  return {{"q", ChromaticQuadrupole{.length = length, .k1 = k1}}};
}
CanonicalBend without_edges(double length, double angle, bool closed) {
  CanonicalBend bend{.length = length, .angle = angle, .closed = closed};
  bend.entrance_effects = bend.exit_effects = EdgeEffects::none;
  return bend;
}
BeamLine sector(double length, double angle) { return {{"b", without_edges(length, angle, true)}}; }

}  // namespace

// Programmed independently from the formulas (impactx-benchmarks, 2026-09-08).
TEST_CASE("spins of closed maps have the values of independent programs", "[beam]") {
  const auto start = reference_particle();
  check_close(spin_after(chromatic(0.1, 2.), start),
              {0.3596227568941458, 0.47970829827338424, 0.8003445641044288}, 1e-13);
  check_close(spin_after(chromatic(0.1, -2.), start),
              {0.36037892470632965, 0.48028939468704906, 0.799655630867849}, 1e-13);
  check_close(spin_after(sector(0.175, 0.02), start),
              {0.35678219354297686, 0.4800151043033872, 0.8014311985512357}, 1e-13);
  check_close(spin_after(sector(0.175, -0.5), start),
              {0.4353766183895343, 0.4795734119372935, 0.7618769866077573}, 1e-13);
  check_close(
      spin_after({{"d", ExactDrift{0.5}}, {"e", ExpandedDrift{0.5}}, {"f", Drift{0.5}}}, start),
      {0.36, 0.48, 0.8}, 0.);
}

TEST_CASE("slices of closed bends rotate spins like the whole", "[beam]") {
  const auto start = reference_particle();
  for (const double angle : {0.02, -0.5, 1.2}) {
    const auto whole = spin_after(sector(0.175, angle), start);
    for (const int parts : {2, 7})
      check_close(spin_after(split(sector(0.175, angle), parts), start), whole, 1.5e-15);
  }
}

TEST_CASE("spins do not change the orbit", "[beam]") {
  ParticleTable without = reference_particle();
  without.has_spins = false;
  for (auto& component : without.spin) component.clear();
  const BeamLine line = {{"q", ChromaticQuadrupole{.length = 0.1, .k1 = 2.}},
                         {"b", without_edges(0.2, 0.1, true)},
                         {"c", without_edges(0.2, 0.1, false)},
                         {"k", CanonicalQuadrupole{.length = 0.1, .k1 = -3.}},
                         {"m", Quadrupole{.length = 0.1, .k1 = -3.}},
                         {"s", ExactSolenoid{.length = 0.1, .ks = 0.4}},
                         {"r", PlaneRotation{0.01}},
                         {"v", ExactKicker{.length = 0.1, .vertical = 1e-3}}};
  const auto a = tracked(line, reference_particle()), b = tracked(line, without);
  REQUIRE(a.n_lost() == 0);
  CHECK_FALSE(b.has_spins);
  for (int c = 0; c < n_coordinates; ++c) CHECK(a.v[c] == b.v[c]);
}

TEST_CASE("integrated magnets rotate spins like closed maps", "[beam]") {
  const auto start = reference_particle();
  auto integrated = without_edges(0.175, -0.5, false);
  integrated.slices = 10;
  integrated.integration_order = 6;
  check_close(spin_after({{"b", integrated}}, start), spin_after(sector(0.175, -0.5), start), 1e-9);
  // the same field in a straight system
  const BeamLine kicker = {{"k", ExactKicker{.length = 0.2, .horizontal = 0.03}}};
  const BeamLine dipole = {{"m", CanonicalMultipole{.length = 0.2,
                                                    .field = {.normal = {-std::sin(0.03)}},
                                                    .slices = 20,
                                                    .integration_order = 6}}};
  check_close(spin_after(kicker, start), spin_after(dipole, start), 1e-5);
  // small slopes: differences are of third order
  auto narrow = start;
  for (int c = 0; c < delta; ++c) narrow.v[c][0] *= 1e-2;
  const auto exact = spin_after(
      {{"q", CanonicalQuadrupole{.length = 0.3, .k1 = 4., .slices = 40, .integration_order = 4}}},
      narrow);
  check_close(exact, spin_after(split(chromatic(0.3, 4.), 40), narrow), 1e-9);
  check_close(exact, spin_after(chromatic(0.3, 4.), narrow), 1e-7);
  narrow.v[delta][0] = 1e-4;
  check_close(spin_after({{"q", Quadrupole{.length = 0.3, .k1 = 4., .order = 2}}}, narrow),
              spin_after(chromatic(0.3, 4.), narrow), 1e-9);
  check_close(
      spin_after({{"s", Sextupole{.length = 0.1, .k2 = 400., .order = 3}}}, narrow),
      spin_after({{"s", CanonicalSextupole{.length = 0.1, .k2 = 400., .slices = 20}}}, narrow),
      1e-9);
  const BeamLine map = {{"b", Bend{.magnet = {.length = 0.2,
                                              .angle = 0.1,
                                              .entrance = 0.05,
                                              .exit = 0.05,
                                              .entrance_edge = true,
                                              .exit_edge = true}}}};
  const BeamLine magnet = {
      {"b", CanonicalBend{.length = 0.2, .angle = 0.1, .entrance = 0.05, .exit = 0.05}}};
  check_close(spin_after(map, narrow), spin_after(magnet, narrow), 2e-7);
  check_close(
      spin_after({{"k", Kicker{.length = 0.2, .horizontal = 1e-3, .vertical = -2e-3}}}, narrow),
      spin_after({{"k", ExactKicker{.length = 0.2, .horizontal = 1e-3, .vertical = -2e-3}}},
                 narrow),
      1e-7);
}

TEST_CASE("spins on the axis turn by a gamma times the angle, and (1 + a) in solenoids", "[beam]") {
  for (const double a : {anomaly::electron, anomaly::proton}) {
    const double angle = 0.3, turn = a * gamma0 * angle;
    const SpinVector along = {0., 0., 1.};
    const SpinVector right = {-std::sin(turn), 0., std::cos(turn)};
    const auto start = on_axis(a, along);
    check_close(spin_after(sector(0.5, angle), start), right, 1e-13);
    CanonicalBend integrated = without_edges(0.5, angle, false);
    integrated.slices = 20;
    check_close(spin_after({{"b", integrated}}, start), right, 1e-6);
    check_close(spin_after({{"b", Bend{.magnet = {.length = 0.5, .angle = angle}}}}, start), right,
                1e-13);
    const SpinVector left = {std::sin(turn), 0., std::cos(turn)};
    check_close(spin_after(sector(0.5, -angle), start), left, 1e-13);
    const SpinVector up = {0., -std::sin(turn), std::cos(turn)};
    CanonicalBend vertical = without_edges(0.5, angle, true);
    vertical.misalignment.tilt = 0.5 * std::numbers::pi;
    check_close(spin_after({{"b", vertical}}, start), up, 1e-13);
    const double precession = (1. + a) * 0.8 * 0.5;
    check_close(
        spin_after({{"s", ExactSolenoid{.length = 0.5, .ks = 0.8}}}, on_axis(a, {1., 0., 0.})),
        {std::cos(precession), -std::sin(precession), 0.}, 1e-13);
  }
}

TEST_CASE("spins keep their length", "[beam]") {
  BeamLine line;
  for (int i = 0; i < 20; ++i) {
    line.push_back({"qf", ChromaticQuadrupole{.length = 0.2, .k1 = 3.}});
    line.push_back({"b", without_edges(0.3, 0.05, true)});
    line.push_back({"s", ExactSolenoid{.length = 0.1, .ks = 0.2}});
    line.push_back({"qd", CanonicalQuadrupole{.length = 0.2, .k1 = -3., .slices = 1}});
    line.push_back({"d", ExactDrift{0.3}});
  }
  REQUIRE(line.size() == 100);
  const int n = 4;
  ParticleTable start(n, p0);
  start.anomaly = anomaly_of_references;
  start.set_spins(0.36, 0.48, 0.8);
  for (int i = 0; i < n; ++i) {
    start.v[x][i] = 1e-5 * i;
    start.v[yp][i] = 1e-4;
    start.v[delta][i] = 1e-3 * (i - 2);
  }
  const HostExecutor exec;
  auto bunch = upload<double>(exec, start);
  LineTracker<double, HostExecutor> tracker(exec, line, {0., 0.});
  int turns = 0;
  for (const int end : {1000, 10000, 100000}) {
    tracker.track(bunch, end - turns);
    turns = end;
    const auto now = download(exec, bunch);
    REQUIRE(now.n_lost() == 0);
    for (int i = 0; i < n; ++i) {
      const double norm = std::hypot(now.spin[0][i], now.spin[1][i], now.spin[2][i]);
      CAPTURE(turns, i, norm - 1.);
      CHECK(std::abs(norm - 1.) < 1e-14 * turns);  // 1e-9 at the end
    }
  }
}

namespace {

/// A normal number: sum of the two halves of a circle's point, from a sequence without repetition.
double normal(std::uint64_t& state) {
  const auto uniform = [&] {
    state = state * 6364136223846793005u + 1442695040888963407u;
    return (double(state >> 11) + 0.5) * 0x1p-53;
  };
  const double radius = std::sqrt(-2. * std::log(uniform()));
  return radius * std::cos(2. * std::numbers::pi * uniform());
}

}  // namespace

TEST_CASE("a quadrupole of one period depolarises as computed", "[beam]") {
  const int n = 20000;
  ParticleTable table(n, 50. * p0);
  table.anomaly = anomaly_of_references;
  const double gamma = std::sqrt(1. + 2500. * p0 * p0);
  std::uint64_t state = 17;
  const double spread[2] = {3e-5, 2e-5};
  const double length = std::sqrt(0.4 * 0.4 + 0.9 * 0.9 + 0.1 * 0.1);
  for (int i = 0; i < n; ++i)
    for (int c = 0; c < 4; ++c) table.v[c][i] = spread[c % 2] * normal(state);
  table.set_spins(0.4 / length, 0.9 / length, 0.1 / length);
  const HostExecutor exec;
  Workspace<HostExecutor> workspace;
  auto bunch = upload<double>(exec, table);
  const auto before = spin_moments_of(exec, bunch, workspace);
  CHECK(before.polarization() == Catch::Approx(1.).margin(1e-12));
  LineTracker<double, HostExecutor>(exec, chromatic(0.2 * std::numbers::pi, 100.)).track(bunch);
  const auto moments = spin_moments_of(exec, bunch, workspace);
  const double period = 2. * std::numbers::pi;
  const double size = spread[0] * 10. * std::sinh(period);
  const double slope = spread[1] * (std::cosh(period) - 1.);
  const double d2 = (size * size + slope * slope) * std::pow(1. + anomaly_of_references * gamma, 2);
  const double factor = std::exp(-0.5 * d2);
  check_close(moments.mean, {0.4 / length, 0.9 / length * factor, 0.1 / length * factor},
              1.3 / std::sqrt(double(n)));
  CHECK(moments.polarization() < 0.95);
  CHECK(moments.sigma[0] < 1e-3);
}

// Example of ImpactX (examples/spin_tracking): 101 periods at 10 GeV.
TEST_CASE("FODO cells depolarise a wide beam as published", "[beam]") {
  const double gamma = 1. + 1e4 / 0.51099895069, length = std::hypot(0.4, 0.9, 0.1);
  simulation::BunchParams params{.particles = 20000, .p0 = std::sqrt(gamma * gamma - 1.)};
  params.coordinates = simulation::BunchCoordinates::canonical;
  params.cutoff = std::numeric_limits<double>::infinity();
  params.x = {.emittance = 2e-4, .beta = 2.8216194100262637, .alpha = -1.59050035};
  params.y = {.emittance = 2e-4, .beta = 2.8216194100262637, .alpha = 1.59050035};
  params.sigma_s = std::sqrt(2e-5 * 0.5);
  params.sigma_delta = std::sqrt(2e-5 / 0.5);
  params.spin = {{0.4 / length, 0.9 / length, 0.1 / length}};
  params.anomaly = anomaly_of_references;
  const BeamLine cell = {{"d1", ExpandedDrift{0.25}},
                         {"qf", ChromaticQuadrupole{.length = 1., .k1 = 1.}},
                         {"d2", ExpandedDrift{0.5}},
                         {"qd", ChromaticQuadrupole{.length = 1., .k1 = -1.}},
                         {"d3", ExpandedDrift{0.25}}};
  const HostExecutor exec;
  Workspace<HostExecutor> workspace;
  auto bunch = simulation::generate_bunch<double>(exec, params, workspace);
  LineTracker<double, HostExecutor>(exec, cell).track(bunch, 101);
  const auto moments = spin_moments_of(exec, bunch, workspace);
  CHECK(moments.number == 20000.);
  check_close(moments.mean, {0.035 / length, 0.085 / length, 0.077 / length},
              2. / std::sqrt(20000.));
}

TEST_CASE("spin tune and invariant axis of rings", "[beam]") {
  BeamLine ring;
  for (int i = 0; i < 8; ++i) {
    ring.push_back({"qf", ChromaticQuadrupole{.length = 0.2, .k1 = 3.}});
    ring.push_back({"d", ExactDrift{0.3}});
    ring.push_back({"b", without_edges(1., 0.25 * std::numbers::pi, true)});
    ring.push_back({"qd", ChromaticQuadrupole{.length = 0.2, .k1 = -3.}});
  }
  const HostExecutor exec;
  const double momentum = 3000., gamma = std::sqrt(1. + momentum * momentum);
  const auto flat = spin_optics(exec, ring, momentum);
  const double turns = anomaly::electron * gamma;
  CHECK(flat.tune == Catch::Approx(turns - std::floor(turns)).epsilon(1e-12));
  REQUIRE(flat.axis.size() == ring.size() + 1);
  for (const auto& axis : flat.axis) check_close(axis, {0., 1., 0.}, 1e-13);
  // a snake: half a turn around the axis opposite to the start
  const double ks = std::numbers::pi / (1. + anomaly::electron);
  BeamLine snake = ring;
  snake.insert(snake.begin() + 16, {"snake", ExactSolenoid{.length = 1., .ks = ks}});
  const auto half = spin_optics(exec, snake, momentum);
  CHECK(half.tune == Catch::Approx(0.5).epsilon(1e-9));
  check_close(half.axis.front(), half.axis.back(), 1e-12);
  CHECK(std::abs(half.axis.front()[1]) < 1e-9);
  CHECK_THROWS_AS(spin_optics(exec, {{"d", ExactDrift{1.}}}, momentum), UsageError);
}

TEST_CASE("lost particles keep their spins, in the order of particles", "[beam]") {
  const int n = 3000;
  ParticleTable table(n, p0);
  table.set_spins(0., 0., 1.);
  for (int i = 0; i < n; ++i) {
    table.v[x][i] = 1e-6 * (i * 7919 % n);
    table.spin[0][i] = std::sin(1e-3 * i);
    table.spin[2][i] = std::cos(1e-3 * i);
  }
  const HostExecutor exec;
  Workspace<HostExecutor> workspace;
  auto bunch = upload<double>(exec, table);
  const BeamLine line = {{"limit", Collimator{0., {Aperture::Shape::ellipse, 2e-3, 2e-3}}},
                         {"q", ChromaticQuadrupole{.length = 0.1, .k1 = 2.}}};
  LineTracker<double, HostExecutor>(exec, line).track(bunch);
  remove_lost(exec, bunch, workspace);
  CHECK(bunch.n_removed() == n - 2001);
  auto copy = decltype(bunch){};
  copy_bunch(exec, bunch, copy);
  const auto end = download(exec, copy);
  REQUIRE(end.has_spins);
  const auto alone = [&](int i) {
    ParticleTable one(1, p0);
    one.v[x][0] = table.v[x][i];
    one.set_spins(table.spin[0][i], 0., table.spin[2][i]);
    return spin_after({line[1]}, one);
  };
  for (int i = 0; i < n; i += 97) {
    const int id = int(end.ids[i]);
    const bool lost = end.losses[i].element != Loss::none;
    const SpinVector right =
        lost ? SpinVector{table.spin[0][id], 0., table.spin[2][id]} : alone(id);
    check_close({end.spin[0][i], end.spin[1][i], end.spin[2][i]}, right, 0.);
  }
}

TEST_CASE("elements of unknown effect on spins refuse them", "[beam]") {
  using Catch::Matchers::ContainsSubstring;
  const auto start = reference_particle();
  const auto map = quadrupole_map(0.1, 2., 2);
  CHECK_THROWS_WITH(tracked({{"own", MapElement{0.1, map}}}, start),
                    ContainsSubstring("element 'own'") && ContainsSubstring("spin"));
  CHECK_THROWS_WITH(tracked({{"sol", Solenoid{.length = 0.1, .ks = 1.}}}, start),
                    ContainsSubstring("element 'sol'"));
  CHECK_THROWS_WITH(
      tracked({{"d", ExactDrift{1.}}, {"map", BunchMap{MapElement{0.1, map}, 0.01}}}, start),
      ContainsSubstring("element 'map'"));
  MapElement known{0.1, map};
  known.field.is_transverse = true;
  check_close(spin_after({{"own", known}}, start),
              spin_after({{"q", Quadrupole{.length = 0.1, .k1 = 2.}}}, start), 0.);
  ParticleTable table(2, p0);
  CHECK_THROWS_AS(table.set_spins(1., 1., 0.), UsageError);
  table.set_spins(0., 1., 0.);
  table.spin[1].pop_back();
  CHECK_THROWS_AS(check_columns(table), UsageError);
}
