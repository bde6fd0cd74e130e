// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <algorithm>
#include <catch2/catch_template_test_macros.hpp>
#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_exception.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>
#include <cmath>
#include <limits>
#include <trackplex/validation/pulls.hpp>

#include "lhcb/fit/field_events.hpp"
#include "support/spaces.hpp"

using namespace trackplex;
using Catch::Matchers::ContainsSubstring;
using Catch::Matchers::MessageMatches;

namespace {

std::vector<test::LongFitEvent> events_in_field(double polarity, int scale,
                                                test::FieldTrackNoise noise = {}) {
  test::FieldTrackGenerator generate(7, polarity, noise);
  std::vector<test::LongFitEvent> events;
  for (const int n : {50, 0, 1, 149}) events.push_back(generate.event(n * scale));
  return events;
}

/// f(track, fit) of all tracks.
template <class F>
void for_each_fit(const std::vector<test::LongFitEvent>& events, const test::LongFitsOnHost& fits,
                  const F& f) {
  REQUIRE(fits.size() == events.size());
  for (std::size_t e = 0; e < events.size(); ++e)
    for (std::size_t t = 0; t < events[e].size(); ++t) {
      CAPTURE(e, t);
      f(events[e][t], fits[e][t]);
    }
}

/// Values of the five parameters.
std::array<double, 5> values(const lhcb::KalmanState<double>& s) {
  return {s.x, s.y, s.tx, s.ty, s.qop};
}

void check_pulls(double polarity, const std::vector<test::LongFitEvent>& events,
                 const test::LongFitsOnHost& fits) {
  std::array<validation::Pulls, 5> pulls;
  double chi2 = 0., ndf = 0.;
  std::vector<double> errors;
  for_each_fit(events, fits, [&](const auto& track, const auto& fit) {
    CHECK(fit.good);
    CHECK(fit.ndf == track.measurements() - 5);
    CHECK(std::abs(fit.state.z - track.truth.z) < 1e-4);
    const auto found = values(fit.state), truth = values(track.truth);
    for (int i = 0; i < 5; ++i)
      pulls[std::size_t(i)].add(found[std::size_t(i)], truth[std::size_t(i)],
                                std::sqrt(fit.covariance(i, i)));
    chi2 += fit.chi2;
    ndf += fit.ndf;
    errors.push_back(std::abs(fit.state.qop / track.truth.qop - 1.));
  });
  for (std::size_t i = 0; i < 5; ++i) {
    CAPTURE(polarity, i, pulls[i].count(), pulls[i].mean(), pulls[i].sigma());
    CHECK(std::abs(pulls[i].mean()) < 0.08);
    CHECK(std::abs(pulls[i].sigma() - 1.) < 0.05);
  }
  CAPTURE(chi2, ndf);
  CHECK(std::abs(chi2 / ndf - 1.) < 0.02);
  std::ranges::sort(errors);
  const double resolution = errors[errors.size() * 68 / 100];
  CAPTURE(resolution);
  CHECK(resolution > 0.002);
  CHECK(resolution < 0.006);
}

}  // namespace

TEMPLATE_LIST_TEST_CASE("Pulls of long tracks fitted in a field are normal", "[lhcb]",
                        test::EnabledSpaces) {
  for (const double polarity : {-1., 1.}) {
    const auto events = events_in_field(polarity, 10);
    check_pulls(polarity, events, test::map_fits_on<float, 1, TestType>(events, polarity));
    check_pulls(polarity, events, test::dipole_fits_on<double, 1, TestType>(events, polarity));
  }
}

TEST_CASE("Long tracks without noise are fitted exactly in a field", "[lhcb]") {
  const double polarity = -1.;
  const auto events = events_in_field(polarity, 1, {false, false});
  auto params = test::FieldTrackGenerator::params();
  params.field_qop_error = 0.3;
  const auto setup = lhcb::long_field_setup<double>(
      params, {0., 0., 0., {{{770., 0.}, {1720., 0.}}}, {{{3738., 0.}, {6731., 0.}}}});
  const auto fits =
      test::field_fits_on<double, 1, HostExecutor>(events, test::dipole_of_lhcb(polarity), setup);
  for_each_fit(events, fits, [](const auto& track, const auto& fit) {
    const auto &s = fit.state, &truth = track.truth;
    CAPTURE(s.qop, truth.qop, fit.chi2);
    // The start is wrong, as that of a search
    CHECK(std::abs(s.qop / truth.qop - 1.) < 5e-5);
    CHECK(std::abs(s.x - truth.x) < 5e-4);
    CHECK(std::abs(s.y - truth.y) < 5e-4);
    CHECK(std::abs(s.tx - truth.tx) < 5e-6);
    CHECK(std::abs(s.ty - truth.ty) < 5e-6);
    CHECK(fit.chi2 < 0.5);
  });
}

