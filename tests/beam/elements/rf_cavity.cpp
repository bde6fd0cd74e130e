// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <catch2/catch_template_test_macros.hpp>
#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <numbers>
#include <trackplex/beam/elements/rf_cavity.hpp>
#include <trackplex/beam/line_tracker.hpp>
#include <trackplex/core/host_executor.hpp>

#include "beam/collective/space_charge_cases.hpp"
#include "element_sets.hpp"
#include "support/lane_widths.hpp"
#include "support/refusals.hpp"
#include "support/spaces.hpp"

using namespace trackplex;
using namespace trackplex::beam;
using Space = HostExecutor;

namespace {

constexpr double degree = std::numbers::pi / 180.;
using Fiducial = RfCavity::Fiducial;
using BodyFocus = RfCavity::BodyFocus;

/// Tracks a table through cavities, with exact drifts of 0.5 m between them.
template <class T, int Width, class OfSpace>
ParticleTable behind_cavity(const ParticleTable& table, const std::vector<RfCavity>& cavities) {
  const OfSpace exec;
  Workspace<OfSpace> workspace;
  LineState state;
  auto bunch = upload<T>(exec, table);
  for (const RfCavity& cavity : cavities) {
    if (&cavity != &cavities.front())
      RfCavityAction<T, OfSpace, Width>(exec, {.length = 0.5})(exec, bunch, workspace);
    RfCavity::Action<T, OfSpace, Width>(exec, cavity, state)(exec, bunch, workspace);
  }
  return download(exec, bunch);
}

struct Case {
  const char* name;
  double p0, p0_behind;
  std::vector<RfCavity> cavities;
  double tolerance = 1e-12;
};

std::vector<Case> cases() {
  constexpr double f = 2.856e9;
  const RfCavity one{.length = 1., .voltage = 20e6, .phase = 60. * degree, .frequency = f};
  const auto with = [](RfCavity cavity, auto change) {
    change(cavity);
    return cavity;
  };
  const auto phase = [&](double degrees) {
    return with(one, [&](RfCavity& c) { c.phase = degrees * degree; });
  };
  const auto point = [&](double degrees) {
    return RfCavity{.voltage = 5e6, .phase = degrees * degree, .frequency = f};
  };
  // 3 m
  const RfCavity ends{.length = 3.,
                      .voltage = 50e6,
                      .phase = 80. * degree,
                      .frequency = f,
                      .change_momentum = true,
                      .entrance_focus = true,
                      .exit_focus = true};
  const auto of_ends = [&](auto change) { return with(ends, change); };
  const auto of_one = [&](auto change) { return with(one, change); };
  const auto reference = [&](double degrees, long number) {
    return with(phase(degrees), [&](RfCavity& c) {
      c.change_momentum = true;
      c.phase_reference = number;
    });
  };
  return {
      {"rfca_changet", 200., 200., {with(phase(70.), [](RfCavity& c) { c.change_time = true; })}},
      {"rfca_dxdy",
       200.,
       238.4516948260739,
       {with(phase(80.),
             [](RfCavity& c) {
               c.change_momentum = c.entrance_focus = c.exit_focus = true;
               c.dx = 1e-3;
               c.dy = -2e-3;
             })}},
      {"rfca_end1only",
       200.,
       239.08776058818552,
       {with(phase(90.), [](RfCavity& c) { c.change_momentum = c.entrance_focus = true; })}},
      {"rfca_endfocus", 200., 296.1881614658131, {ends}},
      {"rfca_fiducial_light", 200., 200., {of_one([](RfCavity& c) {
         c.fiducial = Fiducial::light;
       })}},
      {"rfca_fiducial_pmax", 200., 200., {of_one([](RfCavity& c) {
         c.fiducial = Fiducial::max_momentum;
       })}},
      {"rfca_fiducial_pmax2", 200., 200., {of_one([](RfCavity& c) {
         c.fiducial = Fiducial::max_momentum;
       })}},
      {"rfca_fiducial_tmean", 200., 200., {one}},
      {"rfca_l0crest", 200., 200., {point(90.)}},
      {"rfca_l0phase0", 200., 200., {point(0.)}},
      {"rfca_l0phase60", 200., 200., {point(60.)}},
      {"rfca_l1changep0", 200., 233.86477242247764, {of_one([](RfCavity& c) {
         c.change_momentum = true;
       })}},
      {"rfca_l1default", 200., 200., {phase(90.)}},
      {"rfca_l3kicks10", 200., 294.3570422021627, {of_ends([](RfCavity& c) {
         c.phase = 75. * degree;
         c.entrance_focus = c.exit_focus = false;
         c.kicks = 10;
       })}},
      {"rfca_l3kicks10_low", 2000., 2000., {of_ends([](RfCavity& c) {
         c.phase = 105. * degree;
         c.change_momentum = c.entrance_focus = c.exit_focus = false;
         c.kicks = 10;
       })}},
      {"rfca_linearize", 200., 200., {with(phase(70.), [](RfCavity& c) { c.linearize = true; })}},
      {"rfca_lockphase", 200., 200., {of_one([](RfCavity& c) {
         c.lock_phase = true;
         c.kicks = 1;
       })}},
      {"rfca_mean_offset", 200., 200., {one}},
      {"rfca_negative", 200., 200., {with(phase(90.), [](RfCavity& c) { c.voltage = -10e6; })}},
      // 1 - exp(-u) of small u: without its cancellation here
      {"rfca_q", 200., 200., {with(phase(90.), [](RfCavity& c) { c.quality = 15000.; })}, 1e-11},
      {"rfca_ring500",
       13000.,
       13000.,
       {RfCavity{.length = 0.5, .voltage = 2e6, .phase = 170. * degree, .frequency = 352e6}}},
      {"rfca_srs_end_k20", 2000., 2000., {of_ends([](RfCavity& c) {
         c.length = 2.;
         c.voltage = 40e6;
         c.phase = 65. * degree;
         c.body_focus = BodyFocus::standing_wave;
         c.kicks = 20;
         c.change_momentum = false;
       })}},
      {"rfca_srs_kicks", 200., 296.21587190069613, {of_ends([](RfCavity& c) {
         c.body_focus = BodyFocus::standing_wave;
         c.kicks = 10;
       })}},
      {"rfca_standing_kicks", 200., 210.9550967856903, {of_ends([](RfCavity& c) {
         c.standing_wave = true;
         c.kicks = 10;
       })}},
      {"rfca_standing_srs", 200., 296.2272675984593, {of_ends([](RfCavity& c) {
         c.standing_wave = true;
         c.body_focus = BodyFocus::standing_wave;
       })}},
      {"rfca_treference", 200., 200., {of_one([](RfCavity& c) { c.reference_time = 3e-12; })}},
      {"rfca_tw1", 200., 296.1890900628549, {of_ends([](RfCavity& c) {
         c.body_focus = BodyFocus::travelling_wave;
         c.kicks = 10;
       })}},
      {"rfca_two", 200., 268.4011085714499, {reference(80., 0), reference(50., 0)}},
      {"rfca_two_ref", 200., 255.32452294987115, {reference(80., 7), reference(50., 7)}},
      {"rfcw_nowake",
       200.,
       238.53876052758918,
       {with(phase(80.), [](RfCavity& c) { c.change_momentum = true; })}},
      {"rfca_volt0", 200., 200., {RfCavity{.length = 0.7, .phase = 90. * degree, .frequency = f}}},
  };
}

}  // namespace

