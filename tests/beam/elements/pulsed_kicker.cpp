// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_floating_point.hpp>
#include <cmath>
#include <filesystem>
#include <memory>
#include <trackplex/beam/bunch/particle_table.hpp>
#include <trackplex/beam/line_tracker.hpp>
#include <trackplex/core/error.hpp>
#include <trackplex/core/files.hpp>
#include <trackplex/io/elegant/elegant_lattice.hpp>

#include "support/refusals.hpp"

using namespace trackplex;
using namespace trackplex::beam;
using Catch::Matchers::WithinAbs;

namespace {

constexpr double pulse = 1e-9;  // s

/// Rises over 1 ns, stays for 2 ns and falls at once.
std::shared_ptr<const Waveform> some_pulse() {
  return std::make_shared<const Waveform>(
      Waveform{{0., pulse, 3. * pulse, 3. * pulse, 4. * pulse}, {0., 1., 1., 0.25, 0.}});
}

PulsedKicker usual_pulsed_kicker() {
  return {.length = 0.3, .angle = 2e-3, .waveform = some_pulse()};
}

/// Particles behind a line, with these delays, s, at the same place and direction.
ParticleTable kicked(const BeamLine& line, const std::vector<double>& delays, int turns = 1) {
  const HostExecutor exec;
  ParticleTable table(int(delays.size()), 1000.);
  for (int i = 0; i < table.size(); ++i) {
    table.v[x][i] = 1e-3;
    table.v[xp][i] = -1e-3;
    table.v[y][i] = 2e-3;
    table.v[yp][i] = 5e-4;
    table.v[delta][i] = 0.;
    table.v[s][i] = delays[i] * constants::speed_of_light * 1000. / std::hypot(1., 1000.);
  }
  auto bunch = upload<double>(exec, table);
  LineTracker<double, HostExecutor,
              ElementList<steps::ExactDrift, steps::Shift, steps::Rotation, steps::CircularKick,
                          PulsedKicker>>
      tracker(exec, line, {0., 0.});
  tracker.track(bunch, turns);
  return download(exec, bunch);
}

}  // namespace

TEST_CASE("pulsed kickers follow their waveform", "[beam][pulsed_kicker]") {
  // of mean 0, from the fiducial time on
  const std::vector<double> delays = {-8e-9, 0.25e-9, 1.e-9, 2.5e-9, 3.5e-9, 0.75e-9};
  const double factors[] = {0., 0.25, 1., 1., 0.125, 0.75};
  PulsedKicker kicker = usual_pulsed_kicker();
  kicker.length = 0.;
  const auto thin = kicked({{"k", kicker}}, delays);
  for (int i = 0; i < thin.size(); ++i) {
    CAPTURE(i);
    CHECK_THAT(thin.v[xp][i], WithinAbs(-1e-3 + 2e-3 * factors[i], 1e-15));
    CHECK(thin.v[x][i] == 1e-3);
    CHECK(thin.v[yp][i] == 5e-4);
  }
  kicker.time_offset = 2e-9;
  const auto later = kicked({{"k", kicker}}, delays);
  CHECK_THAT(later.v[xp][3], WithinAbs(-1e-3 + 1e-3, 1e-12));
  CHECK(later.v[xp][2] == -1e-3);
  kicker.time_offset = 0.;
  kicker.is_periodic = true;
  const auto again = kicked({{"k", kicker}}, {-20e-9, 20e-9 + 4.5e-9, -4.5e-9});
  CHECK_THAT(again.v[xp][1], WithinAbs(-1e-3 + 1e-3, 1e-10));
  CHECK(again.v[xp][0] == -1e-3);
  kicker.is_periodic = false;
  kicker.first_turn = 1;
  CHECK(kicked({{"k", kicker}}, delays).v[xp][2] == -1e-3);
  CHECK_THAT(kicked({{"k", kicker}}, delays, 2).v[xp][2], WithinAbs(1e-3, 1e-12));
}

