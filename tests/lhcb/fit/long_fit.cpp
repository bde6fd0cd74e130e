// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <catch2/catch_template_test_macros.hpp>
#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_exception.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>
#include <limits>
#include <string>
#include <trackplex/validation/pulls.hpp>

#include "lhcb/fit/fit_events.hpp"
#include "support/spaces.hpp"

using namespace trackplex;
using Catch::Matchers::ContainsSubstring;
using Catch::Matchers::MessageMatches;
using LongFitState = lhcb::KalmanState<double>;
using LongFitStep = lhcb::KalmanStep<double>;

namespace {

constexpr double not_finite = std::numeric_limits<double>::quiet_NaN();

test::HostKalmanTransport fit_transport(double polarity = -1.) {
  return lhcb::kalman_transport<double>(HostExecutor(), test::kalman_tables(), polarity);
}

std::array<double, 4> state_values(const LongFitState& s) { return {s.x, s.y, s.tx, s.ty}; }

/// All steps, each from a state where it is used to a fixed z: f(name, state, step).
template <class F>
void for_each_fit_step(const test::HostKalmanTransport& t, const LongFitState& s, const F& f) {
  const auto at = [&](double z) {
    LongFitState state = s;
    state.x += (z - s.z) * s.tx;
    state.y += (z - s.z) * s.ty;
    state.z = z;
    return state;
  };
  f("VELO, downstream", at(100.), [&](const LongFitState& a) { return t.in_velo(a, 160.); });
  f("VELO, upstream", at(160.), [&](const LongFitState& a) { return t.in_velo(a, 100.); });
  f("to the UT", at(700.), [&](const LongFitState& a) { return t.to_ut(a, 2327.5); });
  for (const int layer : {1, 2, 3})
    f("in the UT", at(t.ut_z[layer - 1]),
      [&, layer](const LongFitState& a) { return t.in_ut(a, layer, t.ut_z[layer]); });
  f("to the SciFi", at(2642.5), [&](const LongFitState& a) { return t.to_scifi(a, s.qop); });
  f("to the first layer", at(7826.), [&](const LongFitState& a) { return t.to_plane(a, 7827.5); });
  for (int layer = 1; layer < lhcb::scifi_layers; ++layer)
    f("in the SciFi", at(t.scifi_z[layer - 1]),
      [&, layer](const LongFitState& a) { return t.in_scifi(a, layer, t.scifi_z[layer] + 0.5); });
}

const LongFitState long_fit_states[] = {{3., 5., 0., 0.05, 0.08, 1e-4},
                                        {-4., -2., 0., -0.1, -0.04, 3e-4},
                                        {1., -7., 0., 0.02, 0.11, -2e-4}};

/// Pulls of all parameters and chi2 of generated tracks.
struct LongFitPulls {
  validation::Pulls x, y, tx, ty, qop;
  double chi2 = 0., ndf = 0.;
};

LongFitPulls pulls_of(const std::vector<test::LongFitEvent>& events,
                      const std::vector<std::vector<test::LongFitOnHost>>& fits) {
  LongFitPulls pulls;
  for (std::size_t e = 0; e < events.size(); ++e)
    for (std::size_t t = 0; t < events[e].size(); ++t) {
      const auto &fit = fits[e][t].state, &truth = events[e][t].truth;
      const auto& c = fits[e][t].covariance;
      CHECK(fits[e][t].ndf == events[e][t].measurements() - 5);
      CHECK(std::abs(fit.z - truth.z) < 1e-4);
      pulls.x.add(fit.x, truth.x, std::sqrt(c(0, 0)));
      pulls.y.add(fit.y, truth.y, std::sqrt(c(1, 1)));
      pulls.tx.add(fit.tx, truth.tx, std::sqrt(c(2, 2)));
      pulls.ty.add(fit.ty, truth.ty, std::sqrt(c(3, 3)));
      pulls.qop.add(fit.qop, truth.qop, std::sqrt(c(4, 4)));
      pulls.chi2 += fits[e][t].chi2;
      pulls.ndf += fits[e][t].ndf;
    }
  return pulls;
}

std::vector<test::LongFitEvent> long_fit_events(double polarity, int scale) {
  test::LongFitGenerator generate(5, polarity);
  std::vector<test::LongFitEvent> events;
  for (const int n : {50, 0, 1, 149}) events.push_back(generate.event(n * scale));
  return events;
}

bool same_fit(const test::LongFitOnHost& a, const test::LongFitOnHost& b) {
  return a.state.qop == b.state.qop && state_values(a.state) == state_values(b.state) &&
         a.chi2 == b.chi2 &&
         std::equal(std::begin(a.covariance.c), std::end(a.covariance.c),
                    std::begin(b.covariance.c));
}

}  // namespace

