// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <catch2/catch_test_macros.hpp>
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

namespace {

using FeedbackTypes = ElementList<steps::ExactDrift, steps::Shift, FeedbackPickup, FeedbackDriver>;

/// x' of two particles behind each turn; the mean x is 1 mm, 2 mm, ... on turns 0, 1, ...
std::vector<double> slopes_behind_turns(const BeamLine& feedback, int turns) {
  const HostExecutor exec;
  ParticleTable table(2, 1000.);
  table.v[x] = {-1e-3, 1e-3};
  table.v[delta] = {0., 0.25};
  auto bunch = upload<double>(exec, table);
  BeamLine line{{"shift", Displacement{.dx = 1e-3}}};
  line.insert(line.end(), feedback.begin(), feedback.end());
  LineTracker<double, HostExecutor, FeedbackTypes> tracker(exec, line, {0., 0.},
                                                           {int(line.size()) - 1});
  std::vector<double> slopes;
  tracker.track(bunch, turns, [&](int, int, auto& at) {
    const auto now = download(exec, at);
    slopes.push_back(now.v[xp][0]);
    CHECK_THAT(now.v[xp][1], WithinAbs(now.v[xp][0] / 1.25, 1e-18));
  });
  return slopes;
}

void check_slopes(const std::vector<double>& found, const std::vector<double>& expected) {
  REQUIRE(found.size() == expected.size());
  for (std::size_t i = 0; i < found.size(); ++i) {
    CAPTURE(i);
    CHECK_THAT(found[i], WithinAbs(expected[i], 1e-15));
  }
}

}  // namespace

TEST_CASE("feedback kicks by the filtered mean of the bunch", "[beam][feedback]") {
  FeedbackPickup pickup{.id = "f", .filter = {1., -0.5}};
  FeedbackDriver driver{.id = "f", .strength = 0.1};
  // readings 1, 2, 3, ... mm; from turn 2 on 3 - 1, 4 - 1.5, ...; kicks one turn later
  check_slopes(slopes_behind_turns({{"p", pickup}, {"d", driver}}, 5),
               {0., 0., 2e-4, 4.5e-4, 7.5e-4});
  check_slopes(slopes_behind_turns({{"d", driver}, {"p", pickup}}, 5), {0., 0., 0., 2e-4, 4.5e-4});
  pickup.offset = 1e-3;
  pickup.filter = {1.};
  driver.delay = 1;
  driver.filter = {2.};
  driver.limit = 7e-4;  // 2 * 0.1 * (n - 1) mm of the turn before
  check_slopes(slopes_behind_turns({{"p", pickup}, {"d", driver}}, 6),
               {0., 0., 2e-4, 6e-4, 12e-4, 19e-4});
  driver.delay = 0;
  driver.limit = 0.;
  driver.filter = {1.};
  driver.interval = 2;
  check_slopes(slopes_behind_turns({{"p", pickup}, {"d", driver}}, 6),
               {0., 0., 2e-4, 2e-4, 6e-4, 6e-4});
  driver.interval = 1;
  driver.first_turn = 2;
  driver.last_turn = 3;
  check_slopes(slopes_behind_turns({{"p", pickup}, {"d", driver}}, 6),
               {0., 0., 0., 3e-4, 3e-4, 3e-4});
}

TEST_CASE("the noise of a pickup is that of its seed, turn and place", "[beam][feedback]") {
  const FeedbackPickup pickup{.id = "f", .noise = 1e-3};
  const FeedbackDriver driver{.id = "f", .strength = 0.1};
  const auto found = slopes_behind_turns({{"p", pickup}, {"d", driver}}, 4);
  CHECK(found == slopes_behind_turns({{"p", pickup}, {"d", driver}}, 4));
  CHECK(found[3] != 0.1 * (2e-3 + 3e-3 + 4e-3));
  CHECK_THAT(found[3], WithinAbs(9e-4, 6e-4));
}

TEST_CASE("elegant's elements TFBPICKUP and TFBDRIVER are read", "[beam][feedback]") {
  const auto read = [](const std::string& element) {
    return io::parse_elegant_lattice("e: " + element + "\nl: LINE=(e)\n", "e.lte").expand();
  };
  const auto first = read(
      "TFBPICKUP,ID=a-1,PLANE=\"y\",A0=1,A2=3,DX=1,DY=2e-3,RMS_NOISE=1e-6,UPDATE_INTERVAL=2,"
      "START_PASS=3,END_PASS=9");
  const auto* pickup = first[0].kind.as<FeedbackPickup>();
  REQUIRE(pickup);
  CHECK(pickup->id == "A-1");
  CHECK(pickup->plane == y);
  CHECK(pickup->filter == std::vector<double>{1., 0., 3.});
  CHECK(pickup->offset == 2e-3);
  CHECK(pickup->noise == 1e-6);
  CHECK(pickup->interval == 2);
  CHECK(pickup->first_turn == 3);
  CHECK(pickup->last_turn == 9);
  const auto second = read(
      "TFBDRIVER,ID=\"a\",STRENGTH=-0.1,KICK_LIMIT=1e-3,DELAY=2,LONGITUDINAL=1,A1=0.5,"
      "OUTPUT_FILE=\"f\"");
  const auto* driver = second[0].kind.as<FeedbackDriver>();
  REQUIRE(driver);
  CHECK(driver->filter == std::vector<double>{1., 0.5});
  CHECK(driver->strength == -0.1);
  CHECK(driver->limit == 1e-3);
  CHECK(driver->delay == 2);
  CHECK(driver->is_longitudinal);
  test::check_refused([&] { return read("TFBPICKUP,A0=1"); }, "needs a name");
  test::check_refused([&] { return read("TFBPICKUP,ID=\"a\""); }, "coefficients");
  test::check_refused([&] { return read("TFBPICKUP,ID=\"a\",A0=1,PLANE=\"phase\""); }, "PLANE");
  test::check_refused([&] { return read("TFBDRIVER,ID=\"a\",FREQUENCY=1e9"); }, "FREQUENCY");
  test::check_refused([&] { return read("TFBDRIVER,ID=\"a\",DELAY=-1"); }, "DELAY");
  const auto refuse = [](const BeamLine& line, const std::string& message) {
    test::check_refused<UsageError>([&] { slopes_behind_turns(line, 1); }, message);
  };
  const FeedbackPickup of_delta{.id = "a", .plane = delta};
  refuse({{"d", FeedbackDriver{.id = "a"}}}, "no pickup");
  refuse({{"p", of_delta}, {"d", FeedbackDriver{.id = "a"}}}, "not longitudinal");
  refuse({{"p", of_delta}, {"p", of_delta}}, "another pickup");
  refuse({{"p", FeedbackPickup{.plane = xp}}}, "x, y or delta only");
  refuse({{"p", FeedbackPickup{.filter = {}}}}, "no coefficients");
}
