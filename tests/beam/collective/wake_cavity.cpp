// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <catch2/catch_template_test_macros.hpp>
#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <memory>
#include <numbers>
#include <trackplex/beam/collective/wake_cavity.hpp>
#include <trackplex/core/error.hpp>
#include <trackplex/core/host_executor.hpp>
#include <trackplex/io/sdds/wake_file.hpp>

#include "beam/elements/element_sets.hpp"
#include "space_charge_cases.hpp"
#include "support/lane_widths.hpp"
#include "support/refusals.hpp"
#include "support/spaces.hpp"

using namespace trackplex;
using namespace trackplex::beam;
using Space = HostExecutor;

namespace {

using BodyFocus = RfCavity::BodyFocus;

template <class T, int Width, class OfSpace, class Element>
ParticleTable behind_wakes(const ParticleTable& table, const Element& element) {
  const OfSpace exec;
  Workspace<OfSpace> workspace;
  auto bunch = upload<T>(exec, table);
  typename Element::template Action<T, OfSpace, Width> act(exec, element);
  act(exec, bunch, workspace);
  return download(exec, bunch);
}
template <class Element>
ParticleTable behind_wakes(const ParticleTable& table, const Element& element) {
  return behind_wakes<double, test::line_lanes<double>, Space>(table, element);
}

/// An element with a change.
template <class Change>
WakeCavity with(WakeCavity element, const Change& change) {
  change(element);
  return element;
}

/// The cavity of the sets, without effects.
WakeCavity plain_cavity() {
  return {.cavity = {.length = 1.,
                     .voltage = 20e6,
                     .phase = 80. * std::numbers::pi / 180.,
                     .frequency = 2.856e9,
                     .change_momentum = true},
          .cell_length = 0.05,
          .interpolate = true};
}

/// A table that needs no file: wakes that decay and oscillate.
std::shared_ptr<const WakeTable> cavity_table() {
  WakeTable table;
  for (int i = 0; i < 201; ++i) {
    const double t = 1e-13 * i;
    table.time.push_back(t);
    table.longitudinal.push_back(3e13 * std::exp(-t * 1e12) * std::cos(t * 2e12));
    table.x.push_back(2e17 * std::sin(t * 1e12));
    table.y.push_back(1e17 * std::sin(t * 2e12));
  }
  return std::make_shared<const WakeTable>(table);
}

/// The cavity with both wakes.
WakeCavity wake_cavity() {
  return with(plain_cavity(),
              [table = cavity_table()](auto& e) { e.longitudinal = e.transverse = table; });
}

/// Cavities with effects in all kinds of slices.
std::vector<WakeCavity> varied_cavities() {
  const auto all = with(wake_cavity(), [](auto& e) {
    e.space_charge = true;
    e.space_charge_bins = 32;
    e.cavity.kicks = 20;
    e.cavity.dx = 1e-4;
    e.cavity.dy = -2e-4;
    e.cavity.entrance_focus = e.cavity.exit_focus = true;
  });
  return {all,
          with(all,
               [](auto& e) {
                 e.effects_at_end = e.smoothing = true;
                 e.cavity.change_momentum = false;
               }),
          with(all,
               [](auto& e) {
                 e.bins = 64;
                 e.cavity.body_focus = BodyFocus::standing_wave;
               }),
          with(all, [](auto& e) {
            e.space_charge = e.interpolate = false;
            e.cavity.kicks = 0;
          })};
}

bool same(const ParticleTable& a, const ParticleTable& b) {
  for (int c = 0; c < n_coordinates; ++c)
    if (a.v[c] != b.v[c]) return false;
  return a.reference.p0 == b.reference.p0 && a.reference.path_length == b.reference.path_length;
}

struct Case {
  const char* set;
  double p0_behind;
  WakeCavity element;
  double tolerance = 1e-10;
};

std::vector<Case> cases() {
  const auto path = test::reference_or_skip("beam-elements/lattice/wake.sdds");
  const auto table = std::make_shared<const WakeTable>(
      io::read_wake_table(path, {.longitudinal = "W", .x = "WX", .y = "WY"}));
  const auto one = with(plain_cavity(), [&](auto& e) {
    e.longitudinal = table;
    e.bins = 64;
  });
  const auto kicks = [](WakeCavity element, int n) {
    element.cavity.kicks = n;
    return element;
  };
  const auto both = with(one, [](auto& e) {
    e.bins = 0;
    e.transverse = e.longitudinal;
    e.cavity.entrance_focus = e.cavity.exit_focus = true;
  });
  const auto standing_wave = [](auto& e) { e.cavity.body_focus = BodyFocus::standing_wave; };
  const auto space_charge = with(kicks(one, 40), [](auto& e) {
    e.space_charge = true;
    e.space_charge_bins = 64;
  });
  return {
      {"rfcw_atend", 238.36522771292675,
       with(kicks(one, 10), [](auto& e) { e.effects_at_end = true; })},
      // With a number of bins elegant has those of transverse wakes around time 0, where there are
      // no particles: the set has no transverse wake, which this element has
      {"rfcw_both", 238.3555541322983,
       with(kicks(both, 5),
            [&](auto& e) {
              standing_wave(e);
              e.bins = 64;
              e.transverse = {};
            })},
      {"rfcw_both_autobins", 238.3638090909175, kicks(both, 5)},
      {"rfcw_both_srs_autobins", 238.36547237874818, with(both, standing_wave)},
      // Half of the bunch is outside of the bins. elegant truncates the number of the bin towards
      // 0, so that the first one has the particles of the bin before it, too, and their wake
      {"rfcw_lsc", 238.47725161122892, space_charge, 6e-3},
      {"rfcw_lsc_autobins", 238.36776257194057, with(space_charge, [](auto& e) { e.bins = 0; })},
      {"rfcw_nowake", 238.53876052758918, plain_cavity(), 1e-12},
      {"rfcw_zwake", 238.36315762742208, one},
      {"rfcw_zwake_kicks", 238.36484004642406, with(kicks(one, 10), [](auto& e) {
         e.cavity.entrance_focus = e.cavity.exit_focus = true;
       })}};
}

}  // namespace

