// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Fields and measurements against their definitions, in numbers worked out by hand.
#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_floating_point.hpp>
#include <trackplex/kalman/field_along_z.hpp>
#include <trackplex/kalman/measurement.hpp>

using namespace trackplex;
using namespace trackplex::kalman;
using Catch::Matchers::WithinAbs;
using Catch::Matchers::WithinRel;

namespace {

/// At 5 cm from the axis; all elements of its covariance differ.
const SpacePoint<double> measured_point{{{3., 4., 1.}}, {{2., 0.5, 3., 0.25, 0.75, 4.}}};
const Parameters<double> state_near{{3.1, 3.9, 1.5, 0.5, 0.9, 1.2}};

/// Residual, projection and covariance (lower triangle), row by row.
template <class Measured, int M>
void check_is(const Measured& measured, const double (&residual)[M],
              const double (&projection)[M][6], const double (&covariance)[M][M]) {
  static_assert(Measured::dimension == M);
  const auto h = as<Matrix<double, M, 6>>(measured.projection);
  for (int i = 0; i < M; ++i) {
    CAPTURE(i);
    CHECK_THAT(measured.residual(i), WithinAbs(residual[i], 1e-14));
    for (int j = 0; j < 6; ++j) CHECK_THAT(h(i, j), WithinAbs(projection[i][j], 1e-14));
    for (int j = 0; j <= i; ++j)
      CHECK_THAT(measured.covariance(i, j), WithinAbs(covariance[i][j], 1e-14));
  }
}

}  // namespace

TEST_CASE("a solenoid's field changes with z, its sign, and with the radius", "[kalman]") {
  const SolenoidField field;
  CHECK_THAT(field(0., 0., 100.), WithinRel(3.772654601, 1e-12));
  CHECK_THAT(field(0., 0., -100.), WithinRel(3.771147199, 1e-12));
  CHECK_THAT(field(60., 80., 0.), WithinRel(3.8114 + 9.29516609e-7, 1e-12));
}

TEST_CASE("a positive charge turns clockwise about a field along +z", "[kalman]") {
  CHECK_THAT(curvature_per_inverse_pt(1., 2.), WithinRel(-0.00599584916, 1e-14));
  CHECK_THAT(curvature_per_inverse_pt(-2., 2.), WithinRel(0.01199169832, 1e-14));
}

TEST_CASE("measurements are what they are defined to be", "[kalman]") {
  check_is(measure_in_space(measured_point, state_near), {-0.1, 0.1, -0.5},
           {{1., 0., 0., 0., 0., 0.}, {0., 1., 0., 0., 0., 0.}, {0., 0., 1., 0., 0., 0.}},
           {{2., 0., 0.}, {0.5, 3., 0.}, {0.25, 0.75, 4.}});
  check_is(measure_on_disk(measured_point, state_near), {-0.1, 0.1},
           {{1., 0., 0., 0., 0., 0.}, {0., 1., 0., 0., 0., 0.}}, {{2., 0.}, {0.5, 3.}});
  // t = (-(4 + 3.9), 3 + 3.1) / (2 5) = (-0.79, 0.61), half way between hit and state
  check_is(measure_on_cylinder(measured_point, state_near), {0.14, -0.5},
           {{-0.79, 0.61, 0., 0., 0., 0.}, {0., 0., 1., 0., 0., 0.}},
           {{0.6241 * 2. - 2. * 0.4819 * 0.5 + 0.3721 * 3., 0.}, {-0.79 * 0.25 + 0.61 * 0.75, 4.}});
  check_is(measure_along(0.6, 0.8, 5.5, 0.01, state_near), {5.5 - 4.98},
           {{0.6, 0.8, 0., 0., 0., 0.}}, {{0.01}});
}

TEST_CASE("hits of modules are measured along the axes of the module", "[kalman]") {
  // u and v in a plane that is tilted in all directions
  const ModuleHit<double, 3> hit{
      {{1., 2., 3.}}, {{0.6, 0.8, 0.}}, {{0.64, -0.48, 0.6}}, {{4., 1., 9., 2., 3., 16.}}, 3};
  const Parameters<double> at{{0.5, 2.5, 2., 1., 2., 3.}};  // off by (0.5, -0.5, 1)
  const double w[3] = {0.48, -0.36, -0.8};
  const double u = 0.6 * 0.5 - 0.8 * 0.5, v = 0.64 * 0.5 + 0.48 * 0.5 + 0.6;
  check_is(
      measure_in_module(hit, at), {u, v, 0.48 * 0.5 + 0.36 * 0.5 - 0.8},
      {{0.6, 0.8, 0., 0., 0., 0.}, {0.64, -0.48, 0.6, 0., 0., 0.}, {w[0], w[1], w[2], 0., 0., 0.}},
      {{4., 0., 0.}, {1., 9., 0.}, {2., 3., 16.}});
  auto strip = hit;
  strip.dimension = 1;
  const auto measured = measure_in_module(strip, at);
  CHECK(measured.count == 1);
  check_is(measured, {u, 0., 0.}, {{0.6, 0.8, 0., 0., 0., 0.}, {}, {}},
           {{4., 0., 0.}, {0., 1., 0.}, {0., 0., 1.}});
  const auto surface = hit.surface();
  for (int i = 0; i < 3; ++i) CHECK_THAT(surface.normal(i), WithinAbs(w[i], 1e-15));
  CHECK_THAT(surface.distance(hit.point), WithinAbs(0., 1e-15));
  check_is(measure_along({{0.64, -0.48, 0.6}}, 2., 0.25, at), {2. - (0.32 - 1.2 + 1.2)},
           {{0.64, -0.48, 0.6, 0., 0., 0.}}, {{0.25}});
}
