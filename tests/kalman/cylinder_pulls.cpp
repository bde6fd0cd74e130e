// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Pulls of fits and smoothers in square-root form from starts that know nothing: hits on cylinders.
#include <catch2/catch_template_test_macros.hpp>
#include <catch2/catch_test_macros.hpp>

#include <trackplex/core/host_executor.hpp>

#include "fitted_tracks.hpp"

using namespace trackplex;
using namespace trackplex::kalman;
using namespace trackplex::test;

TEMPLATE_TEST_CASE("tracks through cylinders have positive variances from starts that know nothing",
                   "[kalman]", float, double) {
  using Space = HostExecutor;
  using Memory = MemoryOf<Space>;
  constexpr int n = 20000, layers = 10;
  FittedTracks<TestType, Space> fitted(n, true);
  auto start = fitted.states.view();
  for (int track = 0; track < n; ++track)
    for (int e = 0; e < 21; ++e) start.covariance.element(track, e) *= TestType(1e4);
  SmoothedTracks<TestType, Memory> smoothed;
  SmootherSteps<TestType, Memory, 2, FitForm::square_root> steps{layers, {}};
  smooth_tracks<state_lanes<Space, TestType>>(
      fitted.exec, fitted.states, fitted.field,
      HitsInMaterial{fitted.tracks.hits.view(), fitted.params.layer}, layers, {}, fitted.results,
      smoothed, steps);
  fitted.exec.fence();
  const auto states = states_on_host(fitted.exec, smoothed.states);
  const auto last = states_on_host(fitted.exec, fitted.states);
  for (const int layer : {-1, 0, 4, 9}) {
    CAPTURE(layer);
    validation::Pulls pulls[5];
    for (int track = 0; track < n; ++track) {
      if (!fitted.good(track)) continue;
      const int on = layer < 0 ? layers - 1 : layer;
      const auto& state =
          layer < 0 ? last[std::size_t(track)] : states[std::size_t(on * layer_stride(n) + track)];
      for (int i = 3; i < 6; ++i) REQUIRE(state.covariance(i, i) > 0.);
      fitted.add_pulls(state, fitted.truth(on, track), pulls);
    }
    check_pulls(pulls, 0.02, 0.02);
  }
}
