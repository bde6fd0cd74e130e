// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <algorithm>
#include <catch2/catch_template_test_macros.hpp>
#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_floating_point.hpp>
#include <cmath>
#include <complex>
#include <memory>
#include <numbers>
#include <trackplex/beam/bunch/particle_table.hpp>
#include <trackplex/beam/collective/impedance.hpp>
#include <trackplex/beam/collective/longitudinal_modes.hpp>
#include <trackplex/beam/collective/transverse_modes.hpp>
#include <trackplex/beam/collective/transverse_wake.hpp>
#include <trackplex/beam/collective/wake.hpp>
#include <trackplex/core/error.hpp>
#include <trackplex/core/host_executor.hpp>
#include <trackplex/core/random.hpp>
#include <utility>
#include <vector>

#include "support/lane_widths.hpp"
#include "support/refusals.hpp"
#include "support/spaces.hpp"

using namespace trackplex;
using namespace trackplex::beam;
using Catch::Matchers::WithinAbs;
using Catch::Matchers::WithinRel;
using Complex = std::complex<double>;

namespace {

constexpr double light = 299792458., rest_energy = 0.51099906e6, bunch_charge = 1e-9;
constexpr double bin_size = 1e-12;  // s

/// Particles of a momentum in slices at these delays, in units of bins, with these weights.
struct Slice {
  double bins;
  int particles;
  double x = 0.;
};
ParticleTable sliced(const std::vector<Slice>& slices, double path_length = 0.) {
  int n = 0;
  for (const Slice& slice : slices) n += slice.particles;
  ParticleTable table(n, 100.);
  table.reference.path_length = path_length;
  int i = 0;
  for (const Slice& slice : slices)
    for (int k = 0; k < slice.particles; ++k, ++i) {
      table.v[s][i] = s_of_delay(table.reference, slice.bins * bin_size * light, 0.);
      table.v[x][i] = slice.x;
    }
  table.particle_charge = bunch_charge / n;
  return table;
}

template <class Modes>
class Cavity {
 public:
  explicit Cavity(const Modes& modes) : action_(exec_, modes) {}

  ParticleTable pass(const ParticleTable& table, int turn = 0) {
    auto bunch = upload<double>(exec_, table);
    action_(exec_, bunch, workspace_, Loss{turn, 0});
    return download(exec_, bunch);
  }
  const auto& action() const { return action_; }
  std::vector<double> volts() const { return action_.profile(exec_).voltage; }
  const HostExecutor& exec() const { return exec_; }

 private:
  HostExecutor exec_;
  Workspace<HostExecutor> workspace_;
  typename Modes::template Action<double, HostExecutor, 1> action_;
};

/// The decay and rotation of a mode over a time, s, and what a charge of 1 C leaves, V.
struct Ringing {
  double k, loaded, ringing, omega, tau;

  explicit Ringing(const Resonator& of)
      : k(2. * std::numbers::pi * of.frequency * of.shunt / (2. * of.quality)),
        loaded(of.quality / (1. + of.coupling)),
        ringing(std::sqrt(loaded * loaded - 0.25)),
        omega(2. * std::numbers::pi * of.frequency * ringing / loaded),
        tau(2. * loaded / (2. * std::numbers::pi * of.frequency)) {}
  Complex over(double t) const { return std::exp(Complex(-t / tau, omega * t)); }
  Complex left() const { return -2. * k * Complex(1., 1. / (2. * ringing)); }
};

LongitudinalModes cavity_of(const Resonator& resonator, int bins = 31) {
  LongitudinalModes cavity;
  cavity.modes = {{resonator, 0., 0.}};
  cavity.bin_size = bin_size;
  cavity.bins = bins;
  return cavity;
}
constexpr Resonator broad{.frequency = 2e10, .quality = 6., .shunt = 1000., .coupling = 0.5};

double gained_energy(const ParticleTable& before, const ParticleTable& after, int i) {  // eV
  const auto gamma = [&](const ParticleTable& of) {
    return std::hypot(1., of.reference.p0 * (1. + of.v[delta][i]));
  };
  return (gamma(after) - gamma(before)) * rest_energy;
}

}  // namespace

