// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <algorithm>
#include <catch2/catch_template_test_macros.hpp>
#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <limits>
#include <optional>
#include <trackplex/beam/bunch/remove_lost.hpp>
#include <trackplex/beam/collective/csr.hpp>
#include <trackplex/beam/line_tracker.hpp>
#include <trackplex/core/host_executor.hpp>
#include <trackplex/core/random.hpp>

#include "beam/elements/element_sets.hpp"
#include "support/lane_widths.hpp"
#include "support/refusals.hpp"
#include "support/spaces.hpp"

using namespace trackplex;
using namespace trackplex::beam;
using Space = HostExecutor;

namespace {

constexpr double bunch_charge = 1e-9;  // C

CsrBend bend_of_sets() {
  return {.magnet = {.length = 0.3, .angle = 0.1, .exit = 0.1, .slices = 10}, .bins = 100};
}
CsrBend with(const auto& change) {
  auto bend = bend_of_sets();
  change(bend);
  return bend;
}

ParticleTable gaussian_table(int n, double p0 = 200., double path_length = 0.) {
  ParticleTable table(n, p0);
  const double sigmas[] = {150e-6, 1e-5, 100e-6, 1.5e-5, 3e-4, 1e-4};
  RandomStream<double> random(11, 3);
  for (int i = 0; i < n; ++i)
    for (int c = 0; c < n_coordinates; ++c)
      table.v[c][i] = std::clamp(random.normal(0., sigmas[c]), -3. * sigmas[c], 3. * sigmas[c]);
  table.particle_charge = bunch_charge / n;
  table.reference.path_length = path_length;
  return table;
}

/// Particles behind a bend, if there is one, and a drift, if there is one.
template <class T, int Width, class OfSpace>
ParticleTable acted(const ParticleTable& table, const std::optional<CsrBend>& bend,
                    const std::vector<CsrDrift>& drifts = {}) {
  const OfSpace exec;
  Workspace<OfSpace> workspace;
  LineState state;
  auto bunch = upload<T>(exec, table);
  if (bend) {
    CsrBendAction<T, OfSpace, Width> act(exec, *bend, state);
    act(exec, bunch, workspace);
  }
  remove_lost(exec, bunch, workspace);
  for (const CsrDrift& drift : drifts) {
    CsrDriftAction<T, OfSpace, Width> act(exec, drift, state);
    act(exec, bunch, workspace);
  }
  return download(exec, bunch);
}
template <class T>
ParticleTable acted(const ParticleTable& table, const std::optional<CsrBend>& bend,
                    const std::vector<CsrDrift>& drifts = {}) {
  return acted<T, test::line_lanes<T>, Space>(table, bend, drifts);
}

template <class OfSpace>
constexpr int width_on = default_lane_width<OfSpace, double, KernelKind::beam_tracking>;

}  // namespace

