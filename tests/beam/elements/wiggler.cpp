// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_floating_point.hpp>
#include <cmath>
#include <filesystem>
#include <numbers>
#include <trackplex/beam/elements/wiggler.hpp>
#include <trackplex/core/files.hpp>
#include <trackplex/core/random.hpp>
#include <trackplex/io/elegant/elegant_lattice.hpp>

#include "support/refusals.hpp"

using namespace trackplex;
using namespace trackplex::beam;
using Catch::Matchers::WithinAbs;
using Catch::Matchers::WithinRel;

namespace {

constexpr double wiggler_p0 = 1000.;

Wiggler ideal_wiggler(int steps = 32) {
  return {.length = 1.,
          .periods = 20,
          .vertical = {.peak = 0.5, .harmonics = {{}}},
          .steps_per_period = steps};
}
/// Poles of finite width in x, and a higher harmonic.
Wiggler wide_wiggler(int steps = 32) {
  Wiggler wiggler = ideal_wiggler(steps);
  wiggler.vertical.harmonics = {{1., 0.5, std::sqrt(1.25), 1., 0.},
                                {0.2, 0.5, std::sqrt(9.25), 3., 0.}};
  return wiggler;
}

Particle<double> behind_wiggler(const Wiggler& wiggler, Particle<double> v,
                                double p0 = wiggler_p0) {
  const auto c = steps::Wiggler{wiggler}.coefficients({0, {p0, 2.}});
  RandomStream<double> random(1, 2);
  REQUIRE(beam::detail::pass_wiggler(c.data(), v, [&] { return random.normal(); }));
  return v;
}

Particle<double> some_wiggled() {
  Particle<double> v{};
  v[x] = 2e-3;
  v[xp] = -1e-3;
  v[y] = 1e-3;
  v[yp] = 5e-4;
  v[delta] = 0.01;
  return v;
}

double per_rigidity() {
  return constants::speed_of_light / (constants::elegant::electron_energy * wiggler_p0);
}

double wiggler_difference(const Particle<double>& a, const Particle<double>& b) {
  double largest = 0.;
  for (int i = 0; i < n_coordinates; ++i) largest = std::max(largest, std::abs(a[i] - b[i]));
  return largest;
}

}  // namespace

TEST_CASE("wigglers focus by the mean square of their field", "[beam][wiggler]") {
  TransferMap map = ideal_wiggler().map_to(2, wiggler_p0);
  const double b = 0.5 * per_rigidity(), k = std::sqrt(0.5) * b;
  CHECK_THAT(map.R(3, 3), WithinRel(std::cos(k), 2e-4));
  CHECK_THAT(map.R(4, 3), WithinRel(-k * std::sin(k), 2e-3));
  CHECK_THAT(map.R(1, 1), WithinAbs(1., 1e-9));
  CHECK_THAT(map.R(2, 1), WithinAbs(0., 1e-9));
  CHECK_THAT(map.R(1, 2), WithinAbs(1., 1e-9));
  const double way = 0.25 * std::pow(b * 0.05 / (2. * std::numbers::pi), 2.);
  CHECK_THAT(map.C(5), WithinRel(way, 1e-3));
  CHECK_THAT(map.R(5, 6), WithinRel(-2. * way, 1e-3));
  CHECK(symplecticity(map) < 1e-9);
  CHECK(symplecticity(wide_wiggler().map_to(1, wiggler_p0)) < 1e-6);
  CHECK(ideal_wiggler().map_to(1).R(3, 4) == 1.);  // a drift without a momentum
  Wiggler drift = ideal_wiggler();
  drift.vertical.peak = 0.;
  const auto free = behind_wiggler(drift, some_wiggled());
  CHECK_THAT(free[x], WithinAbs(1e-3, 1e-8));
  CHECK_THAT(free[y], WithinAbs(1.5e-3, 1e-8));
}

TEST_CASE("wigglers are integrated to their order", "[beam][wiggler]") {
  for (const int order : {2, 4}) {
    CAPTURE(order);
    const auto at = [&](int steps, int of_order) {
      Wiggler wiggler = wide_wiggler(steps);
      wiggler.integration_order = of_order;
      return behind_wiggler(wiggler, some_wiggled());
    };
    const auto exact = at(512, 4);
    const double ratio =
        wiggler_difference(at(32, order), exact) / wiggler_difference(at(64, order), exact);
    CHECK(ratio > (order == 2 ? 3.5 : 13.));
    CHECK(ratio < (order == 2 ? 4.5 : 19.));
  }
}

