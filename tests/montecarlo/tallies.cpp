// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tallies of the library and of users, and sources of the library and of users.
#include <catch2/catch_template_test_macros.hpp>
#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <limits>
#include <montecarlo/run_transport.hpp>
#include <numeric>
#include <support/refusals.hpp>
#include <trackplex/core/host_executor.hpp>
#include <trackplex/validation/lewis_moments.hpp>

using namespace trackplex;
using namespace trackplex::montecarlo;
using namespace trackplex::montecarlo::test;
using trackplex::test::check_refused;

namespace {

using Space = HostExecutor;
const TransportParams water{1.280542578e-4, 33.5, 4};
const std::vector<HistoryRange> some{{0, 30000}};

End<double> end_at(double x, double y, double z,
                   const Direction<double>& direction = {0., 0., 1.}) {
  return {x, y, z, direction, 0};
}

/// A user's tally: scatterings, one cell each; histories with more are counted nowhere.
struct Scatterings {
  KOKKOS_FUNCTION int cells() const { return 40; }
  template <class End>
  KOKKOS_FUNCTION int cell(const End& end) const {
    return end.scatterings;
  }
};

/// Another, which leaves out what went backwards.
struct Forwards {
  KOKKOS_FUNCTION int cells() const { return 1; }
  template <class End>
  KOKKOS_FUNCTION int cell(const End& end) const {
    return end.z > 0 ? 0 : -1;
  }
};

/// A user's source: uniform in a cone around z, at (1, 0, 2).
struct ConeSource {
  double least_cosine;
  template <class Real>
  KOKKOS_FUNCTION Start<Real> operator()(PhiloxKey key, const HistoryNumbers<Real>& number) const {
    const SourceDraws<Real> draws(key, number);
    const Real deflection = Real(ScalarOf<Real>(1. - least_cosine)) * draws.first;
    const auto azimuth = sincospi(Real(2) * draws.second);
    return {Real(1), Real(0), Real(2),
            scattered(Direction<Real>{Real(0), Real(0), Real(1)}, deflection, azimuth)};
  }
};

/// A source at a distance from the axis.
struct FarSource {
  double distance;
  template <class Real>
  KOKKOS_FUNCTION Start<Real> operator()(PhiloxKey, const HistoryNumbers<Real>&) const {
    return {Real(ScalarOf<Real>(distance)), Real(0), Real(0), {Real(0), Real(0), Real(1)}};
  }
};

std::uint64_t sum_of(std::span<const std::uint64_t> counts) {
  return std::accumulate(counts.begin(), counts.end(), std::uint64_t(0));
}

}  // namespace

TEST_CASE("cells of an axis", "[montecarlo]") {
  const AxisTally<Longitudinal, double> tally({-1., 1., 4});
  CHECK(tally.cells() == 6);
  const auto cell = [&](double z) { return tally.cell(end_at(0., 0., z)); };
  CHECK(cell(-1.001) == 0);
  CHECK(cell(-1.) == 1);
  CHECK(cell(-0.5) == 2);
  CHECK(cell(0.999) == 4);
  CHECK(cell(1.) == 5);
  CHECK(cell(1e300) == 5);
  CHECK(cell(std::numeric_limits<double>::quiet_NaN()) == 0);
  CHECK(tally.describe() == TallyDescription{"longitudinal", {{"longitudinal", {-1., 1., 4}}}, 6});
  CHECK(AxisRange{-1., 1., 4}.edge(3) == 0.5);
}

TEST_CASE("quantities of an end", "[montecarlo]") {
  const auto end = end_at(3., 4., -2., {0.6, 0., -0.8});
  CHECK(Longitudinal::of(end) == -2.);
  CHECK(Transverse::of(end) == 5.);
  CHECK(Cosine::of(end) == -0.8);
  CHECK(std::abs(Angle::of(end) - std::acos(-0.8)) < 1e-15);
  CHECK(Angle::of(end_at(0., 0., 0., {1e-9, 0., 1.})) == 1e-9);
}

TEST_CASE("cells of a plane", "[montecarlo]") {
  const PlaneTally<Longitudinal, Transverse, double> tally({-1., 1., 4}, {0., 1., 10});
  CHECK(tally.cells() == 6 * 12);
  CHECK(tally.cell(end_at(0.55, 0., 0.1)) == 3 * 12 + 6);
  CHECK(tally.cell(end_at(7., 0., -2.)) == 0 * 12 + 11);
  CHECK(tally.cell(end_at(0., 0.05, 2.)) == 5 * 12 + 1);
  CHECK(tally.describe().name == "longitudinal_transverse");
  check_refused<CapacityError>(
      [] {
        PlaneTally<Cosine, Angle, float>({-1., 1., 100000}, {0., 1., 100000});
      },
      "cells");
  check_refused<UsageError>(
      [] {
        PlaneTally<Cosine, Angle, float>({-1., 1., 5}, {1., 1., 5});
      },
      "range");
  check_refused<UsageError>([] { AxisTally<Cosine, float>({-1., 1., 0}); }, "bins");
}