TEMPLATE_LIST_TEST_CASE("coherent radiation is that of elegant", "[beam]", test::EnabledSpaces) {
  using Field = CsrDrift::Field;
  struct Case {
    const char* set;
    std::optional<CsrBend> bend;
    std::vector<CsrDrift> drifts;
    double tolerance;
  };
  // elegant's roots of the equation for the transient field are those of an iteration that stops
  // at a relative change of 1e-4
  const double of_roots = 3e-6;
  const auto steady = [](auto& b) { b.steady_state = true; };
  const auto order_2 = [](auto& b) { b.magnet.integration_order = 2; };
  const auto off = [](auto& b) { b.radiation = false; };
  const auto smooth = [](auto& b) {
    b.bins = 200;
    b.smoothing_half_width = 2;
  };
  const auto derivative = [](auto& b) {
    b.magnet.slices = 4;
    b.bins = 200;
    b.smoothing_half_width = 2;
    b.derivative_half_width = 3;
    b.derivative_order = 2;
  };
  const auto block = [](auto& b) {
    b.radiates_behind = false;
    b.magnet.half_gap = 0.01;
    b.magnet.strengths = {0.2};
    b.magnet.misalignment.dx = 1e-3;
  };
  const CsrDrift drift{.length = 0.5, .steps = 5};
  const auto in = [&](Field field) {
    auto result = drift;
    result.field = field;
    result.attenuation_length = 0.3;
    return std::vector{result};
  };
  const Case cases[] = {
      {"csrcsbend_bins100", bend_of_sets(), {}, 1e-10},
      {"csrcsbend_block", with(block), {}, 1e-10},
      {"csrcsbend_integ2", with(order_2), {}, 1e-10},
      {"csrcsbend_off", with(off), {}, 1e-10},
      {"csrcsbend_sg", with(smooth), {}, 1e-10},
      {"csrcsbend_sgderiv", with(derivative), {}, 1e-10},
      {"csrcsbend_steady", with(steady), {}, 1e-10},
      {"csrbend_drift_default", bend_of_sets(), in(Field::constant), 1e-10},
      {"csrbend_drift_attenuation", bend_of_sets(), in(Field::decaying), 1e-10},
      {"csrbend_drift_overtaking", bend_of_sets(), in(Field::overtaking), 1e-10},
      {"csrbend_drift_stupakov", bend_of_sets(), in(Field::transient), of_roots},
      {"csrdrift_nocsr", {}, {{.length = 1., .field = Field::none}}, 1e-12},
  };
  for (const Case& of : cases) {
    CAPTURE(of.set);
    const auto set = test::element_set(of.set, 200., 200.);
    auto table = test::table_before(set);
    table.particle_charge = bunch_charge / table.size();
    const auto after = acted<double, width_on<TestType>, TestType>(table, of.bend, of.drifts);
    const auto deviation = test::deviation_of(after, set);
    CAPTURE(deviation.of);
    CHECK(deviation.fates == 0);
    CHECK(deviation.largest() <= of.tolerance);
  }
}

TEMPLATE_LIST_TEST_CASE("coherent radiation has the same bits at every width", "[beam]",
                        test::EnabledSpaces) {
  using Field = CsrDrift::Field;
  const auto check = [](const ParticleTable& table, const CsrBend& bend,
                        const std::vector<CsrDrift>& drifts) {
    const auto check_type = [&]<class T>(T) {
      const auto one = acted<T, 1, Space>(table, bend, drifts);
      const auto same = [&](const ParticleTable& other) {
        for (int c = 0; c < n_coordinates; ++c) CHECK(other.v[c] == one.v[c]);
      };
      same(acted<T, 1, TestType>(table, bend, drifts));
      if constexpr (is_host_space<TestType>) {
        same(acted<T, test::line_lanes<T>, TestType>(table, bend, drifts));
      }
    };
    check_type(1.);
    check_type(1.f);
  };
  std::vector<CsrDrift> drifts;
  for (const Field field : {Field::transient, Field::constant, Field::decaying, Field::overtaking})
    drifts.push_back({.length = 0.2, .field = field, .steps = 3, .attenuation_length = 0.5});
  const auto table = gaussian_table(10007, 200., 35.);
  check(table, bend_of_sets(), drifts);
  check(table, with([](auto& b) {
          b.magnet.angle = -0.1;
          b.magnet.expanded = true;
          b.smoothing_half_width = 3;
          b.bins = 77;
        }),
        {});
  check(gaussian_table(3), with([](auto& b) { b.steady_state = true; }), drifts);
  check(gaussian_table(1003, 2e4),
        with([](auto& b) { b.magnet.radiates = b.magnet.quantum = true; }), {});
}

TEST_CASE("coherent radiation in single precision", "[beam]") {
  const auto table = gaussian_table(20000, 200., 35.);
  const auto bend = with([](auto& b) { b.bins = 60; });
  const std::vector<CsrDrift> drifts = {{.length = 0.3, .steps = 3}};
  const auto exact = acted<double>(table, bend, drifts),
             rounded = acted<float>(table, bend, drifts);
  double largest = 0., kick = 0.;
  for (int i = 0; i < table.size(); ++i) {
    kick = std::max(kick, std::abs(exact.v[delta][i] - table.v[delta][i]));
    largest = std::max(largest, std::abs(rounded.v[delta][i] - exact.v[delta][i]));
  }
  CHECK(kick > 1e-4);
  CHECK(largest < 5e-3 * kick);
}

