// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <catch2/catch_approx.hpp>
#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_floating_point.hpp>
#include <numbers>
#include <optional>

#include <trackplex/core/host_executor.hpp>

#include "few_layers.hpp"
#include "fitted_tracks.hpp"

using namespace trackplex;
using namespace trackplex::kalman;
using trackplex::test::check_pulls;
using trackplex::test::FewLayers;
using trackplex::test::FittedTracks;
using trackplex::test::layers_along;
using trackplex::test::state_at_origin;
using Space = HostExecutor;
using Catch::Matchers::WithinAbs;
using Catch::Matchers::WithinRel;

namespace {

template <class Tracks>
void smooth(Tracks& fitted, SmoothedTracks<double, MemoryOf<Space>>& smoothed) {
  const auto hits = fitted.tracks.hits.view();
  const int layers = fitted.params.layers;
  SmootherSteps<double, MemoryOf<Space>> steps{10, {}};
  if (fitted.params.material)
    smooth_tracks<test::state_lanes<Space, double>>(fitted.exec, fitted.states, fitted.field,
                                                    HitsInMaterial{hits, fitted.params.layer},
                                                    layers, {}, fitted.results, smoothed, steps);
  else
    smooth_tracks<test::state_lanes<Space, double>>(fitted.exec, fitted.states, fitted.field, hits,
                                                    layers, {}, fitted.results, smoothed, steps);
  fitted.exec.fence();
}

}  // namespace

TEST_CASE("smoothed states and residuals have pulls of mean 0 and width 1", "[kalman]") {
  for (const bool material : {false, true}) {
    CAPTURE(material);
    const int tracks = 100000, stride = layer_stride(tracks);
    FittedTracks<double, Space> fitted(tracks, material);
    SmoothedTracks<double, MemoryOf<Space>> smoothed;
    smooth(fitted, smoothed);
    const auto residual = smoothed.residual.const_view();
    const auto covariance = smoothed.residual_covariance.const_view();
    for (const int layer : {0, 4, 9}) {
      CAPTURE(layer);
      validation::Pulls pulls[5], residuals[2];
      for (int track = 0; track < tracks; ++track) {
        if (!fitted.good(track)) continue;
        const int item = layer * stride + track;
        fitted.add_pulls(fitted.state(smoothed.states, item), fitted.truth(layer, track), pulls);
        for (int i = 0; i < 2; ++i)
          residuals[i].add(residual(item, i) / std::sqrt(covariance(item, i, i)));
      }
      check_pulls(pulls, 0.02, 0.03);
      check_pulls(residuals, 0.02, 0.03);
    }
  }
}

TEST_CASE("smoothing leaves the last state alone and makes the others no worse", "[kalman]") {
  FittedTracks<double, Space> fitted(100, true), forward(100, true);
  SmoothedTracks<double, MemoryOf<Space>> smoothed;
  smooth(fitted, smoothed);
  forward.tracks.hits.layers = 5;
  forward.fit();
  const int stride = layer_stride(100);
  for (int track = 0; track < 100; ++track) {
    const auto last = fitted.state(smoothed.states, 9 * stride + track);
    const auto middle = fitted.state(smoothed.states, 4 * stride + track);
    for (int i = 0; i < 6; ++i) {
      CHECK(last.parameters(i) == Catch::Approx(fitted.state(track).parameters(i)).epsilon(1e-9));
      CHECK(middle.covariance(i, i) <= forward.state(track).covariance(i, i) * (1. + 1e-9));
    }
  }
}

TEST_CASE("a smoother with room for fewer layers than there are hits writes those", "[kalman]") {
  const int n = 100, stride = layer_stride(n);
  SmoothedTracks<double, MemoryOf<Space>> all, few;
  const auto smooth_layers = [&](int layers, auto& smoothed) {
    FittedTracks<double, Space> fitted(n, false);
    SmootherSteps<double, MemoryOf<Space>> steps{10, {}};
    smooth_tracks<test::state_lanes<Space, double>>(fitted.exec, fitted.states, fitted.field,
                                                    fitted.tracks.hits.view(), layers, {},
                                                    fitted.results, smoothed, steps);
    fitted.exec.fence();
  };
  smooth_layers(10, all);
  few.allocate(Space(), 10, n);
  Kokkos::fence();
  const auto charge = few.states.charge;
  const auto residual = few.residual.view();
  for (int item = 0; item < 10 * stride; ++item) charge(item) = residual(item, 0) = -77.;
  smooth_layers(5, few);
  for (int layer = 0; layer < 10; ++layer) {
    CAPTURE(layer);
    for (int track = 0; track < n; ++track) {
      const int item = layer * stride + track;
      REQUIRE(residual(item, 0) == (layer < 5 ? all.residual.const_view()(item, 0) : -77.));
      REQUIRE(charge(item) == (layer < 5 ? all.states.charge(item) : -77.));
    }
  }
}

