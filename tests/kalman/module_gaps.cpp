// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Fits and smoothers of tracks that skip layers, with hits in the frames of modules.
#include <catch2/catch_template_test_macros.hpp>
#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_floating_point.hpp>

#include "smoothed_modules.hpp"

using namespace trackplex;
using namespace trackplex::kalman;
using namespace trackplex::test;
using Catch::Matchers::WithinAbs;

TEMPLATE_TEST_CASE_SIG("layers that a track skips change none of its bits", "[kalman]",
                       ((FitForm Form), Form), FitForm::gain, FitForm::square_root) {
  // Every third track lacks layers: compared with hits that have only the others, moved together
  constexpr int n = 70, layers = 12;
  using Tracks = ModuleTracks<float, CentralTrack, 2>;
  const auto lacks = [](int layer, int track) {
    return track % 3 == 0 && (layer == 0 || layer == 4 || layer == 5 || layer > 8);
  };
  Tracks gaps(n), dense(n);
  for (int track = 0; track < n; ++track) {
    int to = 0;
    for (int layer = 0; layer < layers; ++layer) {
      const int from = layer * layer_stride(n) + track;
      if (lacks(layer, track)) {
        for (int e = 0; e < 6; ++e) gaps.hits.axes.view().element(from, e) = 0.F;
        gaps.hits.count(std::size_t(from)) = 0;
        continue;
      }
      const int item = to++ * layer_stride(n) + track;
      for (int e = 0; e < 3; ++e) {
        dense.hits.point.view().element(item, e) = gaps.hits.point.view().element(from, e);
        dense.hits.covariance.view().element(item, e) =
            gaps.hits.covariance.view().element(from, e);
      }
      for (int e = 0; e < 6; ++e)
        dense.hits.axes.view().element(item, e) = gaps.hits.axes.view().element(from, e);
    }
    for (; to < layers; ++to) {
      const int item = to * layer_stride(n) + track;
      for (int e = 0; e < 6; ++e) dense.hits.axes.view().element(item, e) = 0.F;
      dense.hits.count(std::size_t(item)) = 0;
    }
  }
  const auto smoothed = smooth<8, Form>(gaps);
  smooth<8, Form>(dense);
  dense.states.allocate(dense.exec, n);
  for (int track = 0; track < n; ++track) {
    CAPTURE(track);
    for (int i = 0; i < 6; ++i)
      CHECK(gaps.states.view().parameters(track, i) == dense.states.view().parameters(track, i));
    for (int e = 0; e < 21; ++e)
      CHECK(gaps.states.view().covariance.element(track, e) ==
            dense.states.view().covariance.element(track, e));
    const auto t = std::size_t(track);
    CHECK(gaps.results.measurements(t) == (track % 3 == 0 ? 12 : 24));
    CHECK(gaps.results.chi2(t) == dense.results.chi2(t));
    CHECK(gaps.results.reached(t) == 1);
    // Where it skips the layer, a track has the smoothed state of the layer before
    const auto on = smoothed.states.parameters.const_view();
    for (int i = 0; i < 3 && track % 3 == 0; ++i)
      CHECK_THAT(on(11 * layer_stride(n) + track, i),
                 WithinAbs(on(8 * layer_stride(n) + track, i), 1e-4));
  }
}
