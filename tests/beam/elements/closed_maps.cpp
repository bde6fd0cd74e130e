// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <array>
#include <catch2/catch_approx.hpp>
#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <string>
#include <trackplex/beam/bunch/canonical.hpp>
#include <trackplex/beam/bunch/particle_table.hpp>
#include <trackplex/beam/elements/canonical_bend.hpp>
#include <trackplex/beam/elements/canonical_quadrupole.hpp>
#include <trackplex/beam/elements/chromatic_quadrupole.hpp>
#include <trackplex/beam/elements/elements.hpp>
#include <trackplex/beam/elements/expanded_drift.hpp>
#include <trackplex/beam/line_tracker.hpp>
#include <trackplex/beam/tracking_steps.hpp>
#include <typeindex>
#include <vector>

using namespace trackplex;
using namespace trackplex::beam;

namespace {

using Vector = std::array<double, 6>;

/// beta gamma of electrons of 100 MeV of kinetic energy.
const double p0 = [] {
  const double gamma = 1. + 100. / 0.51099895069;
  return std::sqrt(gamma * gamma - 1.);
}();

/// Canonical coordinates after a line.
Vector after(const BeamLine& line, const Vector& start) {
  const HostExecutor exec;
  const ReferenceParticle reference{p0, 0.};
  ParticleTable table(1, p0);
  Particle<double> v;
  for (int i = 0; i < 6; ++i) v[i] = start[i];
  v = from_canonical(reference, v);
  for (int i = 0; i < 6; ++i) table.v[i][0] = v[i];
  auto bunch = upload<double>(exec, table);
  LineTracker<double, HostExecutor>(exec, line, {0., 0.}).track(bunch);
  table = download(exec, bunch);
  REQUIRE(table.n_lost() == 0);
  for (int i = 0; i < 6; ++i) v[i] = table.v[i][0];
  v = to_canonical(table.reference, v);
  Vector end;
  for (int i = 0; i < 6; ++i) end[i] = v[i];
  return end;
}

void check_close(const Vector& found, const Vector& right, double tolerance) {
  for (int i = 0; i < 6; ++i) {
    CAPTURE(i, found[i], right[i]);
    CHECK(std::abs(found[i] - right[i]) <= tolerance);
  }
}

constexpr Vector start = {1e-3, 2e-2, -2e-3, 1e-2, 1e-3, -3e-2};

BeamLine chromatic(double length, double k1) {
  return {{"q", ChromaticQuadrupole{.length = length, .k1 = k1}}};
}
BeamLine sector(double length, double angle) {
  CanonicalBend bend{.length = length, .angle = angle, .closed = true};
  bend.entrance_effects = bend.exit_effects = EdgeEffects::none;
  return {{"b", bend}};
}

}  // namespace

// Vectors of maps programmed independently from their formulas.
TEST_CASE("closed maps have the values of independent programs", "[beam]") {
  check_close(after(chromatic(0.1, 2.), start),
              {0.00292577595861084, 0.019606785929641875, -0.0010454304412753994,
               0.009695948788796692, 0.0010230261559179346, -0.03},
              1e-13);
  check_close(after(chromatic(0.1, -2.), start),
              {0.002957761389489356, 0.02039513696580243, -0.0010128794342938118,
               0.010301776412700876, 0.00102396327094945, -0.03},
              1e-13);
  check_close(
      after({{"d", ExpandedDrift{0.5}}}, start),
      {0.010708734315938842, 0.02, 0.0028543671579694214, 0.01, 0.0011174548952827723, -0.03},
      1e-13);
  check_close(
      after({{"d", ExactDrift{0.5}}}, start),
      {0.010711022976590882, 0.02, 0.0028555114882954412, 0.01, 0.0011174965599236577, -0.03},
      1e-13);
  check_close(after(sector(0.175, 0.02), start),
              {0.004450100114253397, 0.020588827484566013, -0.0003000338063385748, 0.01,
               0.001096453284282345, -0.03},
              1e-13);
  check_close(after(sector(0.175, -0.5), start),
              {0.0028912154084901748, 0.0019152964534951238, -0.0003114600183674848, 0.01,
               -8.046132173836207e-05, -0.03},
              1e-13);
  const CanonicalQuadrupole integrated{
      .length = 0.5, .k1 = 2., .slices = 40, .integration_order = 6};
  check_close(after({{"q", integrated}}, start),
              {0.009710611966890173, 0.014416881113866423, 0.0027523908074137174,
               0.010361713243191758, 0.001098738223219628, -0.03},
              1e-13);
}

