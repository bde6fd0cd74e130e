// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>
#include <catch2/matchers/catch_matchers_floating_point.hpp>
#include <cmath>
#include <trackplex/beam/bunch/particle_table.hpp>
#include <trackplex/beam/line_tracker.hpp>
#include <trackplex/core/error.hpp>
#include <trackplex/io/elegant/elegant_lattice.hpp>

#include "support/refusals.hpp"

using namespace trackplex;
using namespace trackplex::beam;
using Catch::Matchers::WithinAbs;
using Catch::Matchers::WithinRel;

namespace {

constexpr Scatter kicks{.dx = 1e-4, .dxp = 2e-5, .dy = 3e-4, .dyp = 4e-5, .dp = 1e-3};

/// Particles at one place behind passes through an element, between two drifts.
ParticleTable scattered(const Scatter& scatter, int particles, int turns = 1, int first_turn = 0) {
  const HostExecutor exec;
  ParticleTable table(particles, 20.);
  for (int i = 0; i < particles; ++i) table.v[delta][i] = 0.01;
  auto bunch = upload<double>(exec, table);
  LineTracker<double, HostExecutor, ElementList<steps::ExactDrift, Scatter>> tracker(
      exec, {{"d", ExactDrift{2.}}, {"scatter", scatter}}, {0., 0.});
  tracker.track(
      bunch, turns, [](auto&&...) {}, first_turn);
  return download(exec, bunch);
}

struct Sample {
  double mean, rms, largest;
};
Sample sample_of(const std::vector<double>& values, double about) {
  Sample sample{0., 0., 0.};
  for (const double value : values) {
    sample.mean += (value - about) / double(values.size());
    sample.rms += (value - about) * (value - about) / double(values.size());
    sample.largest = std::max(sample.largest, std::abs(value - about));
  }
  sample.rms = std::sqrt(sample.rms);
  return sample;
}

double time_of(const ParticleTable& table, int i) {
  const double p = table.reference.p0 * (1. + table.v[delta][i]);
  return (table.reference.path_length + table.v[s][i]) * std::hypot(1., p) / p;
}

constexpr std::pair<Coordinate, double> amplitudes[] = {
    {x, kicks.dx}, {xp, kicks.dxp}, {y, kicks.dy}, {yp, kicks.dyp}, {delta, kicks.dp}};

}  // namespace

TEST_CASE("scattered particles have the moments of the distribution", "[beam][scatter]") {
  constexpr int n = 100000;
  const bool is_uniform = GENERATE(false, true);
  Scatter scatter = kicks;
  scatter.is_uniform = is_uniform;
  const auto table = scattered(scatter, n);
  for (const auto& [c, amplitude] : amplitudes) {
    CAPTURE(c, is_uniform);
    const auto sample = sample_of(table.v[c], c == delta ? 0.01 : 0.);
    const double sigma = is_uniform ? amplitude / std::sqrt(3.) : amplitude;
    CHECK_THAT(sample.rms, WithinRel(sigma, 0.01));
    CHECK_THAT(sample.mean, WithinAbs(0., 4. * sigma / std::sqrt(double(n))));
    CHECK(sample.largest <= (is_uniform ? amplitude : 5.5 * amplitude));
    CHECK(sample.largest > (is_uniform ? 0.999 * amplitude : 3.8 * amplitude));
  }
  double products = 0.;
  for (int i = 0; i < n; ++i) products += table.v[x][i] * table.v[delta][i];
  CHECK(std::abs(products / n) < 0.02 * 1e-4 * 1e-3 + 0.01 * 1e-4 * 4. / std::sqrt(double(n)));
  const double time = 2. * std::hypot(1., 20.2) / 20.2;  // of the drift
  for (int i = 0; i < 100; ++i) CHECK_THAT(time_of(table, i), WithinRel(time, 1e-15));
}

TEST_CASE("particles are scattered with a probability, on some turns", "[beam][scatter]") {
  Scatter scatter{.dy = 1e-3, .probability = 0.3, .first_turn = 5, .last_turn = 6};
  const auto changed = [](const ParticleTable& table) {
    return int(std::ranges::count_if(table.v[y], [](double value) { return value != 0.; }));
  };
  constexpr int n = 10000;
  CHECK(changed(scattered(scatter, n, 5)) == 0);
  CHECK_THAT(double(changed(scattered(scatter, n, 6))), WithinAbs(0.3 * n, 4. * std::sqrt(n)));
  CHECK_THAT(double(changed(scattered(scatter, n, 10))), WithinAbs(0.51 * n, 4. * std::sqrt(n)));
  CHECK(changed(scattered(scatter, n, 3, 7)) == 0);
  scatter.last_turn = -1;
  CHECK(changed(scattered(scatter, n, 3, 7)) > 6000);
}

TEST_CASE("elegant's element SCATTER is read", "[beam][scatter]") {
  const auto read = [](const std::string& parameters) {
    return io::parse_elegant_lattice("s: SCATTER," + parameters + "\nl: LINE=(s)\n", "s.lte")
        .expand();
  };
  const auto line = read(
      "X=1e-3,XP=2e-3,Y=3e-3,YP=4e-3,DP=5e-3,PROBABILITY=0.5,STARTONPASS=2,ENDONPASS=4,"
      "DISTRIBUTION=\"uniform\"");
  const auto* scatter = line[0].kind.as<Scatter>();
  REQUIRE(scatter);
  CHECK(scatter->dx == 1e-3);
  CHECK(scatter->dxp == 2e-3);
  CHECK(scatter->dy == 3e-3);
  CHECK(scatter->dyp == 4e-3);
  CHECK(scatter->dp == 5e-3);
  CHECK(scatter->probability == 0.5);
  CHECK(scatter->is_uniform);
  CHECK(scatter->first_turn == 2);
  CHECK(scatter->last_turn == 4);
  CHECK(!read("DP=1e-3")[0].kind.as<Scatter>()->is_uniform);
  CHECK_THROWS_AS(read("DISTRIBUTION=\"flat\""), InputError);
  CHECK_THROWS_AS(read("DP=1e-3,PROBABILITY=-1"), InputError);
}
