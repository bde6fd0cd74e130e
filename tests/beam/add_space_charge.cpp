// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <algorithm>
#include <array>
#include <catch2/catch_approx.hpp>
#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <numbers>
#include <numeric>
#include <string>
#include <trackplex/beam/add_space_charge.hpp>
#include <trackplex/beam/bunch/canonical.hpp>
#include <trackplex/beam/bunch/particle_table.hpp>
#include <trackplex/beam/collective/space_charge_drift.hpp>
#include <trackplex/beam/line_tracker.hpp>
#include <trackplex/core/constants.hpp>
#include <vector>

#include "beam/even_numbers.hpp"
#include "support/refusals.hpp"

using namespace trackplex;
using namespace trackplex::beam;
using Catch::Approx;
using Space = HostExecutor;
using test::halton, test::normal_quantile;

namespace {

constexpr double proton = 938.27208816, electron = 0.51099895;  // MeV

double beta_gamma(double gamma) { return std::sqrt(gamma * gamma - 1.); }

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

/// Charges of n protons with the kicks of a bunch: those of the library are the kicks of electrons.
double charge_of_proton(double of_bunch, int n) { return of_bunch / n * electron / proton; }

/// Turns the phase space of each plane as focusing does that is the same in all directions at rest.
void focus(ParticleTable& table, double k, double length) {
  const double p0 = table.reference.p0, cosine = std::cos(k * length), sine = std::sin(k * length);
  for (int i = 0; i < table.size(); ++i) {
    Particle<double> v;
    for (int c = 0; c < n_coordinates; ++c) v[c] = table.v[c][i];
    auto q = to_canonical(table.reference, v);
    for (const int plane : {canonical::x, canonical::y, canonical::ct}) {
      const double mass = plane == canonical::ct ? p0 * p0 : 1., at = q[plane], p = q[plane + 1];
      q[plane] = cosine * at + sine / (k * mass) * p;
      q[plane + 1] = cosine * p - sine * k * mass * at;
    }
    v = from_canonical(table.reference, q);
    for (int c = 0; c < n_coordinates; ++c) table.v[c][i] = v[c];
  }
}

ParticleTable tracked(const ParticleTable& table, const BeamLine& line) {
  const Space exec;
  auto bunch = upload<double>(exec, table);
  LineTracker<double, Space>(exec, line, {0., 0.}).track(bunch);
  return download(exec, bunch);
}

/// Tracks along such focusing with a kick in the middle of each of n steps.
void focus_with_kicks(ParticleTable& table, double k, double length, int n, SpaceChargeKick kick) {
  kick.effective_length = length / n;
  for (int i = 0; i < n; ++i) {
    focus(table, k, 0.5 * length / n);
    table = tracked(table, {{"kick", kick}});
    focus(table, k, 0.5 * length / n);
  }
}

/// Unit vector at random numbers of [0, 1).
std::array<double, 3> direction(double along, double around) {
  const double z = 2. * along - 1., r = std::sqrt(1. - z * z);
  const double angle = 2. * std::numbers::pi * around;
  return {r * std::cos(angle), r * std::sin(angle), z};
}

/// R. Kurth's distribution, in units of the edges of positions and momenta.
std::array<std::array<double, 3>, 2> kurth_particle(int i) {
  const double r = std::cbrt(halton(i, 2)), across2 = halton(i, 3), across = std::sqrt(across2);
  const double along =
      std::sqrt((1. - r * r) * (1. - across2)) * std::cos(std::numbers::pi * halton(i, 5));
  const auto n = direction(halton(i, 7), halton(i, 11));
  const auto other = direction(n[2] > 0.9 || n[2] < -0.9 ? 0.5 : 1., 0.);  // x or z
  // u and n x u are across to n
  std::array<double, 3> u{}, at{}, p{};
  double product = 0., length2 = 0.;
  for (int c = 0; c < 3; ++c) product += n[c] * other[c];
  for (int c = 0; c < 3; ++c) length2 += (u[c] = other[c] - product * n[c]) * u[c];
  for (double& component : u) component /= std::sqrt(length2);
  const double angle = 2. * std::numbers::pi * halton(i, 13);
  for (int c = 0; c < 3; ++c) {
    const int d = (c + 1) % 3, e = (c + 2) % 3;
    at[c] = r * n[c];
    p[c] = along * n[c] +
           across * (std::cos(angle) * u[c] + std::sin(angle) * (n[d] * u[e] - n[e] * u[d]));
  }
  return {at, p};
}

/// Stationary bunch in focusing of strength k that is the same in all directions: populations of
/// different temperatures in one potential. Lengths in m; momenta over p0, with temperatures of
/// their square; densities of particles per all particles.
struct ThermalBunch {
  static constexpr int n_radii = 4000, n_populations = 2;
  static constexpr double largest_radius = 0.04;

  double k;
  double strength;                                           ///< e Q/(eps0 m c^2 p0^2)
  std::array<double, n_populations> temperature, at_centre;  ///< the latter relative to the first
  std::array<std::vector<double>, n_populations> within{};   ///< share within a radius