TEST_CASE("parts of closed maps are as good as the whole", "[beam]") {
  const auto in_parts = [](BeamLine line, int n) {
    BeamLine parts;
    for (int i = 0; i < n; ++i) parts.push_back({"part", line[0].kind.part(i, n)});
    return parts;
  };
  for (const double k1 : {2., -2., 30., -30., 700., -700.})
    check_close(after(in_parts(chromatic(0.1, k1), 7), start), after(chromatic(0.1, k1), start),
                1e-14 * std::exp(0.1 * std::sqrt(std::abs(k1))));
  for (const double angle : {1e-9, 0.02, -0.5, 1.5, 3., -6.})
    check_close(after(in_parts(sector(0.5, angle), 5), start), after(sector(0.5, angle), start),
                2e-14);
  const BeamLine limited = {{"limit", MaxAmplitude{{Aperture::Shape::ellipse, 1., 1.}}},
                            sector(0.5, 1.)[0]};
  check_close(after(limited, start), after(sector(0.5, 1.), start), 1e-14);
}

TEST_CASE("closed maps in a row convert slopes once", "[beam]") {
  const BeamLine line = {{"d1", ExpandedDrift{0.5}},
                         {"q1", chromatic(0.1, 2.)[0].kind},
                         {"m", Marker{}},
                         {"d2", ExpandedDrift{0.5}},
                         {"q2", chromatic(0.1, -2.)[0].kind},
                         {"d3", ExactDrift{0.5}},
                         {"q3", chromatic(0.1, 2.)[0].kind}};
  const auto steps_of = [&](int stop) {
    return tracking_steps(line, {0., 0.}, [=](int element) { return element == stop; });
  };
  const auto types_of = [](const TrackingSteps& steps) {
    std::vector<std::type_index> types;
    for (const TrackingStep& step : steps.steps) types.push_back(step.type.id);
    return types;
  };
  const std::type_index drift = typeid(steps::ExpandedDrift), exact = typeid(steps::ExactDrift),
                        quad = typeid(steps::ChromaticQuadrupole), in = typeid(steps::ToCosines),
                        out = typeid(steps::ToSlopes), between = typeid(steps::CosineDrift);
  const std::vector all = {drift, in, quad, between, quad, out, exact, in, quad, out};
  CHECK(types_of(steps_of(-1)) == all);
  const TrackingSteps stopped = steps_of(1);
  CHECK(types_of(stopped) == all);
  REQUIRE(stopped.segments.size() == 2);
  CHECK(stopped.segments[0].keeps_cosines);
  CHECK(stopped.segments[1].resumes_cosines);
  CHECK_FALSE(steps_of(0).segments[1].resumes_cosines);
  Vector one_by_one = start;
  for (const Element& element : line) one_by_one = after({element}, one_by_one);
  check_close(after(line, start), one_by_one, 1e-14);
}

