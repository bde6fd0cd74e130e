// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_floating_point.hpp>
#include <cmath>
#include <complex>
#include <filesystem>
#include <memory>
#include <numbers>
#include <trackplex/beam/bunch/particle_table.hpp>
#include <trackplex/beam/collective/impedance.hpp>
#include <trackplex/core/error.hpp>
#include <trackplex/core/files.hpp>
#include <trackplex/core/random.hpp>
#include <trackplex/io/elegant/elegant_lattice.hpp>

#include "support/refusals.hpp"

using namespace trackplex;
using namespace trackplex::beam;
using Catch::Matchers::WithinAbs;
using Catch::Matchers::WithinRel;

namespace {

using ImpedanceAction = ImpedanceKick<double, HostExecutor, 1>;

LongitudinalImpedance impedance_of(ImpedanceTable table) {
  return {.table = std::make_shared<const ImpedanceTable>(std::move(table))};
}

/// Particles in two thin slices at these delays, m.
ParticleTable two_slices(double first, double second, int n = 200) {
  ParticleTable table(n, 100.);
  for (int i = 0; i < n; ++i) table.v[s][i] = i % 2 ? first : second;
  table.particle_charge = 1e-9 / n;
  return table;
}

struct Kicked {
  ParticleTable table;
  WakeProfile profile;
};
Kicked through_impedance(const LongitudinalImpedance& impedance, const ParticleTable& table,
                         int turn = 0) {
  const HostExecutor exec;
  Workspace<HostExecutor> workspace;
  auto bunch = upload<double>(exec, table);
  ImpedanceAction action(exec, impedance);
  action(exec, bunch, workspace, Loss{turn, 0});
  return {download(exec, bunch), action.profile(exec)};
}

constexpr double impedance_bin = 1e-12;  // s

}  // namespace

TEST_CASE("a resistance takes the voltage of the current", "[beam][impedance]") {
  constexpr int bins = 64;
  const auto impedance = impedance_of({impedance_bin, std::vector<double>(bins / 2 + 1, 50.),
                                       std::vector<double>(bins / 2 + 1, 0.)});
  const double unit = impedance_bin * constants::speed_of_light;
  const auto [table, profile] = through_impedance(impedance, two_slices(-2.4 * unit, 2.6 * unit));
  const double volts = 50. * 0.5e-9 / impedance_bin;
  for (int bin = 0; bin < bins; ++bin) {
    CAPTURE(bin);
    const bool has_current = bin == bins / 2 - 3 || bin == bins / 2 + 2;
    CHECK_THAT(profile.voltage[bin], WithinAbs(has_current ? volts : 0., 1e-9 * volts));
  }
  const double lost = volts / constants::elegant::electron_energy / 100.;
  for (int i = 0; i < 4; ++i) {
    CHECK_THAT(table.v[delta][i], WithinRel(-lost, 2e-4));
    CHECK_THAT(table.v[s][i], WithinAbs(two_slices(-2.4 * unit, 2.6 * unit).v[s][i], 1e-7));
  }
}

TEST_CASE("the voltage of a resonator rings as its wake does", "[beam][impedance]") {
  constexpr int bins = 4096;
  const double shunt = 1000., quality = 5., frequency = 2e10, charge = 1e-9;
  const auto impedance =
      impedance_of(resonator_impedance(shunt, quality, frequency, impedance_bin, bins));
  const auto [table, profile] = through_impedance(impedance, two_slices(0., 0.));
  const double omega = 2. * std::numbers::pi * frequency, decay = omega / (2. * quality);
  const double ringing = std::sqrt(omega * omega - decay * decay), first = profile.time[bins / 2];
  for (const int bin : {10, 20, 37, 60}) {
    CAPTURE(bin);
    const double t = profile.time[bins / 2 + bin] - first;
    const double wake = 2. * decay * shunt * std::exp(-decay * t) *
                        (std::cos(ringing * t) - decay / ringing * std::sin(ringing * t));
    CHECK_THAT(profile.voltage[bins / 2 + bin],
               WithinAbs(charge * wake, 0.015 * charge * 2. * decay * shunt));
    CHECK_THAT(profile.voltage[bins / 2 - bin], WithinAbs(0., 0.015 * charge * 2. * decay * shunt));
  }
}

TEST_CASE("impedances act from a turn on, with a strength that grows", "[beam][impedance]") {
  LongitudinalImpedance impedance = impedance_of({impedance_bin, {50., 50., 50.}, {0., 0., 0.}});
  impedance.first_turn = 2;
  impedance.ramp_turns = 4;
  const auto loss_on = [&](int turn) {
    return -through_impedance(impedance, two_slices(0., 0.), turn).table.v[delta][0];
  };
  CHECK(loss_on(1) == 0.);
  const double whole = loss_on(5);
  CHECK(whole > 0.);
  CHECK_THAT(loss_on(2), WithinRel(whole / 4., 1e-3));
  CHECK_THAT(loss_on(4), WithinRel(whole * 0.75, 1e-3));
  CHECK(loss_on(9) == whole);
  impedance.factor = -1.;
  CHECK(loss_on(9) < 0.);
}

