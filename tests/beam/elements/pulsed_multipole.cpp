// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_floating_point.hpp>
#include <cmath>
#include <filesystem>
#include <memory>
#include <trackplex/beam/bunch/particle_table.hpp>
#include <trackplex/beam/elements/momentum_ramp.hpp>
#include <trackplex/beam/elements/pulsed_multipole.hpp>
#include <trackplex/beam/line_tracker.hpp>
#include <trackplex/core/error.hpp>
#include <trackplex/core/files.hpp>
#include <trackplex/io/elegant/elegant_lattice.hpp>

#include "support/refusals.hpp"

using namespace trackplex;
using namespace trackplex::beam;
using Catch::Matchers::WithinAbs;
using Catch::Matchers::WithinRel;

namespace {

/// Particles with these delays, s, and momenta, after the turns through a line.
ParticleTable behind_pulses(const BeamLine& line, const std::vector<double>& delays, int turns = 1,
                            double p0 = 1000., double first_delta = 0.) {
  const HostExecutor exec;
  ParticleTable table(int(delays.size()), p0);
  for (int i = 0; i < table.size(); ++i) {
    table.v[x][i] = 1e-3;
    table.v[xp][i] = -1e-3;
    table.v[y][i] = 2e-3;
    table.v[yp][i] = 5e-4;
    table.v[delta][i] = i == 0 ? first_delta : 0.;
    table.v[s][i] = delays[i] * constants::speed_of_light * p0 / std::hypot(1., p0);
  }
  auto bunch = upload<double>(exec, table);
  LineTracker<double, HostExecutor,
              ElementList<steps::ExactDrift, steps::Shift, steps::Rotation,
                          steps::CanonicalMultipole<false>, PulsedMultipole, MomentumRamp>>
      tracker(exec, line, {0., 0.});
  tracker.track(bunch, turns);
  return download(exec, bunch);
}

std::shared_ptr<const Waveform> triangle() {
  return std::make_shared<const Waveform>(Waveform{{-1e-9, 1e-9, 3e-9}, {0., 1., 0.}});
}

/// A folder with a file of a curve.
std::filesystem::path folder_of_curves() {
  const auto folder = std::filesystem::temp_directory_path() / "trackplex_curves";
  std::filesystem::create_directories(folder);
  write_file(folder / "curve.sdds",
             "SDDS1\n&column name=u type=double &end\n&column name=t units=s type=double &end\n"
             "&data mode=ascii no_row_counts=1 &end\n1 0\n1.5 1e-6\n2 3e-6\n");
  write_file(folder / "negative.sdds",
             "SDDS1\n&column name=u type=double &end\n&column name=t units=s type=double &end\n"
             "&data mode=ascii no_row_counts=1 &end\n1 0\n-1 1e-6\n");
  return folder;
}

BeamLine line_of_lattice(const std::string& element) {
  return io::parse_elegant_lattice("e: " + element + "\nl: LINE=(e)\n",
                                   (folder_of_curves() / "e.lte").string())
      .expand();
}

}  // namespace

TEST_CASE("pulsed multipoles are multipoles times their waveform", "[beam][pulsed_multipole]") {
  const std::vector<double> delays = {-5e-9, 0., 1e-9, 2e-9, 2e-9};  // of mean 0
  const double factors[] = {0., 0.5, 1., 0.5, 0.5};
  for (const int order : {1, 2, 3}) {
    PulsedMultipole magnet{.length = 0.3, .strength = 50., .order = order, .waveform = triangle()};
    magnet.slices = 2;
    magnet.misalignment = {.dx = 1e-3, .dy = -2e-3, .tilt = 0.3};
    const auto found = behind_pulses({{"m", magnet}}, delays);
    for (int i = 0; i < found.size(); ++i) {
      CAPTURE(order, i);
      Multipoles field;
      field.normal.resize(std::size_t(order) + 1);
      field.normal.back() = 50. * 0.3 * factors[i];
      const auto same = behind_pulses(
          {{"m",
            CanonicalMultipole{
                .length = 0.3, .field = field, .slices = 2, .misalignment = magnet.misalignment}}},
          delays);
      for (const int c : {x, xp, y, yp, s})
        CHECK_THAT(found.v[c][i], WithinAbs(same.v[c][i], 1e-13));
    }
  }
}

TEST_CASE("pulsed multipoles wait for their turn", "[beam][pulsed_multipole]") {
  const PulsedMultipole magnet{
      .length = 0.3, .strength = 50., .waveform = triangle(), .first_turn = 1};
  const auto drift = behind_pulses({{"d", ExactDrift{0.3}}}, {0.}, 1);
  const auto found = behind_pulses({{"m", magnet}}, {0.}, 1);
  for (int c = 0; c < n_coordinates; ++c)
    CHECK_THAT(found.v[c][0], WithinAbs(drift.v[c][0], 1e-16));
  CHECK(std::abs(behind_pulses({{"m", magnet}}, {0.}, 2).v[xp][0] + 1e-3) > 1e-4);
}

