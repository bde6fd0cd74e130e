// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <algorithm>
#include <array>
#include <catch2/catch_approx.hpp>
#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <functional>
#include <numbers>
#include <trackplex/beam/bunch/canonical.hpp>
#include <trackplex/beam/bunch/particle_table.hpp>
#include <trackplex/beam/collective/space_charge_kick.hpp>
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

constexpr double pi = std::numbers::pi;
using Vector = std::array<double, 3>;

double gamma_of(double p0) { return std::sqrt(1. + p0 * p0); }
/// beta gamma of an electron with a kinetic energy, MeV.
double p0_of(double kinetic, double mass = 0.51099895) {
  const double gamma = 1. + kinetic / mass;
  return std::sqrt(gamma * gamma - 1.);
}

/// Places at a fixed time of particles at rest relative to the reference particle.
ParticleTable table_at(double p0, const std::vector<Vector>& places, double charge) {
  ParticleTable table(int(places.size()), p0);
  const double beta = p0 / gamma_of(p0);
  for (int i = 0; i < table.size(); ++i) {
    table.v[x][i] = places[i][0];
    table.v[y][i] = places[i][1];
    table.v[s][i] = s_of_delay(table.reference, -places[i][2] / beta, 0.);
  }
  table.particle_charge = charge / table.size();
  return table;
}

/// Even fillings of ellipsoids, by pairs of opposite particles.
std::vector<Vector> ellipsoid(int n, const Vector& half_axes) {
  std::vector<Vector> places;
  for (int i = 0; int(places.size()) < n; ++i) {
    const Vector u{2. * halton(i, 2) - 1., 2. * halton(i, 3) - 1., 2. * halton(i, 5) - 1.};
    if (u[0] * u[0] + u[1] * u[1] + u[2] * u[2] > 1.) continue;
    for (const double sign : {1., -1.})
      places.push_back(
          {sign * half_axes[0] * u[0], sign * half_axes[1] * u[1], sign * half_axes[2] * u[2]});
  }
  return places;
}

std::vector<Vector> gaussian(int n, const Vector& sigmas) {
  std::vector<Vector> places;
  for (int i = 0; i < n / 2; ++i) {
    const Vector u{sigmas[0] * normal_quantile(halton(i, 2)),
                   sigmas[1] * normal_quantile(halton(i, 3)),
                   sigmas[2] * normal_quantile(halton(i, 5))};
    places.push_back(u);
    places.push_back({-u[0], -u[1], -u[2]});
  }
  return places;
}

bool same(const ParticleTable& a, const ParticleTable& b) { return std::ranges::equal(a.v, b.v); }

struct Kicked {
  ParticleTable table;
  std::vector<Vector> kicks;  ///< changes of momentum over p0
  SpaceChargeGrid grid;
  std::vector<std::int64_t> charges;
  double unit;
};

/// Momenta over p0.
Vector momentum_of(const ParticleTable& table, int i) {
  const double tx = table.v[xp][i], ty = table.v[yp][i];
  const double pz = (1. + table.v[delta][i]) / std::sqrt(1. + tx * tx + ty * ty);
  return {pz * tx, pz * ty, pz};
}

template <class T = double, int Width = 4>
Kicked kicked(const ParticleTable& table, const SpaceChargeKick& kick) {
  const Space exec;
  Workspace<Space> workspace;
  auto bunch = upload<T>(exec, table);
  SpaceChargeKickAction<T, Space, Width> action(exec, kick);
  action(exec, bunch, workspace);
  Kicked result{download(exec, bunch), {}, action.grid(), {}, action.counts_of_particle()};
  for (int i = 0; i < table.size(); ++i) {
    const Vector before = momentum_of(table, i), after = momentum_of(result.table, i);
    result.kicks.push_back(
        {after[0] - before[0], after[1] - before[1], result.table.v[delta][i] - table.v[delta][i]});
  }
  const auto host = to_host(exec, action.charges());
  result.charges.assign(host.data(), host.data() + host.extent(0));
  return result;
}