TEST_CASE("tracks of more layers than a smoother remembers are not fitted", "[kalman]") {
  const UniformField field{3.8};
  const auto start = state_at_origin(0.5);
  std::vector<double> radii;
  for (int i = 1; i <= 4; ++i) radii.push_back(4. * i);
  const auto layers = layers_along(start, field, radii);
  using Fit = SmoothedFit<double, 2>;
  std::vector<double> steps(4 * Fit::numbers_per_layer), few_steps(3 * Fit::numbers_per_layer);
  Fit enough(steps.data(), 4), too_small(few_steps.data(), 3);
  auto state = start;
  CHECK(enough.fit(state, field, layers).reached);
  CHECK(enough.layers() == 4);
  state = start;
  const auto result = too_small.fit(state, field, layers);
  CHECK_FALSE(result.reached);
  CHECK(result.measurements == 0);
  CHECK(too_small.layers() == 0);
  int visited = 0;
  too_small.smooth([&](int, const auto&, const auto&) { ++visited; });
  CHECK(visited == 0);
  for (int i = 0; i < 6; ++i) CHECK(state.parameters(i) == start.parameters(i));

  // Nor does a smoother then show the track before
  auto few = layers;
  few.layers.resize(3);
  REQUIRE(too_small.fit(state, field, few).reached);
  REQUIRE(too_small.layers() == 3);
  CHECK_FALSE(too_small.fit(state, field, layers).reached);
  CHECK(too_small.layers() == 0);
}

TEST_CASE("smoothers leave out outliers and what is no number, and show their residuals",
          "[kalman]") {
  const UniformField field{3.8};
  const auto start = state_at_origin(0.5);
  const int bad = 2, n = 5;
  const auto layers = layers_along(start, field, {4., 8., 12., 16., 20.});
  auto absent = layers, nowhere = layers, far_away = layers, no_number = layers;
  absent.layers[bad].present = false;
  nowhere.layers[bad] = {12.};                  // no hit: a cylinder has no tangent at its axis
  far_away.layers[bad].hit.position(2) += 10.;  // 100 sigma
  no_number.layers[bad].hit.position(2) = std::numeric_limits<double>::quiet_NaN();

  using Fit = SmoothedFit<double, 2>;
  struct Smoothed {
    FitResult<double> result;
    TrackState<double> states[n];
    std::optional<SmoothedResidual<double, 2>> residuals[n];
  };
  const auto smooth_layers = [&](const FewLayers& given) {
    Smoothed smoothed;
    std::vector<double> steps(n * Fit::numbers_per_layer);
    Fit smoother(steps.data(), n);
    auto state = start;
    state.parameters(3) *= 1.02;
    smoothed.result = smoother.fit(state, field, given, {.max_chi2 = 30.});
    smoother.smooth([&](int i, const auto& there, const auto& residual) {
      smoothed.states[i] = there;
      smoothed.residuals[i] = residual;
    });
    return smoothed;
  };
  const auto expected = smooth_layers(absent);
  REQUIRE(expected.result.reached);
  REQUIRE(expected.result.measurements == 2 * (n - 1));
  REQUIRE(expected.result.outliers == 0);
  for (const auto* const given : {&nowhere, &far_away, &no_number}) {
    CAPTURE(given == &nowhere, given == &far_away);
    const auto smoothed = smooth_layers(*given);
    CHECK(smoothed.result.reached);
    CHECK(smoothed.result.measurements == 2 * (n - 1));
    CHECK(smoothed.result.outliers == (given == &nowhere ? 0 : 1));
    CHECK(smoothed.result.chi2 == expected.result.chi2);
    for (int i = 0; i < n; ++i) {
      CAPTURE(i);
      CHECK(smoothed.residuals[i]->used == (i != bad));
      for (int p = 0; p < 6; ++p)
        CHECK(smoothed.states[i].parameters(p) == expected.states[i].parameters(p));
      for (int e = 0; e < 21; ++e)
        CHECK(smoothed.states[i].covariance.elements[e] ==
              expected.states[i].covariance.elements[e]);
    }
  }
  // V - H P Hᵀ of what was used, V + H P Hᵀ of what was not; m - h(X) of both
  const auto smoothed = smooth_layers(far_away);
  for (int i = 0; i < n; ++i) {
    CAPTURE(i);
    const auto measured = far_away.measure(i, smoothed.states[i].parameters);
    const auto projected =
        as<Symmetric<double, 2>>(similarity(measured.projection, smoothed.states[i].covariance));
    for (int a = 0; a < 2; ++a) {
      const auto& residual = *smoothed.residuals[i];
      CHECK_THAT(residual.residual(a), WithinAbs(measured.residual(a), 1e-4));
      const double sign = i == bad ? 1. : -1.;
      CHECK_THAT(residual.covariance(a, a),
                 WithinRel(measured.covariance(a, a) + sign * projected(a, a), 1e-3));
      CHECK_THAT(residual.pull(a),
                 WithinRel(residual.residual(a) / std::sqrt(residual.covariance(a, a)), 1e-14));
    }
  }
}