TEST_CASE("cavities track as those of elegant", "[beam]") {
  for (const Case& of : cases()) {
    CAPTURE(of.name);
    const auto set = test::element_set(of.name, of.p0, of.p0_behind);
    const auto after = behind_cavity<double, test::line_lanes<double>, Space>(
        test::table_before(set), of.cavities);
    const auto deviation = test::deviation_of(after, set);
    CHECK(deviation.largest() <= of.tolerance);
    CHECK(std::abs(after.reference.p0 / of.p0_behind - 1.) < 1e-13);
  }
}

namespace {

constexpr double frequency = 2.856e9;

/// Cavities that use all parts of the kernels.
std::vector<RfCavity> varied_cavities() {
  const RfCavity one{.length = 1., .voltage = 20e6, .phase = 1., .frequency = frequency};
  std::vector<RfCavity> all(6, one);
  all[1].kicks = 3;
  all[1].standing_wave = all[1].entrance_focus = all[1].exit_focus = true;
  all[2].body_focus = BodyFocus::standing_wave;
  all[2].kicks = 2;
  all[2].change_momentum = true;
  all[3].body_focus = BodyFocus::travelling_wave;
  all[3].kicks = 10;
  all[3].dx = 1e-3;
  all[4].quality = 1e4;
  all[4].length = 0.;
  all[5].linearize = all[5].change_momentum = true;
  return all;
}

bool same(const ParticleTable& a, const ParticleTable& b) {
  for (int c = 0; c < n_coordinates; ++c)
    if (a.v[c] != b.v[c]) return false;
  return a.reference.p0 == b.reference.p0 && a.reference.path_length == b.reference.path_length;
}

/// Particles of which some have large slopes and arrive far from the others.
ParticleTable wide_table(int n) {
  auto table = test::gaussian_table(n);
  for (int i = 0; i < n; i += 7) {
    table.v[xp][i] *= 1e4;
    table.v[s][i] *= 200.;
    table.v[delta][i] *= 1e3;
  }
  return table;
}

template <class T, class OfSpace>
void check_bits(const ParticleTable& table) {
  for (const RfCavity& cavity : varied_cavities()) {
    const auto one = behind_cavity<T, 1, Space>(table, {cavity});
    REQUIRE(one.v[delta] != table.v[delta]);
    CHECK(same(behind_cavity<T, 1, OfSpace>(table, {cavity}), one));
    if constexpr (is_host_space<OfSpace>) {
      CHECK(same(behind_cavity<T, test::line_lanes<T>, OfSpace>(table, {cavity}), one));
    }
  }
}

}  // namespace

