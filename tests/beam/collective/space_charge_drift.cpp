// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <catch2/catch_template_test_macros.hpp>
#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <limits>
#include <trackplex/beam/line_tracker.hpp>
#include <trackplex/core/host_executor.hpp>

#include "space_charge_cases.hpp"
#include "support/refusals.hpp"
#include "support/spaces.hpp"

using namespace trackplex;
using namespace trackplex::beam;
using trackplex::test::tracked;
using Space = HostExecutor;

namespace {

/// The same bits in all columns and in the profile.
bool same(const test::Tracked& a, const test::Tracked& b) {
  for (int c = 0; c < n_coordinates; ++c)
    if (a.table.v[c] != b.table.v[c]) return false;
  return a.steps.size() == b.steps.size() && a.profile.time == b.profile.time &&
         a.profile.current == b.profile.current && a.profile.voltage == b.profile.voltage;
}

template <class T, class OfSpace>
void check_bits(const ParticleTable& table, const SpaceChargeDrift& drift) {
  const auto one = tracked<T, 1, Space>(table, drift);
  REQUIRE(one.table.v[delta] != table.v[delta]);
  CHECK(same(tracked<T, 1, OfSpace>(table, drift), one));
  if constexpr (is_host_space<OfSpace>) {
    constexpr int width = default_lane_width<OfSpace, T, KernelKind::beam_tracking>;
    CHECK(same(tracked<T, width, OfSpace>(table, drift), one));
  }
}

SpaceChargeDrift kick() { return {.length = 0., .effective_length = 0.1, .bins = 64}; }

}  // namespace

TEMPLATE_LIST_TEST_CASE("space charge has the same bits at every width", "[beam]",
                        test::EnabledSpaces) {
  const auto table = test::gaussian_table(10007);
  SpaceChargeDrift drift{.length = 0.5, .bins = 250};
  check_bits<double, TestType>(table, drift);
  check_bits<float, TestType>(table, drift);
  drift.interpolate = false;
  drift.smoothing = true;
  drift.high_frequency = {0.5, 0.7};
  check_bits<double, TestType>(table, drift);
  check_bits<float, TestType>(test::gaussian_table(3), kick());
}

TEST_CASE("a kick keeps times and transverse momenta", "[beam]") {
  struct Case {
    double p0, effective_length, time_tolerance, least_change;
  };
  // of fast particles, and of those at a tenth of the speed of light
  for (const Case& of : {Case{200., 0.1, 1e-18, 1e-5}, Case{0.1, 1e-7, 1e-16, 1e-5}}) {
    CAPTURE(of.p0);
    auto table = test::gaussian_table(1000);
    table.reference = {of.p0, 50.};
    auto drift = kick();
    drift.effective_length = of.effective_length;
    const auto after = tracked<double, Space>(table, drift).table;
    double changed = 0.;
    for (int i = 0; i < table.size(); ++i) {
      const auto momentum = [i](const ParticleTable& of, int slope) {
        const double px = of.v[xp][i], py = of.v[yp][i];
        return of.v[slope][i] * (1. + of.v[delta][i]) / std::sqrt(1. + px * px + py * py);
      };
      const auto time = [i](const ParticleTable& of) {
        return trackplex::beam::delay(of.reference, of.v[s][i], of.v[delta][i]);
      };
      REQUIRE(after.v[x][i] == table.v[x][i]);
      REQUIRE(after.v[y][i] == table.v[y][i]);
      REQUIRE(std::abs(momentum(after, xp) - momentum(table, xp)) < 1e-19);
      REQUIRE(std::abs(momentum(after, yp) - momentum(table, yp)) < 1e-19);
      REQUIRE(std::abs(time(after) - time(table)) < of.time_tolerance);
      changed = std::max(changed, std::abs(after.v[delta][i] - table.v[delta][i]));
    }
    CHECK(changed > of.least_change);
  }
}