TEMPLATE_TEST_CASE("tallies count every history, where it is", "[montecarlo]", float, double) {
  using T = TestType;
  const auto with = [](const auto&... more) {
    return tallies(PlaneTally<Longitudinal, Transverse, T>(longitudinal_axis, transverse_axis),
                   AxisTally<Longitudinal, T>({0.5, 0.98, 48}),
                   AxisTally<Transverse, T>(transverse_axis), AxisTally<Cosine, T>({-1., 1., 100}),
                   AxisTally<Angle, T>({0., 3.2, 64}), more...);
  };
  const auto list = with();
  const auto small = run_transport<T, Space>(water, list, some);
  const auto views = tally_views(list, small);
  REQUIRE(views.size() == 5);
  for (const auto& view : views) CHECK(sum_of(view.cells) == 30000);
  const auto &plane = views[0], &z = views[1], &r = views[2];
  CHECK((z.underflow() > 0 && z.overflow() > 0));
  CHECK(z.bins().size() == 48);
  CHECK(z.underflow() + z.overflow() + sum_of(z.bins()) == 30000);
  CHECK(r.underflow() == 0);
  CHECK(r.overflow() == 0);
  CHECK(views[4].underflow() + views[4].overflow() == 0);
  for (int j = 0; j < 103; ++j) {  // a projection of the plane
    std::uint64_t sum = 0;
    for (int i = 0; i < 203; ++i) sum += plane.at(i, j);
    CHECK(sum == r.cells[std::size_t(j)]);
  }
  // with 400 x 400 cells more than a team has of its own, the counts are the same
  const auto large_list =
      with(PlaneTally<Longitudinal, Transverse, T>({-1., 1., 400}, {0., 1., 400}));
  const auto large = run_transport<T, Space>(water, large_list, some);
  CHECK(large.cells.size() == small.cells.size() + 402 * 402);
  CHECK(std::equal(small.cells.begin(), small.cells.end(), large.cells.begin()));
  CHECK(large.moments == small.moments);
  check_refused<UsageError>([&] { tally_views(list, large); }, "other tallies");
}

TEST_CASE("angles are the arc cosines of cosines", "[montecarlo]") {
  const auto list = tallies(AxisTally<Cosine, double>({0.5, 1., 1}),
                            AxisTally<Angle, double>({0., std::acos(0.5), 1}));
  const auto counts = run_transport<double, Space>({1e-2, 33.5, 4}, list, some);
  const auto views = tally_views(list, counts);
  CHECK(views[0].bins()[0] == views[1].bins()[0]);
  CHECK(views[0].bins()[0] > 5000);
  CHECK(views[0].underflow() > 5000);
}

TEST_CASE("a user's tally", "[montecarlo]") {
  const auto list =
      tallies(Forwards{}, Scatterings{}, AxisTally<Longitudinal, float>({-1., 0., 1}));
  const auto counts = run_transport<float, Space>({0.1, 33.5, 9}, list, some);
  const auto views = tally_views(list, counts);
  CHECK(views[0].description == TallyDescription{"user", {}, 1});
  CHECK(views[0].cells[0] == views[2].overflow());
  double expected = std::exp(-33.5) * 30000;
  for (int k = 1; k < 40; ++k) {
    expected *= 33.5 / k;
    CAPTURE(k);
    CHECK(std::abs(double(views[1].cells[std::size_t(k)]) - expected) <
          4.5 * std::sqrt(expected) + 3.);
  }
  CHECK(sum_of(views[1].cells) < 30000);   // 40 and more
  CHECK(sum_of(views[2].cells) == 30000);  // they are not counted in the next tally
}

TEST_CASE("counts of ranges add up", "[montecarlo]") {
  const auto list = tallies(Scatterings{});
  const auto first = run_transport<float, Space>(water, list, {{0, 1000}});
  const auto second = run_transport<float, Space>(water, list, {{1000, 1500}});
  const auto whole = run_transport<float, Space>(water, list, {{0, 1500}});
  TransportCounts sum = first;
  sum += second;
  CHECK(sum.same_results(whole));
  CHECK(sum.lane_steps == first.lane_steps + second.lane_steps);
  CHECK(second.lane_steps > 0);
  for (const auto& change :
       {+[](TransportCounts& c) { ++c.cells[3]; }, +[](TransportCounts& c) { ++c.moments.skipped; },
        +[](TransportCounts& c) { c.histories.clear(); }}) {
    TransportCounts other = whole;
    change(other);
    CHECK_FALSE(other.same_results(whole));
  }
  TransportCounts slower = whole;
  ++slower.lane_steps;  // how the work was shared out is no result
  CHECK(slower.same_results(whole));
}