TEST_CASE("both smoothers agree", "[kalman]") {
  // Fits from either end, both to layer 4: the one with, the other without its measurement. Small
  // errors, so that both are linear about the same track.
  const int n = 200, stride = layer_stride(n);
  FittedTracks<double, Space> fitted(n, false, 1e-3), forward(n, false, 1e-3),
      backward(n, false, 1e-3);
  SmoothedTracks<double, MemoryOf<Space>> smoothed;
  smooth(fitted, smoothed);
  forward.tracks.hits.layers = 5;
  forward.fit();

  const auto& hits = fitted.tracks.hits;
  auto reversed = hits;
  reversed.position = decltype(reversed.position)();
  reversed.covariance = decltype(reversed.covariance)();
  reversed.allocate(fitted.exec, 5, n);
  auto view = backward.states.view();
  for (int track = 0; track < n; ++track) {
    for (int layer = 0; layer < 5; ++layer) {
      for (int e = 0; e < 3; ++e)
        reversed.position.view().element(layer * stride + track, e) =
            hits.position.const_view().element((9 - layer) * stride + track, e);
      for (int e = 0; e < 6; ++e)
        reversed.covariance.view().element(layer * stride + track, e) =
            hits.covariance.const_view().element((9 - layer) * stride + track, e);
    }
    // Starts where the fit ended, and knows next to nothing
    const auto end = fitted.state(track);
    const double sigma[6] = {10., 10., 10., 1., 1., 1.};
    for (int i = 0; i < 6; ++i) view.parameters(track, i) = end.parameters(i);
    for (int i = 0; i < 6; ++i)
      for (int j = 0; j <= i; ++j) view.covariance(track, i, j) = i == j ? sigma[i] * sigma[i] : 0.;
  }
  fit_tracks<test::state_lanes<Space, double>>(fitted.exec, backward.states, fitted.field,
                                               reversed.view(), {.along = false}, backward.results);
  fitted.exec.fence();
  for (int track = 0; track < n; ++track) {
    auto state = forward.state(track);
    auto other = backward.state(track);
    const auto& at = hits.position.const_view();
    const Cylinder<double> layer{std::hypot(at(4 * stride + track, 0), at(4 * stride + track, 1))};
    REQUIRE(propagate(other, fitted.field, layer));
    REQUIRE(combine(state, other, layer).updated);
    const auto expected = fitted.state(smoothed.states, 4 * stride + track);
    for (int i = 0; i < 6; ++i) {
      CAPTURE(track, i);
      const double sigma = std::sqrt(expected.covariance(i, i));
      CHECK_THAT(state.parameters(i), WithinAbs(expected.parameters(i), 0.02 * sigma));
      CHECK(std::sqrt(state.covariance(i, i)) == Catch::Approx(sigma).epsilon(0.02).margin(1e-9));
    }
  }
}

