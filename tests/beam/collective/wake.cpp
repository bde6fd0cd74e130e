// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <algorithm>
#include <catch2/catch_template_test_macros.hpp>
#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <limits>
#include <memory>
#include <trackplex/beam/collective/transverse_wake.hpp>
#include <trackplex/beam/collective/wake.hpp>
#include <trackplex/core/error.hpp>
#include <trackplex/core/host_executor.hpp>
#include <trackplex/core/random.hpp>
#include <trackplex/io/sdds/wake_file.hpp>

#include "beam/elements/element_sets.hpp"
#include "support/lane_widths.hpp"
#include "support/refusals.hpp"
#include "support/spaces.hpp"

using namespace trackplex;
using namespace trackplex::beam;
using Space = HostExecutor;

namespace {

constexpr double bunch_charge = 1e-9;  // C

/// The table of the sets.
std::shared_ptr<const WakeTable> table_of_sets() {
  const auto path = test::reference_or_skip("beam-elements/lattice/wake.sdds");
  return std::make_shared<const WakeTable>(
      io::read_wake_table(path, {.longitudinal = "W", .x = "WX", .y = "WY"}));
}

/// A table that needs no file: wakes that decay and oscillate.
std::shared_ptr<const WakeTable> small_table(int points = 101) {
  WakeTable table;
  for (int i = 0; i < points; ++i) {
    const double t = 1e-13 * i;
    table.time.push_back(t);
    table.longitudinal.push_back(3e13 * std::exp(-t * 1e12) * std::cos(t * 2e12));
    table.x.push_back(2e18 * std::sin(t * 1e12));
    table.y.push_back(1e18 * std::sin(t * 2e12));
  }
  return std::make_shared<const WakeTable>(table);
}

ParticleTable gaussian_table(int n, double p0 = 200., double path_length = 0.) {
  ParticleTable table(n, p0);
  const double sigmas[] = {150e-6, 1e-5, 100e-6, 1.5e-5, 3e-4, 1e-4};
  RandomStream<double> random(11, 3);
  for (int i = 0; i < n; ++i) {
    for (int c = 0; c < n_coordinates; ++c)
      table.v[c][i] = std::clamp(random.normal(0., sigmas[c]), -3. * sigmas[c], 3. * sigmas[c]);
    table.v[x][i] += 1e-3;
  }
  table.particle_charge = bunch_charge / n;
  table.reference.path_length = path_length;
  return table;
}

template <class T, int Width, class OfSpace, class Element>
ParticleTable acted(const ParticleTable& table, const Element& element) {
  const OfSpace exec;
  Workspace<OfSpace> workspace;
  auto bunch = upload<T>(exec, table);
  typename Element::template Action<T, OfSpace, Width> act(exec, element);
  act(exec, bunch, workspace);
  return download(exec, bunch);
}
template <class T, class Element>
ParticleTable acted(const ParticleTable& table, const Element& element) {
  return acted<T, test::line_lanes<T>, Space>(table, element);
}

ParticleTable charged_table(const test::ElementSet& set) {
  auto table = test::table_before(set);
  table.particle_charge = bunch_charge / table.size();
  return table;
}

/// Kick of a wake bin by bin, as in wake.hpp: the change of px/(m c) of each particle, of values in
/// bins around a mean time, s.
std::vector<double> direct_kicks(const std::vector<double>& time, const std::vector<double>& values,
                                 const std::vector<double>& wake, double spacing, int bins,
                                 double mean, bool interpolate) {
  const double first = mean - 0.5 * bins * spacing;
  std::vector<double> sums(bins, 0.), volts(bins + 1, 0.), kicks;
  const auto bin_of = [&](double t) { return int((t - first) / spacing + 0.5); };
  for (std::size_t i = 0; i < time.size(); ++i) sums.at(bin_of(time[i])) += values[i];
  for (int i = 0; i < bins; ++i)
    for (int j = 0; j <= i; ++j) volts[i] += sums[j] * wake[i - j];
  for (const double t : time) {
    int bin = bin_of(t);
    double from = t - (first + bin * spacing);
    if ((from < 0. && bin > 0) || bin == bins - 1) {
      --bin;
      from += spacing;
    }
    const double v = interpolate ? volts[bin] + (volts[bin + 1] - volts[bin]) * from / spacing
                                 : volts[bin_of(t)];
    kicks.push_back(v * bunch_charge / double(time.size()) / 0.51099906e6);
  }
  return kicks;
}

/// A transverse wake with bins around a mean time, particle by particle.
ParticleTable directly_kicked(const ParticleTable& before, const TransverseWake& wake,
                              double mean) {
  ParticleTable after = before;
  const double c = std::cos(wake.tilt), s0 = std::sin(wake.tilt), p0 = before.reference.p0;
  std::vector<double> time, u, w;
  for (int i = 0; i < before.size(); ++i) {
    const double p = p0 * (1. + before.v[delta][i]);
    time.push_back(before.v[s][i] * std::sqrt(1. + p * p) / (p * 2.99792458e8));
    u.push_back(c * before.v[x][i] + s0 * before.v[y][i] - wake.dx);
    w.push_back(c * before.v[y][i] - s0 * before.v[x][i] - wake.dy);
  }
  const auto kicks = [&](const std::vector<double>& values, const std::vector<double>& table) {
    return direct_kicks(time, values, table, wake.table->spacing(), wake.bins, mean,
                        wake.interpolate);
  };
  const auto ku = kicks(u, wake.table->x), kw = kicks(w, wake.table->y);
  for (int i = 0; i < before.size(); ++i) {
    const double px = before.v[xp][i], py = before.v[yp][i];
    const double pz = p0 * (1. + before.v[delta][i]) / std::sqrt(1. + px * px + py * py);
    after.v[xp][i] += (c * ku[i] - s0 * kw[i]) / pz;
    after.v[yp][i] += (c * kw[i] + s0 * ku[i]) / pz;
  }
  return after;
}

double mean_time(const ParticleTable& table) {
  double sum = 0.;
  for (int i = 0; i < table.size(); ++i)
    sum += trackplex::beam::delay(table.reference, table.v[s][i], table.v[delta][i]);
  return sum / table.size() / 299792458.;
}

/// Largest difference of a column over its largest magnitude.
double difference(const ParticleTable& a, const ParticleTable& b, int c) {
  double largest = 0., most = 0.;
  for (int i = 0; i < a.size(); ++i) {
    most = std::max(most, std::abs(a.v[c][i] - b.v[c][i]));
    largest = std::max(largest, std::abs(b.v[c][i]));
  }
  return most / largest;
}

}  // namespace