TEST_CASE("Long tracks are the same in a field and in its map, within its interpolation",
          "[lhcb]") {
  const double polarity = 1.;
  const auto events = events_in_field(polarity, 1);
  const auto setup = lhcb::long_field_setup<double>(test::FieldTrackGenerator::params());
  const auto exact =
      test::field_fits_on<double, 4, HostExecutor>(events, test::dipole_of_lhcb(polarity), setup);
  const auto in_map = [&](double cell) {
    const auto fits = test::field_fits_on<double, 4, HostExecutor>(
        events,
        lhcb::magnet_map<double>(HostExecutor(), test::map_of_lhcb(polarity, cell), polarity),
        setup);
    double largest = 0.;
    for (std::size_t e = 0; e < events.size(); ++e)
      for (std::size_t t = 0; t < events[e].size(); ++t)
        largest = std::max(largest, std::abs(fits[e][t].state.qop / exact[e][t].state.qop - 1.));
    return largest;
  };
  const double fine = in_map(10.), coarse = in_map(20.);
  CAPTURE(fine, coarse);
  CHECK(fine < 5e-4);
  CHECK(coarse < 8. * fine);  // the error is that of squares of the cell
  CHECK(coarse > 2. * fine);
}

TEST_CASE("Fits in a field are the same at all widths, and nearly in both precisions", "[lhcb]") {
  const auto events = events_in_field(-1., 1);
  const auto scalar = test::map_fits_on<float, 1, HostExecutor>(events, -1.);
  const auto lanes = test::map_fits_on<float, 8, HostExecutor>(events, -1.);
  const auto in_double = test::map_fits_on<double, 4, HostExecutor>(events, -1.);
  for (std::size_t e = 0; e < events.size(); ++e)
    for (std::size_t t = 0; t < events[e].size(); ++t) {
      CAPTURE(e, t);
      const auto &a = scalar[e][t], &b = lanes[e][t], &c = in_double[e][t];
      CHECK(values(a.state) == values(b.state));
      CHECK(a.chi2 == b.chi2);
      CHECK(std::ranges::equal(a.covariance.c, b.covariance.c));
      const auto found = values(a.state), expected = values(c.state);
      for (int i = 0; i < 5; ++i) {
        CAPTURE(i);
        const double sigma = std::sqrt(c.covariance(i, i));
        CHECK(std::abs(found[std::size_t(i)] - expected[std::size_t(i)]) < 0.05 * sigma);
        CHECK(std::abs(std::sqrt(a.covariance(i, i)) / sigma - 1.) < 0.02);
      }
    }
}

TEST_CASE("Long tracks that leave a map, or have a large chi2, are not good", "[lhcb]") {
  const auto events = events_in_field(-1., 1);
  const auto params = test::FieldTrackGenerator::params();
  auto grid = test::map_of_lhcb(-1.);
  const auto fits_in = [&](const geometry::FieldGrid& of, geometry::OutsideOfMap outside) {
    const geometry::FieldMap<float, Kokkos::HostSpace> map(HostExecutor(), of, outside);
    return test::field_fits_on<float, 8, HostExecutor>(events, map,
                                                       lhcb::long_field_setup<float>(params));
  };
  using enum geometry::OutsideOfMap;
  const auto all = fits_in(grid, unknown);
  for_each_fit(events, all, [](const auto&, const auto& fit) { CHECK(fit.good); });
  const geometry::FieldGrid small = geometry::sample_field(
      {-360., 360., 3}, {-200., 200., 41}, {-100., 800., 91}, test::dipole_of_lhcb(-1.));
  for_each_fit(events, fits_in(small, unknown),
               [](const auto&, const auto& fit) { CHECK(!fit.good); });
  for_each_fit(events, fits_in(small, zero), [](const auto&, const auto& fit) { CHECK(fit.good); });
  auto strict = params;
  strict.max_chi2_per_ndf = 1.;
  const auto some = test::field_fits_on<float, 8, HostExecutor>(
      events, lhcb::magnet_map<float>(HostExecutor(), grid, -1.),
      lhcb::long_field_setup<float>(strict));
  for_each_fit(events, some,
               [](const auto&, const auto& fit) { CHECK(fit.good == (fit.chi2 <= fit.ndf)); });
}

