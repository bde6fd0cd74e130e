// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <catch2/catch_template_test_macros.hpp>
#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <numbers>
#include <trackplex/beam/elements/rf_deflector.hpp>
#include <trackplex/core/host_executor.hpp>

#include "beam/collective/space_charge_cases.hpp"
#include "element_sets.hpp"
#include "support/lane_widths.hpp"
#include "support/refusals.hpp"
#include "support/spaces.hpp"

using namespace trackplex;
using namespace trackplex::beam;
using Space = HostExecutor;

namespace {

constexpr double per_degree = std::numbers::pi / 180.;

template <class T, int Width, class OfSpace>
ParticleTable behind_deflector(const ParticleTable& table, const RfDeflector& cavity) {
  const OfSpace exec;
  Workspace<OfSpace> workspace;
  auto bunch = upload<T>(exec, table);
  RfDeflector::Action<T, OfSpace, Width>(exec, cavity)(exec, bunch, workspace);
  return download(exec, bunch);
}

}  // namespace

TEST_CASE("deflecting cavities track as those of elegant", "[beam]") {
  struct Case {
    const char* name;
    double p0;
    RfDeflector cavity;
  };
  const RfDeflector one{.length = 0.4, .voltage = 1e6};
  const auto with = [&](auto change) {
    RfDeflector cavity = one;
    change(cavity);
    return cavity;
  };
  const Case cases[] = {{"l0", 2000., {.voltage = 5e5, .phase = 30. * per_degree}},
                        {"magnetic", 200., with([](RfDeflector& c) {
                           c.magnetic = true;
                           c.kicks = 4;
                         })},
                        {"phase90", 200., with([](RfDeflector& c) {
                           c.phase = 90. * per_degree;
                           c.kicks = 5;
                         })},
                        {"plain", 200., one},
                        {"standing", 200., with([](RfDeflector& c) {
                           c.standing_wave = true;
                           c.kicks = 4;
                         })},
                        {"tilt", 200., with([](RfDeflector& c) {
                           c.length = 0.3;
                           c.phase = 10. * per_degree;
                           c.kicks = 4;
                           c.misalignment = {.dx = 1e-3, .tilt = 1.5707963267948966};
                         })}};
  for (const Case& of : cases) {
    CAPTURE(of.name);
    const auto set = test::element_set(std::string("rfdf_") + of.name, of.p0, of.p0);
    const auto after = behind_deflector<double, test::line_lanes<double>, Space>(
        test::table_before(set), of.cavity);
    const auto deviation = test::deviation_of(after, set);
    CHECK(deviation.largest() <= 1e-12);
  }
}

namespace {

std::vector<RfDeflector> varied_deflectors() {
  const RfDeflector one{.length = 0.3, .voltage = 1e6, .phase = 0.4, .kicks = 3};
  std::vector<RfDeflector> all(3, one);
  all[1].magnetic = true;
  all[1].standing_wave = true;
  all[2].misalignment = {.dx = 1e-3, .dy = -1e-3, .tilt = 0.7};
  all[2].length = 0.;
  return all;
}

template <class T, class OfSpace>
void check_deflector_bits(const ParticleTable& table) {
  for (const RfDeflector& cavity : varied_deflectors()) {
    const auto one = behind_deflector<T, 1, Space>(table, cavity);
    REQUIRE(one.v[xp] != table.v[xp]);
    const auto same = [&](const ParticleTable& other) {
      for (int c = 0; c < n_coordinates; ++c)
        if (other.v[c] != one.v[c]) return false;
      return true;
    };
    CHECK(same(behind_deflector<T, 1, OfSpace>(table, cavity)));
    if constexpr (is_host_space<OfSpace>) {
      CHECK(same(behind_deflector<T, test::line_lanes<T>, OfSpace>(table, cavity)));
    }
  }
}

}  // namespace

TEMPLATE_LIST_TEST_CASE("deflecting cavities give the same bits at every width", "[beam]",
                        test::EnabledSpaces) {
  check_deflector_bits<double, TestType>(test::gaussian_table(1003));
  check_deflector_bits<float, TestType>(test::gaussian_table(53));
}

TEST_CASE("deflecting cavities in single precision", "[beam]") {
  const auto table = test::gaussian_table(1000);
  const double tolerances[] = {1e-9, 5e-9, 1e-9, 5e-9, 2e-9, 1e-7};
  for (const RfDeflector& cavity : varied_deflectors()) {
    const auto expected = behind_deflector<double, test::line_lanes<double>, Space>(table, cavity);
    const auto after = behind_deflector<float, test::line_lanes<float>, Space>(table, cavity);
    for (int c = 0; c < n_coordinates; ++c)
      for (int i = 0; i < table.size(); ++i)
        REQUIRE(std::abs(after.v[c][i] - expected.v[c][i]) < tolerances[c]);
  }
}