TEST_CASE("the mean loss in a long bend is that of a Gaussian bunch", "[beam]") {
  // N e^2/(4 pi eps0) 3^(1/6) Gamma(2/3)^2/(2 pi) / (rho^2 sigma^4)^(1/3) per length
  const int n = 200000;
  const double sigma = 1e-4, rho = 10., length = 0.5, p0 = 2e5;
  ParticleTable table(n, p0);
  table.particle_charge = bunch_charge / n;
  RandomStream<double> random(5, 2);
  for (int i = 0; i < n; ++i) table.v[s][i] = random.normal(0., sigma);
  CsrBend bend{.magnet = {.length = length, .angle = length / rho, .slices = 3},
               .bins = 200,
               .smoothing_half_width = 5,
               .smoothing_order = 2,
               .steady_state = true};
  const auto after = acted<double>(table, bend);
  double mean = 0., gain = 0.;
  for (int i = 0; i < n; ++i) {
    mean += after.v[delta][i] / n;
    gain = std::max(gain, after.v[delta][i]);
  }
  const double unit = bunch_charge / 1.602176634e-19 * 2.8179403e-15;  // N r_e, m
  const double gamma23 = std::tgamma(2. / 3.);
  const double loss = unit * std::pow(3., 1. / 6.) * gamma23 * gamma23 / (2. * 3.14159265) /
                      std::cbrt(rho * rho * std::pow(sigma, 4.)) * length / p0;
  CHECK(std::abs(mean / -loss - 1.) < 0.01);
  CHECK(gain > 0.3 * loss);  // of the head
  // Far behind the entrance the transient field is steady; near it, there is nearly none
  bend.steady_state = false;
  bend.magnet.length = 10.;
  bend.magnet.angle = 1.;
  bend.magnet.slices = 20;
  double deep = 0.;
  for (const double value : acted<double>(table, bend).v[delta]) deep += value / n;
  CHECK(deep / (mean * 20.) > 0.9);
  CHECK(deep / (mean * 20.) < 1.1);
}

TEST_CASE("a kick of coherent radiation keeps times and slopes", "[beam]") {
  const auto table = gaussian_table(5000, 200., 12.);
  const auto without = acted<double>(table, with([](auto& b) {
                                       b.radiation = false;
                                       b.magnet.slices = 1;
                                       b.magnet.exit_effects = EdgeEffects::none;
                                     }));
  const auto after = acted<double>(table, with([](auto& b) {
                                     b.magnet.slices = 1;
                                     b.magnet.exit_effects = EdgeEffects::none;
                                   }));
  double changed = 0.;
  for (int i = 0; i < table.size(); ++i) {
    for (const int c : {x, xp, y, yp}) REQUIRE(after.v[c][i] == without.v[c][i]);
    const auto time = [i](const ParticleTable& of) {
      return trackplex::beam::delay(of.reference, of.v[s][i], of.v[delta][i]);
    };
    REQUIRE(std::abs(time(after) - time(without)) < 1e-17);
    changed = std::max(changed, std::abs(after.v[delta][i] - without.v[delta][i]));
  }
  CHECK(changed > 1e-5);
  CHECK(after.reference.path_length == 12.3);
}

TEST_CASE("bends of either sign are mirror images", "[beam]") {
  const auto table = gaussian_table(5000);
  auto mirrored = table;
  for (const int c : {x, xp, y, yp})
    for (double& value : mirrored.v[c]) value = -value;
  const auto a = acted<double>(table, bend_of_sets());
  const auto b = acted<double>(mirrored, with([](auto& bend) {
                                 bend.magnet.angle = -bend.magnet.angle;
                                 bend.magnet.exit = -bend.magnet.exit;
                               }));
  for (int i = 0; i < table.size(); ++i) {
    for (const int c : {x, xp, y, yp}) REQUIRE(std::abs(a.v[c][i] + b.v[c][i]) < 1e-16);
    REQUIRE(std::abs(a.v[s][i] - b.v[s][i]) < 1e-16);
    REQUIRE(std::abs(a.v[delta][i] - b.v[delta][i]) < 1e-16);
  }
}