TEMPLATE_LIST_TEST_CASE("cavities give the same bits at every width", "[beam]",
                        test::EnabledSpaces) {
  check_bits<double, TestType>(wide_table(10007));
  check_bits<float, TestType>(wide_table(53));
}

TEST_CASE("cavities in single precision", "[beam]") {
  const auto table = test::gaussian_table(1000);
  const double tolerances[] = {1e-9, 2e-11, 1e-9, 2e-11, 2e-9, 1e-6};
  for (const RfCavity& cavity : varied_cavities()) {
    const auto expected = behind_cavity<double, test::line_lanes<double>, Space>(table, {cavity});
    const auto after = behind_cavity<float, test::line_lanes<float>, Space>(table, {cavity});
    CHECK(std::abs(after.reference.p0 / expected.reference.p0 - 1.) < 1e-6);
    for (int c = 0; c < n_coordinates; ++c) {
      double largest = 0.;
      for (int i = 0; i < table.size(); ++i)
        largest = std::max(largest, std::abs(after.v[c][i] - expected.v[c][i]));
      CAPTURE(c);
      CHECK(largest < tolerances[c]);
    }
  }
}

TEST_CASE("effects of the bunch in a cavity come slice by slice", "[beam]") {
  const auto table = test::gaussian_table(100);
  for (const RfCavity& cavity : varied_cavities()) {
    const Space exec;
    Workspace<Space> workspace;
    auto bunch = upload<double>(exec, table);
    std::vector<double> places;
    RfCavityAction<double, Space, test::line_lanes<double>>(exec, cavity)
        .track_with(exec, bunch, workspace, [&](const Space&, const auto& now, auto&) {
          places.push_back(now.reference.path_length);
        });
    const double slice = cavity.length / cavity.slices(),
                 first = cavity.by_maps() ? slice : slice / 2;
    REQUIRE(int(places.size()) == cavity.slices());
    for (std::size_t i = 0; i < places.size(); ++i)
      CHECK(std::abs(places[i] - (first + double(i) * slice)) < 1e-15);
    const auto after = download(exec, bunch),
               expected = behind_cavity<double, test::line_lanes<double>, Space>(table, {cavity});
    CHECK(std::abs(after.reference.path_length - expected.reference.path_length) < 1e-15);
    for (int c = 0; c < n_coordinates; ++c)
      for (int i = 0; i < table.size(); ++i)
        REQUIRE(std::abs(after.v[c][i] - expected.v[c][i]) < 1e-15);
  }
}

