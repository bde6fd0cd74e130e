// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_floating_point.hpp>
#include <trackplex/core/lane_memory.hpp>
#include <trackplex/geometry/field.hpp>
#include <trackplex/geometry/field_grid.hpp>

#include <cmath>
#include <numbers>

using namespace trackplex;
using namespace trackplex::geometry;
using Catch::Matchers::WithinAbs;
using Catch::Matchers::WithinRel;

namespace {

using Point = Vector3<double>;

/// Derivative of component i with respect to coordinate j by Ridders' extrapolation.
template <class Field>
double slope(const Field& field, Point at, int i, int j) {
  const auto difference = [&](double h) {
    Point above = at, below = at;
    above(j) += h;
    below(j) -= h;
    return (field(above(0), above(1), above(2))(i) - field(below(0), below(1), below(2))(i)) /
           (2. * h);
  };
  return (4. * difference(5e-3) - difference(1e-2)) / 3.;
}

/// Field of a loop of current by summation of Biot and Savart's law, T, for mu_0 I in T cm.
Point field_of_loop(double radius, double current, const Point& at) {
  const int n = 2000;
  Point sum{};
  for (int i = 0; i < n; ++i) {
    const double phi = 2. * std::numbers::pi * i / n, arc = 2. * std::numbers::pi * radius / n;
    const Point from{{at(0) - radius * std::cos(phi), at(1) - radius * std::sin(phi), at(2)}};
    const Point along{{-arc * std::sin(phi), arc * std::cos(phi), 0.}};
    const double distance = std::sqrt(dot(from, from));
    sum = add_scaled(sum, current / (4. * std::numbers::pi * distance * distance * distance),
                     cross(along, from));
  }
  return sum;
}

}  // namespace

TEST_CASE("a uniform field is the same everywhere", "[geometry]") {
  constexpr UniformVectorField field{0.1, -0.2, 3.};
  static_assert(is_uniform<UniformVectorField>());
  static_assert(!is_uniform<DipoleField>());
  const auto b = field.rounded_to<float>()(1.f, 2.f, 3.f);
  CHECK(b(0) == 0.1f);
  CHECK(b(1) == -0.2f);
  CHECK(b(2) == 3.f);
}

TEST_CASE("the field of a dipole obeys Maxwell's equations, and its gradient is its derivative",
          "[geometry]") {
  const DipoleField field{1.2, -40., 60., 15.};
  for (double y = -12.; y <= 12.; y += 3.)
    for (double z = -90.; z <= 110.; z += 10.) {
      CAPTURE(y, z);
      const auto at = field.with_gradient(7., y, z);
      const auto g = as<Matrix<double, 3, 3>>(at.gradient);
      CHECK_THAT(g(1, 1) + g(2, 2), WithinAbs(0., 1e-15));  // divergence
      CHECK_THAT(g(1, 2) - g(2, 1), WithinAbs(0., 1e-15));  // curl
      CHECK(at.tesla(0) == 0.);
      CHECK_THAT(g(1, 1), WithinAbs(slope(field, {{7., y, z}}, 1, 1), 1e-8));
      CHECK_THAT(g(1, 2), WithinAbs(slope(field, {{7., y, z}}, 1, 2), 1e-8));
      CHECK_THAT(g(2, 1), WithinAbs(slope(field, {{7., y, z}}, 2, 1), 1e-8));
      CHECK_THAT(g(2, 2), WithinAbs(slope(field, {{7., y, z}}, 2, 2), 1e-8));
    }
  CHECK_THAT(field(0., 0., 10.)(1), WithinRel(1.2 * std::tanh(50. / 15.), 1e-14));
  CHECK_THAT(field(0., 0., -40.)(1), WithinRel(0.6 * std::tanh(100. / 15.), 1e-14));
  const auto far = field(0., 5., 1e6);
  CHECK(far(1) == 0.);
  CHECK_THAT(far(2), WithinAbs(0., 1e-300));
}

TEST_CASE("lanes of a dipole have the bits of scalars", "[geometry]") {
  using Real = Lanes<double, 4>;
  const DipoleField field{1.2, -40., 60., 15.};
  Real y(0.), z(0.);
  for (int lane = 0; lane < 4; ++lane) {
    insert(y, lane, -8. + 5. * lane);
    insert(z, lane, -60. + 37. * lane);
  }
  const auto all = field(Real(1.), y, z);
  for (int lane = 0; lane < 4; ++lane) {
    const auto one = field(1., extract(y, lane), extract(z, lane));
    for (int i = 0; i < 3; ++i) CHECK(extract(all(i), lane) == one(i));
  }
}