TEST_CASE("states are combined across the seam of the azimuth", "[kalman]") {
  const double turn = 2. * std::numbers::pi;
  TrackState<double> state{{{-4., 1e-3, 0., 0.5, 0., 1.3}}, {}, 1.};
  const double sigma[6] = {0.01, 0.01, 0.01, 0.01, 0.002, 0.002};
  for (int i = 0; i < 6; ++i) state.covariance(i, i) = sigma[i] * sigma[i];
  for (const double phi : {std::numbers::pi, -std::numbers::pi, 0., 0.5 * std::numbers::pi, -3.})
    for (const double turns : {-2., -1., 0., 1., 2.}) {
      CAPTURE(phi, turns);
      auto forward = state, backward = state;
      forward.parameters(4) = phi - 1e-4;
      backward.parameters(4) = phi + 1e-4 + turns * turn;
      const auto same = [&](auto combined, const UpdateResult<double>& result) {
        CHECK(result.updated);
        CHECK_THAT(result.chi2, WithinAbs(0.04 / 8., 1e-6));
        CHECK_THAT(combined.parameters(4), WithinAbs(phi, 1e-9));
      };
      auto combined = forward;
      const auto on_cylinder = combine(combined, backward, Cylinder<double>{4.});
      same(combined, on_cylinder);
      combined = forward;
      const auto on_plane =
          combine(combined, backward, geometry::Surface<double>{0., {{-1., 0., 0.}}, 4.});
      same(combined, on_plane);
    }
  // The third parameter from the end is a slope, which has no seam
  const Parameters<double> a{{0., 0., 0., 0., 7., 0.}}, b{};
  CHECK(difference<ForwardTrack>(a, b)(4) == 7.);
  CHECK_THAT(difference<CentralTrack>(a, b)(4), WithinAbs(7. - turn, 1e-15));
}

TEST_CASE("projections to a surface are at right angles to its normal", "[kalman]") {
  const Parameters<double> at{{3., 4., 1., 0.5, 0.3, 1.}};
  const auto check = [&](const auto& projection, const double(&normal)[3]) {
    const auto p = as<Matrix<double, 5, 6>>(projection);
    for (int i = 0; i < 5; ++i)
      for (int j = 0; j < 5; ++j) {
        double product = 0.;
        for (int k = 0; k < 6; ++k) product += p(i, k) * p(j, k);
        CHECK_THAT(product, WithinAbs(i == j ? 1. : 0., 1e-14));
      }
    for (int i = 0; i < 2; ++i)
      CHECK_THAT(p(i, 0) * normal[0] + p(i, 1) * normal[1] + p(i, 2) * normal[2],
                 WithinAbs(0., 1e-14));
  };
  check(surface_projection(at, Cylinder<double>{5.}), {0.6, 0.8, 0.});
  check(surface_projection(at, ZPlane<double>{1.}), {0., 0., 1.});
  check(surface_projection(at, Plane<double>{0.6, 0., 0.8, 1.}), {0.6, 0., 0.8});
  check(surface_projection(at, Plane<double>{0.6, 0.64, 0.48, 1.}), {0.6, 0.64, 0.48});
  check(surface_projection(at, Plane<double>{1., 0., 0., 1.}), {1., 0., 0.});
  check(surface_projection(at, Plane<double>{0., 0., 1., 1.}), {0., 0., 1.});
  using geometry::Surface;
  check(surface_projection(at, Surface<double>::cylinder(5.)), {0.6, 0.8, 0.});
  check(surface_projection(at, Surface<double>::disk(1.)), {0., 0., 1.});
  check(surface_projection(at, Surface<double>::plane({{3., 4., 1.}}, {{0.6, 0.64, 0.48}})),
        {0.6, 0.64, 0.48});

  // States of the other model
  TrackState<double, ForwardTrack> state{{{3., 4., 1., 0.1, 0.2, 0.5}}, {}, 1.}, other = state;
  for (int i = 0; i < 6; ++i) state.covariance(i, i) = other.covariance(i, i) = i == 2 ? 0. : 4.;
  other.parameters(5) = 0.7;
  CHECK(combine(state, other, Surface<double>::disk(1.)).updated);
  CHECK_THAT(state.parameters(5), WithinRel(0.6, 1e-14));
  for (const int i : {0, 1, 3, 4, 5}) CHECK_THAT(state.covariance(i, i), WithinRel(2., 1e-14));
}
