// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <trackplex/geometry/bounds.hpp>

#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>
#include <catch2/matchers/catch_matchers_floating_point.hpp>

#include <cmath>
#include <numbers>
#include <random>

using namespace trackplex::geometry;
using Catch::Matchers::WithinAbs;

namespace {

/// Area inside of an outline.
double area_of(const std::vector<std::array<double, 2>>& corners) {
  double area = 0.;
  for (std::size_t i = 0; i < corners.size(); ++i) {
    const auto& a = corners[i];
    const auto& b = corners[(i + 1) % corners.size()];
    area += 0.5 * (a[0] * b[1] - a[1] * b[0]);
  }
  return area;
}

/// Area by the fraction of points of a square that are inside.
double area_by_points(const Bounds& bounds, double half) {
  std::mt19937 random(1);
  const int n = 200000;
  int inside = 0;
  const auto uniform = [&] { return half * (random() / 2147483648. - 1.); };
  for (int i = 0; i < n; ++i) {
    const double u = uniform();
    inside += bounds.contains(u, uniform());
  }
  return 4. * half * half * inside / n;
}

}  // namespace

TEST_CASE("rectangles contain what is between their sides", "[geometry]") {
  const auto bounds = Bounds::rectangle(2., 3.);
  CHECK(bounds.contains(2., -3.));
  CHECK(bounds.contains(-2., 3.));
  CHECK_FALSE(bounds.contains(2.01, 0.));
  CHECK_FALSE(bounds.contains(0., -3.01));
  CHECK(bounds.contains(2.01, -3.01, 0.02));
  CHECK_FALSE(bounds.contains(1., 1., -1.1));
  CHECK(area_of(bounds.outline()) == 24.);
}

TEST_CASE("trapezoids are as wide as they say at both ends", "[geometry]") {
  const auto bounds = Bounds::trapezoid(1., 2., 4.);
  CHECK(bounds.contains(1., -4.));
  CHECK_FALSE(bounds.contains(1.01, -4.));
  CHECK(bounds.contains(-2., 4.));
  CHECK_FALSE(bounds.contains(2.01, 4.));
  CHECK(bounds.contains(1.5, 0.));
  CHECK_FALSE(bounds.contains(1.51, 0.));
  CHECK(bounds.contains(1.51, 0., 0.02));
  CHECK(area_of(bounds.outline()) == 24.);
  CHECK_THAT(area_by_points(bounds, 4.), WithinAbs(24., 0.3));
}

TEST_CASE("annuli contain what is between two radii, about the v axis", "[geometry]") {
  const double half_angle = GENERATE(0.2, 1.3, 2.5, std::numbers::pi);
  const auto bounds = Bounds::annulus(2., 5., half_angle);
  CAPTURE(half_angle);
  CHECK(bounds.contains(0., 3.));
  CHECK_FALSE(bounds.contains(0., 1.9));
  CHECK_FALSE(bounds.contains(0., 5.1));
  CHECK(bounds.contains(0., 5.1, 0.2));
  const auto at = [&](double angle, double tolerance = 0.) {
    return bounds.contains(4. * std::sin(angle), 4. * std::cos(angle), tolerance);
  };
  CHECK(at(half_angle - 0.01));
  CHECK(at(0.01 - half_angle));
  if (half_angle < 3.) {
    CHECK_FALSE(at(half_angle + 0.01));
    CHECK(at(half_angle + 0.01, 0.05));
    CHECK_FALSE(at(half_angle + 0.05, 0.05));
  } else {
    CHECK(bounds.contains(1e-9, -3.));
    CHECK(bounds.contains(0., -3.));
  }
  const double area = half_angle * (25. - 4.);
  CHECK_THAT(area_of(bounds.outline(1e-3)), WithinAbs(area, 1e-4));
  CHECK_THAT(area_by_points(bounds, 5.), WithinAbs(area, 0.6));
}

TEST_CASE("bounds without an area are not valid", "[geometry]") {
  CHECK(Bounds::rectangle(1., 1.).is_valid());
  CHECK_FALSE(Bounds().is_valid());
  CHECK_FALSE(Bounds::rectangle(0., 1.).is_valid());
  CHECK_FALSE(Bounds::rectangle(1., -1.).is_valid());
  CHECK_FALSE(Bounds::rectangle(NAN, 1.).is_valid());
  CHECK(Bounds::trapezoid(0., 1., 1.).is_valid());
  CHECK_FALSE(Bounds::trapezoid(-1., 2., 1.).is_valid());
  CHECK(Bounds::annulus(0., 1.).is_valid());
  CHECK_FALSE(Bounds::annulus(1., 1.).is_valid());
  CHECK_FALSE(Bounds::annulus(0., 1., 4.).is_valid());
  CHECK_FALSE(Bounds::annulus(0., INFINITY).is_valid());
}