/// e Q l/(4 pi eps0 m c^2 beta^2 gamma^3), m^2.
double strength(double p0, double charge, double length) {
  return constants::classical_electron_radius * charge / constants::elementary_charge * length /
         (p0 * p0 * gamma_of(p0));
}

/// Slope of the kicks of an axis over the place, and rms deviation from a line relative to the rms
/// kick, of some particles.
struct Slope {
  double slope, deviation;
};
Slope slope_of(const std::vector<Vector>& places, const std::vector<Vector>& kicks, int axis,
               const std::function<bool(const Vector&)>& chosen) {
  double uu = 0., uk = 0., kk = 0.;
  for (std::size_t i = 0; i < places.size(); ++i) {
    if (!chosen(places[i])) continue;
    uu += places[i][axis] * places[i][axis];
    uk += places[i][axis] * kicks[i][axis];
    kk += kicks[i][axis] * kicks[i][axis];
  }
  return {uk / uu, std::sqrt(std::max(0., 1. - uk * uk / (uu * kk)))};
}

/// The bunch of the public benchmark, cold.
std::vector<Vector> benchmark_places(int n) {
  const double beta = p0_of(250.) / gamma_of(p0_of(250.));
  return gaussian(n, {std::sqrt(1e-7), std::sqrt(1e-7), beta * 1e-3});
}

/// Kick of a Gaussian bunch by its ideal field, per place: the integral over its confocal shells.
double kick_of_gaussian(const Vector& v, const Vector& sigmas, int axis, double gamma) {
  const double b = sigmas[0] / (gamma * sigmas[2]), b2 = b * b;
  const Vector q{v[0] / sigmas[0], v[1] / sigmas[1], v[2] / sigmas[2]};
  double sum = 0.;
  constexpr int steps = 2000;
  for (int i = 0; i < steps; ++i) {
    const double u = (i + 0.5) / steps, along = b2 + (1. - b2) * u * u;
    const double density =
        std::exp(-0.5 * u * u * (q[0] * q[0] + q[1] * q[1] + q[2] * q[2] / along)) /
        std::sqrt(along);
    sum += u * u * density / (axis < 2 ? 1. : along) / steps;
  }
  return 2. / (std::sqrt(2. * pi) * sigmas[2]) * v[axis] /
         (axis < 2 ? sigmas[0] * sigmas[0] : sigmas[2] * sigmas[2]) * sum;
}

}  // namespace

TEST_CASE("the field of a uniform ball is that of Coulomb's law", "[beam]") {
  const double p0 = 50., gamma = gamma_of(p0), charge = 1e-9, radius = 1e-3;
  // a ball in its rest frame is shorter in the laboratory
  const auto places = ellipsoid(200000, {radius, radius, radius / gamma});
  const auto result = kicked(table_at(p0, places, charge), {.effective_length = 1e-6});
  const double expected = strength(p0, charge, 1e-6) * gamma / (radius * radius * radius);
  const auto inside = [&](const Vector& v) {
    return std::hypot(v[0], v[1], gamma * v[2]) < 0.8 * radius;
  };
  for (int axis = 0; axis < 3; ++axis) {
    CAPTURE(axis);
    const auto [slope, deviation] = slope_of(places, result.kicks, axis, inside);
    CHECK(slope == Approx(axis < 2 ? expected : gamma * gamma * expected).epsilon(3e-3));
    CHECK(deviation < 0.02);
  }
}

