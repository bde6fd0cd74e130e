// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_floating_point.hpp>
#include <cmath>
#include <cstring>
#include <numbers>
#include <trackplex/beam/bunch/particle_table.hpp>
#include <trackplex/beam/line_tracker.hpp>
#include <trackplex/core/error.hpp>
#include <trackplex/core/host_executor.hpp>
#include <trackplex/core/random.hpp>
#include <trackplex/io/elegant/elegant_lattice.hpp>
#include <tuple>

#include "support/lane_widths.hpp"
#include "support/refusals.hpp"
#include "support/spaces.hpp"

using namespace trackplex;
using namespace trackplex::beam;
using Catch::Matchers::WithinAbs;
using Catch::Matchers::WithinRel;
using Space = HostExecutor;
using Effects = SynchrotronRadiationEffects;

namespace {

/// The types of the lines here: short lists compile fast.
using Types = ElementList<steps::Map<patterns::Quadrupole>, steps::ExactDrift, steps::Shift,
                          steps::Rotation, steps::QuantumMultipole, steps::RadiatingBend,
                          steps::QuantumBend, steps::Edge, RfCavity, Effects>;
using RandomTypes = ElementList<steps::ExactDrift, steps::Shift, steps::Rotation,
                                steps::QuantumMultipole, steps::QuantumBend, steps::Edge, Effects>;

/// Normal distribution, of a seed and without correlations.
ParticleTable normal_table(int n, double p0, const std::array<double, n_coordinates>& sigma) {
  ParticleTable table(n, p0);
  RandomStream<double> random(1, 2);
  for (int i = 0; i < n; ++i)
    for (int c = 0; c < n_coordinates; ++c) table.v[c][i] = sigma[c] * random.normal();
  return table;
}

double mean(const std::vector<double>& values) {
  double sum = 0.;
  for (const double value : values) sum += value;
  return sum / double(values.size());
}

double variance(const std::vector<double>& values) {
  const double middle = mean(values);
  double sum = 0.;
  for (const double value : values) sum += (value - middle) * (value - middle);
  return sum / double(values.size());
}

template <class T = double>
ParticleTable radiating(const ParticleTable& table, const BeamLine& line, int turns = 1,
                        std::uint64_t seed = 3) {
  const HostExecutor exec;
  auto bunch = upload<T>(exec, table);
  bunch.seed = seed;
  LineTracker<T, HostExecutor, Types, test::line_lanes<T>>(exec, line, {0., 0.})
      .track(bunch, turns);
  return download(exec, bunch);
}

/// Relative loss of momentum U_0/(p c) in 2 pi rho: (4 pi/3) r_e gamma^3/rho.
double loss_of_turn(double p0, double rho) {
  return 4. * std::numbers::pi / 3. * 2.8179403e-15 * p0 * p0 * p0 / rho;
}

CanonicalBend short_bend(double rho, int n) {
  return {.length = 2. * std::numbers::pi * rho / n,
          .angle = 2. * std::numbers::pi / n,
          .slices = 1,
          .integration_order = 2,
          .is_corrected = true,
          .radiates = true,
          .quantum = true};
}

/// A ring in which bends begin on the axis: x, x', y and y' are 0 in front of each. A cavity makes
/// up for the loss.
struct Ring {
  static constexpr double p0 = 25000., rho = 10.;
  static constexpr int bends = 8;
  bool quantum = true;