TEST_CASE("Derivatives of the steps of the fit are those of finite differences", "[lhcb]") {
  const auto t = fit_transport();
  for (const auto& s : long_fit_states)
    for_each_fit_step(t, s, [&](const char* name, const LongFitState& from, const auto& step) {
      const auto d = step(from);
      double LongFitState::*const variables[4] = {&LongFitState::y, &LongFitState::tx,
                                                  &LongFitState::ty, &LongFitState::qop};
      const double change[4] = {1e-3, 1e-6, 1e-6, 1e-9};
      const double rounding[4] = {1e-9, 1e-9, 1e-12, 1e-12};
      // whose cells change with x and y, which the derivatives leave out
      const bool is_grid = std::string(name) == "to the SciFi";
      for (int k = is_grid ? 1 : 0; k < 4; ++k) {
        LongFitState low = from, high = from;
        low.*variables[k] -= change[k];
        high.*variables[k] += change[k];
        const auto a = state_values(step(low).state), b = state_values(step(high).state);
        for (int i = 0; i < 4; ++i) {
          CAPTURE(name, i, k, d.d[i][k]);
          const double numeric = (b[std::size_t(i)] - a[std::size_t(i)]) / (2. * change[k]);
          CHECK(std::abs(numeric - d.d[i][k]) < 1e-5 * std::abs(numeric) + rounding[i] / change[k]);
        }
      }
      if (is_grid) return;
      LongFitState moved = from;
      moved.x += 1.;
      const auto a = state_values(d.state), b = state_values(step(moved).state);
      for (std::size_t i = 0; i < 4; ++i) CHECK(std::abs(b[i] - a[i] - (i == 0 ? 1. : 0.)) < 1e-9);
    });
}

TEST_CASE("Derivatives by q/p of the step to the SciFi are those of its reference", "[lhcb]") {
  const auto t = fit_transport();
  for (const auto& from : long_fit_states) {
    LongFitState s = from;
    s.x += s.tx * 2642.5;
    s.y += s.ty * 2642.5;
    s.z = 2642.5;
    const auto at = [&](double qop) {
      LongFitState moved = s;
      moved.qop = qop;
      return t.to_scifi(moved, qop);
    };
    const double change = 1e-9;
    const auto low = state_values(at(s.qop - change).state),
               high = state_values(at(s.qop + change).state);
    const auto step = at(s.qop);
    for (int i = 0; i < 4; ++i) {
      CAPTURE(i, step.d[i][3]);
      const double numeric = (high[std::size_t(i)] - low[std::size_t(i)]) / (2. * change);
      CHECK(std::abs(numeric - step.d[i][3]) < 1e-5 * std::abs(numeric) + 1e-3);
    }
    // linear in q/p around the reference
    LongFitState moved = s;
    moved.qop *= 1.02;
    const auto off = state_values(t.to_scifi(moved, s.qop).state),
               straight = state_values(step.state);
    for (std::size_t i = 0; i < 4; ++i)
      CHECK(std::abs(off[i] - straight[i] - step.d[i][3] * 0.02 * s.qop) <
            1e-9 * (1. + std::abs(off[i])));
  }
}

TEST_CASE("A magnet that points up bends the other charge alike", "[lhcb]") {
  const auto down = fit_transport(), up = fit_transport(1.);
  for (const auto& s : long_fit_states) {
    std::vector<LongFitStep> of_down, of_up;
    for_each_fit_step(down, s, [&](const char*, const LongFitState& from, const auto& step) {
      of_down.push_back(step(from));
    });
    LongFitState other = s;
    other.qop = -s.qop;
    for_each_fit_step(up, other, [&](const char*, const LongFitState& from, const auto& step) {
      of_up.push_back(step(from));
    });
    REQUIRE(of_up.size() == of_down.size());
    for (std::size_t i = 0; i < of_up.size(); ++i) {
      CAPTURE(i);
      const auto a = state_values(of_down[i].state), b = state_values(of_up[i].state);
      for (std::size_t k = 0; k < 4; ++k) {
        CHECK(std::abs(a[k] - b[k]) < 1e-11 * (1. + std::abs(a[k])));
        CHECK(std::abs(of_down[i].d[k][3] + of_up[i].d[k][3]) <
              1e-9 * (1. + std::abs(of_up[i].d[k][3])));
      }
      CHECK(of_down[i].noise_xtx == of_up[i].noise_xtx);
    }
  }
}

