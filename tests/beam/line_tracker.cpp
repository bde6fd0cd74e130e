// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <catch2/catch_template_test_macros.hpp>
#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <trackplex/beam/bunch/particle_table.hpp>
#include <trackplex/beam/line_tracker.hpp>
#include <trackplex/beam/optics/line_maps.hpp>
#include <trackplex/core/host_executor.hpp>
#include <trackplex/core/random.hpp>

#include "beam/elements/every_element.hpp"
#include "support/lane_widths.hpp"
#include "support/spaces.hpp"

using namespace trackplex;
using namespace trackplex::beam;
using trackplex::test::every_element;

namespace {

constexpr int one = test::reference_lanes<test::line_lanes<double>>;

ParticleTable some_particles(int n) {
  const double scale[] = {1e-3, 5e-4, 8e-4, 4e-4, 3e-4, 5e-3};
  ParticleTable table(n, 200.);
  for (int i = 0; i < n; ++i) {
    RandomStream<double> random(3, std::uint64_t(i));
    for (int c = 0; c < n_coordinates; ++c) table.v[c][i] = scale[c] * random.normal();
  }
  return table;
}

template <class T, class Space, int Width = default_lane_width<Space, T, KernelKind::beam_tracking>>
ParticleTable tracked(const BeamLine& line, const ParticleTable& table, int turns = 1,
                      std::vector<int> stops = {}) {
  const Space exec;
  auto bunch = upload<T>(exec, table);
  LineTracker<T, Space, ElementTypes<>, Width> tracker(exec, line, {}, std::move(stops));
  tracker.track(bunch, turns);
  return download(exec, bunch);
}

bool same_particles(const ParticleTable& a, const ParticleTable& b) {
  for (int i = 0; i < a.size(); ++i) {
    if (a.losses[i].turn != b.losses[i].turn || a.losses[i].element != b.losses[i].element)
      return false;
    for (int c = 0; c < n_coordinates; ++c)
      if (a.v[c][i] != b.v[c][i]) return false;
  }
  return a.size() == b.size() && a.reference.path_length == b.reference.path_length;
}

}  // namespace

TEMPLATE_LIST_TEST_CASE("one kernel for all elements does what one for each does", "[beam]",
                        test::EnabledSpaces) {
  const auto particles = some_particles(1001);
  const BeamLine line = every_element();
  std::vector<int> all;
  for (int i = 0; i < int(line.size()); ++i) all.push_back(i);
  const auto fused = tracked<double, TestType>(line, particles, 2);
  CHECK(same_particles(fused, tracked<double, TestType>(line, particles, 2, all)));
  CHECK(same_particles(fused, tracked<double, HostExecutor, one>(line, particles, 2)));
  CHECK(fused.n_lost() > 5);
  CHECK(fused.n_lost() < 990);
  CHECK(std::abs(fused.reference.path_length - 2 * length_of(line)) < 1e-12);
}

TEMPLATE_LIST_TEST_CASE("elements of MAD-X and trajectories do not depend on the backend or lanes",
                        "[beam]", test::EnabledSpaces) {
  const auto particles = some_particles(1001);
  for (const BeamLine& line : {test::every_madx_element(), test::every_trajectory()}) {
    const auto found = tracked<double, TestType>(line, particles, 2);
    CHECK(same_particles(found, tracked<double, HostExecutor, one>(line, particles, 2)));
    CHECK(found.n_lost() < 100);
  }
}

#if defined(TRACKPLEX_TEST_WIDTHS)
TEST_CASE("numbers of lanes do not change a particle", "[beam]") {
  using Space = HostExecutor;
  const auto particles = some_particles(1003);
  const BeamLine line = every_element();
  // the other widths, and float: tests/reproducibility
  CHECK(same_particles(tracked<double, Space, 1>(line, particles),
                       tracked<double, Space>(line, particles)));
}
#endif

TEST_CASE("kernels of misaligned maps do what the map of all does", "[beam]") {
  using Space = HostExecutor;
  const Misalignment moved{1e-3, -2e-3, 0.1};
  const auto particles = some_particles(200);
  const auto by_steps = tracked<double, Space>({{"q", Quadrupole{0.2, 5., 2, moved}}}, particles);
  const auto map = misaligned(quadrupole_map(0.2, 5., 2), moved);
  const auto by_map = tracked<double, Space>({{"q", MapElement{0.2, map}}}, particles);
  for (int c = 0; c < n_coordinates; ++c)
    for (int i = 0; i < 200; ++i) {
      CHECK(std::abs(by_steps.v[c][i] - by_map.v[c][i]) < 1e-17);
      CHECK((c == delta || by_steps.v[c][i] != particles.v[c][i]));
    }
}

TEST_CASE("collimators keep lost particles where they were lost", "[beam]") {
  using Space = HostExecutor;
  ParticleTable particles(6, 100.);
  particles.v[x] = {0., 1.1e-3, -0.9e-3, 0., 0.8e-3, 0.};
  particles.v[y] = {0., 0., 1.9e-3, 2.1e-3, 1.7e-3, 0.};
  particles.v[xp] = {0., 0., 0., 0., 0., 1e-3};
  using Shape = Aperture::Shape;
  const BeamLine line{{"d", Drift{1.}},
                      {"c", Collimator{0.1, {Shape::rectangle, 1e-3, 2e-3}}},
                      {"e", Collimator{0., {Shape::ellipse, 1e-3, 2e-3}}},
                      {"d", Drift{1.}}};
  const auto out = tracked<double, Space>(line, particles, 2);
  const auto lost_at = [&](int i) { return std::pair(out.losses[i].turn, out.losses[i].element); };
  CHECK(lost_at(0) == std::pair(-1, -1));
  CHECK(lost_at(1) == std::pair(0, 1));
  CHECK(lost_at(2) == std::pair(0, 2));  // inside of the rectangle, outside of the ellipse
  CHECK(lost_at(3) == std::pair(0, 1));
  CHECK(lost_at(4) == std::pair(0, 2));
  CHECK(lost_at(5) == std::pair(0, 1));  // at the exit
  CHECK(out.v[x][1] == 1.1e-3);
  CHECK(std::abs(out.v[x][5] - 1.1e-3) < 1e-15);
  CHECK(out.v[x][0] == 0.);
}