TEST_CASE("observers between closed maps see slopes, and may change them", "[beam]") {
  const HostExecutor exec;
  const BeamLine line = {chromatic(0.1, 30.)[0], {"d", ExpandedDrift{0.5}}};
  ParticleTable table(20, p0);
  for (int i = 0; i < 20; ++i) {
    table.v[x][i] = 1e-3 * (i + 1);
    table.v[yp][i] = -2e-3 * i;
  }
  const auto tracked = [&](const BeamLine& part, const std::vector<int>& stops,
                           const auto& observer) {
    auto bunch = upload<double>(exec, table);
    LineTracker<double, HostExecutor>(exec, part, {0., 0.}, stops).track(bunch, 1, observer);
    return download(exec, bunch);
  };
  const auto ignore = [](int, int, const auto&) {};
  const ParticleTable first = tracked({line[0]}, {}, ignore), whole = tracked(line, {}, ignore);
  const ParticleTable changed = tracked(line, {0}, [&](int, int, auto& bunch) {
    const ParticleTable found = download(exec, bunch);
    for (int c = 0; c < n_coordinates; ++c) CHECK(found.v[c] == first.v[c]);
    bunch.column(xp)[3] += 1e-4;
  });
  for (int i = 0; i < 20; ++i) {
    CAPTURE(i);
    for (int c = 0; c < n_coordinates; ++c)
      if (i != 3) CHECK(changed.v[c][i] == whole.v[c][i]);
  }
  CHECK(std::abs(changed.v[xp][3] - whole.v[xp][3] - 1e-4) < 1e-12);
  CHECK(std::abs(changed.v[x][3] - whole.v[x][3] - 0.5e-4) < 1e-7);
}

TEST_CASE("particles lost between closed maps keep their slopes", "[beam]") {
  const HostExecutor exec;
  const BeamLine line = {chromatic(0.1, 30.)[0], chromatic(0.5, 100.)[0]};
  const auto tracked = [&](const BeamLine& part) {
    ParticleTable table(1, p0);
    table.v[x][0] = 0.1;
    table.v[yp][0] = 0.3;
    auto bunch = upload<double>(exec, table);
    LineTracker<double, HostExecutor>(exec, part, {0., 0.}).track(bunch);
    return download(exec, bunch);
  };
  const ParticleTable whole = tracked(line), first = tracked({line[0]});
  REQUIRE(first.n_lost() == 0);
  REQUIRE(whole.n_lost() == 1);
  CHECK(whole.losses[0].element == 1);
  for (int i = 0; i < n_coordinates; ++i) CHECK(std::abs(whole.v[i][0] - first.v[i][0]) < 1e-15);
}

TEST_CASE("closed maps are smooth where their strength vanishes", "[beam]") {
  const Vector drifted = after({{"d", ExpandedDrift{0.3}}}, start);
  for (const double k1 : {0., 1e-300, 1e-20, -1e-20, 1e-13})
    check_close(after(chromatic(0.3, k1), start), drifted, 1e-15);
  const Vector straight = after({{"d", ExactDrift{0.3}}}, start);
  for (const double angle : {0., 1e-300, 1e-20, -1e-20, 1e-16})
    check_close(after(sector(0.3, angle), start), straight, 1e-15);
  // first order in the strength, where phases and angles are far too small for differences
  const Vector bent = after(sector(0.3, 1e-10), start);
  const double momentum =
      std::sqrt(1. - 2. * start[5] * std::sqrt(1. + 1. / (p0 * p0)) + start[5] * start[5]);
  const double pz = std::sqrt(momentum * momentum - start[1] * start[1] - start[3] * start[3]);
  CHECK(bent[1] - start[1] == Catch::Approx(1e-10 * (pz - 1.)).epsilon(1e-3));
}

TEST_CASE("the series of closed maps meet their general formulas", "[beam]") {
  using beam::detail::focusing_planes;
  for (const double z : {0.25, 0.9999, 1., 1.0001, 2., 40.})
    for (const double side : {1., -1.}) {
      CAPTURE(z, side);
      const auto both = focusing_planes(side * z);
      const auto& focused = side > 0. ? both.plus : both.minus;
      const auto& defocused = side > 0. ? both.minus : both.plus;
      const double f = std::sqrt(z);
      CHECK(focused.cosine == Catch::Approx(std::cos(f)).epsilon(1e-15).margin(1e-16));
      CHECK(focused.sine == Catch::Approx(std::sin(f) / f).epsilon(2e-15));
      CHECK(defocused.cosine == Catch::Approx(std::cosh(f)).epsilon(2e-15));
      CHECK(defocused.sine == Catch::Approx(std::sinh(f) / f).epsilon(2e-15));
    }
  for (const double t : {0., 1e-9, 0.01, -0.1, 0.125})
    CHECK(beam::detail::atanc(t) * t == Catch::Approx(std::atan(t)).epsilon(4e-16));
  // bends in which particles turn by much more or less than the axis, against many short ones
  BeamLine parts;
  for (int i = 0; i < 40; ++i) parts.push_back({"part", sector(0.5, 1.6)[0].kind.part(i, 40)});
  const Vector slow = {0.05, -0.1, 0.02, 0.01, 0., 0.4};
  check_close(after(sector(0.5, 1.6), slow), after(parts, slow), 1e-13);
}

