// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <numbers>
#include <string>
#include <trackplex/beam/optics/chromaticity.hpp>
#include <trackplex/beam/optics/dynamic_aperture.hpp>
#include <trackplex/core/host_executor.hpp>

#include "support/refusals.hpp"

using namespace trackplex;
using namespace trackplex::beam;

namespace {

using Space = HostExecutor;
constexpr double p0 = 1000.;

/// Six cells with bends, and with sextupoles where there is dispersion.
BeamLine sextupole_ring(double k2 = 0.) {
  const Element qf{"QF", Quadrupole{.length = 0.2, .k1 = 1.5}};
  const Element qd{"QD", Quadrupole{.length = 0.2, .k1 = -1.5}};
  const Element bend{"B",
                     Bend{.magnet = {.length = 0.6, .angle = 0.1, .entrance = 0.05, .exit = 0.05}}};
  const Element drift{"D", Drift{.length = 0.3}};
  const Element sextupole{"S", Sextupole{.length = 0.1, .k2 = k2}};
  BeamLine line;
  for (int cell = 0; cell < 6; ++cell)
    for (const auto& element : {qf, sextupole, drift, bend, drift, qd, drift, bend, drift})
      line.push_back(element);
  return line;
}

bool agree(double a, double b, double tolerance) { return std::abs(a - b) <= tolerance; }

}  // namespace

TEST_CASE("optics of tracked particles on the axis are those of Taylor maps", "[beam]") {
  const auto line = sextupole_ring(5.);
  OrbitTracker<Space> tracker(Space(), line, p0);
  const auto found = orbit_optics(tracker);
  const auto turn = map_of(line, 2, p0);
  const auto periodic = periodic_twiss(turn);
  const auto expected = optics_along(line, periodic.start, p0);
  REQUIRE(found.optics.size() == expected.size());
  REQUIRE(found.orbit.size() == expected.size());
  CHECK(agree(found.tune_x, periodic.tune_x, 1e-10));
  CHECK(agree(found.tune_y, periodic.tune_y, 1e-10));
  for (std::size_t i = 0; i < expected.size(); ++i) {
    CHECK(agree(found.optics[i].x.beta, expected[i].x.beta, 1e-9));
    CHECK(agree(found.optics[i].y.alpha, expected[i].y.alpha, 1e-9));
    CHECK(agree(found.optics[i].phase_x, expected[i].phase_x, 1e-9));
    CHECK(agree(found.optics[i].phase_y, expected[i].phase_y, 1e-9));
    CHECK(agree(found.optics[i].dispersion[0], expected[i].dispersion[0], 1e-9));
    CHECK(agree(found.optics[i].position, expected[i].position, 1e-12));
    for (int c = 0; c < 4; ++c) CHECK(agree(found.orbit[i][c], 0., 1e-15));
  }
  // at another momentum
  const double h = 1e-4;
  const auto up = orbit_optics(tracker, h), down = orbit_optics(tracker, -h);
  const auto change = chromaticity(turn, periodic, length_of(line));
  CHECK(agree((up.tune_x - down.tune_x) / (2. * h), change.x, 2e-4));
  CHECK(agree((up.tune_y - down.tune_y) / (2. * h), change.y, 2e-4));
  CHECK(
      agree((up.orbit[0][x] + down.orbit[0][x]) / (2. * h * h), change.second_dispersion[0], 2e-3));
}

TEST_CASE("a corrector bends the closed orbit as its formula says", "[beam]") {
  auto line = sextupole_ring();
  const auto periodic = periodic_twiss(map_of(line, 1, p0));
  const double angle = 1e-6;
  line.push_back({"K", Kicker{.vertical = angle}});
  OrbitTracker<Space> tracker(Space(), line, p0);
  const auto found = orbit_optics(tracker);
  // behind the kick: its angle times beta cot(pi nu)/2
  const double nu = std::numbers::pi * periodic.tune_y, beta = periodic.start.y.beta;
  CHECK(agree(found.orbit[0][y], 0.5 * angle * beta / std::tan(nu), 1e-12));
  for (int c = 0; c < 4; ++c) CHECK(agree(found.orbit.back()[c], found.orbit.front()[c], 1e-15));
}

