// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <trackplex/geometry/coverage.hpp>

#include <catch2/catch_template_test_macros.hpp>
#include <catch2/catch_test_macros.hpp>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <numbers>
#include <trackplex/core/launch.hpp>
#include <type_traits>
#include <utility>
#include <vector>

#include "small_detector.hpp"
#include "small_tracker.hpp"
#include "support/lane_widths.hpp"
#include "support/refusals.hpp"
#include "support/spaces.hpp"

using namespace trackplex;
using namespace trackplex::geometry;

namespace {

using test::host_copy;

/// Whether the line from the origin through a point meets an active module of the layer at least
/// `inside` (cm) from its edges.
bool is_on_module(const DetectorDescription& detector, int layer, const Vector3<double>& point,
                  double inside, const std::vector<int>& dead = {}) {
  const auto& of = detector.layers[std::size_t(layer)];
  for (int i = of.first_module; i < of.first_module + of.n_modules; ++i) {
    const auto& [frame, bounds] =
        std::pair(detector.modules[std::size_t(i)].frame, detector.modules[std::size_t(i)].bounds);
    if (std::find(dead.begin(), dead.end(), i) != dead.end()) continue;
    const auto w = frame.normal();
    const double scale = dot(w, frame.centre) / dot(w, point);
    if (!(scale > 0.5 && scale < 2.)) continue;
    const auto local = to_local(frame, scale * point);
    if (bounds.contains(local(0), local(1), -inside)) return true;
  }
  return false;
}

/// Place i on a layer, inside of its edges or up to a tenth beyond.
Vector3<double> place_on(const DetectorDescription& detector, int layer, int i) {
  const auto& of = detector.layers[std::size_t(layer)];
  const double phi = std::numbers::pi * test::even_number(i, 0);
  const double t = 0.5 + 0.6 * test::even_number(i, 1), second = of.low + t * (of.high - of.low);
  if (of.kind == LayerKind::barrel)
    return {of.position * std::cos(phi), of.position * std::sin(phi), second};
  const double x = second * std::cos(phi), y = second * std::sin(phi);
  if (of.kind == LayerKind::disk) return {x, y, of.position};
  return {x, y, (of.position - of.normal(0) * x - of.normal(1) * y) / of.normal(2)};
}

/// Numbers of places: surely covered, of these on a module, none, of these off all modules, deep
/// inside of a module.
struct Counts {
  int surely = 0, right = 0, none = 0, empty = 0, deep = 0, all = 0;
};

Counts count_covered(const DetectorDescription& detector, int layer,
                     const std::vector<CoverageGrid>& grids, const CoverageParams& params) {
  Counts counts;
  const auto lane = lane_layer(detector, layer);
  for (int i = 0; i < 4000; ++i) {
    const auto point = place_on(detector, layer, i);
    const auto place = lane.coordinates(point);
    const auto cover = grids[std::size_t(layer)].at(place.first, place.second);
    ++counts.all;
    counts.deep += is_on_module(detector, layer, point, 0.5, params.dead);
    if (cover == Cover::surely) {
      ++counts.surely;
      counts.right += is_on_module(detector, layer, point, 0.99 * params.margin, params.dead);
    }
    if (cover == Cover::none) {
      ++counts.none;
      counts.empty += !is_on_module(detector, layer, point, 0., params.dead);
    }
  }
  return counts;
}

/// Cover of places in all lanes.
template <class Real, class Space>
struct LookUp {
  using T = ScalarOf<Real>;
  using Integer = IntegerOf<Real>;
  Coverage<T, MemoryOf<Space>> coverage;
  Kokkos::View<const std::int32_t*, MemoryOf<Space>> layer;
  Kokkos::View<const T*, MemoryOf<Space>> first, second;
  Kokkos::View<std::int32_t*, MemoryOf<Space>> out;