TEMPLATE_LIST_TEST_CASE("wakes kick as elegant's", "[beam]", test::EnabledSpaces) {
  const auto table = table_of_sets();
  struct Case {
    const char* set;
    double p0, p0_behind;
    Wake wake;
  };
  const Case cases[] = {
      {"wake_auto", 200., 200., {.table = table}},
      {"wake_bins64", 200., 200., {.table = table, .bins = 64}},
      {"wake_bins64_interp", 200., 200., {.table = table, .bins = 64, .interpolate = true}},
      {"wake_factor_p0",
       200.,
       199.95385745192576,
       {.table = table, .factor = 5., .bins = 64, .interpolate = true, .change_p0 = true}},
      {"wake_smooth",
       2000.,
       2000.,
       {.table = table,
        .bins = 64,
        .interpolate = true,
        .smoothing = true,
        .smoothing_half_width = 3,
        .smoothing_order = 2}},
  };
  constexpr int width = default_lane_width<TestType, double, KernelKind::beam_tracking>;
  for (const Case& of : cases) {
    CAPTURE(of.set);
    const auto set = test::element_set(of.set, of.p0, of.p0_behind);
    const auto after = acted<double, width, TestType>(charged_table(set), of.wake);
    const auto deviation = test::deviation_of(after, set);
    CAPTURE(deviation.of);
    CHECK(deviation.largest() <= 5e-12);  // of delta, which the sets have to 1e-16
    CHECK(std::abs(after.reference.p0 / of.p0_behind - 1.) < 1e-14);
  }
}