TEST_CASE("the field of a long spheroid is that of its axes, at any energy", "[beam]") {
  const double radius = 1e-3, charge = 2e-10;
  const auto at_rest = ellipsoid(100000, {radius, radius, 5. * radius});
  const auto inside = [&](const Vector& v) {
    return std::hypot(v[0], v[1], v[2] / 5.) < 0.8 * radius;
  };
  const double slow = 1e-3, fast = std::sqrt(1e4 - 1.);
  // lengths for which kicks are equally large
  const double length = 1e-9 * fast * fast / (slow * slow);
  const SpaceChargeKick kick{.effective_length = 1e-9}, longer{.effective_length = length};
  const auto result = kicked(table_at(slow, at_rest, charge), kick);
  const double density = 3. / (5. * radius * radius * radius);  // times 4 pi eps0/Q, over eps0
  const double factors[] = {0.4720895151, 0.4720895151, 0.0558209698};
  for (int axis = 0; axis < 3; ++axis) {
    CAPTURE(axis);
    const auto [slope, deviation] = slope_of(at_rest, result.kicks, axis, inside);
    CHECK(slope == Approx(strength(slow, charge, 1e-9) * density * factors[axis]).epsilon(3e-3));
    CHECK(deviation < 0.03);
  }
  auto squeezed = at_rest;
  for (auto& place : squeezed) place[2] /= gamma_of(fast) / gamma_of(slow);
  const auto at_speed = kicked(table_at(fast, squeezed, charge), longer);
  const double boost = gamma_of(fast) / gamma_of(slow);
  Vector largest{}, highest{};
  for (std::size_t i = 0; i < at_rest.size(); ++i) {
    const Vector at_rest_after = momentum_of(result.table, int(i)),
                 after = momentum_of(at_speed.table, int(i));
    for (int axis = 0; axis < 3; ++axis) {
      const double before = axis < 2 ? 0. : 1.;
      const double expected = (axis < 2 ? 1. : boost) * (at_rest_after[axis] - before);
      largest[axis] = std::max(largest[axis], std::abs(after[axis] - before - expected));
      highest[axis] = std::max(highest[axis], std::abs(expected));
    }
  }
  for (int axis = 0; axis < 3; ++axis) {
    CAPTURE(axis, largest[axis] / highest[axis]);
    CHECK(highest[axis] > 1e-4);
    CHECK(largest[axis] < 1e-12 * highest[axis]);
  }
}

TEST_CASE("the kick of the public benchmark is that of a Gaussian bunch", "[beam]") {
  const double p0 = p0_of(250.), gamma = gamma_of(p0), charge = 1e-9, length = 6.;
  const int n = 200000;
  const auto places = benchmark_places(n);
  const auto table = table_at(p0, places, charge);
  const auto result = kicked(table, {.effective_length = length});
  const double beta = p0 / gamma, k = strength(p0, charge, length);
  const Vector sigmas{std::sqrt(1e-7), std::sqrt(1e-7), beta * 1e-3};
  // rms and slope of the ideal field; those of the grid are 1 to 2 % lower
  const double rms_expected[] = {4.605106516513769e-07, 4.605106516513769e-07,
                                 2.1643434446371206e-06};
  const double slope_expected[] = {0.0012633357547632794, 0.0012633357547632794,
                                   0.0017786071470731147};
  Vector rms{}, slope{}, error{}, ideal{};
  int samples = 0;
  for (int i = 0; i < n; ++i)
    for (int axis = 0; axis < 3; ++axis) {
      rms[axis] += result.kicks[i][axis] * result.kicks[i][axis] / n;
      slope[axis] += result.kicks[i][axis] * places[i][axis] / n;
      if (i % 97 != 0) continue;
      const double of_ideal = k * kick_of_gaussian(places[i], sigmas, axis, gamma);
      ideal[axis] += of_ideal * of_ideal;
      error[axis] += std::pow(result.kicks[i][axis] - of_ideal, 2);
      ++samples;
    }
  for (int axis = 0; axis < 3; ++axis) {
    CAPTURE(axis, samples);
    CHECK(std::sqrt(rms[axis]) == Approx(rms_expected[axis]).epsilon(0.02));
    CHECK(slope[axis] / (sigmas[axis] * sigmas[axis]) / slope_expected[axis] ==
          Approx(0.988).margin(0.007));
    CHECK(std::sqrt(ideal[axis] / (samples / 3)) == Approx(rms_expected[axis]).epsilon(0.02));
    CHECK(std::sqrt(error[axis] / ideal[axis]) < (axis < 2 ? 0.025 : 0.035));
  }
}