  KOKKOS_FUNCTION void operator()(const Tile<Real>& tile) const {
    const auto number = tile.template load<Integer>(layer.data());
    tile.store(out.data(),
               coverage.template at<Real>(number, tile.template load<Real>(first.data()),
                                          tile.template load<Real>(second.data()),
                                          tile.mask() && number >= Integer(0)));
  }
};

template <int Width, class Space, class T>
void check_look_up(const DetectorDescription& detector, const std::vector<CoverageGrid>& grids) {
  const Space exec;
  const auto coverage = geometry::to_device<T>(exec, grids);
  const int n = 3001, n_layers = int(grids.size());
  std::vector<int> layer;
  std::vector<T> first, second;
  for (int i = 0; i < n; ++i) {
    layer.push_back(i % (n_layers + 1) - 1);
    const auto place = lane_layer(detector, std::max(layer.back(), 0))
                           .coordinates(place_on(detector, std::max(layer.back(), 0), i));
    first.push_back(T(place.first));
    second.push_back(T(place.second));
  }
  first[5] = second[7] = std::numeric_limits<T>::quiet_NaN();
  first[9] = second[11] = std::numeric_limits<T>::infinity();
  first[13] = second[15] = -std::numeric_limits<T>::infinity();
  const Kokkos::View<std::int32_t*, MemoryOf<Space>> out("out", std::size_t(n));
  using Real = LanesOf<T, Width>;
  for_each_tile<Real>(
      exec, "Trackplex::Test::look_up", n,
      LookUp<Real, Space>{coverage, trackplex::to_device<std::int32_t>(exec, "layer", layer),
                          trackplex::to_device<T>(exec, "first", first),
                          trackplex::to_device<T>(exec, "second", second), out});
  const auto found = host_copy(out);
  const auto host = enqueue_copy<HostOf<std::decay_t<decltype(coverage)>>>(exec, coverage);
  exec.fence();
  int differ = 0, differ_in_double = 0;
  for (int i = 0; i < n; ++i) {
    const auto at = std::size_t(i);
    const int expected = host.template at<T>(layer[at], first[at], second[at], layer[at] >= 0);
    differ += found(at) != expected;
    if (i < 16) continue;
    const int exact =
        layer[at] < 0 ? 0 : int(grids[std::size_t(layer[at])].at(first[at], second[at]));
    differ_in_double += found(at) != exact;
  }
  CHECK(differ == 0);
  CHECK(differ_in_double <= (std::is_same_v<T, float> ? 3 : 0));  // at the edges of cells
}

}  // namespace

TEST_CASE("surely covered places are on active modules, far from their edges", "[geometry]") {
  for (const auto& detector : {test::small_tracker(), test::small_detector()})
    for (const auto& params : {CoverageParams{}, CoverageParams{.margin = 0.02, .slope = 0.},
                               CoverageParams{.cells_per_module = 3, .dead = {3, 45, 46, 100}}}) {
      const auto grids = find_coverage(detector, params);
      REQUIRE(grids.size() == detector.layers.size());
      for (int l = 0; l < int(grids.size()); ++l) {
        CAPTURE(l, params.margin, params.cells_per_module);
        const auto counts = count_covered(detector, l, grids, params);
        CHECK(counts.right == counts.surely);
        CHECK(counts.empty == counts.none);
        if (params.cells_per_module == 8) CHECK(counts.surely >= 0.9 * counts.deep);
      }
    }
}