TEST_CASE("a point charge loses k q to a mode, and leaves twice that", "[beam][modes]") {
  for (const auto& resonator : {broad, Resonator{1.3e9, 3e4, 1e9}}) {
    const Ringing mode(resonator);
    Cavity cavity(cavity_of(resonator));
    const auto before = sliced({{0., 64}});
    const auto after = cavity.pass(before);
    const double lost = mode.k * bunch_charge;
    for (const int i : {0, 63}) {
      CHECK_THAT(gained_energy(before, after, i), WithinRel(-lost, 1e-9));
      CHECK_THAT(trackplex::beam::delay(after.reference, after.v[s][i], after.v[delta][i]),
                 WithinAbs(0., 1e-16));
    }
    const auto volts = cavity.volts();
    CHECK_THAT(volts[15], WithinRel(-lost, 1e-12));
    for (int bin = 0; bin < 15; ++bin) CHECK(volts[bin] == 0.);
    for (int bin = 16; bin < 31; ++bin) {
      const Complex expected = bunch_charge * mode.left() * mode.over((bin - 15) * bin_size);
      CHECK_THAT(volts[bin], WithinAbs(expected.real(), 1e-11 * lost));
    }
    // The energy in the cavity, |V|^2/(4 k), is what the charge lost
    const Complex phasor = cavity.action().phasors(cavity.exec()).at(0);
    const Complex expected = bunch_charge * mode.left() * mode.over(15. * bin_size);
    CHECK(std::abs(phasor - expected) < 1e-11 * lost);
    if (resonator.quality > 1e3)
      CHECK_THAT(std::norm(phasor) / (4. * mode.k), WithinRel(lost * bunch_charge, 1e-5));
  }
}

TEST_CASE("one pass of a mode is the wake of a resonator", "[beam][modes]") {
  const Ringing mode(broad);
  WakeTable table;
  for (int i = 0; i < 40; ++i) {
    table.time.push_back(bin_size * i);
    const double wake = -(mode.left() * mode.over(bin_size * i)).real();
    table.longitudinal.push_back(i == 0 ? 0.5 * wake : wake);
  }
  const Wake wake{.table = std::make_shared<const WakeTable>(table)};
  const auto before = sliced({{-12., 10}, {-3., 40}, {0., 100}, {3., 40}, {12., 10}});
  const HostExecutor exec;
  Workspace<HostExecutor> workspace;
  auto bunch = upload<double>(exec, before);
  LongitudinalWakeKick<double, HostExecutor, 1> kick(exec, wake);
  kick(exec, bunch, workspace);
  const auto by_wake = download(exec, bunch);
  Cavity cavity(cavity_of(broad));
  const auto by_mode = cavity.pass(before);
  for (int i = 0; i < before.size(); ++i) {
    REQUIRE_THAT(by_mode.v[delta][i], WithinAbs(by_wake.v[delta][i], 1e-15));
    REQUIRE_THAT(by_mode.v[s][i], WithinAbs(by_wake.v[s][i], 1e-17));
  }
  CHECK(std::abs(by_mode.v[delta][100]) > 1e-7);
}

TEST_CASE("one pass of a mode has the voltage of its impedance", "[beam][modes]") {
  constexpr int bins = 4096;
  const Resonator resonator{2e10, 5., 1000.};
  LongitudinalImpedance impedance;
  impedance.table =
      std::make_shared<const ImpedanceTable>(resonator_impedance(1000., 5., 2e10, bin_size, bins));
  Cavity spectrum(impedance);
  Cavity cavity(cavity_of(resonator, bins));
  const auto table = sliced({{0.5, 200}});
  spectrum.pass(table);
  cavity.pass(table);
  const auto of_impedance = spectrum.volts(), of_mode = cavity.volts();
  const double most = 2. * Ringing(resonator).k * bunch_charge;
  for (const int bin : {10, 20, 37, 60})
    CHECK_THAT(of_mode[bins / 2 + bin], WithinAbs(-of_impedance[bins / 2 + bin], 0.015 * most));
}