TEST_CASE("charges and forces of a bunch add up", "[beam]") {
  const int n = 30001;
  auto places = gaussian(2 * n, {3e-4, 1e-4, 1e-3});
  places.resize(n);
  for (auto& place : places) place[0] += 0.3 * place[2] + 0.2 * std::abs(place[1]);
  for (const SpaceChargeKick& kick :
       {SpaceChargeKick{.effective_length = 0.1, .cells = {32, 64, 16}},
        SpaceChargeKick{.effective_length = 0.1, .model = SpaceChargeModel::projected}}) {
    const auto result = kicked(table_at(20., places, 1e-10), kick);
    std::int64_t charge = 0;
    for (const std::int64_t count : result.charges) charge += count;
    CHECK(charge == std::int64_t(result.unit) * n);
    if (kick.model == SpaceChargeModel::projected) continue;  // forces of different slices
    for (int axis = 0; axis < 3; ++axis) {
      double sum = 0., square = 0.;
      for (const auto& k : result.kicks) {
        sum += k[axis];
        square += k[axis] * k[axis];
      }
      CHECK(square > 0.);
      CHECK(std::abs(sum) < (axis < 2 ? 1e-12 : 1e-4) * std::sqrt(n * square));
    }
    // the box goes with the bunch
    auto moved = places;
    for (auto& place : moved) place[0] += 2e-2;
    const auto after = kicked(table_at(20., moved, 1e-10), kick);
    double largest = 0., highest = 0.;
    for (int i = 0; i < n; ++i) {
      largest = std::max(largest, std::abs(after.kicks[i][1] - result.kicks[i][1]));
      highest = std::max(highest, std::abs(result.kicks[i][1]));
    }
    CHECK(largest < 1e-9 * highest);
  }
}

TEST_CASE("the projected kick of a Gaussian bunch", "[beam]") {
  const double p0 = p0_of(100.), beta = p0 / gamma_of(p0), charge = 1e-9, sigma = 4e-5;
  const int n = 100000;
  const auto places = gaussian(n, {sigma, sigma, beta * 1e-3});
  const auto table = table_at(p0, places, charge);
  SpaceChargeKick kick{.effective_length = 1., .model = SpaceChargeModel::projected};
  kick.cells[2] = 128;
  const auto result = kicked(table, kick);
  const double k = strength(p0, charge, 1.);
  double error = 0., square = 0., largest = 0., highest = 0., along = 0.;
  for (int i = 0; i < n; ++i) {
    const auto& v = places[i];
    const double r2 = v[0] * v[0] + v[1] * v[1], sigma_z = beta * 1e-3;
    const double density =
        std::exp(-0.5 * v[2] * v[2] / (sigma_z * sigma_z)) / (std::sqrt(2. * pi) * sigma_z);
    const double expected = k * density * 2. * v[0] * -std::expm1(-0.5 * r2 / (sigma * sigma)) / r2;
    const double off = result.kicks[i][0] - expected;
    error += off * off;
    square += expected * expected;
    largest = std::max(largest, std::abs(off));
    highest = std::max(highest, std::abs(expected));
    along = std::max(along, std::abs(momentum_of(result.table, i)[2] - 1.));
  }
  CHECK(std::sqrt(error / square) < 0.03);
  CHECK(largest / highest < 5.1e-2);
  CHECK(along < 1e-14);
}