TEST_CASE("transverse wakes kick as elegant's", "[beam]") {
  const auto table = table_of_sets();
  struct Case {
    const char* set;
    TransverseWake wake;
  };
  const Case cases[] = {
      {"trwake_bins64", {.table = table, .bins = 64}},
      {"trwake_interp", {.table = table, .bins = 64, .interpolate = true, .dx = 5e-4, .tilt = 0.2}},
  };
  for (const Case& of : cases) {
    CAPTURE(of.set);
    const auto set = test::element_set(of.set, 200., 200.);
    const auto before = charged_table(set);
    // elegant has the bins of a single bunch around time 0, not around its mean, which is 0.03 ps
    // and 0.09 ps away: its particles are in other bins. The same sums around 0 agree with it.
    const auto around_0 = test::deviation_of(directly_kicked(before, of.wake, 0.), set);
    CAPTURE(around_0.of);
    CHECK(around_0.largest() <= 1e-12);
    const auto after = acted<double>(before, of.wake);
    const auto around_mean = directly_kicked(before, of.wake, mean_time(before));
    for (const int c : {xp, yp}) CHECK(difference(after, around_mean, c) <= 1e-12);
    const auto deviation = test::deviation_of(after, set);
    CAPTURE(deviation.of);
    for (const int c : {x, y, s, delta}) CHECK(deviation.of[c] <= 1e-12);
    CHECK(deviation.largest() < 0.01);
    CHECK(deviation.largest() > 1e-6);
  }
}

TEMPLATE_LIST_TEST_CASE("wakes have the same bits at every width", "[beam]", test::EnabledSpaces) {
  const auto check = [](const ParticleTable& table, const auto& element) {
    const auto check_type = [&]<class T>(T) {
      const auto one = acted<T, 1, Space>(table, element);
      REQUIRE(one.v[xp] != table.v[xp]);
      const auto same = [&](const ParticleTable& other) {
        for (int c = 0; c < n_coordinates; ++c) CHECK(other.v[c] == one.v[c]);
        CHECK(other.reference.p0 == one.reference.p0);
      };
      same(acted<T, 1, TestType>(table, element));
      if constexpr (is_host_space<TestType>) {
        same(acted<T, test::line_lanes<T>, TestType>(table, element));
      }
    };
    check_type(1.);
    check_type(1.f);
  };
  const auto wakes = small_table();
  const auto table = gaussian_table(20007, 200., 35.);
  check(table, Wake{.table = wakes, .smoothing = true, .change_p0 = true});
  check(table, TransverseWake{.table = wakes, .interpolate = true, .dx = 1e-4, .tilt = 0.3});
  check(gaussian_table(3), Wake{.table = wakes, .bins = 31, .interpolate = true});
  check(gaussian_table(3), TransverseWake{.table = wakes, .bins = 33, .smoothing = true});
}

TEST_CASE("wakes in single precision", "[beam]") {
  const auto wakes = small_table();
  const auto table = gaussian_table(20000, 200., 35.);
  const auto check = [&](const auto& element, int c) {
    const auto exact = acted<double>(table, element), rounded = acted<float>(table, element);
    double largest = 0., kick = 0.;
    for (int i = 0; i < table.size(); ++i) {
      const double change = exact.v[c][i] - table.v[c][i];
      kick = std::max(kick, std::abs(change));
      largest = std::max(largest, std::abs(rounded.v[c][i] - exact.v[c][i]));
    }
    CHECK(kick > 1e-6);
    CHECK(largest < 1e-3 * kick);
  };
  check(Wake{.table = wakes, .interpolate = true}, delta);
  check(TransverseWake{.table = wakes, .interpolate = true}, xp);
}