TEST_CASE("ramps change the reference momentum in time", "[beam][momentum_ramp]") {
  const MomentumRamp ramp{
      std::make_shared<const Waveform>(Waveform{{1e-6, 2e-6, 4e-6}, {1., 1.5, 2.}})};
  CHECK(ramp.at(0.) == 1.);
  CHECK(ramp.at(1e-6) == 1.);
  CHECK_THAT(ramp.at(1.5e-6), WithinRel(1.25, 1e-15));
  CHECK_THAT(ramp.at(3e-6), WithinRel(1.75, 1e-15));
  CHECK(ramp.at(5e-6) == 2.);
  // 600 m are 2.0014 us; the momentum of particles stays, and so does their time
  const double p0 = 10., delta = 0.01, length = 600.;
  for (const int turns : {1, 2}) {
    const auto found =
        behind_pulses({{"d", ExactDrift{length}}, {"r", ramp}}, {0., 0.}, turns, p0, delta);
    const double u = 1. + delta,
                 ways[] = {u / std::hypot(u, 1. / p0), 1. / std::hypot(1., 1. / p0)};
    double mean = 0.;
    const double way = turns * length * std::sqrt(1. + 1e-6 + 0.25e-6);
    for (const double velocity : ways) mean += 0.5 * way / (velocity * constants::speed_of_light);
    CAPTURE(turns);
    CHECK_THAT(found.reference.p0, WithinRel(p0 * ramp.at(mean), 1e-12));
    CHECK_THAT(found.reference.p0 * (1. + found.v[beam::delta][0]), WithinRel(p0 * u, 1e-14));
    CHECK_THAT(found.reference.p0 * (1. + found.v[beam::delta][1]), WithinRel(p0, 1e-14));
    CHECK_THAT(found.reference.path_length + found.v[s][0], WithinRel(way, 1e-13));
  }
}

TEST_CASE("elegant's MBUMPER and RAMPP are read", "[beam][pulsed_multipole][momentum_ramp]") {
  const auto line = line_of_lattice(
      "MBUMPER,L=0.3,STRENGTH=20,ORDER=2,WAVEFORM=\"curve.sdds=t+u\",TIME_OFFSET=1e-9,PERIODIC=1,"
      "PHASE_REFERENCE=3,FIRE_ON_PASS=2,N_KICKS=9,TILT=0.1,DX=1e-3");
  const auto* magnet = line[0].kind.as<PulsedMultipole>();
  REQUIRE(magnet);
  CHECK(magnet->strength == 20.);
  CHECK(magnet->order == 2);
  CHECK(magnet->slices == 3);
  CHECK(magnet->first_turn == 2);
  CHECK(magnet->is_periodic);
  CHECK(magnet->misalignment.dx == 1e-3);
  const auto ramps = line_of_lattice("RAMPP,WAVEFORM=\"curve.sdds=t+u\"");
  const auto* ramp = ramps[0].kind.as<MomentumRamp>();
  REQUIRE(ramp);
  CHECK(ramp->at(2e-6) == 1.75);
  const auto refuse = [](const std::string& element, const std::string& message) {
    CAPTURE(element);
    test::check_refused([&] { return line_of_lattice(element); }, message);
  };
  refuse("MBUMPER,L=0.3,ORDER=1", "without a waveform");
  refuse("MBUMPER,L=0.3,WAVEFORM=\"curve.sdds=t+u\"", "ORDER cannot be 0");
  refuse("MBUMPER,L=0.3,WAVEFORM=\"curve.sdds=t+u\",ORDER=1,N_KICKS=-1", "N_KICKS");
  refuse("RAMPP", "without a waveform");
  refuse("RAMPP,WAVEFORM=\"negative.sdds=t+u\"", "not above 0");
  CHECK_THROWS_AS(behind_pulses({{"m", PulsedMultipole{.length = 1.}}}, {0.}), UsageError);
  CHECK_THROWS_AS(behind_pulses({{"r", MomentumRamp{}}}, {0.}), UsageError);
}

TEST_CASE("fields at the poles are refused where the momentum ramps", "[beam][momentum_ramp]") {
  const std::string text =
      "r: RAMPP,WAVEFORM=\"curve.sdds=t+u\"\nq: KQUAD,L=0.5,B=0.1,BORE=0.01\n"
      "w: WIGGLER,L=1,K=1,POLES=3\nl: LINE=(q,r)\nm: LINE=(w,r)\nn: LINE=(q,w)\n";
  const auto file =
      io::parse_elegant_lattice(text, (folder_of_curves() / "r.lte").string(), {.p0 = 1000.});
  for (const char* name : {"l", "m"})
    test::check_refused([&] { return file.expand(name); }, "the reference momentum changes");
  CHECK(file.expand("n").size() == 2);
}