TEST_CASE("a closed bend is the limit of its slices", "[beam]") {
  for (const double angle : {0.3, -0.3, 1e-4}) {
    CanonicalBend bend{.length = 0.5, .angle = angle, .entrance = 0.1, .exit = 0.05};
    bend.half_gap = 0.01;
    bend.field_error = 0.02;
    bend.misalignment = {1e-3, -1e-3, 0.2, 1e-3};
    bend.error_tilt = 0.01;
    bend.slices = 100;
    bend.integration_order = 6;
    CanonicalBend closed = bend;
    closed.closed = true;
    check_close(after({{"b", closed}}, start), after({{"b", bend}}, start), 1e-12);
  }
}

TEST_CASE("closed maps lose what turns around, and refuse what has none", "[beam]") {
  const auto is_lost = [](const BeamLine& line, const Vector& slopes) {
    const HostExecutor exec;
    ParticleTable table(1, p0);
    for (int i = 0; i < 6; ++i) table.v[i][0] = slopes[i];
    auto bunch = upload<double>(exec, table);
    LineTracker<double, HostExecutor>(exec, line, {0., 0.}).track(bunch);
    return download(exec, bunch).n_lost() == 1;
  };
  CHECK(is_lost(chromatic(0.5, 100.), {0.5, 0., 0., 0., 0., 0.}));
  CHECK(is_lost(chromatic(0.5, 2.), {0., 0., 0., 0., 0., -1.}));
  CHECK(is_lost(chromatic(0.5, 2.), {0., 0., 0., 0., 0., -1. + 1e-9}));
  CHECK(is_lost(sector(1., 1.5), {0., 0., 0., 0., 0., -0.9}));
  CHECK_FALSE(is_lost(sector(1., 1.5), {0., 0., 0., 0., 0., -0.1}));
  const auto refused = [](auto change) {
    CanonicalBend bend{.length = 0.5, .angle = 0.1, .closed = true};
    change(bend);
    try {
      check_element({"B1", bend});
    } catch (const UsageError& error) {
      const std::string what = error.what();
      CHECK(what.find("B1") != std::string::npos);
      return what.find("closed map") != std::string::npos;
    }
    return false;
  };
  CHECK(refused([](CanonicalBend& b) { b.strengths = {0.1}; }));
  CHECK(refused([](CanonicalBend& b) { b.horizontal_kick = 1e-3; }));
  CHECK(refused([](CanonicalBend& b) { b.radiates = true; }));
  CHECK(refused([](CanonicalBend& b) { b.field_error = -1.; }));
  CHECK(refused([](CanonicalBend& b) { b.k0 = 0.3; }));
  CHECK_FALSE(refused([](CanonicalBend& b) { b.strengths = {0., 0.}; }));
}

TEST_CASE("the Taylor map of a chromatic quadrupole is its expansion", "[beam]") {
  const ChromaticQuadrupole quadrupole{0.3, 4., {1e-4, -2e-4, 0.1}};
  const TransferMap map = quadrupole.map_to(2);
  const CanonicalQuadrupole integrated{0.3, 4., 20, 6, quadrupole.misalignment};
  const TransferMap other = integrated.map_to(2);
  for (int i = 1; i <= 6; ++i)
    for (int j = 1; j <= 6; ++j) CHECK(map.R(i, j) == other.R(i, j));
  // both agree up to third order in small coordinates
  constexpr Vector small = {1e-4, 2e-5, -1e-4, 3e-5, 0., -1e-4};
  const Vector a = after({{"q", quadrupole}}, small), b = after({{"q", integrated}}, small);
  check_close(a, b, 1e-12);
}