TEST_CASE("the voltage of many turns is the sum of a geometric series", "[beam][modes]") {
  const double circumference = 240.;
  for (const auto& resonator :
       {Resonator{5e8, 2000., 1e6, 1.}, Resonator{5.003e8, 4e4, 1e8}, Resonator{1e7, 0.8, 50.}}) {
    const Ringing mode(resonator);
    Cavity cavity(cavity_of(resonator, 3));
    for (int turn = 0; turn < 60; ++turn) {
      cavity.pass(sliced({{0., 20}}, turn * circumference), turn);
      const double time = circumference * std::sqrt(1. + 1e-4) / light;
      const Complex z = mode.over(time);
      const Complex sum = z * (1. - std::pow(z, turn)) / (1. - z);  // of z^j, j = 1 to turn
      const double expected = bunch_charge * (mode.left() * sum).real() - mode.k * bunch_charge;
      CAPTURE(resonator.frequency, turn);
      REQUIRE_THAT(cavity.volts()[1],
                   WithinAbs(expected, 2e-9 * (1. + turn) * mode.k * bunch_charge));
    }
  }
}

TEST_CASE("two modes beat, and their sum does not depend on their order", "[beam][modes]") {
  const Resonator first{5e8, 5e4, 1e7}, second{5.02e8, 5e4, 1e7};
  LongitudinalModes both = cavity_of(first, 3);
  both.modes.push_back({second, 0., 0.});
  Cavity cavity(both), one(cavity_of(first, 3)), other(cavity_of(second, 3));
  double most = 0., least = 1e300;
  for (int turn = 0; turn < 40; ++turn) {
    const auto table = sliced({{0., 20}}, turn * 120.);
    cavity.pass(table, turn);
    one.pass(table, turn);
    other.pass(table, turn);
    REQUIRE(cavity.volts()[1] == one.volts()[1] + other.volts()[1]);
    const auto phasors = cavity.action().phasors(cavity.exec());
    most = std::max(most, std::abs(phasors[0] + phasors[1]));
    if (turn > 10) least = std::min(least, std::abs(phasors[0] + phasors[1]));
  }
  CHECK(least < 0.5 * most);
}

TEST_CASE("cavities start with a voltage", "[beam][modes]") {
  const Resonator resonator{5e8, 4e4, 1e7, 3.};
  const Ringing mode(resonator);
  LongitudinalModes started = cavity_of(resonator, 3);
  started.modes[0].voltage = 2e5;
  started.modes[0].phase = 0.7;
  started.initial_time = 1e-9;
  started.cavities = 3.;
  Cavity cavity(started);
  const auto before = sliced({{0., 20}}, 30.);
  const auto after = cavity.pass(before);
  const double time = 30. * std::sqrt(1. + 1e-4) / light - 1e-9;
  const double expected =
      (2e5 * std::polar(1., 0.7) * mode.over(time)).real() - mode.k * bunch_charge;
  CHECK_THAT(cavity.volts()[1], WithinAbs(expected, 1e-4));
  CHECK_THAT(gained_energy(before, after, 0), WithinRel(3. * expected, 1e-9));
  // A bunch at the same time begins with it again
  cavity.pass(before);
  CHECK_THAT(cavity.volts()[1], WithinAbs(expected, 1e-4));
}

TEST_CASE("a preload is the steady state of a ring", "[beam][modes]") {
  const double length = 180., turn_time = length * std::sqrt(1. + 1e-4) / light;
  const double harmonic = std::round(5e8 * turn_time);
  const Resonator resonator{harmonic / turn_time * (1. + 1e-5), 4e4, 1e7, 1.};
  LongitudinalModes preloaded = cavity_of(resonator, 3);
  preloaded.preload_charge = bunch_charge;
  const Complex steady = preloaded.preloaded_phasors(turn_time).at(0);
  const Ringing mode(resonator);
  const Complex z = mode.over(turn_time);
  const Complex sum = bunch_charge * mode.left() * 0.5 * (1. + z) / (1. - z);  // at the bunch
  CHECK(std::abs(steady - sum) < 5e-4 * std::abs(sum));
  CHECK(std::abs(steady.imag()) > 0.1 * std::abs(steady));
  // in a line it is there when the bunch comes first
  const HostExecutor exec;
  LineState state;
  state.shared<LineLength>()->value = length;
  LongitudinalModeKick<double, HostExecutor, 1> action(exec, preloaded, state);
  Workspace<HostExecutor> workspace;
  auto bunch = upload<double>(exec, sliced({{0., 20}}, 50.));
  action(exec, bunch, workspace, Loss{0, 0});
  CHECK_THAT(action.profile(exec).voltage[1],
             WithinRel(steady.real() - mode.k * bunch_charge, 1e-9));
  preloaded.preload_factor = 0.5;
  preloaded.preload_harmonic = int(harmonic);
  CHECK(std::abs(preloaded.preloaded_phasors(turn_time)[0] - 0.5 * steady) <
        1e-12 * std::abs(steady));
  test::check_refused<UsageError>(
      [&] {
        Cavity(preloaded).pass(sliced({{0., 20}}));
      },
      "no harmonic of the turn");
}