TEST_CASE("the error of a mean is that of a sample", "[montecarlo]") {
  // z of two histories: 0 and 1, with the mean 1/2 and the variance 1/2 of a sample
  MomentSums sums;
  for (const double z : {0., 1.}) {
    ++sums.histories;
    add_moments(end_at(0., 0., z),
                [&](Moment moment, std::int64_t units) { sums.sums[int(moment)] += units; });
  }
  CHECK(sums.z().value == 0.5);
  CHECK(sums.z().error == std::sqrt(0.5 / 2.));
  CHECK(sums.cosine().value == 1.);
  CHECK(sums.cosine().error == 0.);
}

TEMPLATE_TEST_CASE("a disk adds its own moments", "[montecarlo]", float, double) {
  const double radius = 10., limit = 33.5;
  const auto moments =
      run_transport<TestType, Space>(water, tallies(), {{0, 500000}}, DiskSource{radius}).moments;
  const auto exact = validation::lewis_moments(water.screening, limit);
  const auto check = [](const Estimate& found, double expected) {
    CHECK(std::abs(found.value - expected) < 4. * found.error);
  };
  check(moments.z(), exact.z);
  check(moments.cosine(), exact.cosine);
  const double spread = radius / limit;
  check(moments.r2(), exact.r2 + 0.5 * spread * spread);
}

TEST_CASE("a user's source", "[montecarlo]") {
  const double least_cosine = 0.5, mean = 0.75, limit = 33.5;
  const auto moments =
      run_transport<double, Space>(water, tallies(), {{0, 500000}}, ConeSource{least_cosine})
          .moments;
  const auto exact = validation::lewis_moments(water.screening, limit);
  const Estimate z = moments.z(), cosine = moments.cosine();
  CHECK(std::abs(z.value - (2. / limit + mean * exact.z)) < 4. * z.error);
  CHECK(std::abs(cosine.value - mean * exact.cosine) < 4. * cosine.error);
}

TEST_CASE("histories far from the axis have no moments, but are counted", "[montecarlo]") {
  const auto list = tallies(AxisTally<Transverse, double>({0., 1., 10}));
  const auto run = [&](double limits, std::uint64_t n) {
    return run_transport<double, Space>(water, list, {{0, n}}, FarSource{limits * water.limit});
  };
  const auto near = run(15., 20000);
  CHECK(near.moments.skipped == 0);
  CHECK(near.moments.histories == 20000);
  // r^4 of 15 limits, 2^47 units a history: no sum overflows
  CHECK(std::abs(near.moments.mean(Moment::r2) - 225.) < 1.);
  CHECK(std::abs(near.moments.mean(Moment::r4) - 50625.) < 500.);
  for (const double limits : {17., 1e30, std::numeric_limits<double>::quiet_NaN()}) {
    CAPTURE(limits);
    const auto far = run(limits, 500);
    CHECK(far.moments.skipped == 500);
    CHECK(far.moments.histories == 0);
    CHECK(far.moments.mean(Moment::z) == 0.);
    CHECK(far.histories.size() == 500);
    CHECK(sum_of(far.cells) == 500);
  }
}

TEST_CASE("what cannot be simulated", "[montecarlo]") {
  const auto make = []<class T>(T, double screening, double limit) {
    return [=] { Transport<T, Space, TallyList<>>(Space(), {screening, limit, 1}, tallies()); };
  };
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const double infinity = std::numeric_limits<double>::infinity();
  for (const double wrong : {0., -1., nan}) {
    check_refused<UsageError>(make(1., wrong, 33.5), "not above 0");
    check_refused<UsageError>(make(1., 1e-3, wrong), "not above 0");
  }
  check_refused<UsageError>(make(1.f, 1e-3, 2e6), "limit is too long");
  check_refused<UsageError>(make(1.f, 1e-3, infinity), "limit is too long");
  check_refused<UsageError>(make(1.f, 1e-7, 33.5), "(1e-07); take double precision");
  check_refused<UsageError>(make(1., infinity, 33.5), "not finite");
  CHECK_NOTHROW(make(1., 1e-7, 33.5)());
}