TEST_CASE("the field goes on from drift to drift", "[beam]") {
  using Field = CsrDrift::Field;
  const auto table = gaussian_table(5000);
  const auto largest = [&](const ParticleTable& a, const ParticleTable& b) {
    double result = 0.;
    for (int i = 0; i < a.size(); ++i)
      result = std::max(result, std::abs(a.v[delta][i] - b.v[delta][i]));
    return result;
  };
  const auto bent = acted<double>(table, bend_of_sets());
  for (const Field field : {Field::constant, Field::decaying, Field::transient}) {
    const CsrDrift whole{.length = 0.8, .field = field, .steps = 8, .attenuation_length = 0.4};
    auto half = whole;
    half.length = 0.4;
    half.steps = 4;
    const auto one = acted<double>(table, bend_of_sets(), {whole});
    const auto two = acted<double>(table, bend_of_sets(), {half, half});
    CHECK(largest(one, bent) > 1e-5);
    CHECK(largest(one, two) < 1e-15);
    CHECK(two.reference.path_length == 1.1);
    // A step about as long as asked for
    auto by_length = whole;
    by_length.steps = 1;
    by_length.step_length = 0.0999999;
    CHECK(largest(one, acted<double>(table, bend_of_sets(), {by_length})) == 0.);
    // A drift without a field in between counts for the place, and only for it
    const CsrDrift skipped{.length = 0.4, .field = Field::none};
    const auto behind = acted<double>(table, bend_of_sets(), {skipped, half});
    CHECK(largest(behind, bent) > 1e-6);
    CHECK(largest(behind, two) > 1e-6);
    // Behind a bend that hands nothing on, and without one, there is none
    const auto blocked = with([](auto& bend) { bend.radiates_behind = false; });
    CHECK(acted<double>(table, blocked, {whole}).v[delta] == bent.v[delta]);
    CHECK(acted<double>(table, {}, {whole}).v[delta] == table.v[delta]);
  }
  // The transient field begins as that at the exit of the bend, in a fine step
  const auto many = gaussian_table(100000);
  const auto smooth = with([](auto& bend) {
    bend.bins = 200;
    bend.smoothing_half_width = 6;
    bend.magnet.slices = 40;
    bend.magnet.exit = 0.;
  });
  const auto exit = acted<double>(many, smooth);
  const auto gain = [&](Field field) {
    const auto after = acted<double>(many, smooth, {{.length = 1e-4, .field = field}});
    std::vector<double> gains;
    for (int i = 0; i < many.size(); ++i) gains.push_back(after.v[delta][i] - exit.v[delta][i]);
    return gains;
  };
  const auto constant = gain(Field::constant), transient = gain(Field::transient);
  double difference = 0., most = 0.;
  for (int i = 0; i < many.size(); ++i) {
    difference = std::max(difference, std::abs(constant[i] - transient[i]));
    most = std::max(most, std::abs(constant[i]));
  }
  CHECK(most > 0.);
  CHECK(difference < 0.2 * most);
}

TEMPLATE_LIST_TEST_CASE("particles that turn around in a bend do not radiate", "[beam]",
                        test::EnabledSpaces) {
  const auto table = gaussian_table(1000);
  auto wild = table;
  wild.v[xp][500] = 40.;
  auto without = ParticleTable(999, 200.);
  for (int i = 0; i < 999; ++i)
    for (int c = 0; c < n_coordinates; ++c) without.v[c][i] = table.v[c][i < 500 ? i : i + 1];
  without.particle_charge = table.particle_charge;
  const auto a = acted<double, width_on<TestType>, TestType>(wild, bend_of_sets());
  const auto b = acted<double, width_on<TestType>, TestType>(without, bend_of_sets());
  REQUIRE(a.size() == 1000);
  int lost = 0, kept = 0;
  for (int i = 0; i < a.size(); ++i) {
    if (a.losses[i].element != Loss::none) {
      ++lost;
      CHECK(a.ids[i] == 500);
      for (int c = 0; c < n_coordinates; ++c) CHECK(std::isfinite(a.v[c][i]));
      continue;
    }
    for (int c = 0; c < n_coordinates; ++c) REQUIRE(a.v[c][i] == b.v[c][kept]);
    ++kept;
  }
  CHECK(lost == 1);
  CHECK(kept == 999);
}