TEST_CASE("a magnetic deflection without dependence on x keeps energies", "[beam]") {
  ParticleTable table(4, 200.);
  table.v[y] = {-1e-3, 0., 1e-3, 2e-3};
  table.v[delta] = {0., 0.01, -0.01, 0.1};
  const RfDeflector cavity{.voltage = 1e7, .magnetic = true};
  const auto after = behind_deflector<double, test::line_lanes<double>, Space>(table, cavity);
  for (int i = 0; i < table.size(); ++i) {
    CHECK(after.v[delta][i] == table.v[delta][i]);
    const double momentum = 200. * (1. + table.v[delta][i]);
    const double sine = 1e7 / constants::elegant::electron_energy_from_mass / momentum;
    CHECK(std::abs(after.v[xp][i] - std::tan(std::asin(sine))) < 1e-15);
    CHECK(after.v[yp][i] == 0.);
  }
}

TEST_CASE("a deflecting cavity keeps its phase", "[beam]") {
  const Space exec;
  Workspace<Space> workspace;
  const RfDeflector cavity{.voltage = 1e4, .phase = std::numbers::pi / 2};
  RfDeflectorAction<double, Space, test::line_lanes<double>> action(exec, cavity);
  auto bunch = upload<double>(exec, ParticleTable(2, 200.));
  action(exec, bunch, workspace);
  CHECK(std::abs(download(exec, bunch).v[xp][0]) < 1e-15);
  auto second = upload<double>(exec, ParticleTable(2, 200.));
  second.reference.path_length = 0.01;
  action(exec, second, workspace);
  const double angle = 0.01 * 2. * std::numbers::pi * cavity.frequency / constants::speed_of_light *
                       std::sqrt(1. + 1. / 4e4);
  const double kick = 1e4 / constants::elegant::electron_energy_from_mass / 200.;
  CHECK(std::abs(download(exec, second).v[xp][0] + kick * std::sin(angle)) < 1e-8);
}

TEST_CASE("numbers of slices, and deflecting cavities that are refused", "[beam]") {
  CHECK(RfDeflector{}.slices() == 1);
  CHECK(RfDeflector{.length = 0.001}.slices() == 11);
  CHECK(RfDeflector{.length = 0.4}.slices() == 381);
  CHECK(RfDeflector{.length = 0.4, .kicks = 4}.slices() == 5);
  const auto refused = [](const RfDeflector& cavity, const std::string& why) {
    test::check_refused<UsageError>([&] { cavity.check(ElementCheck("D")); }, why);
  };
  refused({.length = -1.}, "its length cannot be -1");
  refused({.kicks = -1}, "its number of kicks cannot be -1");
  refused({.length = 1., .frequency = 1e14}, "more than a million slices");
  test::check_refused<UsageError>(
      [] {
        RfDeflectorAction<double, Space, test::line_lanes<double>>(Space(), {.frequency = -1.});
      },
      "frequency");
}

TEST_CASE("maps of deflecting cavities are the derivatives of tracking", "[beam]") {
  constexpr double p0 = 2000., step = 1e-6;
  RfDeflector cavity{.length = 0.4, .voltage = 1e5, .phase = 0.8, .kicks = 5};
  ParticleTable table(2 * n_coordinates, p0);
  for (int c = 0; c < n_coordinates; ++c) {
    table.v[c][2 * c] = step;
    table.v[c][2 * c + 1] = -step;
  }
  for (const double phase : {0.8, std::numbers::pi / 2}) {
    cavity.phase = phase;
    const auto map = cavity.map_at(p0);
    const auto after = behind_deflector<double, test::line_lanes<double>, Space>(table, cavity);
    for (int i = 0; i < n_coordinates; ++i)
      for (int j = 0; j < n_coordinates; ++j) {
        CAPTURE(phase, i, j);
        const double derivative = (after.v[i][2 * j] - after.v[i][2 * j + 1]) / (2. * step);
        CHECK(std::abs(derivative - map.R(i + 1, j + 1)) < 2e-5);
      }
  }
  CHECK(std::abs(cavity.map_at(p0).R(6, 1)) > 1e-3);
  CHECK(cavity.map_to(2) == drift_map(0.4, 2));
  CHECK(cavity.map_to(2, p0) == cavity.map_at(p0, 2));
}