TEST_CASE("wrong impedances and bunches are refused", "[beam][impedance]") {
  const auto refuse = [](const LongitudinalImpedance& impedance, const ParticleTable& table,
                         const std::string& message) {
    test::check_refused<UsageError>([&] { through_impedance(impedance, table); }, message);
  };
  const auto good = impedance_of({impedance_bin, {1., 1., 1.}, {0., 0., 0.}});
  const auto bunch = two_slices(0., 0.);
  refuse({}, bunch, "no table");
  refuse(impedance_of({0., {1., 1., 1.}, {0., 0., 0.}}), bunch, "no length");
  refuse(impedance_of({impedance_bin, {1., 1.}, {0., 0.}}), bunch, "three frequencies");
  refuse(impedance_of({impedance_bin, {1., 1., 1.}, {0., 0.}}), bunch, "three frequencies");
  refuse(impedance_of({impedance_bin, {1., 1., 1.}, {0., 0., 1.}}), bunch, "complex");
  refuse(impedance_of({impedance_bin, {1., NAN, 1.}, {0., 0., 0.}}), bunch, "not finite");
  refuse(good, two_slices(0., 1e-3), "longer than the half");
  ParticleTable uncharged = bunch;
  uncharged.particle_charge = 0.;
  refuse(good, uncharged, "no charge");
  LongitudinalImpedance long_beam = good;
  long_beam.allow_long_beam = true;
  CHECK_NOTHROW(through_impedance(long_beam, two_slices(0., 1e-3)));
  ParticleTable none(0, 100.);
  CHECK(through_impedance(good, none).table.size() == 0);
}

TEST_CASE("elegant's element ZLONGIT is read", "[beam][impedance]") {
  const auto folder = std::filesystem::temp_directory_path() / "trackplex_impedances";
  std::filesystem::create_directories(folder);
  const auto write = [&](const std::string& name, const std::string& rows) {
    write_file(folder / name,
               "SDDS1\n&column name=f units=Hz type=double &end\n&column name=k type=double &end\n"
               "&column name=Re units=Ohms type=double &end\n&column name=Im type=double &end\n"
               "&data mode=ascii no_row_counts=1 &end\n" +
                   rows);
  };
  write("z.sdds", "0 1 10 0\n1e9 2 20 -1\n2e9 3 30 -2\n3e9 4 40 -3\n4e9 5 50 -4\n");
  write("odd.sdds", "0 1 10 0\n1e9 2 20 -1\n2e9 3 30 -2\n3e9 4 40 -3\n");
  write("uneven.sdds", "0 1 10 0\n1e9 2 20 -1\n2.1e9 3 30 -2\n3e9 4 40 -3\n4e9 5 50 -4\n");
  const auto read = [&](const std::string& parameters) {
    return io::parse_elegant_lattice("z: ZLONGIT," + parameters + "\nl: LINE=(z)\n",
                                     (folder / "z.lte").string())
        .expand();
  };
  const auto of_file = read("ZREAL=\"z.sdds=f+Re\",ZIMAG=\"z.sdds=f+Im\",INTERPOLATE=1,FACTOR=2");
  const auto* impedance = of_file[0].kind.as<LongitudinalImpedance>();
  REQUIRE(impedance);
  CHECK(impedance->interpolate);
  CHECK(impedance->factor == 2.);
  CHECK(impedance->table->bins() == 8);
  CHECK(impedance->table->bin_size == 1. / (8. * 1e9));
  CHECK(impedance->table->real == std::vector<double>{20., 20., 30., 40., 100.});
  CHECK(impedance->table->imaginary == std::vector<double>{0., -1., -2., -3., 0.});
  const auto filtered = read("ZREAL=\"z.sdds=f+Re\",HIGH_FREQUENCY_CUTOFF0=0.3");
  CHECK(filtered[0].kind.as<LongitudinalImpedance>()->table->real ==
        std::vector<double>{20., 20., 0., 0., 100.});
  const auto resonator = read("BROAD_BAND=1,RA=200,Q=1,FREQ=1e9,BIN_SIZE=1e-11,N_BINS=1024");
  impedance = resonator[0].kind.as<LongitudinalImpedance>();
  CHECK(impedance->table->bins() == 32768);
  CHECK(impedance->table->bin_size == 1e-11);
  const auto refuse = [&](const std::string& parameters, const std::string& message) {
    CAPTURE(parameters);
    test::check_refused([&] { return read(parameters); }, message);
  };
  refuse("FACTOR=1", "without BROAD_BAND=1 or a file");
  refuse("BROAD_BAND=1,RA=1,RS=1,FREQ=1e9,BIN_SIZE=1e-11", "RS is given");
  refuse("BROAD_BAND=1,RA=1,FREQ=1e9", "BIN_SIZE");
  refuse("BROAD_BAND=1,RA=1,BIN_SIZE=1e-11", "FREQ");
  refuse("BROAD_BAND=1,RA=1,FREQ=1e9,BIN_SIZE=1e-11,N_BINS=33", "N_BINS");
  refuse("BROAD_BAND=1,RA=1,FREQ=1e9,BIN_SIZE=1e-11,ZREAL=\"z.sdds=f+Re\"", "BROAD_BAND is given");
  refuse("ZREAL=\"odd.sdds=f+Re\"", "2^n + 1");
  refuse("ZREAL=\"uneven.sdds=f+Re\"", "equally spaced");
  refuse("ZREAL=\"z.sdds=f+Re\",ZIMAG=\"odd.sdds=f+Im\"", "those of ZREAL");
  refuse("ZIMAG=\"z.sdds=f+Re\"", "0 at the frequency 0");
  refuse("ZREAL=\"z.sdds=f+Re\",AREA_WEIGHT=1", "AREA_WEIGHT");
}
