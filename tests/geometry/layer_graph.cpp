// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <trackplex/geometry/layer_graph.hpp>

#include <catch2/catch_test_macros.hpp>

#include <cmath>
#include <string>
#include <vector>

#include "small_tracker.hpp"
#include "support/refusals.hpp"

using namespace trackplex;
using namespace trackplex::geometry;

namespace {

/// Layers in the order in which a line from `point` meets them, by trying all at each step.
std::vector<int> layers_on_line(const std::vector<LaneLayer<double>>& layers, Vector3<double> point,
                                const Vector3<double>& direction) {
  std::vector<int> met;
  for (;;) {
    int nearest = -1;
    double smallest = 1e9;
    for (int l = 0; l < int(layers.size()); ++l) {
      const auto& layer = layers[std::size_t(l)];
      const auto [path, reached] = layer.surface.path(point, direction, {0., 0., 0.});
      if (reached && path > 1e-4 && path < smallest && (met.empty() || l != met.back()) &&
          layer.contains(add_scaled(point, path, direction), 0.5)) {
        nearest = l;
        smallest = path;
      }
    }
    if (nearest < 0) return met;
    met.push_back(nearest);
    point = add_scaled(point, smallest, direction);
  }
}

}  // namespace

TEST_CASE("each pair of layers that a straight line meets is in the graph", "[geometry]") {
  const auto detector = test::small_tracker();
  const auto graph = find_layer_graph(detector);
  check(graph, detector);
  std::vector<LaneLayer<double>> layers;
  for (int l = 0; l < int(detector.layers.size()); ++l) layers.push_back(lane_layer(detector, l));
  int pairs = 0, missing = 0;
  std::vector<int> seen(layers.size());
  for (int i = 0; i < 3000; ++i) {
    const double eta = 3.5 * test::even_number(i, 0), phi = 3.14 * test::even_number(i, 1);
    const Vector3<double> direction{std::cos(phi) / std::cosh(eta), std::sin(phi) / std::cosh(eta),
                                    std::tanh(eta)};
    const auto met = layers_on_line(layers, {0.1, -0.05, 10. * test::even_number(i, 2)}, direction);
    for (const int l : met) ++seen[std::size_t(l)];
    for (std::size_t k = 1; k < met.size(); ++k) {
      ++pairs;
      missing += !graph.has_edge(met[k - 1], met[k]);
    }
  }
  CHECK(pairs > 3000);
  CHECK(missing == 0);
  for (const int n : seen) CHECK(n > 20);
  CHECK_FALSE(graph.has_edge(0, 2));  // the barrel in between has no gap there
  CHECK_FALSE(graph.has_edge(1, 0));
  CHECK(graph.max_successors() <= 8);
}

TEST_CASE("curved and displaced rays find more successors", "[geometry]") {
  const auto detector = test::small_tracker();
  const auto count = [&](const LayerGraphParams& params) {
    std::size_t n = 0;
    for (const auto& list : find_layer_graph(detector, params).successors) n += list.size();
    return n;
  };
  const LayerGraphParams straight{.max_z = 0.1,
                                  .max_r = 0.,
                                  .displaced_z = 0.,
                                  .displaced_r = 0.,
                                  .max_curvature = 0.,
                                  .tolerance = 0.,
                                  .rays = 20'000};
  auto more = straight;
  more.max_z = 15.;
  CHECK(count(more) > count(straight));
  const auto all = find_layer_graph(detector);
  const auto few = find_layer_graph(detector, straight);
  for (int from = 0; from < int(detector.layers.size()); ++from)
    for (const int to : few.successors[std::size_t(from)]) CHECK(all.has_edge(from, to));
  CHECK(find_layer_graph(detector).counts == all.counts);  // and it is always the same
}

TEST_CASE("planes one after the other are a chain", "[geometry]") {
  DetectorBuilder telescope;
  for (int i = 0; i < 12; ++i)
    telescope.plane({.centre = {0., 0., 10. * i},
                     .normal = {0.2, 0., 1.},
                     .half_u = 5.,
                     .half_v = 5.,
                     .angle = i % 2 ? 0.1 : -0.1});
  const LayerGraphParams params{.directions = RayDirections::forward,
                                .max_slope = 0.1,
                                .displaced_r = 0.,
                                .max_curvature = 0.,
                                .tolerance = 0.};
  const auto detector = telescope.build();
  const auto graph = find_layer_graph(detector, params);
  for (int i = 0; i < 11; ++i) CHECK(graph.successors[std::size_t(i)] == std::vector{i + 1});
  CHECK(graph.successors[11].empty());
  CHECK(graph.max_successors() == 1);
  const auto back = reversed(graph);
  CHECK(back.successors[0].empty());
  CHECK(back.successors[11] == std::vector{10});
  CHECK(back.counts[11] == graph.counts[10]);
  // at the edges a track may miss a plane
  const auto wider = find_layer_graph(detector, {.directions = RayDirections::forward});
  for (int i = 0; i < 11; ++i) CHECK(wider.has_edge(i, i + 1));
  CHECK(wider.max_successors() <= 4);
}

TEST_CASE("layers whose modules overlap along the beam follow each other", "[geometry]") {
  DetectorBuilder builder;
  for (const double z : {30., 30.2, 45.})
    builder.disk(
        {.z = z, .inner = 3., .outer = 13., .n_phi = {16, 28}, .overlap = 0.1, .stagger = 0.4});
  const auto graph = find_layer_graph(builder.build());
  CHECK(graph.has_edge(0, 1));
  CHECK(graph.has_edge(1, 0));
  CHECK(graph.has_edge(0, 2));
  CHECK(graph.has_edge(1, 2));
  CHECK_FALSE(graph.has_edge(2, 1));
}

TEST_CASE("impossible rays and graphs are refused", "[geometry]") {
  const auto detector = test::small_tracker();
  const auto refuse = [&](const LayerGraphParams& params, const char* message) {
    test::check_refused<UsageError>([&] { find_layer_graph(detector, params); }, message);
  };
  refuse({.max_z = -1.}, "a range of the rays is negative or not finite");
  refuse({.max_curvature = std::nan("")}, "a range of the rays is negative or not finite");
  refuse({.min_eta = 2., .max_eta = -2.}, "the range of pseudorapidity is empty");
  refuse({.rays = 0}, "there are no rays (0)");
  test::check_refused<UsageError>([] { reversed({{{1}}, {}}); }, "there is no such layer (1)");
  CHECK(find_layer_graph({}).successors.empty());
  auto named = detector;
  named.layers[2].name = "outer";
  test::check_refused<UsageError>(
      [&] {
        check(LayerGraph{{{}, {}, {2}, {}, {}, {}, {}, {}, {}, {}, {}}, {}}, named);
      },
      "successors of layer 2 'outer': the layer is its own successor (2); remove it");
}
