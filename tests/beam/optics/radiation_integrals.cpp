// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <numbers>
#include <trackplex/beam/optics/chromaticity.hpp>
#include <trackplex/beam/optics/closed_orbit.hpp>
#include <trackplex/beam/optics/radiation_integrals.hpp>
#include <trackplex/beam/split_line.hpp>
#include <trackplex/core/host_executor.hpp>

#include "support/refusals.hpp"

using namespace trackplex;
using namespace trackplex::beam;

namespace {

constexpr double p0 = 2000.;

/// Twelve cells whose bends focus, and have edges of different angles.
BeamLine focusing_ring(bool radiates = false) {
  const Element qf{"QF", CanonicalQuadrupole{.length = 0.3, .k1 = 1.6, .slices = 8}};
  const Element qd{"QD", CanonicalQuadrupole{.length = 0.3, .k1 = -1.2, .slices = 8}};
  const Element drift{"D", ExactDrift{0.4}};
  const Element bend{"B", CanonicalBend{.length = 1.,
                                        .angle = std::numbers::pi / 12.,
                                        .strengths = {-0.03},
                                        .entrance = 0.1,
                                        .exit = 0.2,
                                        .slices = 16,
                                        .radiates = radiates}};
  BeamLine line;
  for (int cell = 0; cell < 12; ++cell)
    for (const auto& element : {qf, drift, bend, drift, qd, drift, bend, drift})
      line.push_back(element);
  return line;
}

struct Found {
  double length;
  std::vector<Optics> optics;
  RadiationIntegrals integrals;
};

Found optics_and_integrals(const BeamLine& line) {
  Found result{
      length_of(line), optics_along(line, periodic_twiss(map_of(line, 1, p0)).start, p0), {}};
  result.integrals = radiation_integrals(line, result.optics);
  return result;
}

bool within(double a, double b, double tolerance) { return std::abs(a - b) <= tolerance; }

}  // namespace

TEST_CASE("radiation integrals are those along bends in many parts", "[beam]") {
  const auto line = focusing_ring();
  const auto [length, optics, of] = optics_and_integrals(line);
  const double h = std::numbers::pi / 12.;  // bends of 1 m
  CHECK(within(of.i2, 24. * h * h, 1e-13));
  CHECK(within(of.i3, 24. * h * h * h, 1e-13));
  const auto turn = map_of(line, 2, p0);
  CHECK(within(of.i1 / length, chromaticity(turn, periodic_twiss(turn), length).momentum_compaction,
               1e-9));
  double i4 = 0., i5 = 0.;
  constexpr int parts = 400;
  const auto fine = split(line, parts);
  const auto along = optics_along(fine, optics.front(), p0);
  for (std::size_t i = 0; i < fine.size(); ++i) {
    const auto bend = fine[i].kind.axis_bend();
    if (bend.angle == 0.) continue;
    const double d = length_of(fine[i]);
    const auto& [before, after] = std::pair(along[i], along[i + 1]);
    const double eta = 0.5 * (before.dispersion[0] + after.dispersion[0]);
    i4 += d * h * (h * h - 2. * 0.03) * eta -
          h * h * std::tan(bend.entrance) * before.dispersion[0] -
          h * h * std::tan(bend.exit) * after.dispersion[0];
    for (const auto& at : {before, after}) {
      const auto& [e, slope, y, yp] = at.dispersion;
      i5 += 0.5 * d * h * h * h *
            (at.x.gamma() * e * e + 2. * at.x.alpha * e * slope + at.x.beta * slope * slope);
    }
  }
  CHECK(within(of.i4 / i4, 1., 1e-4));
  CHECK(within(of.i5 / i5, 1., 2e-3));
}

TEST_CASE("energy loss and damping of momenta are those of tracked electrons", "[beam]") {
  const auto [length, optics, of] = optics_and_integrals(focusing_ring());
  const auto equilibrium = radiation_equilibrium(of, p0, length);
  const double lost = equilibrium.energy_loss / constants::elegant::electron_energy / p0;
  OrbitTracker<HostExecutor> tracker({}, focusing_ring(true), p0);
  const auto turn = tracker.turn_about({});
  CHECK(within(turn.component[delta].c / -lost, 1., 1e-3));
  double damped = turn.R(6, 6) - 1.;  // of a particle on the dispersive orbit
  for (int j = 1; j <= 4; ++j) damped += turn.R(6, j) * optics.front().dispersion[j - 1];
  CHECK(within(damped / -lost, equilibrium.momentum_partition, 5e-3));
  CHECK(std::abs(equilibrium.momentum_partition - 2.) > 0.1);
  CHECK(within(equilibrium.x_partition + equilibrium.momentum_partition, 3., 1e-14));
  // Sands: the damping time of J = 1 is 2 E T0/U0
  const double turns = 2. / lost;
  CHECK(within(equilibrium.y_time * constants::speed_of_light / length / turns, 1., 1e-6));
}

TEST_CASE("a ring gives its equilibrium to the element of its radiation", "[beam]") {
  auto line = focusing_ring();
  line.push_back({"S", SynchrotronRadiationEffects{.coupling = 0.01}});
  line.push_back(
      {"T", SynchrotronRadiationEffects{.x_emittance = 1e-9, .reference_momentum = 1e3}});
  const auto with = with_equilibrium(line, p0);
  const auto [length, optics, of] = optics_and_integrals(focusing_ring());
  const auto expected = radiation_equilibrium(of, p0, length);
  const auto& effects = *with[with.size() - 2].kind.as<SynchrotronRadiationEffects>();
  CHECK(effects.reference_momentum == p0);
  CHECK(within(effects.x_emittance * (1. + 0.01 / expected.x_partition) / expected.x_emittance, 1.,
               1e-12));
  CHECK(within(effects.y_emittance / effects.x_emittance, 0.01, 1e-12));
  CHECK(within(effects.momentum_spread / expected.momentum_spread, 1., 1e-12));
  CHECK(effects.x_optics->beta == optics.back().x.beta);
  const auto& other = *with.back().kind.as<SynchrotronRadiationEffects>();
  CHECK(other.reference_momentum == 1e3);
  CHECK(other.x_emittance == 1e-9);
}

TEST_CASE("radiation integrals are refused where they do not exist", "[beam]") {
  auto line = focusing_ring();
  line.push_back(
      {"V", Bend{.magnet = {.length = 1., .angle = 0.1}, .misalignment = {.tilt = 0.5}}});
  const auto optics = std::vector<Optics>(line.size() + 1);
  test::check_refused<UsageError>([&] { radiation_integrals(line, optics); }, "'V'");
  test::check_refused<UsageError>([&] { radiation_equilibrium({}, p0, 1.); }, "no bends");
  test::check_refused<UsageError>([&] { radiation_equilibrium({.i2 = 1., .i4 = 2.}, p0, 1.); },
                                  "not damped");
}
