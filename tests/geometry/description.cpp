// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <trackplex/geometry/description.hpp>

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_floating_point.hpp>

#include <cmath>

#include "small_detector.hpp"

using namespace trackplex;
using namespace trackplex::geometry;
using Catch::Matchers::WithinAbs;

namespace {

Module square_at(double x, double y, double z) {
  return {{{x, y, z}, {1., 0., 0.}, {0., 1., 0.}}, Bounds::rectangle(1., 1.)};
}

}  // namespace

TEST_CASE("layers get ranges of modules and the extents of these", "[geometry]") {
  DetectorDescription detector;
  Layer disk{.name = "disk", .kind = LayerKind::disk, .position = 7.};
  CHECK(detector.add_layer(disk, {square_at(3., 0., 7.), square_at(-5., 0., 7.)}) == 0);
  CHECK(detector.add_layer({.radiation_lengths = 0.1}) == 1);
  CHECK(detector.add_layer(disk, {square_at(0.5, 0.2, 7.)}) == 2);
  REQUIRE(detector.modules.size() == 3);
  CHECK(detector.modules[1].layer == 0);
  CHECK(detector.modules[2].layer == 2);
  CHECK(detector.layers[1].n_modules == 0);
  CHECK(detector.layers[2].first_module == 2);
  CHECK(detector.layers[0].low == 2.);  // in the middle of an edge
  CHECK(detector.layers[0].high == std::hypot(6., 1.));
  CHECK(detector.layers[2].low == 0.);  // around the z axis
  disk.low = 1.;
  disk.high = 20.;
  detector.add_layer(disk, {square_at(3., 0., 7.)});
  CHECK(detector.layers[3].high == 20.);
}

TEST_CASE("distances from a layer are signed", "[geometry]") {
  CHECK(Layer{.kind = LayerKind::barrel, .position = 4.}.distance({3., 4., 9.}) == 1.);
  CHECK(Layer{.kind = LayerKind::disk, .position = 4.}.distance({3., 4., 9.}) == 5.);
  const Layer plane{.kind = LayerKind::plane, .position = -1., .normal = {0.6, 0., 0.8}};
  CHECK_THAT(plane.distance({1., 7., 0.5}), WithinAbs(2., 1e-15));
}

TEST_CASE("the kind of a layer follows from its modules", "[geometry]") {
  const auto small = test::small_detector();
  for (const auto& layer : small.layers) {
    if (layer.n_modules == 0 || layer.kind == LayerKind::plane) continue;
    const auto first = small.modules.begin() + layer.first_module;
    const auto found = layer_of_modules("found", {first, first + layer.n_modules});
    CHECK(found.name == "found");
    CHECK(found.kind == layer.kind);
    CHECK_THAT(found.position, WithinAbs(layer.position, 1e-12));
  }
}

TEST_CASE("modules are found by their identifiers", "[geometry]") {
  CHECK(module_identifier(12, 12, 0x80) == 0x0c0000c000000080);
  DetectorDescription detector;
  std::vector<Module> modules;
  for (const std::uint64_t module : {9u, 4u, 7u}) {
    modules.push_back(square_at(3. * double(module), 0., 0.));
    modules.back().identifier = module_identifier(8, 2, module);
  }
  modules.push_back(square_at(0., 0., 0.));
  detector.add_layer({.kind = LayerKind::disk}, modules);
  const ModuleNumbers numbers(detector);
  CHECK(numbers.find(8, 2, 9) == 0);
  CHECK(numbers.find(8, 2, 4) == 1);
  CHECK(numbers.find(module_identifier(8, 2, 7)) == 2);
  CHECK(numbers.find(8, 2, 5) == -1);
  CHECK(numbers.find(9, 2, 9) == -1);
  CHECK(numbers.find(0) == -1);
}
