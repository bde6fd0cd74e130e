// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <catch2/catch_template_test_macros.hpp>
#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_floating_point.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>
#include <limits>
#include <string>
#include <trackplex/core/host_executor.hpp>
#include <trackplex/kalman/fit_tracks.hpp>
#include <trackplex/simulation/cylinder_tracks.hpp>
#include <trackplex/validation/chi2.hpp>
#include <vector>

#include "few_layers.hpp"
#include "fitted_tracks.hpp"
#include "support/lane_widths.hpp"

using namespace trackplex;
using namespace trackplex::kalman;
using Catch::Matchers::WithinAbs;
using Catch::Matchers::WithinRel;
using trackplex::test::check_pulls;
using trackplex::test::FewLayers;
using trackplex::test::FewLayersInMaterial;
using trackplex::test::FittedTracks;
using trackplex::test::layers_along;
using trackplex::test::state_at_origin;

namespace {

/// Planes of any tilt without measurements, each of its own material: layers in the sense of `fit`.
struct BarePlanes {
  std::vector<Plane<double>> planes;
  std::vector<ThinLayer> materials;

  int size() const { return int(planes.size()); }
  Plane<double> surface(int i) const { return planes[std::size_t(i)]; }
  bool present(int) const { return false; }
  auto measure(int, const Parameters<double>& at) const { return measure_in_space({}, at); }
  ThinLayer material(int i) const { return materials[std::size_t(i)]; }
};

/// Layers that keep what fits call, in order: "p" for prefetch, "s" for surface, and the layer.
struct TracedLayers : FewLayers {
  using Real = double;
  std::vector<std::string>* calls;

  void prefetch(int i) const { calls->push_back("p" + std::to_string(i)); }
  Cylinder<double> surface(int i) const {
    calls->push_back("s" + std::to_string(i));
    return FewLayers::surface(i);
  }
};

/// The pulls of the state at the last layer, in the coordinates of the cylinder there, and whether
/// the probabilities of chi2 are flat.
template <class T, class Space>
void check_fit(bool material) {
  const int tracks = 100000;
  CAPTURE(material, sizeof(T));
  FittedTracks<T, Space> fitted(tracks, material);
  fitted.fit();
  validation::Pulls pulls[5];
  int tenths[10] = {}, good = 0;
  for (int track = 0; track < tracks; ++track) {
    if (!fitted.good(track)) continue;
    ++good;
    fitted.add_pulls(fitted.state(track), fitted.truth(9, track), pulls);
    const double p = validation::chi2_p_value(double(fitted.results.chi2(track)),
                                              double(fitted.results.measurements(track)));
    ++tenths[std::min(int(10. * p), 9)];
    REQUIRE(fitted.results.measurements(track) == 20);
    REQUIRE(fitted.results.outliers(track) == 0);
  }
  CHECK(good > 0.995 * tracks);
  check_pulls(pulls, 0.02, 0.03);
  // Kolmogorov and Smirnov against a flat distribution, at the edges of tenths
  double distance = 0., below = 0.;
  for (int i = 0; i < 10; ++i) {
    below += double(tenths[i]) / good;
    distance = std::max(distance, std::fabs(below - 0.1 * (i + 1)));
  }
  CHECK(distance < 0.008);
}

}  // namespace

TEST_CASE("fits have pulls of mean 0 and width 1, and a flat probability of chi2", "[kalman]") {
  using Host = HostExecutor;
  check_fit<double, Host>(false);
  check_fit<double, Host>(true);
  check_fit<float, Host>(false);
}

TEST_CASE("outliers are left out and counted", "[kalman]") {
  using Space = HostExecutor;
  FittedTracks<double, Space> fitted(1000, false);
  const auto position = fitted.tracks.hits.position.view();
  for (int track = 0; track < 1000; track += 2)
    position(6 * fitted.tracks.hits.stride() + track, 2) += 5.;  // 50 sigma
  FitOptions options;
  options.max_chi2 = 30.;
  fitted.fit(options);
  validation::Pulls pulls[5];
  for (int track = 0; track < 1000; ++track) {
    if (track % 2 == 0) REQUIRE(fitted.results.outliers(track) == 1);
    REQUIRE(fitted.results.measurements(track) == (track % 2 == 0 ? 18 : 20));
    fitted.add_pulls(fitted.state(track), fitted.truth(9, track), pulls);
  }
  check_pulls(pulls, 0.12, 0.1);
}

TEST_CASE("a track that does not reach a layer stays at the one before", "[kalman]") {
  using Space = HostExecutor;
  FittedTracks<double, Space> fitted(64, false);
  auto start = fitted.states.view();
  start.parameters(5, Parameter::inverse_pt) = 8.;  // turns back at about 22 cm
  for (int e = 0; e < 21; ++e) start.covariance.element(5, e) *= 1e-8;
  fitted.fit();
  for (int track = 0; track < 64; ++track) {
    CAPTURE(track);
    CHECK(bool(fitted.results.reached(track)) == (track != 5));
  }
  const auto lost = fitted.state(5);
  const double r = std::hypot(lost.parameters(0), lost.parameters(1));
  CHECK(r < 23.);
  CHECK(fitted.results.measurements(5) < 20);
  CHECK(fitted.results.measurements(5) > 2);
}