TEST_CASE("Updates of the filter are those of the textbook", "[lhcb]") {
  lhcb::KalmanFilter<double> filter;
  filter.state = {1., 2., 100., 0.1, -0.05, 1e-4};
  const double root[5][5] = {{3., 0, 0, 0, 0},
                             {1., 2., 0, 0, 0},
                             {0.01, 0.002, 0.02, 0, 0},
                             {0.003, -0.01, 0.004, 0.03, 0},
                             {1e-6, 2e-6, -1e-6, 3e-6, 4e-6}};
  double c[5][5] = {};
  for (int i = 0; i < 5; ++i)
    for (int j = 0; j < 5; ++j)
      for (int k = 0; k < 5; ++k) c[i][j] += root[i][k] * root[j][k];
  for (int i = 0; i < 5; ++i)
    for (int j = 0; j <= i; ++j) filter.covariance(i, j) = c[i][j];
  filter.chi2 = 1.;
  filter.n = 3.;
  const double h[5] = {0.9, -0.2, 0., 0., 0.}, measured = 2., variance = 0.25;
  double g[5] = {}, s = variance;
  for (int i = 0; i < 5; ++i)
    for (int j = 0; j < 5; ++j) g[i] += c[i][j] * h[j];
  for (int i = 0; i < 5; ++i) s += h[i] * g[i];
  const double residual = measured - 0.9 * 1. + 0.2 * 2.;
  auto updated = filter;
  updated.update(h[0], h[1], measured, variance, true);
  CHECK(std::abs(updated.chi2 - 1. - residual * residual / s) < 1e-12);
  CHECK(updated.n == 4.);
  CHECK(std::abs(updated.state.x - 1. - g[0] / s * residual) < 1e-12);
  CHECK(std::abs(updated.state.ty + 0.05 - g[3] / s * residual) < 1e-12);
  CHECK(std::abs(updated.state.qop - 1e-4 - g[4] / s * residual) < 1e-16);
  for (int i = 0; i < 5; ++i)
    for (int j = 0; j < 5; ++j) {
      CAPTURE(i, j);
      const double expected = c[i][j] - g[i] * g[j] / s;
      CHECK(std::abs(updated.covariance(i, j) - expected) < 1e-12 * std::sqrt(c[i][i] * c[j][j]));
    }
  auto same = filter;
  same.update(h[0], h[1], measured, variance, false);
  CHECK(same.chi2 == filter.chi2);
  CHECK(state_values(same.state) == state_values(filter.state));
  CHECK(std::equal(std::begin(same.covariance.c), std::end(same.covariance.c),
                   std::begin(filter.covariance.c)));
}

TEMPLATE_LIST_TEST_CASE("Pulls of generated long tracks are normal", "[lhcb]",
                        test::EnabledSpaces) {
  const auto check = [](double polarity, const auto& fit) {
    const auto events = long_fit_events(polarity, 10);
    const auto pulls = pulls_of(events, fit(events, polarity));
    for (const auto* pull : {&pulls.x, &pulls.y, &pulls.tx, &pulls.ty, &pulls.qop}) {
      CAPTURE(polarity, pull->count(), pull->mean(), pull->sigma());
      CHECK(pull->count() == 2000);
      CHECK(std::abs(pull->mean()) < 0.1);
      CHECK(std::abs(pull->sigma() - 1.) < 0.1);
    }
    CAPTURE(pulls.chi2, pulls.ndf);
    CHECK(std::abs(pulls.chi2 / pulls.ndf - 1.) < 0.03);
  };
  for (const double polarity : {-1., 1.}) {
    check(polarity, [](const auto&... a) { return test::long_fits_on<float, 1, TestType>(a...); });
    check(polarity, [](const auto&... a) { return test::long_fits_on<double, 1, TestType>(a...); });
  }
}