TEST_CASE("modes act on chosen turns", "[beam][modes]") {
  const Resonator resonator{5e8, 4e4, 1e7};
  const double self = Ringing(resonator).k * bunch_charge;
  const auto voltage_on = [](const LongitudinalModes& modes, int turn, int turns = 1) {
    Cavity cavity(modes);
    for (int i = turn - turns + 1; i <= turn; ++i) cavity.pass(sliced({{0., 20}}, 120. * i), i);
    const auto volts = cavity.volts();
    return volts.size() > 1 ? volts[1] : 0.;
  };
  const auto with = [&](auto change) {
    LongitudinalModes modes = cavity_of(resonator, 3);
    change(modes.turns);
    return modes;
  };
  const auto ramped = with([](ModeTurns& turns) {
    turns.first = 2;
    turns.ramp = 4;
  });
  CHECK(voltage_on(ramped, 1) == 0.);
  CHECK_THAT(voltage_on(ramped, 2), WithinRel(-self / 4., 1e-12));
  CHECK_THAT(voltage_on(ramped, 4), WithinRel(-self * 0.75, 1e-12));
  CHECK_THAT(voltage_on(ramped, 9), WithinRel(-self, 1e-12));
  const auto rare = with([](ModeTurns& turns) { turns.interval = 3; });
  CHECK(voltage_on(rare, 4) == 0.);
  CHECK_THAT(voltage_on(rare, 3), WithinRel(-3. * self, 1e-12));
  const auto single = with([](ModeTurns& turns) { turns.forget = true; });
  CHECK_THAT(voltage_on(single, 5, 5), WithinRel(-self, 1e-12));
  const auto earlier = with([](ModeTurns& turns) { turns.earlier_only = true; });
  CHECK(voltage_on(earlier, 0) == 0.);
  const auto always = with([](ModeTurns&) {});
  CHECK_THAT(voltage_on(earlier, 5, 5), WithinAbs(voltage_on(always, 5, 5) + self, 1e-11 * self));
  Cavity rigid(with([](ModeTurns& turns) { turns.first_kick = 1; }));
  const auto before = sliced({{0., 20}});
  CHECK(rigid.pass(before).v[delta] == before.v[delta]);
  CHECK_THAT(rigid.volts()[1], WithinRel(-self, 1e-12));
  const auto later = sliced({{0., 20}}, 120.);
  CHECK(rigid.pass(later, 1).v[delta] != later.v[delta]);
}

TEST_CASE("particles between bins have a voltage between theirs", "[beam][modes]") {
  LongitudinalModes modes = cavity_of(broad);
  const auto before = sliced({{-8., 50}, {0.25, 1}, {8., 50}});
  Cavity constant(modes);
  modes.interpolate = true;
  Cavity linear(modes);
  const auto steps = constant.pass(before), between = linear.pass(before);
  const auto volts = linear.volts();
  CHECK_THAT(gained_energy(before, steps, 50), WithinRel(volts[15], 1e-8));
  const double mean = 0.25 / 101.;  // of the delays, in bins
  const double fraction = 0.25 - mean;
  CHECK_THAT(gained_energy(before, between, 50),
             WithinRel(volts[15] + fraction * (volts[16] - volts[15]), 1e-8));
}