TEST_CASE("a longitudinal wake of particles at two times", "[beam]") {
  // Every other particle is a time of 10.25 bins behind
  const int n = 1000;
  ParticleTable table(n, 500.);
  table.reference.path_length = 100.;
  table.particle_charge = bunch_charge / n;
  const double later = 10.25e-13 * 299792458.;  // m
  for (int i = 0; i < n; ++i) {
    table.v[xp][i] = 1e-4;
    table.v[delta][i] = 1e-3 * (i % 7);
    table.v[s][i] = s_of_delay(table.reference, i % 2 * later, table.v[delta][i]);
  }
  const auto wakes = small_table();
  const auto& w = wakes->longitudinal;
  const Wake wake{.table = wakes, .factor = 2.};
  const auto after = acted<double>(table, wake);
  for (int i = 0; i < n; ++i) {
    const auto gamma = [&](const ParticleTable& of) {
      return std::hypot(1., 500. * (1. + of.v[delta][i]));
    };
    const double volts = 0.5 * bunch_charge * 2. * (i % 2 == 0 ? w[0] : w[0] + w[10]);
    const double change = (gamma(after) - gamma(table)) * 0.51099906e6;
    REQUIRE(std::abs(change / -volts - 1.) < 1e-7);  // of a difference of gammas
    // Time, place and transverse momentum stay
    const double d = trackplex::beam::delay(after.reference, after.v[s][i], after.v[delta][i]);
    REQUIRE(std::abs(d - i % 2 * later) < 1e-15);
    REQUIRE(after.v[x][i] == table.v[x][i]);
    const auto px = [&](const ParticleTable& of) {
      return (1. + of.v[delta][i]) * of.v[xp][i] / std::hypot(1., of.v[xp][i]);
    };
    REQUIRE(std::abs(px(after) - px(table)) < 1e-18);
  }
  // The mean momentum becomes that of the reference particle; momenta, paths and times stay
  auto with_p0 = wake;
  with_p0.change_p0 = true;
  const auto moved = acted<double>(table, with_p0);
  double mean = 0.;
  for (int i = 0; i < n; ++i) {
    mean += moved.v[delta][i] / n;
    const double p = moved.reference.p0 * (1. + moved.v[delta][i]);
    REQUIRE(std::abs(p / (500. * (1. + after.v[delta][i])) - 1.) < 1e-15);
    REQUIRE(std::abs((moved.reference.path_length + moved.v[s][i]) -
                     (after.reference.path_length + after.v[s][i])) < 1e-13);
  }
  CHECK(std::abs(mean) < 1e-15);
  CHECK(moved.reference.p0 < 500. * 1.003);
}

TEST_CASE("a transverse wake grows with the displacement and acts after it", "[beam]") {
  auto table = gaussian_table(5000);
  for (auto& value : table.v[y]) value = 0.;
  const auto wakes = small_table();
  const TransverseWake wake{.table = wakes};
  const auto kicked = [&](const ParticleTable& of, const TransverseWake& by) {
    const auto after = acted<double>(of, by);
    std::vector<double> kicks;
    for (int i = 0; i < of.size(); ++i) kicks.push_back(after.v[xp][i] - of.v[xp][i]);
    CHECK(after.v[yp] == of.v[yp]);
    CHECK(after.v[s] == of.v[s]);
    CHECK(after.v[delta] == of.v[delta]);
    return kicks;
  };
  const auto kicks = kicked(table, wake);
  // Of a wake that begins with 0 the first particle feels nothing
  const int first =
      int(std::min_element(table.v[s].begin(), table.v[s].end()) - table.v[s].begin());
  CHECK(kicks[first] == 0.);
  CHECK(*std::max_element(kicks.begin(), kicks.end()) > 1e-6);
  // Twice the displacement
  auto twice = table;
  for (auto& value : twice.v[x]) value *= 2.;
  const auto doubled = kicked(twice, wake);
  for (int i = 0; i < table.size(); ++i) REQUIRE(std::abs(doubled[i] - 2. * kicks[i]) < 1e-17);
  // Symmetric particles have no sum, exactly
  for (int i = 0; i < table.size(); i += 2) {
    table.v[x][i + 1] = -table.v[x][i];
    table.v[s][i + 1] = table.v[s][i];
    table.v[delta][i + 1] = table.v[delta][i];
  }
  for (const double kick : kicked(table, wake)) REQUIRE(kick == 0.);
}

