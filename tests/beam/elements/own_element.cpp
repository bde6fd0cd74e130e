// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <catch2/catch_template_test_macros.hpp>
#include <trackplex/beam/bunch/particle_table.hpp>
#include <trackplex/beam/line_tracker.hpp>
#include <trackplex/beam/optics/synchrotron_motion.hpp>
#include <trackplex/beam/split_line.hpp>
#include <trackplex/core/host_executor.hpp>
#include <trackplex/simulation/bunch_generator.hpp>

#include "support/lane_widths.hpp"
#include "support/refusals.hpp"
#include "support/spaces.hpp"

using namespace trackplex;
using namespace trackplex::beam;

namespace {

/// The built-in exact drift again, as a user would write it.
struct OwnDrift {
  double length;

  std::vector<double> coefficients() const { return {length}; }
  template <class Real>
  KOKKOS_FUNCTION static void pass(const ScalarOf<Real>* c, Particle<Real>& v) {
    drift_exactly(v, Real(c[0]));
  }
};

/// Loses particles on one side, and moves the others.
struct OwnSepta {
  double edge, kick;
  static constexpr bool is_long = true;

  std::vector<double> coefficients() const { return {edge, kick}; }
  template <class Real>
  KOKKOS_FUNCTION static MaskOf<Real> pass(const ScalarOf<Real>* c, Particle<Real>& v) {
    v[xp] += Real(c[1]);
    return v[x] < Real(c[0]);
  }
};

/// A kick that grows from turn to turn and with the way of the reference particle.
struct OwnRamp {
  double per_turn, per_metre;
  static constexpr unsigned changes = 1u << yp;

  std::vector<double> coefficients(const ElementPass& pass) const {
    return {per_turn * pass.turn + per_metre * pass.reference.path_length};
  }
  template <class Real>
  KOKKOS_FUNCTION static void pass(const ScalarOf<Real>* c, Particle<Real>& v) {
    v[yp] += Real(c[0]);
  }
};

/// Elements of several steps tell them.
struct OwnCell {
  double length, kick;

  TransferMap map_to(int order) const {
    return concatenated(drift_map(0.5 * length, order), drift_map(0.5 * length, order));
  }
  void add_steps(StepBuilder& to) const {
    to.add(OwnDrift{0.5 * length});
    to.shift(0., kick, 0., 0.);
    to.add(OwnDrift{0.5 * length});
  }
};

/// Counts its passes together with others of its number, and changes the reference momentum.
struct Passes {
  int n = 0;
};
template <class T, class Space, int Width>
class CountAction {
 public:
  template <class Counter>
  CountAction(const Space&, const Counter& counter, LineState& state)
      : passes_(state.shared<Passes>(counter.number)) {}
  void operator()(const Space&, Bunch<T, MemoryOf<Space>>&, Workspace<Space>&, const Loss& here) {
    passes_->n += 1;
    last_ = here;
  }
  int passes() const { return passes_->n; }
  const Loss& last() const { return last_; }

 private:
  std::shared_ptr<Passes> passes_;
  Loss last_;
};
struct Counter {
  int number;
  template <class T, class Space, int Width>
  using Action = CountAction<T, Space, Width>;
};

using Own = ElementTypes<OwnDrift, OwnSepta, OwnRamp, Counter>;

template <class T, class Space>
ParticleTable start(const Space& exec) {
  Workspace<Space> workspace;
  const simulation::BunchParams params{.particles = 3001};
  return download(exec, simulation::generate_bunch<T>(exec, params, workspace));
}

template <class T, class Space, class Types, int Width>
ParticleTable tracked_through(const BeamLine& line, int turns, std::vector<int> stops = {},
                              int turns_at_once = 1000) {
  const Space exec;
  auto bunch = upload<T>(exec, start<T>(exec));
  LineTracker<T, Space, Types, Width> tracker(exec, line, {}, std::move(stops));
  for (int turn = 0; turn < turns; turn += turns_at_once)
    tracker.track(bunch, std::min(turns_at_once, turns - turn), {}, turn);
  return download(exec, bunch);
}

template <class T, class Space, class Types>
ParticleTable tracked_through(const BeamLine& line, int turns) {
  return tracked_through<T, Space, Types, default_lane_width<Space, T, KernelKind::beam_tracking>>(
      line, turns);
}

void check_same(const ParticleTable& a, const ParticleTable& b) {
  REQUIRE(a.ids == b.ids);
  for (int c = 0; c < n_coordinates; ++c) CHECK(a.v[c] == b.v[c]);
  for (int i = 0; i < a.size(); ++i) {
    CHECK(a.losses[i].turn == b.losses[i].turn);
    CHECK(a.losses[i].element == b.losses[i].element);
  }
}

BeamLine own_line() {
  return {
      {"q", Quadrupole{0.2, 1.5}}, {"d", OwnDrift{0.8}},      {"q", CanonicalQuadrupole{0.2, -1.5}},
      {"r", OwnRamp{1e-6, 1e-7}},  {"c", OwnCell{0.8, 1e-6}}, {"s", OwnSepta{1e-3, 1e-5}}};
}

}  // namespace

TEMPLATE_LIST_TEST_CASE("users' elements give the bits of the same built-in ones", "[beam]",
                        test::EnabledSpaces) {
  const BeamLine own{{"q", Quadrupole{0.2, 1.5}}, {"d", OwnDrift{0.8}}, {"e", OwnDrift{0.1}}};
  const BeamLine built_in{
      {"q", Quadrupole{0.2, 1.5}}, {"d", ExactDrift{0.8}}, {"e", ExactDrift{0.1}}};
  check_same(tracked_through<double, TestType, Own>(own, 20),
             tracked_through<double, TestType, ElementTypes<>>(built_in, 20));
}