TEST_CASE("cavities with wakes track as those of elegant", "[beam]") {
  for (const Case& of : cases()) {
    CAPTURE(of.set);
    const auto set = test::element_set(of.set, 200., of.p0_behind);
    auto table = test::table_before(set);
    table.particle_charge = test::bunch_charge / table.size();
    const auto after = behind_wakes(table, of.element);
    const auto deviation = test::deviation_of(after, set);
    CAPTURE(deviation.of);
    CHECK(deviation.largest() <= of.tolerance);
    CHECK(std::abs(after.reference.p0 / of.p0_behind - 1.) < 1e-3 * of.tolerance);
  }
}

TEMPLATE_LIST_TEST_CASE("cavities with wakes give the same bits at every width", "[beam]",
                        test::EnabledSpaces) {
  const auto check = [](const ParticleTable& table, const WakeCavity& element) {
    const auto check_type = [&]<class T>(T) {
      const auto one = behind_wakes<T, 1, Space>(table, element);
      REQUIRE(one.v[xp] != table.v[xp]);
      CHECK(same(behind_wakes<T, 1, TestType>(table, element), one));
      if constexpr (is_host_space<TestType>) {
        CHECK(same(behind_wakes<T, test::line_lanes<T>, TestType>(table, element), one));
      }
    };
    check_type(1.);
    check_type(1.f);
  };
  for (const WakeCavity& element : varied_cavities()) {
    check(test::gaussian_table(2003), element);
    check(test::gaussian_table(5), element);
  }
}

TEST_CASE("without effects of the bunch it is a cavity", "[beam]") {
  const auto table = test::gaussian_table(1003);
  auto neutral = table;
  neutral.particle_charge = 0.;
  for (WakeCavity element : varied_cavities()) {
    element.space_charge = false;
    element.longitudinal = element.transverse = {};
    CHECK(same(behind_wakes(neutral, element), behind_wakes(table, element.cavity)));
    CHECK(element.map_to(2) == element.cavity.map_to(2));
    CHECK(ElementKind(element).length() == 1.);
    CHECK(ElementKind(element).is_whole());
    // with wakes of 0 as well, but for the order of products
    element.longitudinal =
        std::make_shared<const WakeTable>(WakeTable{{0., 1e-9}, {0., 0.}, {}, {}});
    const auto after = behind_wakes(table, element), expected = behind_wakes(table, element.cavity);
    for (int c = 0; c < n_coordinates; ++c)
      for (int i = 0; i < table.size(); ++i)
        REQUIRE(std::abs(after.v[c][i] - expected.v[c][i]) < 1e-14);
  }
  const auto none = behind_wakes(ParticleTable(0, 200.), wake_cavity());
  CHECK(none.reference.path_length == 1.);
  // nor has one without a length
  const auto thin = with(wake_cavity(), [](auto& e) { e.cavity.length = 0.; });
  CHECK(same(behind_wakes(neutral, thin), behind_wakes(neutral, thin.cavity)));
}

TEST_CASE("wakes of a cavity do not depend on its slices", "[beam]") {
  // Without voltage all particles keep their distances
  auto table = test::gaussian_table(2000);
  table.reference = {2e4, 3.};
  for (double& value : table.v[xp]) value = 0.;
  for (double& value : table.v[yp]) value = 0.;
  const auto loss = [&](const ParticleTable& after) {
    double sum = 0.;
    for (const double value : after.v[delta]) sum += value;
    return sum / table.size();
  };
  const auto one = with(wake_cavity(), [](auto& e) {
    e.cavity.voltage = 0.;
    e.cavity.change_momentum = false;
    e.transverse = {};
  });
  double mean = 0.;
  for (const double value : table.v[delta]) mean += value / table.size();
  const double expected = loss(behind_wakes(table, one.longitudinal_wake())) - mean;
  REQUIRE(expected < -1e-7);
  for (const int kicks : {0, 1, 4, 10})
    for (const bool at_end : {false, true})
      for (const BodyFocus focus : {BodyFocus::none, BodyFocus::standing_wave}) {
        const auto after = behind_wakes(table, with(one, [&](auto& e) {
                                          e.cavity.kicks = kicks;
                                          e.cavity.body_focus = focus;
                                          e.effects_at_end = at_end;
                                        }));
        CHECK(std::abs((loss(after) - mean) / expected - 1.) < 1e-5);
        CHECK(std::abs(after.reference.path_length - 4.) < 1e-14);
      }
}