  /// Finds the density at the centre.
  void solve() {
    double low = 0., high = 1e8;
    for (int i = 0; i < 60; ++i) {
      const double density = 0.5 * (low + high);
      (integrate(density) < 1. ? low : high) = density;
    }
  }
  double share(int population) const { return within[population].back(); }
  double radius(int population, double part) const {
    const auto& shares = within[population];
    const auto at = std::ranges::lower_bound(shares, part * shares.back());
    return largest_radius / n_radii * (double(at - shares.begin()) + 0.5);
  }

 private:
  /// Integrates outwards; returns the number of all particles.
  double integrate(double density) {
    constexpr double pi = std::numbers::pi, h = largest_radius / n_radii;
    for (auto& shares : within) shares.assign(1, 0.);
    double potential = 0., all = 0.;  // of the charges
    for (int i = 0; i < n_radii; ++i) {
      const double r = (i + 0.5) * h, energy = 0.5 * k * k * r * r + strength * potential;
      if (energy < -50. * temperature[0]) return 1e9;  // the charges are not held together
      for (int j = 0; j < n_populations; ++j) {
        const double shell =
            density * at_centre[j] * std::exp(-energy / temperature[j]) * 4. * pi * r * r * h;
        within[j].push_back(within[j].back() + shell);
        all += shell;
      }
      potential -= h * all / (4. * pi * (r + 0.5 * h) * (r + 0.5 * h));
    }
    return all;
  }
};

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
  const double gamma = 1. + 250. / electron, p0 = beta_gamma(gamma), beta = p0 / gamma;
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
  const double gamma = 1. + 250. / proton, p0 = beta_gamma(gamma);
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
  table.particle_charge = charge_of_proton(0.15 * length / (beta * constants::speed_of_light), n);
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

// Protons of 6.7 MeV and 0.5 A in the distribution of I. M. Kapchinskij and V. V. Vladimirskij. The
// periodic solution of its envelope equations, sigma'' = -k sigma + K/(2 (sigma_x + sigma_y)) +
// emittance^2/sigma^3, has the size and the slope at the start.
TEST_CASE("a beam is matched to a cell with space charge", "[beam]") {
  constexpr double sigma = 8.585458663e-4, slope = -2.872678201e-3, emittance = 1e-6;
  const double gamma = 1. + 6.7 / proton, p0 = beta_gamma(gamma), length = 10.;
  constexpr int n = 40000;
  ParticleTable table(n, p0);
  for (int i = 0; i < n; ++i) {
    const double part = halton(i, 2), size[] = {std::sqrt(part), std::sqrt(1. - part)};
    for (const int plane : {0, 1}) {
      const double angle = 2. * std::numbers::pi * halton(i, plane == 0 ? 3 : 5);
      const double at = 2. * size[plane] * std::cos(angle), p = 2. * size[plane] * std::sin(angle);
      table.v[2 * plane][i] = sigma * at;
      table.v[2 * plane + 1][i] = (plane == 0 ? slope : -slope) * at + emittance / sigma * p;
    }
    table.v[s][i] = length * (double(i) / n - 0.5);
  }
  const BeamLine cell = {{"d1", ExactDrift{0.0744}},
                         {"qd", ChromaticQuadrupole{0.061, -103.12574100336}},
                         {"d2", ExactDrift{0.1488}},
                         {"qf", ChromaticQuadrupole{0.061, 103.12574100336}},
                         {"d3", ExactDrift{0.0744}}};
  table.particle_charge =
      charge_of_proton(0.5 * length * gamma / (p0 * constants::speed_of_light), n);
  SpaceChargeSteps steps{.max_length = 0.0125};
  steps.kick = {.model = SpaceChargeModel::projected, .cells = {64, 64, 512}};
  const auto before = moments_after(table, {});
  const auto after = moments_after(table, with_space_charge(cell, steps));
  const auto without = moments_after(table, cell);
  for (const auto plane : {canonical::x, canonical::y}) {
    CAPTURE(plane);
    CHECK(before.sigma(plane) == Approx(sigma).epsilon(2e-3));
    CHECK(after.sigma(plane) == Approx(before.sigma(plane)).epsilon(0.01));
    CHECK(after.emittance(plane) == Approx(before.emittance(plane)).epsilon(0.01));
    CHECK(std::abs(without.sigma(plane) / sigma - 1.) > 0.1);
  }
}

// A proton bunch of 10 nC and 2 GeV whose field is linear at any time: all moments return after a
// cell, in which the field lowers the phase advance from 121 to 74 degrees.
TEST_CASE("a bunch of Kurth's distribution returns", "[beam]") {
  const double gamma = 1. + 2000. / proton, p0 = beta_gamma(gamma);
  constexpr int n = 20000;
  ParticleTable table(n, p0);
  const double edge = std::sqrt(5.) * 1.46e-3, momentum_edge = std::sqrt(5.) * 6.84931507e-4;
  for (int i = 0; i < n; ++i) {
    const auto [at, p] = kurth_particle(i / 2);
    const double sign = i % 2 == 0 ? 1. : -1.;
    const auto v = from_canonical(
        table.reference,
        Particle<double>{sign * edge * at[0], sign * momentum_edge * p[0], sign * edge * at[1],
                         sign * momentum_edge * p[1], sign * edge / p0 * at[2],
                         sign * momentum_edge * p0 * p[2]});
    for (int c = 0; c < n_coordinates; ++c) table.v[c][i] = v[c];
  }
  const auto before = moments_after(table, {});
  const auto after_cell = [&](double charge) {
    auto now = table;
    now.particle_charge = charge_of_proton(charge, n);
    SpaceChargeSteps steps{.max_length = 0.05};
    steps.kick.cells = {32, 32, 32};
    const auto drift = with_space_charge({{"d", ExactDrift{1.}}}, steps);
    now = tracked(now, drift);
    focus_with_kicks(now, 0.7, 2., 20, steps.kick);
    return moments_after(now, drift);
  };
  const auto after = after_cell(1e-8), without = after_cell(1e-16);
  CHECK(before.sigma(canonical::ct) == Approx(4.91976383e-4).epsilon(0.01));
  CHECK(before.emittance(canonical::x) == Approx(1e-6).epsilon(0.01));
  for (int c = 0; c < n_coordinates; ++c) {
    CAPTURE(c);
    const auto rms = canonical::Coordinate(c);
    CHECK(after.sigma(rms) == Approx(before.sigma(rms)).epsilon(0.0175));  // 2.5/sqrt(n)
    CHECK(std::abs(without.sigma(rms) / before.sigma(rms) - 1.) > 0.1);
  }
}

// Protons of 0.1 MeV and 143 pC, most of which are cold, with a halo of 5 % that is 25 times as hot
// (R. D. Ryne et al., Proc. EPAC 2004): their field cancels most of the focusing.
TEST_CASE("a cold bunch with a hot halo stays as it is", "[beam]") {
  const double gamma = 1. + 0.1 / proton, p0 = beta_gamma(gamma), k = 2. * std::numbers::pi;
  const double charge = 1. / 7. * 1e-9;
  constexpr double vacuum = 8.8541878128e-12;
  ThermalBunch thermal{.k = k,
                       .strength = charge / (vacuum * proton * 1e6 * p0 * p0),
                       .temperature = {36e-6, 900e-6},
                       .at_centre = {1., 0.0079544}};
  thermal.solve();
  CHECK(thermal.share(0) + thermal.share(1) == Approx(1.).epsilon(1e-6));
  CHECK(thermal.share(1) == Approx(0.05).epsilon(5e-3));
  constexpr int n = 20000, part_of_halo = 20;
  ParticleTable table(n, p0);
  for (int i = 0, numbers[] = {0, 0}; i < n; i += 2) {
    const int population = i / 2 % part_of_halo == 0 ? 1 : 0, number = numbers[population]++;
    const auto u = direction(halton(number, 3), halton(number, 5));
    const double r = thermal.radius(population, halton(number, 2)),
                 spread = std::sqrt(thermal.temperature[population]);
    std::array<double, 3> p{};
    for (int c = 0; c < 3; ++c)
      p[c] = spread * normal_quantile(halton(number, c == 0 ? 7 : c == 1 ? 11 : 13));
    for (const double sign : {1., -1.}) {
      const auto v = from_canonical(
          table.reference, Particle<double>{sign * r * u[0], sign * p[0], sign * r * u[1],
                                            sign * p[1], sign * r * u[2] / p0, sign * p[2] * p0});
      for (int c = 0; c < n_coordinates; ++c) table.v[c][i + (sign < 0. ? 1 : 0)] = v[c];
    }
  }
  const auto before = moments_after(table, {});
  const auto without = [&, now = table]() mutable {
    focus(now, k, 1.25);
    return moments_after(now, {});
  }();
  table.particle_charge = charge_of_proton(charge, n);
  focus_with_kicks(table, k, 1.25, 15, {.cells = {64, 64, 64}});
  const auto after = moments_after(table, {});
  // as published for ImpactX, which draws its particles
  const double sizes[] = {2.7512e-3, 2.7512e-3, 0.1884},
               emittances[] = {2.45e-5, 2.45e-5, 2.444e-5};
  for (int plane = 0; plane < 3; ++plane) {
    CAPTURE(plane);
    const auto at = canonical::Coordinate(2 * plane);
    CHECK(before.sigma(at) == Approx(sizes[plane]).epsilon(0.01));
    CHECK(before.emittance(at) == Approx(emittances[plane]).epsilon(0.02));
    CHECK(after.sigma(at) == Approx(before.sigma(at)).epsilon(0.03));
    CHECK(after.emittance(at) == Approx(before.emittance(at)).epsilon(0.03));
    CHECK(without.sigma(at) < 0.6 * before.sigma(at));
  }
}
