// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <algorithm>
#include <catch2/catch_approx.hpp>
#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <numeric>
#include <string>
#include <trackplex/beam/add_space_charge.hpp>
#include <trackplex/beam/bunch/canonical.hpp>
#include <trackplex/beam/bunch/particle_table.hpp>
#include <trackplex/beam/collective/space_charge_drift.hpp>
#include <trackplex/beam/line_tracker.hpp>
#include <trackplex/core/constants.hpp>
#include <vector>

#include "support/refusals.hpp"

using namespace trackplex;
using namespace trackplex::beam;
using Catch::Approx;
using Space = HostExecutor;

namespace {

double beta_gamma(double gamma) { return std::sqrt(gamma * gamma - 1.); }

/// Numbers that fill [0, 1) evenly: those of J. H. Halton.
double halton(int i, int base) {
  double value = 0., digit = 1.;
  for (int rest = i + 1; rest > 0; rest /= base) {
    digit /= base;
    value += digit * (rest % base);
  }
  return value;
}

std::vector<std::string> names_of(const BeamLine& line) {
  std::vector<std::string> names;
  for (const auto& element : line) names.push_back(element.name);
  return names;
}

double length_of_kicks(const BeamLine& line) {
  double sum = 0.;
  for (const auto& element : line)
    if (const auto* kick = element.kind.as<SpaceChargeKick>()) sum += kick->effective_length;
  return sum;
}

CanonicalMoments moments_after(const ParticleTable& table, const BeamLine& line) {
  const Space exec;
  Workspace<Space> workspace;
  auto bunch = upload<double>(exec, table);
  if (!line.empty()) LineTracker<double, Space>(exec, line, {0., 0.}).track(bunch);
  return canonical_moments_of<double>(exec, bunch, workspace);
}

}  // namespace

TEST_CASE("lines get kicks before or inside of their steps", "[beam]") {
  using Names = std::vector<std::string>;
  const BeamLine line = {{"m", Marker{}},
                         {"d", ExactDrift{0.3}},
                         {"q", Quadrupole{0.1, 2.}},
                         {"k", Kicker{.length = 0.2, .horizontal = 1e-3}}};
  REQUIRE(line.back().kind.is_whole());
  SpaceChargeSteps steps{.max_length = 0.15};
  const auto middle = with_space_charge(line, steps);
  CHECK(names_of(middle) ==
        Names{"m", "d", "d.sc", "d", "d", "d.sc", "d", "q", "q.sc", "q", "k.sc", "k", "k.sc"});
  steps.kick_first = true;
  const auto first = with_space_charge(line, steps);
  CHECK(names_of(first) == Names{"m", "d.sc", "d", "d.sc", "d", "q.sc", "q", "k.sc", "k"});
  for (const auto& with : {middle, first}) {
    CHECK(length_of_kicks(with) == Approx(0.6));
    CHECK(std::transform_reduce(with.begin(), with.end(), 0., std::plus<>(), length_of) ==
          Approx(0.6));
  }
  steps.kick.cells = {32, 16, 8};
  const auto cells = with_space_charge({{"d", Drift{1.}}}, steps);
  CHECK(cells.size() == 14);
  CHECK(cells[0].kind.as<SpaceChargeKick>()->cells == std::array{32, 16, 8});
}

TEST_CASE("lines that get no kicks", "[beam]") {
  const BeamLine line = {{"d", ExactDrift{1.}}};
  for (const double length : {0., -1., std::nan("")})
    test::check_refused<UsageError>([&] { return with_space_charge(line, {.max_length = length}); },
                                    "is not above 0");
  test::check_refused<UsageError>([&] { return with_space_charge(line, {.max_length = 1e-9}); },
                                  "more than ten million steps");
  test::check_refused<UsageError>(
      [] {
        return with_space_charge({{"lsc", SpaceChargeDrift{.length = 1., .bins = 64}}}, {});
      },
      "element 'lsc' has space charge already");
  test::check_refused<UsageError>(
      [&] { return with_space_charge(with_space_charge(line, {}), {}); },
      "element 'd.sc' has space charge already");
}

// An electron bunch of 1 nC and 250 MeV, at rest a ball of 1 mm, doubles its size in 6.000314 m.
TEST_CASE("a cold ball expands", "[beam]") {
  const double gamma = 1. + 250. / 0.51099895, p0 = beta_gamma(gamma), beta = p0 / gamma;
  constexpr int n = 20000;
  ParticleTable table(n, p0);
  for (int i = 0, particle = 0; particle < n; ++i) {
    const double u[] = {2. * halton(i, 2) - 1., 2. * halton(i, 3) - 1., 2. * halton(i, 5) - 1.};
    if (u[0] * u[0] + u[1] * u[1] + u[2] * u[2] > 1.) continue;
    for (const double sign : {1e-3, -1e-3}) {
      table.v[x][particle] = sign * u[0];
      table.v[y][particle] = sign * u[1];
      table.v[s][particle++] = s_of_delay(table.reference, sign * u[2] / (gamma * beta), 0.);
    }
  }
  table.particle_charge = 1e-9 / n;
  SpaceChargeSteps steps{.max_length = 6.000314 / 40.};
  steps.kick.cells = {32, 32, 32};
  const auto before = moments_after(table, {});
  const auto after = moments_after(table, with_space_charge({{"d", ExactDrift{6.000314}}}, steps));
  CHECK(before.sigma(canonical::x) == Approx(4.472136e-4).epsilon(3e-3));
  for (const auto plane : {canonical::x, canonical::y, canonical::ct}) {
    CAPTURE(plane);
    CHECK(after.sigma(plane) / before.sigma(plane) == Approx(2.).epsilon(5e-3));
    CHECK(after.emittance(plane) < 1e-8);
  }
}

// A proton beam of 0.15 A and 250 MeV with a radius of 1 mm doubles its size in 10.612823670 m.
TEST_CASE("a cold cylinder expands", "[beam]") {
  const double mass = 938.27208816, gamma = 1. + 250. / mass, p0 = beta_gamma(gamma);
  const double beta = p0 / gamma, length = 10.;  // m, of the bunch
  constexpr int n = 40000;
  ParticleTable table(n, p0);
  for (int i = 0, particle = 0; particle < n; ++i) {
    const double u[] = {2. * halton(i, 2) - 1., 2. * halton(i, 3) - 1.};
    if (u[0] * u[0] + u[1] * u[1] > 1.) continue;
    for (const double sign : {1e-3, -1e-3}) {
      table.v[x][particle] = sign * u[0];
      table.v[y][particle] = sign * u[1];
      table.v[s][particle] = length * (double(particle) / n - 0.5);
      ++particle;
    }
  }
  // kicks are those of electrons
  const double charge = 0.15 * length / (beta * constants::speed_of_light);
  table.particle_charge = charge / n * 0.51099895 / mass;
  SpaceChargeSteps steps{.max_length = 10.612823670 / 40.};
  steps.kick = {.model = SpaceChargeModel::projected, .cells = {64, 64, 512}};
  const auto before = moments_after(table, {});
  const auto after =
      moments_after(table, with_space_charge({{"d", ExactDrift{10.612823670}}}, steps));
  for (const auto plane : {canonical::x, canonical::y}) {
    CAPTURE(plane);
    CHECK(after.sigma(plane) / before.sigma(plane) == Approx(2.).epsilon(5e-3));
  }
}