namespace {

TransverseModes deflector_of(const Resonator& resonator, int bins = 31) {
  TransverseModes cavity;
  cavity.modes = {{resonator, true, true}};
  cavity.bin_size = bin_size;
  cavity.bins = bins;
  return cavity;
}
constexpr Resonator dipole{.frequency = 1.5e10, .quality = 40., .shunt = 2e5, .coupling = 0.25};

/// Loss factor of a deflecting mode, V/C/m.
double deflecting_loss(const Resonator& of) {
  const Ringing mode(of);
  return mode.k * mode.loaded / mode.ringing;
}

}  // namespace

TEST_CASE("one pass of a deflecting mode is the dipole wake of a resonator", "[beam][modes]") {
  const Ringing mode(dipole);
  WakeTable table;
  for (int i = 0; i < 40; ++i) {
    table.time.push_back(bin_size * i);
    table.x.push_back(2. * deflecting_loss(dipole) * mode.over(bin_size * i).imag());
  }
  table.y = table.x;
  TransverseWake wake{.table = std::make_shared<const WakeTable>(table)};
  wake.x_factor = 2.;
  wake.dx = 1e-4;
  TransverseModes modes = deflector_of(dipole);
  modes.x_factor = 2.;
  modes.dx = 1e-4;
  const auto before =
      sliced({{-12., 10, 1e-3}, {-3., 40, -2e-3}, {0., 100, 5e-4}, {3., 40}, {12., 10}});
  const HostExecutor exec;
  Workspace<HostExecutor> workspace;
  auto bunch = upload<double>(exec, before);
  TransverseWakeKick<double, HostExecutor, 1> kick(exec, wake);
  kick(exec, bunch, workspace);
  const auto by_wake = download(exec, bunch);
  Cavity cavity(modes);
  const auto by_mode = cavity.pass(before);
  double most = 0.;
  for (int i = 0; i < before.size(); ++i) {
    most = std::max(most, std::abs(by_wake.v[xp][i]));
    REQUIRE_THAT(by_mode.v[xp][i], WithinAbs(by_wake.v[xp][i], 1e-5 * std::abs(by_wake.v[xp][i]) +
                                                                   1e-18));  // energies differ
    REQUIRE(by_mode.v[yp][i] == 0.);
  }
  CHECK(most > 1e-7);
}

TEST_CASE("a deflecting kick grows with the displacement of the charge before", "[beam][modes]") {
  const auto kick_of = [](double ahead, double here, const TransverseModes& modes) {
    Cavity cavity(modes);
    return cavity.pass(sliced({{-6., 50, ahead}, {6., 50, here}})).v[xp][50];
  };
  const auto modes = deflector_of(dipole);
  const double kick = kick_of(1e-3, 0., modes);
  CHECK(kick > 1e-8);
  CHECK_THAT(kick_of(2e-3, 0., modes), WithinRel(2. * kick, 1e-12));
  CHECK_THAT(kick_of(-1e-3, 0., modes), WithinRel(-kick, 1e-12));
  CHECK_THAT(kick_of(1e-3, 5e-4, modes), WithinRel(kick, 1e-6));  // its energy changes
  auto only_y = modes;
  only_y.modes[0].in_x = false;
  CHECK(kick_of(1e-3, 0., only_y) == 0.);
}

TEST_CASE("deflecting modes obey the theorem of Panofsky and Wenzel", "[beam][modes]") {
  const Resonator resonator{1.5e10, 1e6, 2e8};  // so that it does not decay
  const Ringing mode(resonator);
  Cavity cavity(deflector_of(resonator));
  const double behind = 1e-7;
  const auto before = sliced({{-6., 50, 1e-3}, {6., 50, behind}});
  const auto after = cavity.pass(before);
  const auto volts = cavity.action().x_profile(cavity.exec()).voltage;
  const auto along = cavity.action().z_profile(cavity.exec()).voltage;
  const double per_bin = bin_size * light, k = mode.omega * bin_size;
  const double slope = (volts[22] - volts[20]) / (2. * per_bin * std::sin(k) / k);
  CHECK_THAT(along[21] / behind, WithinRel(-slope, 1e-5));  // dVz/dx = -dVx/d(ct)
  CHECK(along[15] == 0.);
  // The charge ahead loses the energy that it leaves
  const double q = 0.5 * bunch_charge;
  CHECK_THAT(along[9],
             WithinRel(-mode.omega / light * deflecting_loss(resonator) * q * 1e-6, 1e-12));
  const double beta = 1. / std::sqrt(1. + 1e-4);
  CHECK_THAT(gained_energy(before, after, 0), WithinRel(beta * along[9], 1e-6));
  CHECK_THAT(trackplex::beam::delay(after.reference, after.v[s][50], after.v[delta][50]),
             WithinAbs(6. * per_bin, 1e-15));
}