TEST_CASE("Fits are the same at all widths, and nearly in both precisions", "[lhcb]") {
  const auto events = long_fit_events(-1., 1);
  const auto scalar = test::long_fits_on<float, 1, HostExecutor>(events, -1.);
  const auto lanes = test::long_fits_on<float, 8, HostExecutor>(events, -1.);
  const auto in_double = test::long_fits_on<double, 4, HostExecutor>(events, -1.);
  for (std::size_t e = 0; e < events.size(); ++e)
    for (std::size_t t = 0; t < events[e].size(); ++t) {
      CAPTURE(e, t);
      CHECK(same_fit(scalar[e][t], lanes[e][t]));
      const auto &a = scalar[e][t], &b = in_double[e][t];
      const auto sigma = [&](int i) { return std::sqrt(b.covariance(i, i)); };
      CHECK(std::abs(a.state.qop - b.state.qop) < 0.05 * sigma(4));
      CHECK(std::abs(a.state.x - b.state.x) < 0.05 * sigma(0));
      CHECK(std::abs(a.state.tx - b.state.tx) < 0.05 * sigma(2));
      for (int i = 0; i < 5; ++i)
        CHECK(std::abs(std::sqrt(a.covariance(i, i)) / sigma(i) - 1.) < 0.02);
    }
}

TEST_CASE("Parameters of the fit of long tracks out of their range are refused", "[lhcb]") {
  using lhcb::LongFitParams;
  const auto refuses = [](const char* name, const auto& change) {
    LongFitParams params;
    change(params);
    CHECK_THROWS_MATCHES(lhcb::check(params), UsageError, MessageMatches(ContainsSubstring(name)));
  };
  for (const double bad : {0., -1., not_finite, std::numeric_limits<double>::infinity()}) {
    refuses("error of VELO hits", [&](auto& p) { p.velo_sigma = bad; });
    refuses("error of SciFi hits", [&](auto& p) { p.scifi_sigma[3] = bad; });
    refuses("error of the slopes", [&](auto& p) { p.initial_slope_sigma = bad; });
    refuses("relative error of q/p", [&](auto& p) { p.initial_qop_error = bad; });
    refuses("fit in a field", [&](auto& p) { p.field_qop_error = bad; });
  }
  for (const double bad : {-1., not_finite}) {
    refuses("noise in the VELO", [&](auto& p) { p.velo_noise = bad; });
    refuses("noise downstream", [&](auto& p) { p.noise = bad; });
    refuses("way to the beam", [&](auto& p) { p.beam_noise = bad; });
    refuses("limit of chi2/ndf", [&](auto& p) { p.max_chi2_per_ndf = bad; });
  }
  CHECK_NOTHROW(lhcb::check(LongFitParams()));
  CHECK_NOTHROW(lhcb::check(lhcb::long_fit_params()));
}

TEST_CASE("Impossible tables of the fit are refused", "[lhcb]") {
  const auto refuses = [](const char* problem, const auto& change) {
    auto tables = test::kalman_tables();
    change(tables);
    CHECK_THROWS_MATCHES(lhcb::kalman_transport<float>(HostExecutor(), tables, -1.), InputError,
                         MessageMatches(ContainsSubstring(problem)));
  };
  refuses("parameter of a step", [](auto& t) { t.scifi[21].noise.correlation_y = not_finite; });
  refuses("parameter of a step", [](auto& t) { t.velo[0].bend = not_finite; });
  refuses("number of the grid", [](auto& t) { t.grid.tx_qop = not_finite; });
  refuses("z of the grid", [](auto& t) { t.grid.z_begin = 8000.; });
  refuses("scale of the grid", [](auto& t) { t.grid.slope_unit = 0.; });
  refuses("too few cells", [](auto& t) { t.grid.nx = 2; });
  refuses("number of coefficients", [](auto& t) { t.cells.pop_back(); });
  refuses("coefficient of the grid", [](auto& t) { t.cells.back() = not_finite; });
  CHECK_THROWS_AS(lhcb::kalman_transport<float>(HostExecutor(), test::kalman_tables(), 0.),
                  UsageError);
}

TEST_CASE("The fit of hits and tracks of different events is refused, and can be disabled",
          "[lhcb]") {
  const auto events = long_fit_events(-1., 1);
  const test::LongFitArraysOnHost<float> all(events), one({events[0]});
  const auto &a = all.arrays(), &b = one.arrays();
  lhcb::FitLongTracks<float, HostExecutor> fit{
      lhcb::long_fit_setup<float>(HostExecutor(), test::kalman_tables(), -1.)};
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