TEST_CASE("each layer is asked for once, while the layer before is in work", "[kalman]") {
  const UniformField field{3.8};
  const auto start = state_at_origin(0.5);
  std::vector<std::string> calls;
  const TracedLayers layers{layers_along(start, field, {5., 10., 15.}), &calls};
  const std::vector<std::string> expected{"p0", "p1", "s0", "p2", "s1", "s2"};
  auto state = start;
  CHECK(fit(state, field, layers).reached);
  CHECK(calls == expected);

  calls.clear();
  state = start;
  CHECK(square_root_fit(state, field, layers, BasicFitOptions<double>{}).reached);
  CHECK(calls == expected);

  // Through the layers that add material
  calls.clear();
  state = start;
  CHECK(fit(state, field, WithLayerMaterial<TracedLayers>{layers, ThinLayer{silicon, 0.}}).reached);
  CHECK(calls == expected);
}

TEST_CASE("a track that is lost stays lost, though later layers could be reached", "[kalman]") {
  const UniformField field{3.8};
  const auto start = state_at_origin(2.);  // turns back at about 88 cm
  auto layers = layers_along(start, field, {5., 10., 100., 12.});
  layers.layers[3].present = true;
  auto first_two = layers;
  first_two.layers.resize(2);
  auto state = start, expected = start;
  REQUIRE(fit(expected, field, first_two).reached);
  const auto result = fit(state, field, layers);
  CHECK_FALSE(result.reached);
  CHECK(result.measurements == 4);
  CHECK(result.outliers == 0);
  for (int i = 0; i < 6; ++i) CHECK(state.parameters(i) == expected.parameters(i));
  for (int e = 0; e < 21; ++e)
    CHECK(state.covariance.elements[e] == expected.covariance.elements[e]);
}

TEST_CASE("particles that stop in material are lost where they stopped", "[kalman]") {
  const UniformField field{0.5};
  const auto start = state_at_origin(20.);  // 50 MeV: its range in silicon is a few millimetres
  FewLayersInMaterial layers{layers_along(start, field, {5., 10., 15.})};
  layers.layer.thickness = 2.;
  auto first = layers;
  first.layers.resize(1);
  auto state = start, expected = start;
  REQUIRE(fit(expected, field, first).reached);
  const auto result = fit(state, field, layers);
  CHECK_FALSE(result.reached);
  CHECK(result.measurements == 2);
  for (int i = 0; i < 6; ++i) CHECK(state.parameters(i) == expected.parameters(i));
}

TEST_CASE("a fit goes through the material of each layer, at its angle, with the mass it is given",
          "[kalman]") {
  const UniformField field{3.8};
  const auto start = state_at_origin(1.);
  const BarePlanes layers{
      {{1., 0., 0., 5.}, {0.8, 0.6, 0., 10.}, {0.8, 0., 0.6, 15.}, {0.6, 0.48, 0.64, 20.}},
      {{silicon, 0.1}, {beryllium, 0.4}, {aluminium, 0.}, {silicon, 0.2}}};
  const double proton_mass = 0.938272;
  for (const double mass : {pion_mass, proton_mass}) {
    CAPTURE(mass);
    auto state = start, expected = start;
    REQUIRE(fit(state, field, layers, {.mass = mass}).reached);
    for (int i = 0; i < layers.size(); ++i) {
      if (i > 0)
        pass_layer(expected.parameters, expected.charge, layers.material(i - 1),
                   layers.surface(i - 1), mass)
            .apply(expected);
      REQUIRE(propagate(expected, field, layers.surface(i)));
    }
    for (int i = 0; i < 6; ++i) {
      CAPTURE(i);
      CHECK_THAT(state.parameters(i), WithinRel(expected.parameters(i), 1e-10));
      CHECK_THAT(state.covariance(i, i), WithinRel(expected.covariance(i, i), 1e-8));
    }
  }
}

TEST_CASE("fits against the momentum give energy back", "[kalman]") {
  const UniformField field{3.8};
  const auto start = state_at_origin(2.);
  const auto without_hits = [](FewLayers layers) {
    for (auto& layer : layers.layers) layer.present = false;
    return FewLayersInMaterial{layers};
  };
  const auto outwards = without_hits(layers_along(start, field, {5., 10., 15.}));
  auto inwards = outwards;
  std::reverse(inwards.layers.begin(), inwards.layers.end());
  // The innermost layer's loss, too, lies before the start of the way back
  auto at_first = start, at_last = start;
  REQUIRE(propagate(at_first, field, Cylinder<double>{5.}));
  at_last = at_first;
  REQUIRE(fit(at_last, field, outwards).reached);
  const double lost = at_last.parameters(3) - at_first.parameters(3);
  CHECK(lost > 1e-3);
  auto back = at_last, onwards = at_last;
  REQUIRE(fit(back, field, inwards, {.along = false}).reached);
  REQUIRE(fit(onwards, field, inwards, {.along = true}).reached);
  CHECK_THAT(back.parameters(3), WithinAbs(at_first.parameters(3), 0.05 * lost));
  CHECK(onwards.parameters(3) > at_last.parameters(3) + 0.9 * lost);
}