TEST_CASE("bins of wakes", "[beam]") {
  const auto wakes = small_table();
  const auto table = gaussian_table(1000);
  const Space exec;
  Workspace<Space> workspace;
  auto bunch = upload<double>(exec, table);
  LongitudinalWakeKick<double, Space, test::line_lanes<double>> kick(exec, {.table = wakes});
  kick(exec, bunch, workspace);
  const auto profile = kick.profile(exec);
  const auto [low, high] = std::minmax_element(table.v[s].begin(), table.v[s].end());
  CHECK(std::abs(int(profile.time.size()) - int((*high - *low) / 299792458. / 1e-13 + 3.)) <= 1);
  CHECK(profile.voltage.front() == 0.);
  CHECK(profile.voltage[profile.voltage.size() / 2] != 0.);
  // Particles outside of the bins are not kicked
  const auto few = acted<double>(table, Wake{.table = wakes, .bins = 10});
  int outside = 0;
  for (int i = 0; i < table.size(); ++i) outside += few.v[delta][i] == table.v[delta][i];
  CHECK(outside > 300);
  CHECK(outside < 700);
  // The charge of the wake instead of that of the particles
  auto neutral = table;
  neutral.particle_charge = 0.;
  const auto charged = acted<double>(neutral, Wake{.table = wakes, .charge = bunch_charge});
  CHECK(charged.v[delta] == acted<double>(table, Wake{.table = wakes}).v[delta]);
  // No particles
  CHECK(acted<double>(gaussian_table(0), Wake{.table = wakes}).size() == 0);
  CHECK(acted<double>(gaussian_table(0), TransverseWake{.table = wakes}).size() == 0);
  // A bunch that is longer than the table
  const auto short_table = small_table(5);
  test::check_refused<UsageError>([&] { return acted<double>(table, Wake{.table = short_table}); },
                                  "the bunch is longer than the table of wakes (");
  const Wake long_wake{.table = short_table, .interpolate = true, .allow_long_beam = true};
  auto zeros = *small_table(101);
  for (int i = 5; i < zeros.points(); ++i) zeros.longitudinal[i] = 0.;
  const Wake same{.table = std::make_shared<const WakeTable>(zeros), .interpolate = true};
  const auto with_short = acted<double>(table, long_wake), with_zeros = acted<double>(table, same);
  CHECK(difference(with_short, with_zeros, delta) < 1e-12);
  auto limited = long_wake;
  limited.max_bins = 20;
  test::check_refused<CapacityError>([&] { return acted<double>(table, limited); },
                                     "bins do not fit (capacity 20)");
}

TEST_CASE("a wake allocates nothing for further bunches", "[beam]") {
  const auto wakes = small_table();
  const Space exec;
  Workspace<Space> workspace;
  LongitudinalWakeKick<double, Space, test::line_lanes<double>> kick(exec, {.table = wakes});
  TransverseWakeKick<double, Space, test::line_lanes<double>> transverse(exec, {.table = wakes});
  const auto track = [&](double length) {
    auto table = gaussian_table(5000);
    for (double& value : table.v[s]) value *= length;
    auto bunch = upload<double>(exec, table);
    kick(exec, bunch, workspace);
    transverse(exec, bunch, workspace);
  };
  track(1.);
  const auto bytes = workspace.bytes();
  track(0.3);
  track(0.7);
  CHECK(workspace.bytes() == bytes);
}