TEST_CASE("a kick takes no particle more than its kinetic energy", "[beam]") {
  auto table = test::gaussian_table(1000);
  table.reference = {0.1, 0.};
  auto drift = kick();
  drift.effective_length = 10.;  // kicks of many times the kinetic energy
  const auto after = tracked<double, Space>(table, drift).table;
  const double lowest = std::sqrt((1. + 1e-7) * (1. + 1e-7) - 1.);  // momentum, as beta gamma
  int stopped = 0, faster = 0;
  for (int i = 0; i < table.size(); ++i) {
    for (int c = 0; c < n_coordinates; ++c) REQUIRE(std::isfinite(after.v[c][i]));
    const double momentum = 0.1 * (1. + after.v[delta][i]);
    REQUIRE(momentum > lowest * (1. - 1e-6));
    stopped += momentum < lowest * (1. + 1e-6);
    faster += momentum > 0.2;
  }
  CHECK(stopped > 100);
  CHECK(faster > 100);
}

TEST_CASE("steps add up to the length, and the reference particle goes along", "[beam]") {
  const auto result =
      tracked<double, Space>(test::gaussian_table(5000), {.length = 1.7, .bins = 128});
  REQUIRE(result.steps.size() > 5);
  double length = 0.;
  for (const auto& step : result.steps) {
    CHECK(step.length > 0.);
    length += step.length;
    if (&step != &result.steps.back())
      CHECK(std::abs(step.length * step.wave_number - 0.1) < 1e-15);
  }
  CHECK(std::abs(length - 1.7) < 1e-14);
  CHECK(result.table.reference.path_length == length);
  CHECK(result.last_step.length == result.steps.back().length);
}

TEST_CASE("a drift of too many steps is refused", "[beam]") {
  const auto table = test::gaussian_table(500);
  const SpaceChargeDrift drift{.length = 1.7, .bins = 128};
  const int steps = int(tracked<double, Space>(table, drift).steps.size());
  REQUIRE(steps > 5);
  auto limited = drift;
  limited.max_steps = steps;
  CHECK(int(tracked<double, Space>(table, limited).steps.size()) == steps);
  --limited.max_steps;
  test::check_refused<UsageError>(
      [&] { return tracked<double, Space>(table, limited); },
      "the bunch needs more than " + std::to_string(limited.max_steps) + " steps");
  // Of a bunch that is nearly a point a tracker says which element it cannot pass
  auto narrow = table;
  for (const int c : {x, y, xp, yp})
    for (double& value : narrow.v[c]) value *= 1e-9;
  limited.max_steps = 50;
  const Space exec;
  LineTracker<double, Space> tracker(exec, {{"sc", limited}});
  auto bunch = upload<double>(exec, narrow);
  test::check_refused<UsageError>([&] { tracker.track(bunch); },
                                  "element sc: longitudinal space charge: the bunch needs more "
                                  "than 50 steps (its plasma oscillations allow ");
}

TEST_CASE("drifts without particles or length", "[beam]") {
  const auto nothing =
      tracked<double, Space>(test::gaussian_table(0), {.length = 0.5, .space_charge = false});
  CHECK(nothing.table.reference.path_length == 0.5);
  const Space exec;
  Workspace<Space> workspace;
  auto bunch = upload<double>(exec, test::gaussian_table(0));
  LongitudinalSpaceCharge<double, Space> space_charge(exec, {.length = 0.5, .bins = 16});
  CHECK(space_charge(exec, bunch, workspace) == 0);
  CHECK(bunch.reference.path_length == 0.5);
  const auto table = test::gaussian_table(10);
  bunch = upload<double>(exec, table);
  LongitudinalSpaceCharge<double, Space> no_length(exec, {.bins = 16});
  CHECK(no_length(exec, bunch, workspace) == 0);
  CHECK(download(exec, bunch).v[delta] == table.v[delta]);
  CHECK(download(exec, bunch).v[x] == table.v[x]);
}