  BeamLine line() const {
    TransferMap reset = TransferMap::identity(1);
    for (int i = 1; i <= 4; ++i) reset.R(i, i) = 0.;
    const double volts = loss() * p0 * constants::elegant::electron_energy;
    const double over = 3., length = 2. * std::numbers::pi * rho, harmonic = 5.;
    const double velocity = constants::speed_of_light * p0 / std::hypot(1., p0);
    BeamLine line = {{"RF", RfCavity{.voltage = over * volts,
                                     .phase = std::numbers::pi - std::asin(1. / over),
                                     .frequency = harmonic * velocity / length}}};
    CanonicalBend bend = short_bend(rho, bends);
    bend.slices = 6;
    bend.quantum = quantum;
    for (int i = 0; i < bends; ++i) {
      line.push_back({"Z", MapElement{0., reset}});
      line.push_back({"B", bend});
    }
    return line;
  }
  /// J_delta = 2 + I_4/I_2: the mean of eta h = 1 - cos in a bend that begins without dispersion.
  static double partition() {
    return 2. + 1. - std::sin(2. * std::numbers::pi / bends) / (2. * std::numbers::pi / bends);
  }
  static double loss() { return loss_of_turn(p0, rho); }
};

template <int Width, class T, class OfSpace>
ParticleTable by_width(const ParticleTable& table, const BeamLine& line, std::vector<int> turns) {
  const OfSpace exec;
  auto bunch = upload<T>(exec, table);
  bunch.seed = 5;
  LineTracker<T, OfSpace, RandomTypes, Width> tracker(exec, line, {0., 0.});
  int first = 0;
  for (const int n : turns) {
    tracker.track(bunch, n, {}, first);
    first += n;
  }
  return download(exec, bunch);
}

bool same(const ParticleTable& a, const ParticleTable& b) {
  bool equal = a.ids == b.ids;
  for (int c = 0; c < n_coordinates; ++c)
    equal = equal && std::memcmp(a.v[c].data(), b.v[c].data(), 8 * a.v[c].size()) == 0;
  return equal;
}

ParticleTable reversed(ParticleTable table) {
  for (auto& column : table.v) std::ranges::reverse(column);
  std::ranges::reverse(table.ids);
  return table;
}

/// A bend, a quadrupole and effects of a ring, all with random numbers.
BeamLine random_line() {
  CanonicalBend bend = short_bend(5., 16);
  bend.integration_order = 4;
  bend.entrance = bend.exit = 0.1;
  return {{"B", bend},
          {"Q", CanonicalMultipole{.length = 0.5,
                                   .field = {{0., 0.5}, {}},
                                   .misalignment = {1e-3, 0., 0.1},
                                   .radiates = true,
                                   .quantum = true}},
          {"S", Effects{.x_emittance = 1e-8,
                        .y_emittance = 1e-9,
                        .momentum_spread = 1e-3,
                        .momentum_change = -1e-2,
                        .reference_momentum = 1e4,
                        .cutoff = 1.5,
                        .x_optics = RingOptics{5., 0.1, 0.01},
                        .y_optics = RingOptics{7.}}},
          {"B2", bend}};
}

template <class T, int Most>
void check_same_bits() {
  const auto table = normal_table(37, 1.2e4, {1e-4, 1e-4, 1e-4, 1e-4, 1e-3, 1e-3});
  const auto line = random_line();
  const auto expected = by_width<1, T, Space>(table, line, {2});
  if constexpr (test::all_widths) CHECK(same(expected, by_width<2, T, Space>(table, line, {2})));
  CHECK(same(expected, by_width<Most, T, Space>(table, line, {2})));
  CHECK(same(expected, by_width<Most, T, Space>(table, line, {1, 1})));
  CHECK(same(expected, by_width<Most, T, HostExecutor>(table, line, {2})));
  CHECK(same(expected, reversed(by_width<Most, T, Space>(reversed(table), line, {2}))));
  CHECK_FALSE(same(expected, by_width<Most, T, Space>(table, line, {1})));
}

/// A turn of linear optics, a constant energy gain, and the effects.
BeamLine ring_of_effects(const Effects& effects, double gain, double p0) {
  TransferMap turn = TransferMap::identity(1);
  const double beta[] = {4., 9.}, tune[] = {0.31, 0.17};
  for (int plane = 0; plane < 2; ++plane) {
    const double c = std::cos(2. * std::numbers::pi * tune[plane]),
                 sn = std::sin(2. * std::numbers::pi * tune[plane]);
    const int i = 2 * plane + 1;
    turn.R(i, i) = turn.R(i + 1, i + 1) = c;
    turn.R(i, i + 1) = beta[plane] * sn;
    turn.R(i + 1, i) = -sn / beta[plane];
  }
  BeamLine line = {{"M", MapElement{0., turn}}, {"S", effects}};
  if (gain > 0.)
    line.push_back({"RF", RfCavity{.voltage = gain * p0 * constants::elegant::electron_energy,
                                   .phase = 0.5 * std::numbers::pi,
                                   .frequency = 0.}});
  return line;
}

}  // namespace