TEST_CASE("pulsed kickers bend on circles and are drifts without a pulse",
          "[beam][pulsed_kicker]") {
  const std::vector<double> delays = {-2e-9, 2e-9};
  PulsedKicker kicker = usual_pulsed_kicker();
  const auto found = kicked({{"k", kicker}}, delays);
  const auto drift = kicked({{"d", ExactDrift{0.3}}}, delays);
  const auto exact = kicked({{"k", ExactKicker{.length = 0.3, .horizontal = 2e-3}}}, delays);
  for (int c = 0; c < n_coordinates; ++c) {
    CAPTURE(c);
    CHECK_THAT(found.v[c][0], WithinAbs(drift.v[c][0], 1e-16));
    CHECK_THAT(found.v[c][1], WithinAbs(exact.v[c][1], 2e-7));  // y' counts in its plane only
  }
  kicker.misalignment = {.dx = 1e-3, .dy = -1e-3, .tilt = 0.5 * std::acos(-1.), .dz = 0.01};
  const auto turned = kicked({{"k", kicker}}, delays);
  CHECK_THAT(turned.v[yp][1], WithinAbs(5e-4 + 2e-3, 1e-8));
  CHECK_THAT(turned.v[xp][1], WithinAbs(-1e-3, 1e-15));
  CHECK_THAT(turned.v[x][0], WithinAbs(drift.v[x][0], 1e-16));
  kicker.misalignment = {};
  kicker.kicks = 20;
  const auto slices = kicked({{"k", kicker}}, delays);
  CHECK_THAT(slices.v[x][1], WithinAbs(found.v[x][1], 2e-9));
  CHECK_THAT(slices.v[xp][1], WithinAbs(found.v[xp][1], 1e-14));
  kicker.b2 = 1000.;
  const auto sextupole = kicked({{"k", kicker}}, delays);
  CHECK_THAT(sextupole.v[xp][1] - slices.v[xp][1], WithinAbs(-2e-3 * 1000. * 3.3e-6, 1e-6));
  CHECK_THAT(sextupole.v[yp][1] - slices.v[yp][1], WithinAbs(-4. * 1.97e-6, 1e-7));
}

TEST_CASE("elegant's element BUMPER is read", "[beam][pulsed_kicker]") {
  const auto folder = std::filesystem::temp_directory_path() / "trackplex_pulses";
  std::filesystem::create_directories(folder);
  write_file(folder / "pulse.sdds",
             "SDDS1\n&column name=u type=double &end\n&column name=t units=s type=double &end\n"
             "&data mode=ascii no_row_counts=1 &end\n0 1e-9\n1 2e-9\n0 3e-9\n");
  const auto read = [&](const std::string& parameters) {
    return io::parse_elegant_lattice("k: BUMPER," + parameters + "\nl: LINE=(k)\n",
                                     (folder / "k.lte").string())
        .expand();
  };
  const auto line = read(
      "L=0.3,ANGLE=1e-3,WAVEFORM=\"pulse.sdds=t+u\",TIME_OFFSET=1e-9,PERIODIC=1,"
      "PHASE_REFERENCE=3,FIRE_ON_PASS=2,N_KICKS=4,B2=5,TILT=0.1,DX=1e-3");
  const auto* kicker = line[0].kind.as<PulsedKicker>();
  REQUIRE(kicker);
  CHECK(kicker->waveform->time == std::vector<double>{1e-9, 2e-9, 3e-9});
  CHECK(kicker->waveform->value == std::vector<double>{0., 1., 0.});
  CHECK(kicker->time_offset == 1e-9);
  CHECK(kicker->is_periodic);
  CHECK(kicker->phase_reference == 3);
  CHECK(kicker->first_turn == 2);
  CHECK(kicker->kicks == 4);
  CHECK(kicker->b2 == 5.);
  const auto refuse = [&](const std::string& parameters, const std::string& message) {
    CAPTURE(parameters);
    test::check_refused([&] { return read(parameters); }, message);
  };
  refuse("L=0.3", "waveform");
  refuse("WAVEFORM=\"pulse.sdds\"", "<file>=");
  refuse("WAVEFORM=\"pulse.sdds=t+v\"", "no column 'v'");
  refuse("WAVEFORM=\"none=t+u\"", "none");
  refuse("WAVEFORM=\"pulse.sdds=t+u\",N_KICKS=2,DEFLECTION_MAP=\"map\"", "DEFLECTION_MAP");
  CHECK_THROWS_AS(kicked({{"k", PulsedKicker{}}}, {0.}), UsageError);
  CHECK_THROWS_AS((Waveform{{0., 0.}, {1., 1.}}.check("w")), UsageError);
  CHECK_THROWS_AS((Waveform{{0., 1.}, {1.}}.check("w")), UsageError);
  CHECK_THROWS_AS((Waveform{{1., 0.}, {1., 1.}}.check("w")), UsageError);
}
