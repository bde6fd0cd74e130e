// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <trackplex/geometry/field_map.hpp>
#include <trackplex/kalman/propagation.hpp>

#include <catch2/catch_template_test_macros.hpp>
#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_floating_point.hpp>

#include <cmath>
#include <numbers>

using namespace trackplex;
using namespace trackplex::kalman;
using Catch::Matchers::WithinAbs;

namespace {

constexpr double pi = std::numbers::pi;
/// In 2 T: 1/pT = 0.5 turns on a circle of 1/0.00299792458 cm.
constexpr double radius = 2. / 0.00299792458 / 2.;

Parameters<double> along(double phi, double theta = pi / 2) {
  return {{0., 0., 0., 0.5, phi, theta}};
}

/// Where a track along phi is after bending by `depth`, ahead of where it began.
void check_bent(const Parameters<double>& start, const auto& moved, double depth) {
  REQUIRE(moved.reached);
  const double c = std::cos(start(4)), s = std::sin(start(4));
  const double ahead = moved.parameters(0) * c + moved.parameters(1) * s;
  const double aside = moved.parameters(0) * s - moved.parameters(1) * c;
  CHECK_THAT(aside, WithinAbs(depth, 1e-9));
  CHECK_THAT(ahead, WithinAbs(std::sqrt(depth * (2. * radius - depth)), 1e-7));
}

}  // namespace

TEST_CASE("tracks that begin parallel to a plane bend into it", "[kalman]") {
  const geometry::FieldMap<double, Kokkos::HostSpace> map(
      HostExecutor(), geometry::sample_field({-200., 200., 3}, {-200., 200., 3}, {-200., 200., 3},
                                             [](double, double, double) {
                                               return geometry::Vector3<double>{{0., 0., 2.}};
                                             }));
  for (const double phi : {0., 0.7, pi / 2., 3., pi, -2., -pi / 2.})
    for (const double depth : {1e-3, 1., 30.}) {
      CAPTURE(phi, depth);
      const auto start = along(phi);
      // A positive charge turns to the right
      const double nx = std::sin(phi), ny = -std::cos(phi);
      for (const double sign : {1., -1.}) {
        const geometry::Surface<double> surface{0., {{sign * nx, sign * ny, 0.}}, sign * depth};
        const Plane<double> plane{sign * nx, sign * ny, 0., sign * depth};
        check_bent(start, transport(start, 1., UniformField{2.}, surface), depth);
        check_bent(start, transport(start, 1., UniformField{2.}, plane), depth);
        const geometry::UniformVectorField vector{0., 0., 2.};
        check_bent(start, transport(start, 1., vector, surface), depth);
        check_bent(start, transport(start, 1., vector, plane), depth);
        check_bent(start, transport(start, 1., map, plane), depth);
        // The other side is never reached
        const Plane<double> beyond{sign * nx, sign * ny, 0., -sign * depth};
        CHECK_FALSE(transport(start, 1., UniformField{2.}, beyond).reached);
        CHECK_FALSE(transport(start, 1., vector, beyond).reached);
        // Straight tracks stay parallel
        const geometry::UniformVectorField no_field{0., 0., 0.};
        CHECK_FALSE(transport(start, 1., UniformField{0.}, plane).reached);
        CHECK_FALSE(transport(start, 0., UniformField{2.}, surface).reached);
        CHECK_FALSE(transport(start, 1., no_field, plane).reached);
        CHECK_FALSE(transport(start, 0., vector, surface).reached);
        CHECK_FALSE(transport(start, 0., map, plane).reached);
      }
    }
}

TEMPLATE_TEST_CASE("straight tracks across the z axis reach no other z", "[kalman]", float,
                   double) {
  using T = TestType;
  using Surface = geometry::Surface<T>;
  for (const double phi : {0., 1., 3.1415})
    for (const T z : {T(-10), T(0), T(10)}) {
      CAPTURE(phi, z);
      const Parameters<T> start{{T(0.1), T(0.2), T(0), T(0.5), T(phi), T(pi / 2.)}};
      CHECK_FALSE(transport(start, T(1), UniformField{0.}, ZPlane<T>{z}).reached);
      CHECK_FALSE(transport(start, T(1), UniformField{0.}, Surface::disk(z)).reached);
      CHECK_FALSE(transport(start, T(0), UniformField{2.}, Surface::disk(z)).reached);
      CHECK_FALSE(transport(start, T(0), geometry::UniformVectorField{0., 0., 2.}, Surface::disk(z))
                      .reached);
    }
}

TEST_CASE("tracks across the z axis bend to planes of constant z", "[kalman]") {
  // B along y turns x to z
  const auto start = along(0.);
  for (const double z : {-1., 1.}) {
    const geometry::UniformVectorField field{0., z > 0. ? 2. : -2., 0.};
    const auto moved = transport(start, 1., field, geometry::Surface<double>::disk(z));
    REQUIRE(moved.reached);
    CHECK_THAT(moved.parameters(2), WithinAbs(z, 1e-12));
    CHECK_THAT(moved.parameters(0), WithinAbs(std::sqrt(2. * radius - 1.), 1e-7));
    const auto on_plane = transport(start, 1., field, ZPlane<double>{z});
    REQUIRE(on_plane.reached);
    CHECK_THAT(on_plane.parameters(2), WithinAbs(z, 1e-12));
  }
}

TEST_CASE("tracks that begin parallel to a plane, outside of a magnet, bend into it", "[kalman]") {
  const geometry::DipoleField magnet{1., 30., 60., 2.};
  const Parameters<double> start{{0., 0., 0., 0., 0., 0.4}};
  const auto at_end =
      transport<ForwardTrack>(start, 1., magnet, geometry::Surface<double>::disk(80.));
  REQUIRE(at_end.reached);
  const double x = at_end.parameters(0);
  REQUIRE(std::fabs(x) > 0.1);
  const auto moved =
      transport<ForwardTrack>(start, 1., magnet, geometry::Surface<double>{0., {{1., 0., 0.}}, x});
  REQUIRE(moved.reached);
  CHECK_THAT(moved.parameters(2), WithinAbs(80., 1e-4));
}

TEST_CASE("tracks from the axis go to cylinders along their momentum", "[kalman]") {
  // Products with 0 may have either sign
  for (const double phi : {0.3, 1.9, -0.3, -2.9})
    for (const double theta : {0.5, 2.7}) {
      CAPTURE(phi, theta);
      const Parameters<double> start{{0., 0., 0., 0.5, phi, theta}};
      const geometry::UniformVectorField field{0., 0., 2.};
      const auto moved = transport(start, 1., field, geometry::Surface<double>::cylinder(5.));
      REQUIRE(moved.reached);
      CHECK(moved.parameters(0) * std::cos(phi) + moved.parameters(1) * std::sin(phi) > 0.);
    }
}
