// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <trackplex/geometry/outlines.hpp>

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_floating_point.hpp>

#include "small_detector.hpp"

using namespace trackplex;
using namespace trackplex::geometry;
using Catch::Matchers::WithinAbs;

TEST_CASE("ideal layers are lines and circles", "[geometry]") {
  const auto detector = DetectorBuilder()
                            .barrel({.radius = 2., .half_length = 5.})
                            .disk({.z = 7., .inner = 1., .outer = 4.})
                            .build();
  CHECK(outlines(detector, 0, Projection::zr) == std::vector<Segment>{{-5., 2., 5., 2.}});
  CHECK(outlines(detector, 0, Projection::zx) ==
        std::vector<Segment>{{-5., 2., 5., 2.}, {-5., -2., 5., -2.}});
  CHECK(outlines(detector, 1, Projection::zr) == std::vector<Segment>{{7., 1., 7., 4.}});
  const auto circle = outlines(detector, 0, Projection::xy);
  CHECK(circle.size() == 96);
  for (const auto& line : circle) CHECK_THAT(std::hypot(line[0], line[1]), WithinAbs(2., 1e-14));
  CHECK(outlines(detector, 1, Projection::xy).size() == 192);
}

TEST_CASE("modules are drawn with their edges, equal ones once", "[geometry]") {
  const auto detector = test::small_detector();
  const auto front = outlines(detector, 1, Projection::xy);
  // two edges in z are points, the other two coincide; five rings at two distances
  CHECK(front.size() < 14 * 5 * 4 / 2);
  CHECK(front.size() >= 2 * 14);
  for (const auto& line : outlines(detector, 2, Projection::zr)) {
    CHECK(line[0] == -30.);
    CHECK(line[1] > 2.99);
    CHECK(line[3] < 15.01);
  }
  CHECK(outlines(detector, 4, Projection::zx).size() == 4);
  Layer plane{.kind = LayerKind::plane};
  DetectorDescription empty;
  empty.add_layer(plane);
  CHECK(outlines(empty, 0, Projection::zx).empty());
}
