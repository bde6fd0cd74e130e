// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "module_tracks.hpp"

namespace trackplex::test {

/// Smoothed states of generated tracks.
template <int Width, kalman::FitForm Form, class Tracks>
auto smooth(Tracks& tracks) {
  constexpr int m = decltype(tracks.hits.view())::dimension;
  using T = std::remove_reference_t<decltype(tracks.results.chi2(0))>;
  kalman::SmoothedTracks<T, typename Tracks::Memory, m, typename Tracks::Model> smoothed;
  kalman::SmootherSteps<T, typename Tracks::Memory, m, Form> steps{tracks.params.layers, {}};
  kalman::smooth_tracks<Width>(tracks.exec, tracks.states, tracks.field, tracks.hits.view(),
                               tracks.params.layers, {}, tracks.results, smoothed, steps);
  tracks.exec.fence();
  return smoothed;
}

}  // namespace trackplex::test