TEST_CASE("transverse wakes are about the displaced axis of a cavity", "[beam]") {
  const auto table = test::gaussian_table(500);
  for (WakeCavity element : varied_cavities()) {
    auto moved = table;
    for (double& value : moved.v[x]) value += element.cavity.dx;
    for (double& value : moved.v[y]) value += element.cavity.dy;
    const auto after = behind_wakes(moved, element);
    element.cavity.dx = element.cavity.dy = 0.;
    const auto expected = behind_wakes(table, element);
    for (int i = 0; i < table.size(); ++i) {
      REQUIRE(std::abs(after.v[x][i] - 1e-4 - expected.v[x][i]) < 1e-15);
      REQUIRE(std::abs(after.v[y][i] + 2e-4 - expected.v[y][i]) < 1e-15);
      for (const int c : {xp, yp, s, delta})
        REQUIRE(std::abs(after.v[c][i] - expected.v[c][i]) < 1e-13);
    }
  }
}

TEST_CASE("a cavity with wakes tells their fields and allocates nothing more", "[beam]") {
  const Space exec;
  Workspace<Space> workspace;
  const auto element = varied_cavities().front();
  LineState state;
  WakeCavityAction<double, Space, test::line_lanes<double>> action(exec, element, state);
  const auto track = [&](double length) {
    auto table = test::gaussian_table(5000);
    for (double& value : table.v[s]) value *= length;
    auto bunch = upload<double>(exec, table);
    action(exec, bunch, workspace);
  };
  track(1.);
  const auto bytes = workspace.bytes();
  track(0.7);
  CHECK(workspace.bytes() == bytes);
  CHECK(action.phase_reference().found);
  CHECK(action.element().cavity.dx == element.cavity.dx);
  CHECK(action.longitudinal_wake()->profile(exec).voltage.size() > 10);
  CHECK(action.transverse_wake()->x_profile(exec).voltage.size() > 10);
  CHECK(action.space_charge()->last_step(exec).length == 0.05);
  const WakeCavityAction<double, Space, test::line_lanes<double>> plain(exec, plain_cavity());
  CHECK(plain.longitudinal_wake() == nullptr);
  CHECK(plain.transverse_wake() == nullptr);
  CHECK(plain.space_charge() == nullptr);
}

TEST_CASE("cavities with wakes that are refused", "[beam]") {
  const auto table = test::gaussian_table(100);
  const auto refused = [&](const WakeCavity& element, const std::string& why) {
    test::check_refused<UsageError>([&] { return behind_wakes(table, element); }, why);
  };
  const auto one = wake_cavity();
  refused(with(one, [](auto& e) { e.cell_length = 0.; }), "its length of a cell cannot be 0");
  refused(with(one, [](auto& e) { e.cell_length = -1.; }), "must not be negative");
  refused(with(one, [](auto& e) { e.bins = -1; }), "its number of bins cannot be -1");
  refused(with(one, [](auto& e) { e.cavity.length = -1.; }), "its length cannot be -1");
  refused(with(one, [](auto& e) { e.cavity.body_focus = BodyFocus::travelling_wave; }),
          "its number of kicks cannot be 0");
  refused(with(one, [](auto& e) { e.smoothing_order = 20, e.smoothing = true; }), "no such filter");
  auto flat = *cavity_table();
  flat.longitudinal.clear();
  refused(with(one, [&](auto& e) { e.longitudinal = std::make_shared<const WakeTable>(flat); }),
          "no longitudinal wake");
  flat.x.clear();
  flat.y.clear();
  refused(with(one, [&](auto& e) { e.transverse = std::make_shared<const WakeTable>(flat); }),
          "no transverse wake");
  const auto space_charge = with(one, [](auto& e) {
    e.space_charge = true;
    e.space_charge_bins = 32;
  });
  refused(with(space_charge, [](auto& e) { e.space_charge_bins = 3; }), "an even number from 4 on");
  refused(with(space_charge, [](auto& e) { e.radius_factor = 0.; }), "radius factor");
  refused(space_charge, "a slice of the cavity is too long (1 m, and plasma oscillations allow 0.");
  auto neutral = table;
  neutral.particle_charge = 0.;
  test::check_refused<UsageError>([&] { return behind_wakes(neutral, one); },
                                  "the particles have no charge");
  auto line = table;
  for (const int c : {x, xp, y, yp})
    for (double& value : line.v[c]) value = 0.;
  test::check_refused<UsageError>([&] { return behind_wakes(line, space_charge); },
                                  "the bunch has no transverse size");
}