TEST_CASE("a vertical wiggler is a horizontal one that is turned", "[beam][wiggler]") {
  for (const bool split : {false, true}) {
    CAPTURE(split);
    Wiggler horizontal = wide_wiggler();
    auto& harmonics = horizontal.vertical.harmonics;
    horizontal.vertical.has_split_poles = split;
    if (split)
      for (auto& harmonic : harmonics) std::swap(harmonic.kx, harmonic.ky);
    Wiggler vertical = horizontal;
    vertical.horizontal = horizontal.vertical;
    vertical.vertical = {};
    for (auto& harmonic : vertical.horizontal.harmonics) std::swap(harmonic.kx, harmonic.ky);
    CHECK_NOTHROW(check_element({"w", horizontal}));
    CHECK_NOTHROW(check_element({"w", vertical}));
    const auto v = some_wiggled();
    Particle<double> turned = v;
    for (const int i : {int(x), int(xp)}) {  // by a quarter turn
      turned[i] = v[i + 2];
      turned[i + 2] = -v[i];
    }
    // fields of both signs: half a period later
    for (auto& harmonic : vertical.horizontal.harmonics) harmonic.strength *= -1.;
    for (const double sign : {1., -1.}) {
      for (auto& harmonic : vertical.horizontal.harmonics) harmonic.strength *= -1.;
      const auto a = behind_wiggler(horizontal, v), b = behind_wiggler(vertical, turned);
      if (sign > 0.) continue;  // only one of the signs is that of the turned field
      for (const int i : {int(x), int(xp)}) {
        CHECK_THAT(b[i], WithinAbs(a[i + 2], 1e-6));
        CHECK_THAT(b[i + 2], WithinAbs(-a[i], 1e-6));
      }
    }
  }
}

TEST_CASE("particles in wigglers lose energy by radiation", "[beam][wiggler]") {
  Wiggler wiggler = ideal_wiggler(64);
  Particle<double> v{};
  const auto still = behind_wiggler(wiggler, v);
  wiggler.radiates = true;
  const auto radiated = behind_wiggler(wiggler, v);
  const double b = 0.5 * per_rigidity();
  const double loss = 2. / 3. * constants::elegant::classical_electron_radius * 1e9 * 0.5 * b * b;
  CHECK(still[delta] == 0.);
  CHECK_THAT(radiated[delta], WithinRel(-loss, 2e-3));  // one step more than there are
  CHECK_THAT(radiated[x], WithinAbs(still[x], 1e-10));
  wiggler.radiates = false;
  wiggler.quantum = true;
  CHECK(behind_wiggler(wiggler, v)[delta] != 0.);
}

TEST_CASE("factors of poles and ends of the field are those of their places", "[beam][wiggler]") {
  Wiggler wiggler = ideal_wiggler();
  wiggler.periods = 4;
  wiggler.pole_factors = {0.25, 0.75, 0.5};
  const beam::detail::WigglerProfile profile(wiggler, wiggler.vertical);
  const auto factor = [&](double z) {
    return beam::detail::pole_factor(wiggler, profile.start(), profile.end(), z);
  };
  const std::pair<double, double> expected[] = {{0., 0.25},   {0.0626, 0.75}, {0.19, 0.5},
                                                {0.32, 1.},   {0.68, 1.},     {0.69, 0.5},
                                                {0.82, 0.75}, {0.94, 0.25}};
  for (const auto& [z, value] : expected) {
    CAPTURE(z);
    CHECK(factor(z) == value);
  }
  wiggler.vertical.harmonics[0].phase = 0.5 * std::numbers::pi;
  const beam::detail::WigglerProfile matched(wiggler, wiggler.vertical);
  CHECK(!matched.is_inside(0.05));
  CHECK(matched.is_inside(0.0625));
  CHECK(matched.is_inside(0.81));
  CHECK(!matched.is_inside(0.83));
  wiggler.is_matched = false;
  CHECK(beam::detail::WigglerProfile(wiggler, wiggler.vertical).is_inside(0.));
}