TEST_CASE("a change of the reference momentum changes no particle", "[beam]") {
  RfCavity cavity{.length = 1., .voltage = 20e6, .phase = 1.5, .frequency = frequency};
  auto table = test::gaussian_table(1000);
  table.reference.path_length = 10.;
  const auto kept = behind_cavity<double, test::line_lanes<double>, Space>(table, {cavity});
  cavity.change_momentum = true;
  const auto changed = behind_cavity<double, test::line_lanes<double>, Space>(table, {cavity});
  CHECK(changed.reference.p0 > 230.);
  double sum = 0.;
  for (int i = 0; i < table.size(); ++i) {
    const auto momentum = [i](const ParticleTable& of) {
      return momentum_of(of.reference, of.v[delta][i]);
    };
    REQUIRE(std::abs(momentum(changed) / momentum(kept) - 1.) < 1e-15);
    REQUIRE(std::abs(changed.reference.path_length + changed.v[s][i] -
                     (kept.reference.path_length + kept.v[s][i])) < 4e-15);
    sum += changed.v[delta][i];
  }
  CHECK(std::abs(sum / table.size()) < 1e-15);
}

TEST_CASE("a cavity keeps its phase reference, or locks its phase", "[beam]") {
  RfCavity cavity{.voltage = 1e6, .phase = 0.3, .frequency = frequency};
  const Space exec;
  Workspace<Space> workspace;
  const auto gain_of_second_pass = [&](double later) {
    RfCavityAction<double, Space, test::line_lanes<double>> action(exec, cavity);
    auto bunch = upload<double>(exec, ParticleTable(1, 200.));
    action(exec, bunch, workspace);
    auto second = upload<double>(exec, ParticleTable(1, 200.));
    second.reference.path_length = later;
    action(exec, second, workspace);
    return download(exec, second).v[delta][0];
  };
  const double volts = 1e6 / constants::elegant::electron_energy / 200.;
  const double later = 0.01, angle = 2. * std::numbers::pi * frequency / constants::speed_of_light *
                                     later * std::sqrt(1. + 1. / 4e4);
  CHECK(std::abs(gain_of_second_pass(later) - volts * std::sin(0.3 + angle)) < 1e-6);
  // whole periods are subtracted from times, which changes no phase
  const double expected = gain_of_second_pass(1.01);
  cavity.change_time = true;
  CHECK(std::abs(gain_of_second_pass(1.01) - expected) < 1e-14);
  cavity.change_time = false;
  cavity.lock_phase = true;
  CHECK(std::abs(gain_of_second_pass(later) - volts * std::sin(0.3)) < 1e-6);
}

TEST_CASE("time in units of whole periods does not change particles", "[beam]") {
  auto table = test::gaussian_table(100);
  table.reference = {2., 30.};
  const Space exec;
  auto bunch = upload<double>(exec, table);
  shift_time<test::line_lanes<double>>(exec, bunch, 12.5);
  const auto after = download(exec, bunch);
  for (int i = 0; i < table.size(); ++i) {
    const double before = time_of(table.reference, table.v[s][i], table.v[delta][i]);
    const double now = time_of(after.reference, after.v[s][i], after.v[delta][i]);
    REQUIRE(std::abs(before - now - 12.5 / constants::speed_of_light) < 1e-22);
    REQUIRE(std::abs(trackplex::beam::delay(table.reference, table.v[s][i], table.v[delta][i]) -
                     trackplex::beam::delay(after.reference, after.v[s][i], after.v[delta][i])) <
            1e-16);
  }
}