TEST_CASE("closed orbits that do not exist are refused", "[beam]") {
  auto line = sextupole_ring();
  line.push_back({"M", SetMomentum{.momentum = 2. * p0}});
  test::check_refused<UsageError>([&] { OrbitTracker<Space>(Space(), line, p0); },
                                  "element 'M': it changes the reference momentum");
  auto unstable = sextupole_ring();
  unstable.push_back({"Q", Quadrupole{.length = 0.2, .k1 = 40.}});
  OrbitTracker<Space> tracker(Space(), unstable, p0);
  test::check_refused<UsageError>([&] { orbit_optics(tracker); }, "not stable");
  auto narrow = sextupole_ring();
  narrow.push_back({"C", Collimator{.aperture = {.x_max = 1e-6, .y_max = 1e-6}}});
  OrbitTracker<Space> lost(Space(), narrow, p0);
  test::check_refused<UsageError>([&] { lost.closed_orbit(); }, "in element 'C'");
}

TEST_CASE("tunes of single particles are those of the ring, and shift with the amplitude",
          "[beam]") {
  const auto line = sextupole_ring(20.);
  const auto periodic = periodic_twiss(map_of(line, 2, p0));
  ApertureScan<double, Space> scan(Space(), line, p0, {}, periodic);
  int told = 0;
  const auto advance = [&](int n) { told += n; };
  const auto small = scan({.columns = 3, .rows = 2, .x_max = 1e-6, .y_max = 1e-6}, 1000, advance);
  CHECK(told == 1000);
  REQUIRE(small.size() == 6);
  for (const auto& start : small) {
    CHECK(start.loss.element == Loss::none);
    if (start.x == 0.) continue;  // no motion in x
    CHECK(agree(start.tune_x, periodic.tune_x, 1e-9));
    CHECK(agree(start.tune_y, periodic.tune_y, 1e-9));
    CHECK(start.diffusion < -11.);
  }
  // quadratic in the amplitude
  const auto shift = [&](double x_max) {
    const auto at = scan({.columns = 3, .rows = 1, .x_max = x_max, .y_max = 1e-7}, 1000, advance);
    return at[2].tune_x - periodic.tune_x;
  };
  const double one = shift(1e-3), two = shift(2e-3);
  CHECK(std::abs(one) > 1e-8);
  CHECK(agree(two / one, 4., 0.1));
}

TEST_CASE("the dynamic aperture ends where particles are lost", "[beam]") {
  const auto line = sextupole_ring(60.);
  const auto periodic = periodic_twiss(map_of(line, 2, p0));
  ApertureScan<double, Space> scan(Space(), line, p0, {}, periodic);
  const ApertureGrid grid{.columns = 21, .rows = 10, .x_max = 0.1, .y_max = 0.1};
  const auto starts = scan(grid, 200, [](int) {});
  REQUIRE(int(starts.size()) == grid.size());
  const double area = surviving_area(grid, starts);
  CHECK(area > 0.);
  CHECK(area < 2. * grid.x_max * grid.y_max);
  int lost = 0;
  for (int i = 0; i < grid.size(); ++i) {
    CHECK(starts[i].x == grid.x(i));
    lost += starts[i].loss.element != Loss::none;
    CHECK(std::isnan(starts[i].tune_x) == (starts[i].loss.element != Loss::none));
  }
  CHECK(lost > 10);
  CHECK(starts[10].loss.element == Loss::none);  // on the axis
  // from the first lost start outwards none counts
  std::vector<ApertureStart> gap(std::size_t(grid.size()));
  CHECK(agree(surviving_area(grid, gap), 21. * 10. * 0.01 * 0.1 / 9., 1e-12));
  gap[12].loss = {0, 0};
  CHECK(agree(surviving_area(grid, gap), (21. * 10. - 9.) * 0.01 * 0.1 / 9., 1e-12));
  gap[31].loss = {0, 0};  // in the middle of the second row
  CHECK(agree(surviving_area(grid, gap), 12. * 0.01 * 0.1 / 9., 1e-12));
  test::check_refused<UsageError>([&] { scan(grid, 1, [](int) {}); }, "fewer than 2 turns");
  test::check_refused<UsageError>([&] { scan({.columns = 0}, 2, [](int) {}); }, "no starts");
  test::check_refused<UsageError>([&] { scan({.x_max = -1.}, 2, [](int) {}); }, "not above 0");
}