TEST_CASE("drifts with space charge that are impossible", "[beam]") {
  const auto make = [](const SpaceChargeDrift& drift) {
    return [drift] { return LongitudinalSpaceCharge<double, Space>(Space(), drift); };
  };
  test::check_refused<UsageError>(make({.length = 1., .bins = 255}), "even number from 4 on");
  test::check_refused<UsageError>(make({.length = 1., .bins = 2}), "even number from 4 on");
  test::check_refused<UsageError>(make({.length = 1.}), "even number from 4 on");
  test::check_refused<CapacityError>(make({.length = 1., .bins = 1 << 22}), "capacity 1048576");
  test::check_refused<UsageError>(make({.length = -1., .bins = 64}), "a length is negative");
  test::check_refused<UsageError>(make({.effective_length = -1., .bins = 64}),
                                  "a length is negative");
  constexpr double infinity = std::numeric_limits<double>::infinity();
  test::check_refused<UsageError>(make({.length = infinity, .bins = 64}), "or not finite (inf m");
  test::check_refused<UsageError>(make({.length = 1., .bins = 2 * 50021}),
                                  "the transform of 100042 bins takes too long (half of their "
                                  "number has a large prime factor); take 101250 bins");
  test::check_refused<UsageError>(make({.length = 1., .bins = 64, .radius_factor = 0.}),
                                  "radius factor");
  test::check_refused<UsageError>(
      make({.length = 1., .bins = 64, .smoothing = true, .smoothing_order = 3}), "no such filter");
  const auto track = [](const ParticleTable& table) {
    return [table] { return tracked<double, Space>(table, {.length = 1., .bins = 64}); };
  };
  auto neutral = test::gaussian_table(10);
  neutral.particle_charge = 0.;
  test::check_refused<UsageError>(track(neutral), "no charge");
  auto lost = test::gaussian_table(10);
  lost.losses[3] = {0, 0};
  test::check_refused<UsageError>(track(lost), "lost particles");
}

TEMPLATE_LIST_TEST_CASE("bunches that have no field", "[beam]", test::EnabledSpaces) {
  const TestType exec;
  const auto check = [&](const ParticleTable& table, const std::string& message) {
    CAPTURE(message);
    Workspace<TestType> workspace;
    auto bunch = upload<double>(exec, table);
    LongitudinalSpaceCharge<double, TestType> drift(exec, {.length = 1., .bins = 64});
    test::check_refused<UsageError>([&] { return drift(exec, bunch, workspace); }, message);
    CHECK(bunch.reference.path_length == 0.);
    // A kick leaves the bunch alone and says so when it is asked
    LongitudinalSpaceCharge<double, TestType> kicked(exec, kick());
    CHECK(kicked(exec, bunch, workspace) == 1);
    test::check_refused<UsageError>(
        [&] {
          kicked.check(exec);
          return 0;
        },
        message);
    const auto after = download(exec, bunch);
    CHECK(after.v[xp] == table.v[xp]);
    CHECK(after.v[yp] == table.v[yp]);
    for (int c : {0, 1, 2, 3, 4, 5})
      for (int i = 0; i < table.size(); ++i)
        CHECK((after.v[c][i] == table.v[c][i] || std::isnan(table.v[c][i])));
    for (const double volts : kicked.profile(exec).voltage) CHECK(volts == 0.);
    // and the next bunch finds nothing of it
    bunch = upload<double>(exec, test::gaussian_table(100));
    CHECK(kicked(exec, bunch, workspace) == 1);
    CHECK_NOTHROW(kicked.check(exec));
  };
  const auto good = test::gaussian_table(100);
  auto thin = good;
  thin.v[x].assign(100, 1e-3);
  thin.v[y].assign(100, -2e-3);
  check(thin, "no transverse size");
  auto flat = good;
  flat.v[s].assign(100, 1e-4);
  flat.v[delta].assign(100, 1e-3);
  check(flat, "arrive at one time");
  for (const double value :
       {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity()})
    for (const int c : {x, y, s, delta}) {
      auto broken = good;
      broken.v[c][57] = value;
      check(broken, "no finite field");
    }
}