TEST_CASE("a deflecting voltage of many turns is the sum of a series", "[beam][modes]") {
  const Resonator resonator{5e8, 2000., 1e7, 1.};
  const Ringing mode(resonator);
  Cavity cavity(deflector_of(resonator, 3));
  for (int turn = 0; turn < 40; ++turn) {
    cavity.pass(sliced({{0., 20, 1e-3}}, turn * 240.), turn);
    const Complex z = mode.over(240. * std::sqrt(1. + 1e-4) / light);
    const Complex sum = Complex(0., -2.) * deflecting_loss(resonator) * bunch_charge * 1e-3 * z *
                        (1. - std::pow(z, turn)) / (1. - z);
    const double unit = deflecting_loss(resonator) * bunch_charge * 1e-3;
    CAPTURE(turn);
    REQUIRE_THAT(cavity.action().x_profile(cavity.exec()).voltage[1],
                 WithinAbs(sum.real(), 1e-9 * (1. + turn) * unit));
    REQUIRE_THAT(cavity.action().z_profile(cavity.exec()).voltage[1],
                 WithinAbs(mode.omega / light * 1e-3 * (sum.imag() - unit),
                           1e-9 * (1. + turn) * mode.omega / light * 1e-3 * unit));
  }
}

namespace {

ParticleTable gaussian_table(int n) {
  ParticleTable table(n, 200.);
  const double sigmas[] = {150e-6, 1e-5, 100e-6, 1.5e-5, 3e-4, 1e-4};
  RandomStream<double> random(11, 3);
  for (int i = 0; i < n; ++i) {
    for (int c = 0; c < n_coordinates; ++c)
      table.v[c][i] = std::clamp(random.normal(0., sigmas[c]), -3. * sigmas[c], 3. * sigmas[c]);
    table.v[x][i] += 1e-3;
  }
  table.particle_charge = bunch_charge / n;
  table.reference.path_length = 35.;
  return table;
}

/// Three turns, 100 m each.
template <class T, int Width, class Space, class Modes>
ParticleTable after_turns(const ParticleTable& table, const Modes& modes) {
  const Space exec;
  Workspace<Space> workspace;
  auto bunch = upload<T>(exec, table);
  typename Modes::template Action<T, Space, Width> act(exec, modes);
  for (int turn = 0; turn < 3; ++turn, bunch.reference.path_length += 100.)
    act(exec, bunch, workspace, Loss{turn, 0});
  return download(exec, bunch);
}

LongitudinalModes several_modes() {
  LongitudinalModes modes = cavity_of(broad, 61);
  modes.bin_size = 2e-13;
  modes.interpolate = true;
  modes.modes[0].voltage = 1e4;
  for (int i = 0; i < 9; ++i) modes.modes.push_back({{5e8 + 1e6 * i, 1e4, 1e7}});
  return modes;
}
TransverseModes several_deflecting_modes() {
  TransverseModes modes = deflector_of(dipole, 61);
  modes.bin_size = 2e-13;
  modes.interpolate = true;
  modes.dy = 1e-4;
  for (int i = 0; i < 9; ++i) modes.modes.push_back({{1.5e9 + 1e6 * i, 1e4, 1e9}, i % 2 == 0});
  return modes;
}

}  // namespace