TEST_CASE("lost particles take no part in the tunes of the others", "[beam]") {
  const auto line = sextupole_ring(60.);
  const auto periodic = periodic_twiss(map_of(line, 2, p0));
  const ApertureGrid grid{.columns = 40, .rows = 31, .x_max = 0.01, .y_max = 0.01};
  const int turns = 100;
  ApertureScan<double, Space> scan(Space(), line, p0, {}, periodic);
  const auto starts = scan(grid, turns, [](int) {});

  // the same without removing lost ones
  const Space exec;
  ParticleTable table(grid.size(), p0);
  for (int i = 0; i < grid.size(); ++i) {
    table.v[x][i] = grid.x(i);
    table.v[y][i] = grid.y(i);
  }
  auto bunch = upload<double>(exec, table);
  LineTracker<double, Space> tracker(exec, line, {10., 1.}, {int(line.size()) - 1});
  BetatronTunes<double, Space> tunes(exec, grid.size(), {}, periodic);
  for (int turn = 0; turn < turns; turn += turns / 2) {
    tunes.begin(exec, bunch, turns / 2);
    tracker.track(
        bunch, turns / 2, [&](int, int, auto& at) { tunes.add_turn(exec, at); }, turn);
  }
  const auto expected = tunes.tunes(exec);
  const auto end = download(exec, bunch);
  int lost = 0, late = 0;
  for (int i = 0; i < grid.size(); ++i) {
    CAPTURE(i);
    CHECK(starts[i].x == grid.x(i));
    CHECK(starts[i].y == grid.y(i));
    CHECK(starts[i].loss.turn == end.losses[i].turn);
    CHECK(starts[i].loss.element == end.losses[i].element);
    lost += starts[i].loss.element != Loss::none;
    late += starts[i].loss.turn > 4;
    if (starts[i].loss.element != Loss::none) continue;
    CHECK(starts[i].tune_x == expected[0][i]);
    CHECK(starts[i].tune_y == expected[1][i]);
  }
  CHECK(lost > 100);
  CHECK(late > 10);
  CHECK(lost < grid.size() - 100);
  // until none is left
  const ApertureGrid far{.columns = 2, .rows = 3, .x_max = 5., .y_max = 5.};
  for (const auto& start : scan(far, 20, [](int) {})) {
    CHECK(start.loss.element != Loss::none);
    CHECK(start.loss.turn < 4);
  }
}

TEST_CASE("chromaticity about the closed orbit is that of Taylor maps where nothing steers",
          "[beam]") {
  const auto line = sextupole_ring(5.);
  OrbitTracker<Space> tracker(Space(), line, p0);
  const auto found = orbit_chromaticity(tracker);
  const auto turn = map_of(line, 2, p0);
  const auto expected = chromaticity(turn, periodic_twiss(turn), length_of(line));
  CHECK(agree(found.x, expected.x, 1e-5));
  CHECK(agree(found.y, expected.y, 1e-5));
  CHECK(agree(found.momentum_compaction, expected.momentum_compaction, 1e-9));
  CHECK(agree(found.momentum_compaction2, expected.momentum_compaction2, 1e-4));
  CHECK(agree(found.second_dispersion[0], expected.second_dispersion[0], 2e-3));
}

TEST_CASE("optics along a line are about the way of a particle", "[beam]") {
  BeamLine line = {{"H", CanonicalMultipole{.field = {{-1e-3}, {}}, .integration_order = 2}},
                   {"D", ExactDrift{2.}},
                   {"S", CanonicalSextupole{.length = 0.5, .k2 = 50.}}};
  OrbitTracker<Space> tracker(Space(), line, p0);
  Optics start;
  start.x = {5., 1.};
  const auto found = optics_about(tracker, start, {});
  REQUIRE(found.optics.size() == 4);
  CHECK(agree(found.orbit[1][xp], 1e-3, 1e-9));
  CHECK(agree(found.orbit[2][x], 2e-3, 1e-8));
  CHECK(agree(found.optics[2].x.beta, 5. - 2. * 2. * 1. + 4. * start.x.gamma(), 1e-4));
  CHECK(agree(found.optics[3].position, 2.5, 1e-12));
  CHECK(agree(found.optics[3].x.beta, optics_along(line, start).back().x.beta, 1e-3));
  line.erase(line.begin());  // the sextupole focuses off its axis
  CHECK_FALSE(agree(found.optics[3].x.beta, optics_along(line, start).back().x.beta, 1e-2));
}

TEST_CASE("maps about an orbit are symplectic in canonical momenta, not in slopes", "[beam]") {
  const BeamLine line = {{"D", ExactDrift{2.}},
                         {"Q", CanonicalQuadrupole{.length = 0.5, .k1 = 1.2}},
                         {"K", CanonicalMultipole{.length = 1., .field = {{-0.02}, {0.01}}}}};
  OrbitTracker<Space> tracker(Space(), line, p0);
  const TransferMap::Vector orbit = {0.01, 0.02, -0.01, 0.03, 0., 0.1};
  const auto turn = tracker.turn_about(orbit);
  CHECK(symplecticity(turn, orbit) < 2e-9);
  CHECK(symplecticity(turn) > 1e-5);
  CHECK(symplecticity(tracker.turn_about({}), {}) < 2e-9);
}