TEST_CASE("elegant's element CWIGGLER is read", "[beam][wiggler]") {
  const auto folder = std::filesystem::temp_directory_path() / "trackplex_wigglers";
  std::filesystem::create_directories(folder);
  write_file(folder / "By.sdds",
             "SDDS1\n&column name=Cmn type=double &end\n&column name=KxOverKw type=double &end\n"
             "&column name=KyOverKw type=double &end\n&column name=KzOverKw type=double &end\n"
             "&column name=Phase type=double &end\n&data mode=ascii no_row_counts=1 &end\n"
             "1.0 0.0 1.0 1.0 0.0\n0.5 2.0 2.2360679 1.0 0.0\n");
  const auto read = [&](const std::string& parameters) {
    return io::parse_elegant_lattice("w: CWIGGLER," + parameters + "\nl: LINE=(w)\n",
                                     (folder / "w.lte").string())
        .expand();
  };
  const auto of_file = read("L=1,PERIODS=20,BY_MAX=0.3,BY_FILE=\"By.sdds\",STEPS_PER_PERIOD=10");
  const auto* wiggler = of_file[0].kind.as<Wiggler>();
  REQUIRE(wiggler);
  CHECK(wiggler->steps_per_period == 12);
  CHECK(wiggler->vertical.peak == 0.3);
  REQUIRE(wiggler->vertical.harmonics.size() == 2);
  CHECK(wiggler->vertical.harmonics[1].strength == 0.5);
  CHECK(wiggler->vertical.harmonics[1].ky == 2.2360679);
  CHECK(wiggler->horizontal.harmonics.empty());
  const auto helical = read("L=1,PERIODS=20,B_MAX=0.3,SINUSOIDAL=1,HELICAL=1,SYNCH_RAD=1,ISR=1");
  wiggler = helical[0].kind.as<Wiggler>();
  CHECK(wiggler->vertical.harmonics.size() == 1);
  CHECK(wiggler->horizontal.harmonics[0].phase == 0.5 * std::numbers::pi);
  CHECK(wiggler->radiates);
  CHECK(wiggler->quantum);
  TransferMap map = wiggler->map_to(1, wiggler_p0);
  CHECK_THAT(map.R(2, 1), WithinRel(map.R(4, 3), 0.06));
  const auto vertical = read("L=1,PERIODS=20,B_MAX=0.3,SINUSOIDAL=1,VERTICAL=1");
  CHECK(vertical[0].kind.as<Wiggler>()->vertical.harmonics.empty());
  const auto refuse = [&](const std::string& parameters, const std::string& message) {
    CAPTURE(parameters);
    test::check_refused([&] { return read(parameters); }, message);
  };
  refuse("L=1,B_MAX=1,SINUSOIDAL=1", "PERIODS");
  refuse("L=0,PERIODS=2,B_MAX=1,SINUSOIDAL=1", "a wiggler has a length");
  refuse("L=1,PERIODS=2,B_MAX=1,BY_MAX=1,SINUSOIDAL=1", "give one of them");
  refuse("L=1,PERIODS=2,B_MAX=1,HELICAL=1", "SINUSOIDAL=1");
  refuse("L=1,PERIODS=2,B_MAX=1,SINUSOIDAL=1,BY_FILE=\"By.sdds\"", "sinusoidal");
  refuse("L=1,PERIODS=2,B_MAX=1,BY_FILE=\"none.sdds\"", "none.sdds");
  refuse("L=1,PERIODS=2,B_MAX=1,SINUSOIDAL=1,TGU=1", "TGU");
  refuse("L=1,PERIODS=2,B_MAX=1,SINUSOIDAL=1,BY_CONSTANT=1", "BY_CONSTANT");
  refuse("L=1,PERIODS=2,B_MAX=1,SINUSOIDAL=1,INTEGRATION_ORDER=6", "2 or 4");
  refuse("L=1,PERIODS=2,B_MAX=1,BX_FILE=\"By.sdds\"", "wave number in x");
}

TEST_CASE("elegant's element WIGGLER focuses vertically", "[beam][wiggler]") {
  const auto map_of = [](const std::string& parameters, double p0 = 1000.) {
    const auto file = io::parse_elegant_lattice("w: WIGGLER," + parameters + "\nl: LINE=(w)\n",
                                                "w.lte", {.p0 = p0});
    return file.expand()[0].kind.map_to(2);
  };
  const double length = 1.8, radius = 5.;
  const auto map = map_of("L=1.8,RADIUS=5,POLES=35");
  const double k = 1. / (std::sqrt(2.) * radius), pole = length / 35.;
  CHECK_THAT(map.R(1, 2), WithinRel(length, 1e-15));
  CHECK(map.R(2, 1) == 0.);
  CHECK_THAT(map.R(3, 3), WithinRel(std::cos(k * length), 1e-14));
  CHECK_THAT(map.R(3, 4), WithinRel(std::sin(k * length) / k, 1e-14));
  CHECK_THAT(map.R(4, 3), WithinRel(-k * std::sin(k * length), 1e-14));
  const double pi = std::numbers::pi;
  CHECK_THAT(map.R(5, 6), WithinRel(-17. * pole * pole * pole / (pi * pi * 25.), 1e-14));
  // K = p0 lambda/(2 pi rho), and B rho = p0 m c/e
  const double strength = 1000. * 2. * pole / (2. * pi * radius);
  CHECK_THAT(map_of("L=1.8,POLES=35,RADIUS=99,K=" + std::to_string(strength)).R(4, 3),
             WithinRel(map.R(4, 3), 1e-5));
  const double field =
      1000. * constants::elegant::electron_energy / (constants::speed_of_light * 5.);
  CHECK_THAT(map_of("L=1.8,POLES=35,B=" + std::to_string(field)).R(4, 3),
             WithinRel(map.R(4, 3), 1e-5));
  CHECK(map_of("L=1.8,RADIUS=5,POLES=35,FOCUSING=0").R(4, 3) == 0.);
  CHECK_THAT(map_of("L=1.8,RADIUS=5,POLES=35,TILT=\"pi 2 /\"").R(2, 1),
             WithinRel(map.R(4, 3), 1e-12));
  const auto refuse = [&](const std::string& parameters, const std::string& message) {
    CAPTURE(parameters);
    test::check_refused([&] { return map_of(parameters, 0.); }, message);
  };
  refuse("L=1,RADIUS=5", "POLES");
  refuse("L=1,POLES=3", "RADIUS");
  refuse("L=1,POLES=3,K=1", "needs the reference momentum");
  refuse("L=1,POLES=3,B=1", "needs the reference momentum");
}