TEST_CASE("gaps and dead modules are not surely covered", "[geometry]") {
  // four modules along z at z = -15, -5, 5 and 15 in each of 20 columns; in phi they touch
  const auto detector =
      DetectorBuilder().barrel({.radius = 10., .half_length = 20., .n_phi = 20, .n_z = 4}).build();
  const auto covered = find_coverage(detector)[0],
             dead = find_coverage(detector, {.dead = {21}})[0];
  const double phi = 2. * std::numbers::pi * 1.5 / 20. - 2. * std::numbers::pi;
  const auto at = [&](const CoverageGrid& grid, double z) {
    return grid.at(std::remainder(phi, 2. * std::numbers::pi), z);
  };
  CHECK(at(covered, -5.) == Cover::surely);
  CHECK(at(dead, -5.) == Cover::none);
  CHECK(at(dead, 5.) == Cover::surely);
  CHECK(at(covered, -0.05) == Cover::partly);  // between two modules
  CHECK(at(covered, 25.) == Cover::none);
  CHECK(covered.at(std::numbers::pi, 5.) == Cover::partly);  // the border of two columns
  CHECK(covered.at(std::numbers::pi - 0.15, 5.) == Cover::surely);
  CHECK(covered.at(0.15 - std::numbers::pi, 5.) == Cover::surely);

  // modules that overlap by more than twice the margin cover the border of two columns together
  const auto overlapping = DetectorBuilder()
                               .barrel({.radius = 10.,
                                        .half_length = 20.,
                                        .n_phi = 20,
                                        .n_z = 4,
                                        .overlap = 0.3,
                                        .stagger = 0.6})
                               .build();
  const auto both = find_coverage(overlapping, {.margin = 0.1, .slope = 0.})[0];
  for (int i = 0; i < 20; ++i)
    CHECK(both.at(std::remainder(2. * std::numbers::pi * i / 20., 2. * std::numbers::pi), 5.) ==
          Cover::surely);
}

TEST_CASE("coverage as seen from collisions elsewhere is that of a detector elsewhere",
          "[geometry]") {
  const auto detector = test::small_tracker();
  auto shifted = detector;
  for (auto& module : shifted.modules) module.frame.centre(2) += 30.;
  for (auto& layer : shifted.layers) {
    if (layer.kind == LayerKind::barrel) {
      layer.low += 30.;
      layer.high += 30.;
    } else {
      layer.position += 30. * (layer.kind == LayerKind::plane ? layer.normal(2) : 1.);
    }
  }
  const auto expected = find_coverage(detector), found = find_coverage(shifted, {.z = 30.}),
             from_origin = find_coverage(shifted);
  for (int l = 0; l < int(detector.layers.size()); ++l) {
    CAPTURE(l);
    // A plane is one module, as wide as the grid: rounding changes the number of its cells.
    if (detector.layers[std::size_t(l)].kind == LayerKind::plane) continue;
    int differ = 0, differ_from_origin = 0;
    const auto lane = lane_layer(detector, l), of_shifted = lane_layer(shifted, l);
    for (int i = 0; i < 4000; ++i) {
      const auto point = place_on(detector, l, i);
      const auto at = lane.coordinates(point),
                 there = of_shifted.coordinates(point + Vector3<double>{0., 0., 30.});
      const auto number = std::size_t(l);
      const auto cover = expected[number].at(at.first, at.second);
      differ += found[number].at(there.first, there.second) != cover;
      differ_from_origin += from_origin[number].at(there.first, there.second) != cover;
    }
    CHECK(differ <= 4);  // at the edges of cells
    if (detector.layers[std::size_t(l)].kind == LayerKind::barrel) CHECK(differ_from_origin > 40);
  }
}

TEST_CASE("impossible coverage is refused", "[geometry]") {
  const auto detector = test::small_tracker();
  const auto refuse = [&](const CoverageParams& params, const char* message) {
    test::check_refused<UsageError>([&] { find_coverage(detector, params); }, message);
  };
  refuse({.margin = -0.1}, "the margin or slope is negative");
  refuse({.cells_per_module = 0}, "there are no cells");
  refuse({.dead = {100'000}}, "there is no such module (100000)");
  refuse({.z = std::numeric_limits<double>::infinity()}, "the centre of collisions is nowhere");
  for (const auto& grid : find_coverage(detector, {.max_cells = 100}))
    CHECK(grid.cells.size() <= 300);  // and borders
}

TEMPLATE_LIST_TEST_CASE("kernels look up the coverage of places", "[geometry]",
                        test::EnabledSpaces) {
  const auto detector = test::small_tracker();
  const auto grids = find_coverage(detector);
  test::for_each_width<TestType>([&]<int Width>() {
    check_look_up<Width, TestType, float>(detector, grids);
    check_look_up<Width, TestType, double>(detector, grids);
  });
}