TEST_CASE("profiles of coherent radiation", "[beam]") {
  const Space exec;
  Workspace<Space> workspace;
  LineState state;
  auto bunch = upload<double>(exec, gaussian_table(5000));
  CsrBendAction<double, Space, test::line_lanes<double>> act(exec, bend_of_sets(), state);
  act(exec, bunch, workspace);
  const auto bytes = workspace.bytes();
  const auto profile = act.profile(exec, bunch);
  REQUIRE(profile.gain.size() == 100);
  CHECK(std::is_sorted(profile.time.begin(), profile.time.end()));
  CHECK(*std::max_element(profile.gain.begin(), profile.gain.end()) > 100.);  // eV
  CHECK(*std::min_element(profile.gain.begin(), profile.gain.end()) < -100.);
  act(exec, bunch, workspace);
  CHECK(workspace.bytes() == bytes);
  // Bunches without particles
  auto nothing = upload<double>(exec, gaussian_table(0));
  act(exec, nothing, workspace);
  CHECK(nothing.reference.path_length == 0.3);
  CsrDriftAction<double, Space, test::line_lanes<double>> drift(exec, {.length = 0.5}, state);
  drift(exec, nothing, workspace);
  CHECK(nothing.reference.path_length == 0.8);
}

TEST_CASE("coherent radiation along a line", "[beam]") {
  const Space exec;
  const auto table = gaussian_table(2000);
  using Tracker = LineTracker<double, Space, ElementTypes<CsrBend, CsrDrift>>;
  const CsrDrift drift{.length = 0.5, .steps = 5};
  Tracker tracker(exec, {{"c", Charge{bunch_charge}}, {"b", bend_of_sets()}, {"d", drift}});
  auto bunch = upload<double>(exec, table);
  tracker.track(bunch);
  const auto after = download(exec, bunch), direct = acted<double>(table, bend_of_sets(), {drift});
  for (int c = 0; c < n_coordinates; ++c) CHECK(after.v[c] == direct.v[c]);
  CHECK(after.reference.path_length == 0.8);
  // The place of losses
  auto wild = table;
  wild.v[xp][500] = 40.;
  bunch = upload<double>(exec, wild);
  tracker.track(bunch, 2);
  const auto some = download(exec, bunch);
  CHECK(some.losses.back().element == 1);
  CHECK(some.losses.back().turn == 0);
  CHECK(some.ids.back() == 500);
}

TEST_CASE("coherent radiation of one bunch does not reach the next", "[beam]") {
  const Space exec;
  const auto table = gaussian_table(2000);
  using Tracker = LineTracker<double, Space, ElementTypes<CsrBend, CsrDrift>>;
  Tracker tracker(exec, {{"c", Charge{bunch_charge}},
                         {"d", CsrDrift{.length = 0.5, .steps = 5}},
                         {"b", bend_of_sets()}});
  auto first = upload<double>(exec, table), second = upload<double>(exec, table);
  tracker.track(first);
  tracker.track(second);
  const auto expected = download(exec, first), after = download(exec, second);
  for (int c = 0; c < n_coordinates; ++c) CHECK(after.v[c] == expected.v[c]);
  // A second turn begins in the field of the first
  tracker.track(second, 1, Tracker::NoObserver(), 1);
  auto turns = upload<double>(exec, table);
  tracker.track(turns, 2);
  const auto twice = download(exec, turns), again = download(exec, second);
  for (int c = 0; c < n_coordinates; ++c) CHECK(twice.v[c] == again.v[c]);
}