TEST_CASE("the loss of a bend is its part of U_0") {
  const double p0 = Ring::p0, rho = 10.;
  CanonicalBend bend = short_bend(rho, 64);
  bend.slices = 4;
  bend.integration_order = 4;
  bend.quantum = false;
  const auto after = radiating(ParticleTable(1, p0), {{"B", bend}});
  const double loss = loss_of_turn(p0, rho) / 64.;
  CHECK_THAT(-after.v[delta][0], WithinRel(loss, 1e-3));
  // U_0 = C_gamma E^4/rho, with C_gamma = 8.846e-5 m/GeV^3
  const double energy = p0 * 0.51099895e-3;
  CHECK_THAT(loss * 64. * energy, WithinRel(8.846e-5 * std::pow(energy, 4) / rho, 1e-4));
}

TEST_CASE("random losses of a bend and of a quadrupole have the variance of the photons") {
  // C_q = 55/(32 sqrt 3) hbar/(m c) = 3.832e-13 m: d<delta^2>/ds = 4/3 C_q r_e gamma^5 |h|^3
  const double p0 = 1e4, per_length = 4. / 3. * 3.832e-13 * 2.8179403e-15 * std::pow(p0, 5);
  const int n = 50000;
  const double five_sigma = 5. * std::sqrt(2. / n);
  for (const int order : {2, 4, 6})
    for (const double side : {1., -1.}) {
      CanonicalBend bend = short_bend(5., 100);
      bend.angle *= side;
      bend.slices = 4;
      bend.integration_order = order;
      const auto after = radiating(ParticleTable(n, p0), {{"B", bend}});
      CHECK_THAT(variance(after.v[delta]),
                 WithinRel(per_length * bend.length / 125., five_sigma + 2e-3));
      bend.radiates = false;
      const auto without_loss = radiating(ParticleTable(n, p0), {{"B", bend}});
      CHECK_THAT(mean(without_loss.v[delta]),
                 WithinAbs(0., 5. * std::sqrt(per_length * bend.length / 125. / n)));
    }
  ParticleTable offset(n, p0);
  std::ranges::fill(offset.v[x], 0.01);
  const CanonicalMultipole thin{.length = 0.01, .field = {{0., 0.1}, {}}, .quantum = true};
  const auto after = radiating(offset, {{"Q", thin}});  // |F| = 0.1/0.01 0.01
  CHECK_THAT(variance(after.v[delta]), WithinRel(per_length * 0.01 * 1e-3, five_sigma + 2e-3));
  // In a particle of higher momentum: (1 + delta)^4
  std::ranges::fill(offset.v[delta], 0.1);
  CHECK_THAT(variance(radiating(offset, {{"Q", thin}}).v[delta]),
             WithinRel(per_length * 0.01 * 1e-3 * std::pow(1.1, 4), five_sigma + 2e-3));
  CHECK_THAT(variance(radiating<float>(offset, {{"Q", thin}}).v[delta]),
             WithinRel(per_length * 0.01 * 1e-3 * std::pow(1.1, 4), five_sigma + 2e-3));
}

TEST_CASE("oscillations of energy decay with J_delta U_0/(2 E) in a turn") {
  Ring ring{.quantum = false};
  ParticleTable table(3, Ring::p0);
  table.v[delta][1] = 1e-5;
  table.v[s][2] = 1e-6;
  const int turns = 50;
  // The area of the triangle in s and delta has twice the rate
  const auto area = [](const ParticleTable& t) {
    const auto& [a, b] = std::tie(t.v[s], t.v[delta]);
    return (a[1] - a[0]) * (b[2] - b[0]) - (a[2] - a[0]) * (b[1] - b[0]);
  };
  const auto start = radiating(table, ring.line(), 1),
             end = radiating(table, ring.line(), 1 + turns);
  const double rate = -std::log(area(end) / area(start)) / turns;
  CHECK_THAT(rate, WithinRel(Ring::partition() * Ring::loss(), 0.03));
}

TEST_CASE("a ring of bends has the equilibrium energy spread of its radiation integrals") {
  const Ring ring;
  const double expected =
      3.832e-13 * Ring::p0 * Ring::p0 / (Ring::partition() * Ring::rho);  // C_q gamma^2/(J rho)
  const int n = 2000, turns = 80;
  const double spread = std::sqrt(expected);
  const auto before = normal_table(n, Ring::p0, {0., 0., 0., 0., 8. * spread, 0.5 * spread});
  const auto after = radiating(before, ring.line(), turns);
  CHECK(std::isfinite(mean(after.v[delta])));
  CHECK_THAT(variance(after.v[delta]), WithinRel(expected, 3. * std::sqrt(2. / n) + 0.03));
}