TEST_CASE("particles on an aperture pass", "[beam]") {
  using Space = HostExecutor;
  ParticleTable particles(4, 100.);
  particles.v[x] = {1e-3, -1e-3, 0., 0.};
  particles.v[y] = {0., 0., 2e-3, -2e-3};
  for (const auto shape : {Aperture::Shape::rectangle, Aperture::Shape::ellipse}) {
    const BeamLine line{{"c", Collimator{0., {shape, 1e-3, 2e-3}}}};
    CHECK(tracked<double, Space>(line, particles).n_lost() == 0);
    ParticleTable outside = particles;
    for (const int c : {x, y})
      for (double& value : outside.v[c]) value *= 1. + 1e-12;
    CHECK(tracked<double, Space>(line, outside).n_lost() == 4);
  }
}

TEST_CASE("limits are optional, and 0 is none", "[beam]") {
  using Space = HostExecutor;
  const Space exec;
  struct Case {
    int coordinate;
    double value;
    bool is_position;
  };
  // each of them is beyond a limit by itself
  for (const Case& of :
       {Case{x, 11., true}, Case{x, -11., true}, Case{y, 11., true}, Case{y, -11., true},
        Case{xp, 1.5, false}, Case{xp, -1.5, false}, Case{yp, 1.5, false}, Case{yp, -1.5, false}}) {
    CAPTURE(of.coordinate, of.value);
    ParticleTable particles(2, 100.);
    particles.v[of.coordinate][1] = of.value;
    const auto lost_with = [&](const CoordinateLimits& limits) {
      auto bunch = upload<double>(exec, particles);
      LineTracker<double, Space>(exec, {{"m", Marker{}}}, limits).track(bunch);
      return download(exec, bunch).n_lost();
    };
    CHECK(lost_with({}) == 1);
    CHECK(lost_with({0., 1.}) == (of.is_position ? 0 : 1));
    CHECK(lost_with({10., 0.}) == (of.is_position ? 1 : 0));
    CHECK(lost_with({0., 0.}) == 0);
  }
}

TEST_CASE("limits hold after elements that work on the whole bunch", "[beam]") {
  using Space = HostExecutor;
  const Space exec;
  ParticleTable table(100, 200.);
  for (int i = 0; i < 100; ++i) table.v[xp][i] = 0.01 * i;
  for (const ElementKind& last :
       {ElementKind(Charge{1e-9}),
        ElementKind(SpaceChargeDrift{.length = 2., .space_charge = false})}) {
    auto bunch = upload<double>(exec, table);
    LineTracker<double, Space> tracker(exec, {{"d", Drift{1.}}, {"last", last}}, {0., 0.495}, {1});
    std::vector<int> alive;
    tracker.track(bunch, 2, [&](int turn, int element, auto& seen) {
      CHECK(turn == int(alive.size()));
      CHECK(element == 1);
      alive.push_back(100 - download(exec, seen).n_lost());
    });
    CHECK(alive == std::vector{50, 50});
    for (const Loss& loss : download(exec, bunch).losses) {
      CHECK(loss.turn == (loss.element == 1 ? 0 : Loss::none));
    }
  }
}

TEST_CASE("observers are called after the stops, turn by turn", "[beam]") {
  using Space = HostExecutor;
  const Space exec;
  auto bunch = upload<double>(exec, some_particles(10));
  const BeamLine line{{"a", Drift{1.}}, {"b", Drift{2.}}, {"c", Charge{1e-9}}, {"d", Drift{4.}}};
  LineTracker<double, Space> tracker(exec, line, {}, {1, 3});
  std::vector<std::vector<double>> seen;
  tracker.track(
      bunch, 2,
      [&](int turn, int element, const auto& b) {
        seen.push_back({double(turn), double(element), b.reference.path_length});
      },
      5);
  CHECK(seen == std::vector<std::vector<double>>{{5, 1, 3}, {5, 3, 7}, {6, 1, 10}, {6, 3, 14}});
  CHECK(bunch.particle_charge == 1e-10);
  CHECK_THROWS_AS((LineTracker<double, Space>(exec, line, {}, {4})), UsageError);
  CHECK_THROWS_AS((LineTracker<double, Space>(exec, line, {}, {-1})), UsageError);
}

TEST_CASE("lines and bunches may be empty", "[beam]") {
  using Space = HostExecutor;
  const auto nothing = tracked<double, Space>({}, some_particles(3), 2);
  CHECK(same_particles(nothing, some_particles(3)));
  CHECK(tracked<double, Space>(every_element(), ParticleTable(0, 200.)).size() == 0);
  CHECK(same_particles(tracked<double, Space>(every_element(), some_particles(3), 0),
                       some_particles(3)));
  CHECK_THROWS_AS((tracked<double, Space>(every_element(), some_particles(3), -1)), UsageError);
}