TEMPLATE_LIST_TEST_CASE("users' elements: same bits for lanes, stops and turns of a call", "[beam]",
                        test::EnabledSpaces) {
  constexpr int lanes = default_lane_width<TestType, double, KernelKind::beam_tracking>;
  constexpr int one = test::reference_lanes<lanes>;
  const auto once = tracked_through<double, TestType, Own, one>(own_line(), 12);
  CHECK(once.n_lost() > 10);
  CHECK(once.n_lost() < 2900);
  check_same(tracked_through<double, TestType, Own, lanes>(own_line(), 12), once);
  check_same(tracked_through<double, TestType, Own, one>(own_line(), 12, {1, 3}), once);
  check_same(tracked_through<double, TestType, Own, one>(own_line(), 12, {}, 5), once);
}

TEST_CASE("numbers of a step may depend on the turn and the reference particle", "[beam]") {
  using Space = HostExecutor;
  const Space exec;
  ParticleTable one(1, 1000.);
  auto bunch = upload<double>(exec, one);
  LineTracker<double, Space, Own>(exec, {{"d", Drift{2.}}, {"r", OwnRamp{1e-3, 1e-6}}}, {0., 0.})
      .track(bunch, 3, {}, 10);
  const double expected =
      (1e-3 * 10 + 1e-6 * 2.) + (1e-3 * 11 + 1e-6 * 4.) + (1e-3 * 12 + 1e-6 * 6.);
  CHECK(std::abs(download(exec, bunch).v[yp][0] - expected) < 1e-15);
}

TEST_CASE("actions of a line share state, and know their place", "[beam]") {
  using Space = HostExecutor;
  const Space exec;
  auto bunch = upload<double>(exec, ParticleTable(5, 1000.));
  LineTracker<double, Space, Own> tracker(
      exec, {{"a", Counter{1}}, {"d", Drift{1.}}, {"b", Counter{2}}, {"c", Counter{1}}});
  tracker.track(bunch, 3, {}, 7);
  CHECK(tracker.action<Counter>(0).passes() == 6);
  CHECK(tracker.action<Counter>(2).passes() == 3);
  CHECK(tracker.action<Counter>(3).last().turn == 9);
  CHECK(tracker.action<Counter>(3).last().element == 3);
  test::check_refused<UsageError>([&] { tracker.action<Counter>(1); },
                                  "LineTracker: element 1 has no such action");
  test::check_refused<UsageError>([&] { tracker.action<Charge>(0); },
                                  "LineTracker: element 0 has no such action");
}

TEST_CASE("types that a tracker was not made for are refused by name", "[beam]") {
  using Space = HostExecutor;
  const Space exec;
  test::check_refused<UsageError>(
      [&] {
        LineTracker<double, Space>(exec, {{"mine", OwnDrift{1.}}});
      },
      "element 'mine': the tracker has no kernel for its steps");
  test::check_refused<UsageError>(
      [&] {
        LineTracker<double, Space>(exec, {{"mine", Counter{1}}});
      },
      "element 'mine': the tracker does not know its type");
  test::check_refused<UsageError>(
      [] {
        map_of({"mine", OwnDrift{1.}});
      },
      "element 'mine': map_of: this type of element has no Taylor map");
}

TEST_CASE("what elements do not say of themselves has defaults", "[beam]") {
  const ElementKind drift = OwnDrift{1.}, cell = OwnCell{1., 1e-3}, counter = Counter{1};
  CHECK(std::string(drift.family()) == "other");
  CHECK(drift.length() == 1.);
  CHECK(counter.length() == 0.);
  CHECK(drift.strength() == 0.);
  CHECK(!drift.is_collective());
  CHECK(counter.is_collective());
  CHECK(!drift.is_whole());
  CHECK(drift.momentum_behind(3.) == 3.);
  CHECK(drift.as<OwnDrift>() != nullptr);
  CHECK(drift.as<OwnCell>() == nullptr);
  const ElementKind reversed = drift.reversed();
  CHECK(reversed.as<OwnDrift>() == drift.as<OwnDrift>());
  CHECK(cell.map_to(1) == drift_map(1., 1));
  const BeamLine parts = split({{"d", drift}, {"c", counter}}, 4);
  REQUIRE(parts.size() == 5);
  CHECK(parts[3].kind.length() == 0.25);
}

TEST_CASE("observers may change particles and the reference particle", "[beam]") {
  using Space = HostExecutor;
  const Space exec;
  auto bunch = upload<double>(exec, ParticleTable(3, 1000.));
  LineTracker<double, Space> tracker(exec, {{"d", Drift{1.}}, {"e", Drift{2.}}, {"f", Drift{4.}}},
                                     {0., 0.}, {1});
  std::vector<double> paths;
  tracker.track(bunch, 2, [&](int turn, int, auto& b) {
    paths.push_back(b.reference.path_length);
    if (turn == 0) b.reference.path_length += 0.5;
    b.values(xp)(1) += 1e-3;
  });
  CHECK(paths == std::vector<double>{3., 10.5});
  const auto table = download(exec, bunch);
  CHECK(table.reference.path_length == 14.5);
  CHECK(std::abs(table.v[x][1] - (4e-3 + 3e-3 + 8e-3)) < 1e-15);
  CHECK(table.v[x][0] == 0.);
}