TEST_CASE("wakes that are impossible", "[beam]") {
  const auto wakes = small_table();
  const auto make = [](const auto& element) {
    return [element] { return acted<double>(gaussian_table(10), element); };
  };
  const auto with = [&](const auto& change) {
    auto table = *wakes;
    change(table);
    return Wake{.table = std::make_shared<const WakeTable>(table)};
  };
  test::check_refused<UsageError>(make(Wake{}), "there is no table of wakes");
  test::check_refused<UsageError>(make(with([](auto& t) { t.longitudinal.clear(); })),
                                  "no longitudinal wake");
  test::check_refused<UsageError>(make(with([](auto& t) { t.longitudinal.pop_back(); })),
                                  "not one value for each delay (100 values, 101 delays)");
  test::check_refused<UsageError>(make(with([](auto& t) { t.time[50] *= 1.001; })),
                                  "not equally spaced (row 51: ");
  test::check_refused<UsageError>(make(with([](auto& t) { t.time[0] = 1e-14; })),
                                  "the first delay of a wake is not 0 (1e-14 s)");
  test::check_refused<UsageError>(make(with([](auto& t) {
                                    for (double& value : t.time) value = -value;
                                  })),
                                  "do not ascend");
  test::check_refused<UsageError>(
      make(with([](auto& t) { t.x[3] = std::numeric_limits<double>::infinity(); })),
      "not finite (row 4)");
  test::check_refused<UsageError>(make(with([](auto& t) {
                                    t = {{0.}, {1.}, {}, {}};
                                  })),
                                  "needs two delays or more (1 rows)");
  auto flat = *wakes;
  flat.x.clear();
  flat.y.clear();
  test::check_refused<UsageError>(
      make(TransverseWake{.table = std::make_shared<const WakeTable>(flat)}), "no transverse wake");
  test::check_refused<UsageError>(make(Wake{.table = wakes, .bins = -1}), "number of bins (-1)");
  test::check_refused<UsageError>(make(Wake{.table = wakes, .max_bins = 2}), "max number of bins");
  test::check_refused<UsageError>(
      make(Wake{.table = wakes, .smoothing = true, .smoothing_order = 20}), "no such filter");
  const auto track = [&](const auto& element, const auto& change) {
    auto table = gaussian_table(100);
    change(table);
    return [=] { return acted<double>(table, element); };
  };
  const Wake wake{.table = wakes};
  const TransverseWake transverse{.table = wakes};
  const auto neutral = [](auto& t) { t.particle_charge = 0.; };
  test::check_refused<UsageError>(track(wake, neutral), "the particles have no charge");
  test::check_refused<UsageError>(track(transverse, neutral), "the particles have no charge");
  test::check_refused<UsageError>(track(wake,
                                        [](auto& t) {
                                          t.losses[3] = {0, 0};
                                        }),
                                  "lost particles");
  for (const double value :
       {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity()}) {
    test::check_refused<UsageError>(track(wake, [=](auto& t) { t.v[s][57] = value; }),
                                    "times of the particles are not finite");
    test::check_refused<UsageError>(track(transverse, [=](auto& t) { t.v[y][57] = value; }),
                                    "positions of the particles are not finite");
  }
  const auto check = [](const auto& element) {
    return [element] {
      element.check(ElementCheck("w"));
      return 0;
    };
  };
  const double nan = std::numeric_limits<double>::quiet_NaN();
  test::check_refused<UsageError>(check(Wake{.factor = nan}), "factor cannot be nan");
  test::check_refused<UsageError>(check(TransverseWake{.tilt = nan}), "tilt cannot be nan");
  test::check_refused<UsageError>(check(TransverseWake{.charge = -1.}), "must not be negative");
}