TEST_CASE("cavities without voltage or particles, and decelerating ones", "[beam]") {
  const auto table = test::gaussian_table(100);
  const auto after =
      behind_cavity<double, test::line_lanes<double>, Space>(table, {{.length = 2., .phase = 1.}});
  CHECK(after.v[delta] == table.v[delta]);
  CHECK(after.v[xp] == table.v[xp]);
  CHECK(after.reference.path_length == 2.);
  CHECK(behind_cavity<double, test::line_lanes<double>, Space>(ParticleTable(0, 200.),
                                                               {{.length = 2., .voltage = 1e6}})
            .reference.path_length == 2.);
  // no particle loses more than its kinetic energy
  for (int kicks : {0, 1}) {
    const auto stopped = behind_cavity<double, test::line_lanes<double>, Space>(
        table, {{.length = 1., .voltage = -200e6, .phase = 1.57, .kicks = kicks}});
    for (int i = 0; i < table.size(); ++i) {
      for (int c = 0; c < n_coordinates; ++c) REQUIRE(std::isfinite(stopped.v[c][i]));
      REQUIRE(200. * (1. + stopped.v[delta][i]) < 1e-3);
      REQUIRE(200. * (1. + stopped.v[delta][i]) > 1e-4);
    }
  }
}

TEST_CASE("cavities that are refused", "[beam]") {
  const auto refused = [](const RfCavity& cavity, const std::string& why) {
    test::check_refused<UsageError>([&] { cavity.check(ElementCheck("C")); }, why);
  };
  refused({.length = -1.}, "its length cannot be -1");
  refused({.frequency = -1.}, "its frequency cannot be -1");
  refused({.body_focus = BodyFocus::standing_wave}, "standing waves needs a length");
  refused({.body_focus = BodyFocus::travelling_wave, .kicks = 9},
          "its number of kicks cannot be 9");
  refused({.length = 1., .kicks = 2, .linearize = true}, "linear field");
  refused({.length = 1., .kicks = 2, .lock_phase = true}, "locked phase");
  refused({.quality = 1., .change_time = true}, "cannot fill");
  refused({.phase_reference = -1}, "phase reference cannot be -1");
  test::check_refused<UsageError>(
      [] { RfCavityAction<double, Space, test::line_lanes<double>>(Space(), {.length = -1.}); },
      "length");
  test::check_refused<UsageError>([] { RfCavity{.voltage = -1e9, .phase = 1.}.map_at(200.); },
                                  "stops the reference particle");
}

namespace {

/// Largest difference between derivatives of tracking and a map, over the largest of the row.
double largest_error(const TransferMap& map, const RfCavity& cavity, double p0) {
  constexpr double step = 1e-6;
  ParticleTable table(2 * n_coordinates, p0);
  for (int c = 0; c < n_coordinates; ++c) {
    table.v[c][2 * c] = step;
    table.v[c][2 * c + 1] = -step;
  }
  const auto after = behind_cavity<double, test::line_lanes<double>, Space>(table, {cavity});
  double largest = 0.;
  for (int i = 0; i < n_coordinates; ++i) {
    double scale = 0.;
    for (int j = 0; j < n_coordinates; ++j) scale = std::max(scale, std::abs(map.R(i + 1, j + 1)));
    for (int j = 0; j < n_coordinates; ++j) {
      const double derivative = (after.v[i][2 * j] - after.v[i][2 * j + 1]) / (2. * step);
      largest = std::max(largest, std::abs(derivative - map.R(i + 1, j + 1)) / scale);
    }
  }
  return largest;
}

}  // namespace

TEST_CASE("maps of cavities are the derivatives of tracking", "[beam]") {
  constexpr double p0 = 200.;
  RfCavity cavity{.length = 1., .voltage = 20e6, .phase = 0.4, .frequency = frequency};
  for (const bool change_momentum : {false, true})
    for (const BodyFocus focus : {BodyFocus::none, BodyFocus::standing_wave})
      for (const double phase : {0.4, std::numbers::pi / 2, std::numbers::pi}) {
        CAPTURE(change_momentum, int(focus), phase);
        cavity.phase = phase;
        cavity.change_momentum = change_momentum;
        cavity.body_focus = focus;
        cavity.entrance_focus = cavity.exit_focus = true;
        CHECK(largest_error(cavity.map_at(p0), cavity, p0) < 1e-7);
      }
  CHECK(cavity.map_to(2) == drift_map(1., 2));
  CHECK(cavity.map_to(2, p0) == cavity.map_at(p0, 2));
  CHECK(cavity.map_to(2).order == 2);
  CHECK(RfCavity{.length = 2.}.map_at(p0, 2) == drift_map(2., 2));
}