namespace {

/// Whether B_r and B_z of an axisymmetric field have neither divergence nor curl, at two points.
template <class Field>
void check_free_of_sources(const Field& axisymmetric) {
  const auto field = [&](double x, double y, double z) {
    const double r = std::hypot(x, y);
    const auto b = axisymmetric(r, z);
    return Point{{b[0] * x / r, b[0] * y / r, b[1]}};
  };
  for (const Point at : {Point{{20., 30., 120.}}, Point{{-60., 10., -170.}}}) {
    const auto d = [&](int i, int j) { return slope(field, at, i, j); };
    CHECK_THAT(d(0, 0) + d(1, 1) + d(2, 2), WithinAbs(0., 1e-11));
    CHECK_THAT(d(0, 2) - d(2, 0), WithinAbs(0., 1e-11));
    CHECK_THAT(d(1, 2) - d(2, 1), WithinAbs(0., 1e-11));
    CHECK_THAT(d(0, 1) - d(1, 0), WithinAbs(0., 1e-11));
  }
}

}  // namespace

TEST_CASE("the field of a finite solenoid is that of its loops of current", "[geometry]") {
  const FiniteSolenoid solenoid{2., 100., 150.};
  const auto by_loops = [&](double r, double z) {
    const int n = 3000;
    Point sum{};
    const double length = 2. * solenoid.half_length / n;
    for (int i = 0; i < n; ++i) {
      const double at = -solenoid.half_length + length * (i + 0.5);
      sum = add_scaled(sum, 1.,
                       field_of_loop(solenoid.radius, solenoid.tesla * length, {{r, 0., z - at}}));
    }
    return sum;
  };
  for (const double r : {0., 30., 80., 140.})
    for (const double z : {0., 70., 140., 260.}) {
      CAPTURE(r, z);
      const auto field = solenoid(r, z);
      const auto sum = by_loops(r, z);
      CHECK_THAT(field[0], WithinAbs(sum(0), 2e-6));
      CHECK_THAT(field[1], WithinAbs(sum(2), 2e-6));
    }
  const double on_axis = 2. * 150. / std::hypot(150., 100.);
  CHECK_THAT(solenoid(0., 0.)[1], WithinRel(on_axis, 1e-14));
  CHECK(solenoid(0., 40.)[0] == 0.);
  check_free_of_sources(solenoid);  // away from the sheet
}

TEST_CASE("a field without a gradient has none, and steps of 5 cm", "[geometry]") {
  const auto field = [](auto x, auto, auto z) { return Vector3<decltype(x)>{{x, x, z}}; };
  const auto at = field_at(field, Point{{1., 2., 3.}});
  CHECK(at.tesla(2) == 3.);
  static_assert(decltype(at.gradient)::size == 0);
  CHECK(step_limit<double>(field) == 5.);
  CHECK(step_limit<float>(DipoleField{1., 0., 9., 6.}) == 2.f);
  CHECK(covers(field, Point{{1e9, 0., 0.}}));
}

TEST_CASE("a series of a solenoid is free of divergence and curl", "[geometry]") {
  const SolenoidSeries<4> series{300., {1.2, 0.7, -0.1, 0.02}};
  CHECK(series(0., 0.)[1] == 1.2 + 0.7 - 0.1 + 0.02);
  CHECK(series(0., 40.)[0] == 0.);
  check_free_of_sources(series);
}

TEST_CASE("a displaced field is that about its centre", "[geometry]") {
  const DipoleField dipole{1.5, -30., 30., 20.};
  const DisplacedField<DipoleField> displaced{dipole, {{3., -2., 10.}}};
  const auto here = displaced(1., 2., 35.), there = dipole(-2., 4., 25.);
  const auto at = displaced.with_gradient(1., 2., 35.);
  const auto expected = dipole.with_gradient(-2., 4., 25.);
  for (int i = 0; i < 3; ++i) {
    CHECK(here(i) == there(i));
    CHECK(at.tesla(i) == there(i));
  }
  for (int i = 0; i < decltype(at.gradient)::size; ++i)
    CHECK(at.gradient.elements[i] == expected.gradient.elements[i]);
  CHECK(displaced.step_limit() == step_limit<double>(dipole));
  CHECK(covers(displaced, Point{{1., 2., 35.}}));
}
