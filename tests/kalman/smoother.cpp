// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <catch2/catch_approx.hpp>
#include <catch2/catch_test_macros.hpp>

#include "fitted_tracks.hpp"

using namespace trackplex;
using namespace trackplex::kalman;
using trackplex::test::check_pulls;
using trackplex::test::FittedTracks;
using Space = Kokkos::DefaultHostExecutionSpace;

namespace {

template <class Tracks>
void smooth(Tracks& fitted, SmoothedTracks<double, MemoryOf<Space>>& smoothed) {
  const auto hits = fitted.tracks.hits.view();
  const int layers = fitted.params.layers;
  if (fitted.params.material)
    smooth_tracks<4, 10>(fitted.exec, fitted.states, fitted.field,
                         HitsInMaterial{hits, fitted.params.layer}, layers, {}, fitted.results,
                         smoothed);
  else
    smooth_tracks<4, 10>(fitted.exec, fitted.states, fitted.field, hits, layers, {}, fitted.results,
                         smoothed);
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
  forward.fit<4>();
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

TEST_CASE("both smoothers agree", "[kalman]") {
  // Fits from either end, both to layer 4: the one with, the other without its measurement. Small
  // errors, so that both are linear about the same track.
  const int n = 200, stride = layer_stride(n);
  FittedTracks<double, Space> fitted(n, false, 1e-3), forward(n, false, 1e-3),
      backward(n, false, 1e-3);
  SmoothedTracks<double, MemoryOf<Space>> smoothed;
  smooth(fitted, smoothed);
  forward.tracks.hits.layers = 5;
  forward.fit<4>();

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
  fit_tracks<4>(fitted.exec, backward.states, fitted.field, reversed.view(), {.along = false},
                backward.results);
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
      CHECK(state.parameters(i) == Catch::Approx(expected.parameters(i)).margin(0.02 * sigma));
      CHECK(std::sqrt(state.covariance(i, i)) == Catch::Approx(sigma).epsilon(0.02).margin(1e-9));
    }
  }
}

TEST_CASE("projections to a surface are at right angles to its normal", "[kalman]") {
  const Parameters<double> at{{3., 4., 1., 0.5, 0.3, 1.}};
  const auto check = [&](const auto& projection, const double(&normal)[3]) {
    const auto p = as<Matrix<double, 5, 6>>(projection);
    for (int i = 0; i < 5; ++i)
      for (int j = 0; j < 5; ++j) {
        double product = 0.;
        for (int k = 0; k < 6; ++k) product += p(i, k) * p(j, k);
        CHECK(product == Catch::Approx(i == j ? 1. : 0.).margin(1e-12));
      }
    for (int i = 0; i < 2; ++i)
      CHECK(p(i, 0) * normal[0] + p(i, 1) * normal[1] + p(i, 2) * normal[2] ==
            Catch::Approx(0.).margin(1e-12));
  };
  check(surface_projection(at, Cylinder<double>{5.}), {0.6, 0.8, 0.});
  check(surface_projection(at, ZPlane<double>{1.}), {0., 0., 1.});
  check(surface_projection(at, Plane<double>{0.6, 0., 0.8, 1.}), {0.6, 0., 0.8});
  check(surface_projection(at, Plane<double>{0.6, 0.64, 0.48, 1.}), {0.6, 0.64, 0.48});
}