TEST_CASE("effects of a ring lead to the equilibrium that they are given") {
  const double p0 = 8000., reference = 1e4, change = -0.02;
  const double ratio = p0 / reference, at_p0 = change * ratio * ratio * ratio;
  const Effects effects{.x_emittance = 2e-8,
                        .y_emittance = 3e-10,
                        .momentum_spread = 1e-3,
                        .momentum_change = change,
                        .reference_momentum = reference,
                        .x_optics = RingOptics{4.},
                        .y_optics = RingOptics{9.}};
  const int n = 10000;
  const double emittance = 2e-8 * ratio * ratio, y_emittance = 3e-10 * ratio * ratio;
  const auto start =
      normal_table(n, p0, {std::sqrt(2. * emittance), std::sqrt(emittance / 8.), 0., 0., 0., 0.});
  const double five_sigma = 5. * std::sqrt(2. / n);
  const auto end = radiating(start, ring_of_effects(effects, -at_p0, p0), 500);
  CHECK_THAT(variance(end.v[delta]), WithinRel(1e-6 * ratio * ratio, five_sigma));
  CHECK_THAT(mean(end.v[delta]), WithinAbs(0., 5e-3 * 1e-3 * 10));
  // To a part of J D: the kick is in x' only
  CHECK_THAT(variance(end.v[x]), WithinRel(4. * emittance, five_sigma - at_p0));
  CHECK_THAT(variance(end.v[xp]), WithinRel(emittance / 4., five_sigma - at_p0));
  CHECK_THAT(variance(end.v[y]), WithinRel(9. * y_emittance, five_sigma - at_p0));

  // With optics of the bunch, too: it starts with those of the ring
  Effects of_bunch = effects;
  of_bunch.x_optics = of_bunch.y_optics = std::nullopt;
  of_bunch.y_emittance = 0.;
  const auto by_moments = radiating(start, ring_of_effects(of_bunch, -at_p0, p0), 500);
  CHECK_THAT(variance(by_moments.v[x]) * variance(by_moments.v[xp]),
             WithinRel(emittance * emittance, 0.12));
  CHECK(variance(by_moments.v[y]) == 0.);
}

TEST_CASE("effects of a ring: factors, losses, times, offsets, fraction and cutoff") {
  const double p0 = 1e4;
  Effects effects{.x_partition = 1.5,
                  .momentum_spread = 1e-3,
                  .momentum_change = -0.01,
                  .reference_momentum = p0,
                  .excitation = false,
                  .x_optics = RingOptics{4., 0.5, 0.2},
                  .y_optics = RingOptics{9.}};
  ParticleTable table(1, p0);
  table.v[x][0] = 1e-3;
  table.v[xp][0] = 1e-3;
  table.v[yp][0] = 1e-3;
  table.v[s][0] = 1e-3;
  table.v[delta][0] = 2e-3;
  table.reference.path_length = 1e3;
  const auto act = [&] { return radiating(table, {{"S", effects}}); };
  auto after = act();
  const double step = -0.02 * 2e-3 - 0.01;
  CHECK_THAT(after.v[delta][0], WithinRel(2e-3 + step, 1e-14));
  CHECK_THAT(after.v[x][0], WithinRel(1e-3 + 0.5 * step, 1e-14));
  CHECK_THAT(after.v[xp][0], WithinRel(0.995 * (1e-3 - 4e-4) + 4e-4 + 0.2 * step, 1e-13));
  CHECK(after.v[yp][0] == 1e-3);
  CHECK_THAT(delay(table.reference, after.v[s][0], after.v[delta][0]),
             WithinRel(delay(table.reference, 1e-3, 2e-3), 1e-13));
  effects.include_offsets = false;
  effects.fraction = 0.5;
  after = act();
  CHECK(after.v[x][0] == 1e-3);
  CHECK_THAT(after.v[xp][0], WithinRel(0.9975 * (1e-3 - 4e-4) + 4e-4, 1e-13));
  CHECK_THAT(after.v[delta][0], WithinRel(2e-3 + 0.5 * step, 1e-14));
  effects.damping = effects.loss = false;
  CHECK(act().v[delta][0] == table.v[delta][0]);

  effects.excitation = true;
  effects.fraction = 1.;
  const double sigma = std::sqrt(1. - 0.98 * 0.98) * 1e-3;
  const ParticleTable many(20000, p0);
  for (const double cutoff : {100., 1., 0.05}) {
    effects.cutoff = cutoff;
    const auto cut = radiating(many, {{"S", effects}}).v[delta];
    const double most = *std::ranges::max_element(cut);
    CHECK(most <= cutoff * sigma * (1. + 1e-12));
    CHECK(most > std::min(0.98 * cutoff, 3.) * sigma);
    if (cutoff == 1.)  // 1 - 2 phi(1)/(2 Phi(1) - 1)
      CHECK_THAT(variance(cut), WithinRel(0.291125 * sigma * sigma, 0.03));
  }
}

