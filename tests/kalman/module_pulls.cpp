// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Pulls of fits and smoothers in square-root form from starts that know nothing: hits in the frames
// of modules, both track models.
#include <catch2/catch_template_test_macros.hpp>
#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_floating_point.hpp>
#include <tuple>

#include <trackplex/core/host_executor.hpp>

#include "smoothed_modules.hpp"

using namespace trackplex;
using namespace trackplex::kalman;
using namespace trackplex::test;
using Catch::Matchers::WithinAbs;

namespace {

template <class Tracks, class List>
auto pulls_on(const Tracks& tracks, const List& states, int layer, bool smoothed) {
  Pulled<typename Tracks::Model> pulled;
  for (int track = 0; track < tracks.n; ++track) {
    if (!tracks.results.reached(std::size_t(track))) continue;
    const int item = layer * tracks.hits.stride() + track;
    const auto axes = tracks.hits.axes.const_view();
    const auto& state = states[std::size_t(smoothed ? item : track)];
    pulled.add(state, tracks.truth[std::size_t(item)],
               {{double(axes(item, 0, 0)), double(axes(item, 0, 1)), double(axes(item, 0, 2))}},
               {{double(axes(item, 1, 0)), double(axes(item, 1, 1)), double(axes(item, 1, 2))}});
  }
  return pulled;
}

template <class Model>
void check_good(const Pulled<Model>& pulled) {
  CHECK(pulled.negative == 0);
  for (int i = 0; i < 5; ++i) {
    CAPTURE(i, pulled.pulls[i].mean(), pulled.pulls[i].sigma());
    CHECK(std::fabs(pulled.pulls[i].mean()) < 0.02);
    CHECK(std::fabs(pulled.pulls[i].sigma() - 1.) < 0.02);
  }
}

}  // namespace

TEMPLATE_TEST_CASE(
    "tracks through tilted strips have pulls of width 1 from starts that know nothing", "[kalman]",
    (std::tuple<float, CentralTrack>), (std::tuple<double, CentralTrack>),
    (std::tuple<float, ForwardTrack>), (std::tuple<double, ForwardTrack>)) {
  using T = std::tuple_element_t<0, TestType>;
  using Model = std::tuple_element_t<1, TestType>;
  for (const double radiation_lengths : {0.003, 0.03}) {
    TelescopeParams params;
    params.wide = 300.;  // 1.5 cm, 0.6 rad
    params.min_p = 2.;
    params.radiation_lengths = radiation_lengths;
    params.xi = radiation_lengths * 1e-3;
    ModuleTracks<T, Model> tracks(20000, params);
    constexpr int lanes = default_lane_width<HostExecutor, T>;
    const auto smoothed = smooth<lanes, FitForm::square_root>(tracks);
    const auto fitted_states = states_on_host(tracks.exec, tracks.states);
    const auto states = states_on_host(tracks.exec, smoothed.states);
    CAPTURE(radiation_lengths);
    check_good(pulls_on(tracks, fitted_states, 11, false));
    for (const int layer : {0, 1, 5, 10, 11}) {
      CAPTURE(layer);
      check_good(pulls_on(tracks, states, layer, true));
    }
    double chi2 = 0.;
    for (int track = 0; track < tracks.n; ++track) {
      REQUIRE(tracks.results.measurements(std::size_t(track)) <= 12);
      chi2 += double(tracks.results.chi2(std::size_t(track)));
    }
    CHECK_THAT(chi2 / (7. * tracks.n), WithinAbs(1., 0.02));
  }
}