TEST_CASE("tracks along the axis, or with an infinite covariance, count as not reached",
          "[kalman]") {
  using Space = HostExecutor;
  FittedTracks<double, Space> fitted(16, false), expected(16, false);
  const auto start = fitted.states.view();
  start.parameters(3, Parameter::theta) = 0.;
  start.covariance(5, 2, 2) = std::numeric_limits<double>::infinity();
  start.covariance(7, 4, 3) = std::numeric_limits<double>::quiet_NaN();
  const auto before = expected.state(3);
  fitted.fit();
  expected.fit();
  for (int track = 0; track < 16; ++track) {
    CAPTURE(track);
    const bool bad = track == 3 || track == 5 || track == 7;
    CHECK(bool(fitted.results.reached(track)) == !bad);
    CHECK(fitted.results.measurements(track) == (bad ? 0 : 20));
    const auto end = fitted.state(track);
    for (int i = 0; i < 6 && !bad; ++i)
      CHECK(end.parameters(i) == expected.state(track).parameters(i));
  }
  for (int i = 0; i < 5; ++i) CHECK(fitted.state(3).parameters(i) == before.parameters(i));
}

TEST_CASE("states and hits of different tracks are refused, as are options out of range",
          "[kalman]") {
  using Space = HostExecutor;
  using Catch::Matchers::ContainsSubstring;
  for (const bool material : {false, true}) {
    FittedTracks<double, Space> fitted(64, material);
    SmoothedTracks<double, MemoryOf<Space>> smoothed;
    SmootherSteps<double, MemoryOf<Space>> steps{10, {}};
    const auto smooth = [&](int layers) {
      smooth_tracks<test::state_lanes<Space, double>>(fitted.exec, fitted.states, fitted.field,
                                                      fitted.tracks.hits.view(), layers, {},
                                                      fitted.results, smoothed, steps);
    };
    for (const int states : {0, 63, 65, 200}) {
      CAPTURE(material, states);
      fitted.states.allocate(fitted.exec, states);
      CHECK_THROWS_AS(fitted.fit(), UsageError);
      CHECK_THROWS_AS(smooth(10), UsageError);
    }
    CHECK_THROWS_WITH(fitted.fit(),
                      ContainsSubstring("fit_tracks: states and hits are of different tracks "
                                        "(200 states, hits of 64 tracks)"));
    fitted.states.allocate(fitted.exec, 64);
    CHECK_THROWS_AS(smooth(11), UsageError);
    CHECK_THROWS_AS(smooth(-1), UsageError);
    CHECK_THROWS_AS(fitted.fit({.steps = 0}), UsageError);
    CHECK_THROWS_AS(fitted.fit({.mass = 0.}), UsageError);
    CHECK_THROWS_AS(fitted.fit({.mass = std::numeric_limits<double>::infinity()}), UsageError);
    CHECK_THROWS_AS(fitted.fit({.max_chi2 = std::nan("")}), UsageError);
    fitted.tracks.hits.layers = 11;  // of which there is no memory
    CHECK_THROWS_AS(fitted.fit(), UsageError);
    fitted.tracks.hits.layers = -1;
    CHECK_THROWS_AS(fitted.fit(), UsageError);
    fitted.tracks.hits.layers = 10;
    CHECK_NOTHROW(fitted.fit({.max_chi2 = 0.}));
    fitted.states.covariance.set_size(63);
    CHECK_THROWS_AS(fitted.fit(), UsageError);
    fitted.states.covariance.set_size(64);
    auto& of_hits = fitted.tracks.hits.covariance;
    const int hits = of_hits.size();
    of_hits.set_size(hits - 1);
    CHECK_THROWS_AS(fitted.fit(), UsageError);
    of_hits.set_size(hits);
    CHECK_NOTHROW(fitted.fit());
    fitted.states.charge = {};
    CHECK_THROWS_AS(fitted.fit(), UsageError);
  }
  FittedTracks<double, Space> fitted(64, true);
  for (const double thickness : {-0.1, std::nan(""), std::numeric_limits<double>::infinity()}) {
    fitted.params.layer.thickness = thickness;
    CHECK_THROWS_AS(fitted.fit(), UsageError);
  }
}

TEMPLATE_LIST_TEST_CASE("fits are the same on every space and with any lanes", "[kalman]",
                        trackplex::test::EnabledSpaces) {
  constexpr int lanes = test::state_lanes<TestType, float>;
  FittedTracks<float, HostExecutor> expected(77, true);
  expected.fit<test::reference_lanes<test::state_lanes<HostExecutor, float>>>();
  const auto check = [&]<int Width>(std::integral_constant<int, Width>) {
    FittedTracks<float, TestType> fitted(77, true);
    fitted.template fit<Width>();
    CHECK(fitted.hash() == expected.hash());
  };
  check(std::integral_constant<int, lanes>());
  if constexpr (test::all_widths) check(std::integral_constant<int, 1>());
}