TEST_CASE("random losses are the same bits, whatever the lanes, the backend and the order") {
  check_same_bits<double, test::line_lanes<double>>();
  check_same_bits<float, test::line_lanes<float>>();
}

TEST_CASE("random losses differ by seed, particle, turn and element") {
  std::vector<double> values;
  for (const std::uint64_t seed : {0, 1, 2, 1 << 20})
    for (const int turn : {0, 1, 2})
      for (const int element : {0, 1, 2})
        for (const std::uint64_t id : {0, 1, 2})
          values.push_back(particle_random<double>(seed, id, turn, element).uniform());
  std::ranges::sort(values);
  CHECK(std::ranges::adjacent_find(values) == values.end());
}

TEST_CASE("elegant's keywords of radiation") {
  const auto parse = [](const std::string& text) {
    return io::parse_elegant_lattice("E: " + text, "test.lte").expand("E")[0].kind;
  };
  const auto bend_kind = parse("CSBEND, L=1, ANGLE=0.1, SYNCH_RAD=1, ISR=1, ISR1PART=1");
  const auto* bend = bend_kind.as<CanonicalBend>();
  CHECK((bend && bend->radiates && bend->quantum));
  for (const char* magnet : {"KQUAD, K1=1", "KSEXT, K2=1", "KOCT, K3=1"}) {
    const auto kind = parse(std::string(magnet) + ", L=0.5, SYNCH_RAD=1, ISR=1");
    const auto* of_isr = kind.as<CanonicalMultipole>();
    CHECK((of_isr && of_isr->radiates && of_isr->quantum));
  }
  const auto effects_kind =
      parse("SREFFECTS, PREF=1e4, DDELTAREF=-1e-3, EXREF=1e-9, SDELTAREF=1e-3, JX=1.1");
  const auto* effects = effects_kind.as<Effects>();
  REQUIRE(effects);
  CHECK((effects->x_partition == 1.1 && effects->momentum_partition == 2.));
  CHECK((effects->cutoff == 100. && effects->include_offsets && effects->excitation));
  const auto of_ring = parse("SREFFECTS, COUPLING=0.01");
  CHECK(of_ring.as<Effects>()->reference_momentum == 0.);
  test::check_refused([&] { parse("SREFFECTS, PREF=-1"); }, "PREF");
}

TEST_CASE("radiation is refused where it cannot be") {
  const auto refuse = [](const ElementKind& kind, const std::string& why) {
    test::check_refused<UsageError>([&] { check_element({"E", kind}); }, why);
  };
  Effects effects{.momentum_change = 0.1, .reference_momentum = 1e4};
  refuse(effects, "momentum change");
  effects = {.reference_momentum = 1e4, .cutoff = 0.};
  refuse(effects, "cutoff");
  effects = {.reference_momentum = 1e4, .x_optics = RingOptics{}};
  refuse(effects, "beta function");
  refuse(Effects{.reference_momentum = -1.}, "reference momentum");
  test::check_refused<UsageError>(
      [&] {
        radiating(ParticleTable(3, 1e4), {{"S", Effects{}}});
      },
      "with_equilibrium");
  refuse(CanonicalMultipole{.quantum = true}, "length");
  refuse(CanonicalBend{.length = 1., .angle = 0.1, .expanded = true, .quantum = true}, "radiation");
  effects = {.x_emittance = 1e-9, .momentum_change = -0.1, .reference_momentum = 1e4};
  test::check_refused<UsageError>(
      [&] {
        radiating(ParticleTable(3, 1e4), {{"S", effects}});
      },
      "emittance");
}
