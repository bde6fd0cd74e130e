// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <trackplex/geometry/frame.hpp>

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_floating_point.hpp>

#include <cmath>

#include "support/refusals.hpp"

using namespace trackplex;
using namespace trackplex::geometry;
using Catch::Matchers::WithinAbs;
using Point = Vector3<double>;

TEST_CASE("products of vectors are those of the field's conventions", "[geometry]") {
  CHECK(dot(Point{1., 2., 3.}, Point{4., -5., 6.}) == 12.);
  const auto c = cross(Point{1., 0., 0.}, Point{0., 1., 0.});
  CHECK((c(0) == 0. && c(1) == 0. && c(2) == 1.));
}

TEST_CASE("local coordinates count from the centre along u, v and w = u x v", "[geometry]") {
  const double c = std::cos(0.3), s = std::sin(0.3);
  // a module of a barrel at x = 5: u along y, tilted, v along z, w outwards
  const Frame<double> frame{{5., 0., 2.}, {-s, c, 0.}, {0., 0., 1.}};
  const auto w = frame.normal();
  CHECK_THAT(w(0), WithinAbs(c, 1e-15));
  CHECK_THAT(w(1), WithinAbs(s, 1e-15));
  const auto local = to_local(frame, Point{5. - 2. * s, 2. * c, 5.});
  CHECK_THAT(local(0), WithinAbs(2., 1e-14));
  CHECK_THAT(local(1), WithinAbs(3., 1e-14));
  CHECK_THAT(local(2), WithinAbs(0., 1e-14));
  const auto back = to_global(frame, local);
  CHECK_THAT(back(0), WithinAbs(5. - 2. * s, 1e-14));
  CHECK_THAT(back(1), WithinAbs(2. * c, 1e-14));
  CHECK_THAT(back(2), WithinAbs(5., 1e-14));
  const auto along = frame.direction_to_local(w);  // no centre in directions
  CHECK_THAT(along(2), WithinAbs(1., 1e-15));
  const auto direction = frame.direction_to_global({0., 0., 1.});
  CHECK_THAT(direction(0), WithinAbs(c, 1e-15));
}

TEST_CASE("frames of rounded axes are orthogonal, and others are refused", "[geometry]") {
  const auto frame = frame_of_axes({1., 2., 3.}, {0.707107, 0.707107, 0.},
                                   {-0.707106, 0.707107, 0.}, {0., 0., 1.});
  CHECK_THAT(dot(frame.u, frame.u), WithinAbs(1., 1e-15));
  CHECK_THAT(dot(frame.v, frame.v), WithinAbs(1., 1e-15));
  CHECK_THAT(dot(frame.u, frame.v), WithinAbs(0., 1e-15));
  const Point x{1., 0., 0.}, y{0., 1., 0.}, z{0., 0., 1.};
  const auto refuse = [&](const Point& u, const Point& v, const Point& w, const char* problem) {
    test::check_refused<UsageError>([&] { frame_of_axes({}, u, v, w, "sensor 7"); }, problem);
  };
  refuse(y, x, z, "sensor 7: the frame is left-handed");
  refuse(x, y, x, "the axis w is not u x v");
  refuse(x, x, z, "u and v are not orthogonal");
  refuse(x, {0., 1.1, 0.}, z, "the axis v has the length 1.1");
  refuse({NAN, 0., 0.}, y, z, "the axis u has the length");
}