TEMPLATE_LIST_TEST_CASE("modes have the same bits at every width", "[beam][modes]",
                        test::EnabledSpaces) {
  const auto check = [](const auto& modes) {
    const auto check_type = [&]<class T>(T) {
      for (const int n : {3, 20007}) {
        const auto table = gaussian_table(n);
        const auto one = after_turns<T, 1, HostExecutor>(table, modes);
        REQUIRE(one.v[xp] != table.v[xp]);
        const auto same = [&](const ParticleTable& other) {
          for (int c = 0; c < n_coordinates; ++c) CHECK(other.v[c] == one.v[c]);
        };
        same(after_turns<T, 1, TestType>(table, modes));
        if constexpr (is_host_space<TestType>)
          same(after_turns<T, test::line_lanes<T>, TestType>(table, modes));
      }
    };
    check_type(1.);
    check_type(1.f);
  };
  check(several_modes());
  check(several_deflecting_modes());
}

TEST_CASE("modes in single precision", "[beam][modes]") {
  const auto check = [](const auto& modes, int c) {
    const auto table = gaussian_table(20000);
    const auto exact = after_turns<double, 1, HostExecutor>(table, modes);
    const auto rounded = after_turns<float, 1, HostExecutor>(table, modes);
    double largest = 0., kick = 0.;
    for (int i = 0; i < table.size(); ++i) {
      kick = std::max(kick, std::abs(exact.v[c][i] - table.v[c][i]));
      largest = std::max(largest, std::abs(rounded.v[c][i] - exact.v[c][i]));
    }
    CHECK(kick > 1e-6);
    CHECK(largest < 5e-3 * kick);
  };
  check(several_modes(), delta);
  check(several_deflecting_modes(), xp);
}

TEST_CASE("wrong modes and bunches are refused", "[beam][modes]") {
  const auto bunch = sliced({{0., 20}});
  const auto refuse = [&](auto change, const std::string& message) {
    LongitudinalModes modes = cavity_of(broad, 3);
    change(modes);
    test::check_refused<UsageError>([&] { Cavity(modes).pass(bunch); }, message);
  };
  using Modes = LongitudinalModes;
  refuse([](Modes& m) { m.modes.clear(); }, "there is no mode");
  refuse([](Modes& m) { m.bin_size = 0.; }, "have no length");
  refuse([](Modes& m) { m.bins = 1; }, "no such number of bins");
  refuse([](Modes& m) { m.bins = 1 << 22; }, "no such number of bins");
  refuse([](Modes& m) { m.modes[0].resonator.quality = 0.7; }, "above 1/2 with its load");
  refuse([](Modes& m) { m.modes[0].resonator.frequency = 0.; }, "must be above 0");
  refuse([](Modes& m) { m.modes[0].resonator.coupling = -1.; }, "coupling of a mode");
  refuse([](Modes& m) { m.modes[0].voltage = NAN; }, "voltage of a mode");
  refuse([](Modes& m) { m.turns.interval = 0; }, "interval cannot be 0");
  Cavity cavity(cavity_of(broad, 3));
  const auto refuse_bunch = [&](const ParticleTable& table, const std::string& message) {
    test::check_refused<UsageError>([&] { cavity.pass(table); }, message);
  };
  refuse_bunch(sliced({{-3., 20}, {3., 20}}), "particles are outside the bins");
  ParticleTable uncharged = bunch;
  uncharged.particle_charge = 0.;
  refuse_bunch(uncharged, "no charge");
  cavity.pass(bunch, 0);
  test::check_refused<UsageError>(
      [&] {
        cavity.pass(sliced({{0., 20}}, 1e-4), 1);
      },
      "before those of the last turn end");
  CHECK(cavity.pass(ParticleTable(0, 100.)).size() == 0);
  // Particles outside may be allowed, and the element may have the charge of the bunch
  LongitudinalModes modes = cavity_of(broad, 3);
  modes.allow_outside = true;
  modes.charge = bunch_charge;
  uncharged = sliced({{-3., 20}, {0., 20}, {3., 20}});
  uncharged.particle_charge = 0.;
  Cavity charged(modes);
  const auto after = charged.pass(uncharged);
  CHECK(after.v[delta][0] == 0.);
  CHECK_THAT(gained_energy(uncharged, after, 20),
             WithinRel(-Ringing(broad).k * bunch_charge / 3., 1e-8));
}