TEST_CASE("the projection acts along the bunch in a pipe", "[beam]") {
  const double p0 = p0_of(20.), beta = p0 / gamma_of(p0), charge = 1e-9, sigma = 1e-3;
  const int n = 100000;
  const auto places = gaussian(n, {sigma, sigma, beta * 0.2});
  SpaceChargeKick kick{.effective_length = 1., .model = SpaceChargeModel::projected};
  kick.pipe_radius = 0.02;
  const auto result = kicked(table_at(p0, places, charge), kick);
  // of a particle on the axis: -lambda' (ln(b^2/(2 sigma^2)) + gamma_E)
  const double sigma_z = beta * 0.2,
               factor = strength(p0, charge, 1.) *
                        (std::log(0.02 * 0.02 / (2. * sigma * sigma)) + std::numbers::egamma);
  int near = 0;
  for (int i = 0; i < n; ++i) {
    const auto& v = places[i];
    if (std::hypot(v[0], v[1]) > 0.05 * sigma || std::abs(v[2]) > 1.5 * sigma_z) continue;
    if (std::abs(v[2]) < 0.5 * sigma_z) continue;
    const double density =
        std::exp(-0.5 * v[2] * v[2] / (sigma_z * sigma_z)) / (std::sqrt(2. * pi) * sigma_z);
    CHECK(result.kicks[i][2] ==
          Approx(factor * density * v[2] / (sigma_z * sigma_z)).epsilon(0.05));
    ++near;
  }
  CHECK(near > 20);
}

TEST_CASE("kicks at a fixed time keep places then, others keep times of arrival", "[beam]") {
  const auto places = gaussian(2000, {1e-3, 1e-3, 1e-2});
  auto table = table_at(2., places, 1e-7);
  for (int i = 0; i < table.size(); ++i) {
    table.v[xp][i] = 0.1 * halton(i, 7) - 0.05;
    table.v[yp][i] = 0.1 * halton(i, 11) - 0.05;
    table.v[delta][i] = 0.02 * halton(i, 13) - 0.01;
  }
  table.reference.path_length = 10.;
  const auto place = [](const ParticleTable& of, int i) {
    const double u = 1. + of.v[delta][i], g = std::sqrt(u * u + 1. / 4.);
    const double way = std::hypot(1., of.v[xp][i], of.v[yp][i]);
    const double d = delay(of.reference, of.v[s][i], of.v[delta][i]), z = -d * u / (g * way);
    return std::array{of.v[x][i] + z * of.v[xp][i], of.v[y][i] + z * of.v[yp][i], z, d};
  };
  const auto in_space = kicked(table, {.effective_length = 0.5});
  const auto projected =
      kicked(table, {.effective_length = 0.5, .model = SpaceChargeModel::projected});
  double largest = 0.;
  for (int i = 0; i < table.size(); ++i) {
    const auto before = place(table, i), after = place(in_space.table, i);
    for (int axis = 0; axis < 3; ++axis)
      CHECK(after[axis] == Approx(before[axis]).epsilon(1e-10).margin(1e-13));
    CHECK(place(projected.table, i)[3] == Approx(before[3]).epsilon(1e-10).margin(1e-13));
    CHECK(projected.table.v[x][i] == table.v[x][i]);
    largest = std::max(largest, std::abs(in_space.kicks[i][0]));
  }
  CHECK(largest > 1e-4);
}