namespace {

/// Ring of a turn map and one cavity above its transition energy.
class RingWithCavity {
 public:
  static constexpr double circumference = 100., r56 = 2., p0 = 40., voltage = 1e5;
  static constexpr int harmonic = 50;

  explicit RingWithCavity(const ParticleTable& table)
      : bunch(upload<double>(exec_, table)),
        turn_(exec_, {{"turn", MapElement(circumference, turn_map())}}),
        cavity_(exec_, {.voltage = voltage,
                        .phase = std::numbers::pi,
                        .frequency = frequency(),
                        .reference_time = 0.}) {}

  static TransferMap turn_map() {
    TransferMap map = TransferMap::identity(1);
    map.R(5, 6) = r56;
    return map;
  }
  static double per_velocity() { return std::sqrt(1. + 1. / (p0 * p0)); }
  static double frequency() {
    return harmonic * constants::speed_of_light / (circumference * per_velocity());
  }
  /// Tune of small oscillations.
  static double synchrotron_tune() {
    const double slip = r56 * per_velocity() - circumference / (p0 * p0 * per_velocity());
    const double slope = per_velocity() * voltage / constants::elegant::electron_energy / p0 * 2. *
                         std::numbers::pi * frequency() / constants::speed_of_light;
    return std::acos(1. - 0.5 * slip * slope) / (2. * std::numbers::pi);
  }
  void pass() {
    cavity_(exec_, bunch, workspace_);
    turn_.track(bunch);
  }
  ParticleTable table() const { return download(exec_, bunch); }

 private:
  Space exec_;

 public:
  Bunch<double, MemoryOf<Space>> bunch;

 private:
  Workspace<Space> workspace_;
  LineTracker<double, Space> turn_;
  RfCavityAction<double, Space, test::line_lanes<double>> cavity_;
};

}  // namespace

TEST_CASE("synchrotron oscillations have the tune of theory", "[beam]") {
  ParticleTable table(1, RingWithCavity::p0);
  table.v[s][0] = 1e-4;
  RingWithCavity ring(table);
  std::vector<double> delays;
  for (int turn = 0; turn < 1000; ++turn) {
    const auto now = ring.table();
    delays.push_back(trackplex::beam::delay(now.reference, now.v[s][0], now.v[delta][0]));
    ring.pass();
  }
  double neighbours = 0., squares = 0.;
  for (std::size_t i = 1; i + 1 < delays.size(); ++i) {
    neighbours += delays[i] * (delays[i - 1] + delays[i + 1]);
    squares += 2. * delays[i] * delays[i];
  }
  const double tune = std::acos(neighbours / squares) / (2. * std::numbers::pi);
  CHECK(std::abs(tune / RingWithCavity::synchrotron_tune() - 1.) < 1e-6);
}

TEST_CASE("oscillations of energy are bounded over many turns", "[beam]") {
  ParticleTable table(3, RingWithCavity::p0);
  table.v[s] = {0.1, 0.4, 0.8};  // the bucket ends at half a wavelength, 1 m
  RingWithCavity ring(table);
  const auto largest = [&](int turns) {
    std::array<double, 3> result{};
    for (int turn = 0; turn < turns; ++turn) {
      ring.pass();
      const auto now = ring.table();
      for (int i = 0; i < 3; ++i) result[i] = std::max(result[i], std::abs(now.v[delta][i]));
    }
    return result;
  };
  const auto early = largest(1000);
  for (int turn = 0; turn < 20000; ++turn) ring.pass();
  const auto late = largest(1000);
  for (int i = 0; i < 3; ++i) {
    CHECK(early[i] > 1e-4);
    CHECK(std::abs(late[i] / early[i] - 1.) < 2e-3);
  }
}