TEST_CASE("Maps that cannot be those of the magnet are refused", "[lhcb]") {
  const auto refuses = [](const char* problem, const auto& change, double polarity = -1.) {
    auto grid = test::map_of_lhcb(-1.);
    change(grid);
    CHECK_THROWS_MATCHES(lhcb::check_magnet_map(grid, polarity, "map"), InputError,
                         MessageMatches(ContainsSubstring("map") && ContainsSubstring(problem)));
  };
  const auto scaled = [](double factor) {
    return [factor](auto& grid) {
      for (auto& b : grid.tesla) b[1] *= factor;
    };
  };
  CHECK_NOTHROW(lhcb::check_magnet_map(test::map_of_lhcb(1.), 1., "map"));
  refuses(
      "points down", [](auto&) {}, 1.);
  refuses("points up", scaled(-1.));
  refuses("check the units", scaled(10.));
  refuses("check the units", scaled(0.1));
  refuses("x from 0", [](auto& grid) { grid.x.first = 0.; });
  refuses("y from", [](auto& grid) { grid.y.last = 100.; });
  refuses("z from", [](auto& grid) { grid.z.last = 700.; });
  auto damaged = test::map_of_lhcb(-1.);
  damaged.tesla.back()[0] = std::numeric_limits<double>::quiet_NaN();
  CHECK_THROWS_AS(lhcb::magnet_map<float>(HostExecutor(), damaged, -1.), UsageError);
}

TEST_CASE("Material of long tracks out of its range is refused", "[lhcb]") {
  const auto refuses = [](const char* problem, const auto& change) {
    lhcb::LongTrackMaterial material;
    change(material);
    CHECK_THROWS_MATCHES(lhcb::long_field_setup<float>({}, material), UsageError,
                         MessageMatches(ContainsSubstring(problem)));
  };
  refuses("thickness", [](auto& m) { m.velo = -0.01; });
  refuses("thickness", [](auto& m) { m.scifi = std::numeric_limits<double>::quiet_NaN(); });
  refuses("thickness", [](auto& m) { m.in_magnet[1].radiation_lengths = 2.; });
  refuses("order of z", [](auto& m) { m.before_ut[0].z = 2000.; });
  refuses("order of z", [](auto& m) { m.in_magnet[1].z = 8000.; });
  refuses("order of z", [](auto& m) { m.ut_z[2] = 2300.; });
  CHECK_NOTHROW(lhcb::check(lhcb::LongTrackMaterial()));
}

TEST_CASE("The fit in a field of hits of different events is refused, and can be disabled",
          "[lhcb]") {
  const auto events = events_in_field(-1., 1);
  const test::LongFitArraysOnHost<float> all(events), one({events[0]});
  const auto &a = all.arrays(), &b = one.arrays();
  lhcb::FitLongTracksInField<float, HostExecutor> fit{
      lhcb::long_field_setup<float>(),
      lhcb::magnet_map<float>(HostExecutor(), test::map_of_lhcb(-1.), -1.)};
  lhcb::LongFits<float, Kokkos::HostSpace> fits;
  CHECK_THROWS_MATCHES(run_algorithm(HostExecutor(), fit, a.velo_hits, a.velo_tracks, a.ut_hits,
                                     a.ut_tracks, b.scifi_hits, a.tracks, fits),
                       UsageError, MessageMatches(ContainsSubstring("different events")));
  fit.enabled = false;
  run_algorithm(HostExecutor(), fit, a.velo_hits, a.velo_tracks, a.ut_hits, a.ut_tracks,
                b.scifi_hits, a.tracks, fits);
  CHECK(fits.n_events == 0);
  CHECK(fits.slots == 0);
}