TEST_CASE("bunches without a field, and thin ones", "[beam]") {
  const SpaceChargeKick kick{.effective_length = 1.};
  const SpaceChargeKick projected{.effective_length = 1., .model = SpaceChargeModel::projected};
  for (const auto& of : {kick, projected}) {
    for (const auto& places :
         {std::vector<Vector>{}, {{1e-3, 2e-3, 0.5}}, {{0.3, 0., 1.}, {0.3, 0., 1.}}}) {
      const auto table = table_at(10., places, 1e-9);
      const auto result = kicked(table, of);
      CHECK(same(result.table, table));
      CHECK_FALSE(result.grid.has_field);
    }
    // lines and sheets along each axis, and particles a rounding error apart
    for (int axis = 0; axis < 3; ++axis) {
      auto sheet = gaussian(1000, {1e-3, 1e-3, 1e-3});
      auto line = sheet;
      for (auto& place : sheet) place[axis] = 0.1;
      for (auto& place : line) place[axis] = place[(axis + 1) % 3] = 0.1;
      for (const auto& places : {sheet, line}) {
        const auto result = kicked(table_at(10., places, 1e-20), of);
        CHECK(result.grid.has_field);
        for (const auto& k : result.kicks) {
          CHECK(std::isfinite(k[0] + k[1] + k[2]));
          CHECK(std::abs(k[0]) + std::abs(k[1]) + std::abs(k[2]) < 1.);
        }
      }
    }
    const auto close = kicked(table_at(10., {{1., 1., 0.}, {1. + 0x1p-52, 1., 0.}}, 1e-20), of);
    CHECK(std::isfinite(close.table.v[xp][0] + close.table.v[delta][1]));
  }
  // two particles repel each other
  const auto pair = kicked(table_at(10., {{-1e-3, 0., 0.}, {1e-3, 0., 0.}}, 1e-12), kick);
  CHECK(pair.kicks[0][0] < 0.);
  CHECK(pair.kicks[1][0] == Approx(-pair.kicks[0][0]));
  const auto none = kicked(table_at(10., {{-1e-3, 0., 0.}, {1e-3, 0., 0.}}, 1e-12), {});
  CHECK(none.kicks[0][0] == 0.);
}

TEST_CASE("single precision and other widths", "[beam]") {
  const auto table = table_at(100., gaussian(3001, {1e-4, 1e-4, 1e-4}), 1e-9);
  const SpaceChargeKick kick{.effective_length = 0.1, .cells = {16, 16, 16}};
  const auto one = kicked<double, 1>(table, kick);
  CHECK(same(kicked<double, 8>(table, kick).table, one.table));
  const auto of_float = kicked<float, 8>(table, kick);
  CHECK(same(kicked<float, 1>(table, kick).table, of_float.table));
  double error = 0., square = 0.;
  for (int i = 0; i < table.size(); ++i) {
    error += std::pow(of_float.kicks[i][0] - one.kicks[i][0], 2);
    square += std::pow(one.kicks[i][0], 2);
  }
  CHECK(error < 1e-6 * square);
}

TEST_CASE("kicks that no bunch can have", "[beam]") {
  const auto table = table_at(10., gaussian(100, {1e-3, 1e-3, 1e-3}), 1e-9);
  const auto refused = [&](const SpaceChargeKick& kick, const std::string& why) {
    test::check_refused<UsageError>([&] { return kicked(table, kick); }, why);
  };
  for (const int cells : {0, 4, 12, 1024}) {
    refused({.effective_length = 1., .cells = {64, cells, 64}}, "not a power of two from 8");
  }
  refused({.effective_length = 1., .cells = {512, 512, 512}}, "more than 2^26 cells");
  refused({.effective_length = 1., .margin = -0.1}, "negative or not finite");
  refused({.effective_length = 1., .pipe_radius = 0.1}, "only the projection");
  auto other = table;
  other.particle_charge = 0.;
  test::check_refused<UsageError>([&] { return kicked(other, {.effective_length = 1.}); },
                                  "the particles have no charge");
  other = table;
  other.v[yp][7] = std::nan("");
  test::check_refused<UsageError>([&] { return kicked(other, {.effective_length = 1.}); },
                                  "infinite or not a number");
  test::check_refused<CapacityError>([] { return beam::detail::counts_of_particle(1LL << 39); },
                                     "particles of all ranks");
  for (const std::int64_t n : {1LL, 1000LL, 1000000LL, 1LL << 38}) {
    CHECK(double(n) * beam::detail::counts_of_particle(n) < 0x1p62);
    CHECK(beam::detail::counts_of_particle(n) >= 0x1p23);
  }
}
