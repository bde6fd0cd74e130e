// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <trackplex/geometry/builder.hpp>

#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>
#include <catch2/matchers/catch_matchers_floating_point.hpp>

#include <cmath>

#include "small_detector.hpp"
#include "support/refusals.hpp"

using namespace trackplex;
using namespace trackplex::geometry;
using Catch::Matchers::WithinAbs;

namespace {

/// Number of modules of a layer that a straight line from the origin crosses.
int crossed(const DetectorDescription& detector, int layer, double phi, double cotangent) {
  const Vector3<double> direction{std::cos(phi), std::sin(phi), cotangent};
  const auto& of = detector.layers[std::size_t(layer)];
  int n = 0;
  for (int i = of.first_module; i < of.first_module + of.n_modules; ++i) {
    const auto& module = detector.modules[std::size_t(i)];
    const auto w = module.frame.normal();
    const double length = dot(w, module.frame.centre) / dot(w, direction);
    if (!(length > 0.)) continue;
    const auto local = to_local(module.frame, length * direction);
    n += module.bounds.contains(local(0), local(1));
  }
  return n;
}

}  // namespace

TEST_CASE("a whole detector is built in a few lines", "[geometry]") {
  const auto detector = test::small_detector();
  REQUIRE(detector.layers.size() == 5);
  REQUIRE(detector.modules.size() == 14 * 5 + 16 + 24 + 6 + 1);
  const auto& pipe = detector.layers[0];
  CHECK(pipe.n_modules == 0);
  CHECK(pipe.low == -50.);
  CHECK(pipe.high == 50.);
  CHECK(pipe.radiation_lengths == 0.0023);
  const auto& barrel = detector.layers[1];
  CHECK(barrel.name == "barrel");
  CHECK(barrel.radiation_lengths == 0.);  // its modules have it
  CHECK(detector.modules[0].radiation_lengths == 0.0032);
  CHECK(detector.modules[0].pitch_u == 0.005);
  CHECK(detector.modules[0].pitch_v == 0.);
  CHECK_THAT(barrel.low, WithinAbs(-20.1, 1e-12));
  const auto& disk = detector.layers[2];
  CHECK_THAT(disk.low, WithinAbs(3., 1e-12));
  CHECK_THAT(disk.high, WithinAbs(15., 1e-12));
  CHECK_THAT(detector.layers[3].high, WithinAbs(9., 1e-12));
}

TEST_CASE("barrels without gaps cover the azimuth once, overlapping ones at least once",
          "[geometry]") {
  const double tilt = GENERATE(0., 0.15), stagger = GENERATE(0., 0.2);
  const double overlap = stagger > 0. ? 0.2 : 0.;
  const auto detector = DetectorBuilder()
                            .barrel({.radius = 3.2,
                                     .half_length = 49.,
                                     .n_phi = 16,
                                     .n_z = 14,
                                     .overlap = overlap,
                                     .tilt = tilt,
                                     .stagger = stagger,
                                     .sensor = {.thickness = 0.}})
                            .build();
  CAPTURE(tilt, stagger);
  int missed = 0, most = 0;
  for (double phi = 0.0012345; phi < 6.28; phi += 0.01)
    for (const double cotangent : {0.123456, 2.3456, -7.891}) {
      const int n = crossed(detector, 0, phi, cotangent);
      missed += n == 0;
      most = std::max(most, n);
    }
  if (tilt == 0.) CHECK(missed == 0);
  CHECK((overlap > 0. ? most >= 2 : most == 1));
  for (const auto& module : detector.modules) {
    const auto w = module.frame.normal();
    CHECK(dot(w, module.frame.centre) > 0.);  // outwards
  }
}

TEST_CASE("the trapezoids of a disk stay between its circles", "[geometry]") {
  const auto detector =
      DetectorBuilder().disk({.z = 30., .inner = 3., .outer = 15., .n_phi = {16, 24}}).build();
  REQUIRE(detector.modules.size() == 40);
  int covered = 0, n = 0;
  for (double phi = 0.0012345; phi < 6.28; phi += 0.01)
    for (double r = 2.05; r < 16.; r += 0.1, ++n) {
      const int hits = crossed(detector, 0, phi, 30. / r);
      if (r < 3. || r > 15.) CHECK(hits == 0);
      CHECK(hits <= 1);
      covered += hits;
    }
  CHECK(covered / (n * 120. / 140.) > 0.97);
  CHECK(detector.modules[0].frame.normal()(2) == 1.);
}

TEST_CASE("planes have any normal, and strips any angle", "[geometry]") {
  const auto detector = DetectorBuilder()
                            .plane({.centre = {0., 0., 10.}, .half_u = 2., .half_v = 3.})
                            .plane({.centre = {1., 2., 20.},
                                    .normal = {0.3, 0., 3.},
                                    .half_u = 2.,
                                    .half_v = 3.,
                                    .angle = 0.5})
                            .plane({.normal = {0., 1., 0.}, .half_u = 2., .half_v = 3.})
                            .build();
  const auto& straight = detector.modules[0].frame;
  CHECK((straight.u(0) == 1. && straight.v(1) == 1. && straight.normal()(2) == 1.));
  CHECK(detector.layers[0].position == 10.);
  CHECK(detector.layers[0].low == 0.);
  const auto& tilted = detector.modules[1].frame;
  CHECK_THAT(tilted.normal()(0) / tilted.normal()(2), WithinAbs(0.1, 1e-14));
  CHECK_THAT(tilted.u(1), WithinAbs(std::sin(0.5), 1e-14));
  CHECK_THAT(dot(tilted.normal(), tilted.centre), WithinAbs(detector.layers[1].position, 1e-13));
  CHECK_THAT(detector.modules[2].frame.normal()(1), WithinAbs(1., 1e-15));
}

TEST_CASE("impossible layers are refused with their place", "[geometry]") {
  DetectorBuilder builder;
  builder.barrel({.radius = 2., .half_length = 1.});
  const auto refuse = [](const auto& add, const char* message) {
    test::check_refused<UsageError>(add, message);
  };
  refuse([&] { builder.barrel({.name = "b", .half_length = 1.}); },
         "layer 1 'b': the sizes of the");
  refuse([&] { builder.barrel({.radius = 1., .half_length = 1., .n_phi = 2}); }, "at least 3");
  refuse([&] { builder.disk({.z = 1., .inner = 2., .outer = 2.}); }, "inner is below outer");
  refuse([&] { builder.disk({.inner = 2., .outer = 3., .n_phi = {0}}); }, "at least 3");
  refuse([&] { builder.plane({.normal = {0., 0., 0.}}); }, "its normal has no length");
  // an odd number of modules cannot be staggered
  refuse(
      [&] {
        builder
            .barrel({.radius = 3., .half_length = 9., .n_phi = 13, .overlap = 0.2, .stagger = 0.3})
            .build();
      },
      "overlaps module");
}