TEST_CASE("coherent radiation that is impossible", "[beam]") {
  const auto make = [](const auto& change) {
    return [bend = with(change)] { return acted<double>(gaussian_table(10), bend); };
  };
  test::check_refused<UsageError>(make([](auto& b) { b.bins = 1; }), "no such number of bins (1)");
  test::check_refused<UsageError>(make([](auto& b) { b.range_factor = 1.; }), "below 1.1 (1)");
  test::check_refused<UsageError>(make([](auto& b) { b.smoothing_half_width = -1; }),
                                  "no such filter");
  test::check_refused<UsageError>(make([](auto& b) { b.derivative_order = 3; }), "no such filter");
  test::check_refused<UsageError>(make([](auto& b) { b.magnet.slices = 0; }), "it needs slices");
  const auto drift = [](const CsrDrift& of) {
    return [of] { return acted<double>(gaussian_table(10), {}, {of}); };
  };
  using Field = CsrDrift::Field;
  test::check_refused<UsageError>(drift({.length = 1., .steps = 0}), "it needs steps (0)");
  test::check_refused<UsageError>(drift({.length = 1., .field = Field::decaying}),
                                  "attenuation length is not above 0");
  test::check_refused<UsageError>(
      drift({.length = 1., .field = Field::overtaking, .overtaking_factor = 0.}),
      "overtaking factor is not above 0");
  const auto track = [](const auto& change) {
    auto table = gaussian_table(10);
    change(table);
    return [table] { return acted<double>(table, bend_of_sets()); };
  };
  test::check_refused<UsageError>(track([](auto& t) { t.particle_charge = 0.; }),
                                  "the particles have no charge");
  test::check_refused<UsageError>(track([](auto& t) { t.losses[3] = {0, 0}; }), "lost particles");
  test::check_refused<UsageError>(track([](auto& t) {
                                    for (auto& column : t.v) column.assign(10, 0.);
                                  }),
                                  "the bunch has no length");
  test::check_refused<UsageError>(
      track([](auto& t) { t.v[s][3] = std::numeric_limits<double>::infinity(); }), "not finite");
  const auto check = [](const auto& element) {
    return [element] {
      element.check(ElementCheck("e"));
      return 0;
    };
  };
  test::check_refused<UsageError>(check(with([](auto& b) { b.magnet.angle = 0.; })),
                                  "angle cannot be 0 (the axis must be curved)");
  test::check_refused<UsageError>(
      check(with([](auto& b) { b.magnet.radiates = b.magnet.expanded = true; })), "radiation");
  test::check_refused<UsageError>(check(CsrDrift{.length = -1.}), "must not be negative");
}

TEST_CASE("a coherent bend radiates incoherently as a bend alone", "[beam]") {
  const auto table = gaussian_table(2000, 2e4);
  const auto behind = [&](bool coherent, bool radiates, bool quantum) {
    return acted<double>(table, with([&](auto& b) {
                           b.radiation = coherent;
                           b.magnet.entrance = 0.05;
                           b.magnet.radiates = radiates;
                           b.magnet.quantum = quantum;
                         }));
  };
  auto magnet = with([](auto& b) { b.magnet.entrance = 0.05; }).magnet;
  const auto alone = [&](bool radiates, bool quantum) {
    magnet.radiates = radiates;
    magnet.quantum = quantum;
    const Space exec;
    auto bunch = upload<double>(exec, table);
    LineTracker<double, Space, ElementTypes<>, test::line_lanes<double>>(exec, {{"B", magnet}})
        .track(bunch);
    return download(exec, bunch);
  };
  const auto largest = [](const ParticleTable& a, const ParticleTable& b, int c) {
    double most = 0.;
    for (int i = 0; i < a.size(); ++i) most = std::max(most, std::abs(a.v[c][i] - b.v[c][i]));
    return most;
  };
  // without coherent radiation: the same map; only times count with the velocity of the entrance
  const auto classical = behind(false, true, false), expected = alone(true, false);
  CHECK(largest(classical, alone(false, false), delta) > 1e-5);
  CHECK(largest(classical, expected, delta) < 1e-16);
  CHECK(largest(classical, expected, x) < 1e-16);
  CHECK(largest(classical, expected, s) < 1e-12);
  // the same random numbers
  const auto random = behind(false, true, true);
  CHECK(largest(random, classical, delta) > 1e-6);
  CHECK(largest(random, alone(true, true), delta) < 1e-16);
  // both kinds of radiation add up
  const auto both = behind(true, true, false), coherent = behind(true, false, false);
  const auto none = behind(false, false, false);
  for (int i = 0; i < table.size(); ++i) {
    const double sum =
        (coherent.v[delta][i] - none.v[delta][i]) + (classical.v[delta][i] - none.v[delta][i]);
    CHECK(std::abs(both.v[delta][i] - none.v[delta][i] - sum) < 2e-3 * std::abs(sum) + 1e-9);
  }
  // from slice to slice other numbers: the variance is that of a bend in one pass
  const auto quantum = behind(true, true, true);
  double in_slices = 0., at_once = 0.;
  for (int i = 0; i < table.size(); ++i) {
    in_slices += std::pow(quantum.v[delta][i] - both.v[delta][i], 2);
    at_once += std::pow(random.v[delta][i] - classical.v[delta][i], 2);
  }
  CHECK(std::abs(in_slices / at_once - 1.) < 0.15);
}
