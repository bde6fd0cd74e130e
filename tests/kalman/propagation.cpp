// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <catch2/catch_approx.hpp>
#include <catch2/catch_template_test_macros.hpp>
#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_floating_point.hpp>
#include <trackplex/core/lane_memory.hpp>
#include <trackplex/kalman/propagation.hpp>

#include "differences.hpp"

using namespace trackplex;
using namespace trackplex::kalman;
using Catch::Matchers::WithinAbs;
using Catch::Matchers::WithinRel;
using trackplex::test::state_steps;
using trackplex::test::Uniform;
using trackplex::test::worst_difference;

namespace {

Parameters<double> random_start(Uniform& uniform) {
  const double r = uniform(0., 40.), azimuth = uniform(-3.1, 3.1);
  return {{r * std::cos(azimuth), r * std::sin(azimuth), uniform(-20., 20.), uniform(0., 2.),
           azimuth + uniform(-1., 1.), uniform(0.3, 2.8)}};
}

double random_factor(Uniform& uniform) {
  return curvature_per_inverse_pt(uniform(0., 1.) < 0.5 ? 1. : -1., uniform(0., 4.));
}

template <class Surface>
auto map_to(const Surface& surface, double factor) {
  return [=](const Parameters<double>& x) { return transport(x, factor, surface).parameters; };
}

/// Follows a helix in many small straight steps of the second order.
Parameters<double> step_through(Parameters<double> p, double factor, double length) {
  const int n = 20000;
  const double kappa = factor * p(3), h = length / n;
  for (int i = 0; i < n; ++i) {
    const double middle = p(4) + kappa * h / 2.;
    p(0) += h * std::cos(middle);
    p(1) += h * std::sin(middle);
    p(2) += h / std::tan(p(5));
    p(4) += kappa * h;
  }
  return p;
}

}  // namespace

TEST_CASE("functions of an arc agree with sin and cos, and with their limits", "[kalman]") {
  for (int i = -3072; i <= 3072; ++i) {
    const double angle = i / 1024.;  // a float, too
    const long double a = angle;
    const ArcFunctions<double> arc(angle);
    const ArcFunctions<float> single{float(angle)};
    const long double sine = a == 0.L ? 1.L : std::sin(a) / a;
    const long double half = std::sin(a / 2.L);
    const long double cosine = a == 0.L ? 0.5L : 2.L * half * half / (a * a);
    REQUIRE(arc.sine == Catch::Approx(double(sine)).epsilon(1e-14));
    REQUIRE(arc.one_minus_cosine == Catch::Approx(double(cosine)).epsilon(1e-14));
    if (std::fabs(angle) > 0.01) {
      const long double moment = (std::sin(a) - a * std::cos(a)) / (a * a * a);
      REQUIRE(arc.moment == Catch::Approx(double(moment)).epsilon(1e-13));
      // Beyond half a radian it is a difference
      REQUIRE_THAT(double(single.moment),
                   WithinRel(double(moment), std::fabs(angle) <= 0.5 ? 4e-7 : 5e-6));
    }
    REQUIRE_THAT(double(single.sine), WithinRel(double(sine), 4e-7));
    REQUIRE_THAT(double(single.one_minus_cosine), WithinRel(double(cosine), 4e-7));
  }
  const ArcFunctions<double> none(0.);
  CHECK(none.sine == 1.);
  CHECK(none.one_minus_cosine == 0.5);
  CHECK(none.moment == 1. / 3.);
  for (double t = -5.; t <= 5.; t += 0.01)
    if (std::fabs(t) > 1e-6)
      REQUIRE(arctangent_ratio(t) == Catch::Approx(std::atan(t) / t).epsilon(1e-14));
  CHECK(arctangent_ratio(0.) == 1.);
}

TEST_CASE("a helix ends on its surface, where small steps lead, too", "[kalman]") {
  Uniform uniform(1);
  int reached = 0;
  for (int n = 0; n < 300; ++n) {
    const auto start = random_start(uniform);
    const double factor = random_factor(uniform);
    const Helix<double> helix(start, factor);
    const auto check = [&](const auto& crossing, double distance) {
      if (!crossing.reached) return;
      ++reached;
      REQUIRE_THAT(distance, WithinAbs(0., 1e-8));
      const auto there = step_through(start, factor, crossing.point.length);
      for (int i = 0; i < 6; ++i)
        REQUIRE_THAT(crossing.point.parameters(i), WithinAbs(there(i), 1e-4));
    };
    const Cylinder<double> cylinder{uniform(0.5, 60.)};
    const auto on_cylinder = cylinder.cross(helix);
    const auto& p = on_cylinder.point.parameters;
    check(on_cylinder, std::hypot(p(0), p(1)) - cylinder.radius);
    const double r = std::hypot(start(0), start(1));
    if (on_cylinder.reached && cylinder.radius > r) REQUIRE(on_cylinder.point.length > 0.);
    const ZPlane<double> disk{start(2) + uniform(-20., 20.)};
    const auto on_disk = disk.cross(helix);
    check(on_disk, on_disk.point.parameters(2) - disk.z);
    const Plane<double> plane{0.6, 0., 0.8, 0.6 * start(0) + 0.8 * start(2) + uniform(-3., 3.)};
    const auto on_plane = plane.cross(helix);
    check(on_plane, on_plane.reached ? plane.distance(on_plane.point.parameters) : 0.);
  }
  CHECK(reached > 800);
}

TEST_CASE("the Jacobians of transports are those of central differences", "[kalman]") {
  Uniform uniform(2);
  int checked[3] = {};
  for (int n = 0; n < 5000; ++n) {
    const auto start = random_start(uniform);
    const double factor = random_factor(uniform);
    const auto check = [&](int kind, const auto& surface) {
      const auto moved = transport(start, factor, surface);
      const Helix<double> helix(start, factor);
      // Away from the edge of what is reached, where derivatives grow without limit
      const auto crossing = surface.cross(helix);
      double largest = 0.;
      for (double d : crossing.length_derivatives.elements)
        largest = std::max(largest, std::fabs(d));
      if (!moved.reached || largest > 300. || std::fabs(crossing.point.length) > 100.) return;
      ++checked[kind];
      CAPTURE(kind, n);
      REQUIRE(worst_difference<6>(start, map_to(surface, factor), moved.jacobian, state_steps,
                                  10.) < 1e-6);
    };
    check(0, Cylinder<double>{uniform(0.5, 60.)});
    check(1, ZPlane<double>{start(2) + uniform(-20., 20.)});
    const double tilt = uniform(0., 1.);
    Plane<double> plane{std::cos(start(4)) * std::cos(tilt), std::sin(start(4)) * std::cos(tilt),
                        std::sin(tilt), 0.};
    plane.offset = plane.distance(start) + uniform(-3., 3.);
    check(2, plane);
  }
  for (const int count : checked) CHECK(count > 3000);
}

TEST_CASE("without a field a track is a straight line", "[kalman]") {
  const Parameters<double> start{{1., 2., 3., 0.5, 0.3, 1.1}};
  const auto moved = transport(start, 1., UniformField{0.}, ZPlane<double>{13.}, 1);
  REQUIRE(moved.reached);
  const double length = 10. * std::tan(1.1);
  CHECK_THAT(moved.parameters(0), WithinRel(1. + length * std::cos(0.3), 1e-14));
  CHECK_THAT(moved.parameters(1), WithinRel(2. + length * std::sin(0.3), 1e-14));
  CHECK(moved.parameters(4) == 0.3);
}

TEST_CASE("steps through a changing field follow it; in a uniform one their number is of no matter",
          "[kalman]") {
  const auto field = [](auto x, auto y, auto z) {
    return 3.8 - 0.002 * (x * x + y * y) + 0.01 * z;
  };
  const Parameters<double> start{{1., 0., 2., 0.7, 0.4, 1.2}};
  // The field along the path, in very small steps
  Parameters<double> p = start;
  const Cylinder<double> cylinder{30.};
  const int n = 300000;
  while (std::hypot(p(0), p(1)) < cylinder.radius) {
    const double h = 40. / n;
    const double kappa = curvature_per_inverse_pt(1., field(p(0), p(1), p(2))) * p(3);
    p(0) += h * std::cos(p(4) + kappa * h / 2.);
    p(1) += h * std::sin(p(4) + kappa * h / 2.);
    p(2) += h / std::tan(p(5));
    p(4) += kappa * h;
  }
  double last = 1.;
  for (const int many : {1, 10, 100}) {
    const auto moved = transport(start, 1., field, cylinder, many);
    REQUIRE(moved.reached);
    const double error = std::fabs(moved.parameters(4) - p(4));
    CHECK(error < last / 5.);
    last = error;
  }
  CHECK(last < 1e-3);

  const auto once = transport(start, 1., UniformField{3.8}, cylinder, 1);
  const auto often = transport(start, 1., UniformField{3.8}, cylinder, 7);
  for (int i = 0; i < 6; ++i)
    CHECK(often.parameters(i) == Catch::Approx(once.parameters(i)).epsilon(1e-12));
  const auto one = as<Matrix<double, 6, 6>>(once.jacobian);
  const auto seven = as<Matrix<double, 6, 6>>(often.jacobian);
  for (int i = 0; i < 6; ++i)
    for (int j = 0; j < 6; ++j)
      CHECK(seven(i, j) == Catch::Approx(one(i, j)).epsilon(1e-10).margin(1e-12));
}

TEST_CASE("lanes that do not reach a surface keep their state", "[kalman]") {
  using Real = Lanes<float, 8>;
  Uniform uniform(3);
  TrackState<Real> state{};
  TrackState<float> scalars[8];
  for (int lane = 0; lane < 8; ++lane) {
    auto& s = scalars[lane];
    // pT of 0.1 GeV in 3.8 T: a circle of 8.8 cm radius does not reach 40 cm
    s.parameters = {{1.f, 0.f, 0.f, lane % 2 ? 10.f : 0.5f, float(uniform(-1., 1.)), 1.2f}};
    for (int e = 0; e < 21; ++e) s.covariance.elements[e] = float(uniform(0., 0.1));
    s.charge = 1.f;
    for (int i = 0; i < 6; ++i) insert(state.parameters(i), lane, s.parameters(i));
    for (int e = 0; e < 21; ++e)
      insert(state.covariance.elements[e], lane, s.covariance.elements[e]);
    insert(state.charge, lane, 1.f);
  }
  const auto before = state;
  const auto reached = propagate(state, UniformField{3.8}, Cylinder<Real>{Real(40.f)});
  CHECK(bits_of(reached) == 0b01010101u);
  for (int lane = 0; lane < 8; ++lane) {
    CAPTURE(lane);
    CHECK(propagate(scalars[lane], UniformField{3.8}, Cylinder<float>{40.f}) == (lane % 2 == 0));
    for (int i = 0; i < 6; ++i)
      CHECK(extract(state.parameters(i), lane) == scalars[lane].parameters(i));
    for (int e = 0; e < 21; ++e) {
      CHECK(extract(state.covariance.elements[e], lane) == scalars[lane].covariance.elements[e]);
      if (lane % 2)
        CHECK(extract(state.covariance.elements[e], lane) ==
              extract(before.covariance.elements[e], lane));
    }
  }
}

TEMPLATE_TEST_CASE("a track that stays at its z meets no other z", "[kalman]", float, double) {
  using T = TestType;
  const T right_angle = T(std::numbers::pi / 2.);
  const auto reaches = [](T theta) {
    const Parameters<T> start{{T(0), T(0), T(0), T(1), T(0), theta}};
    return ZPlane<T>{T(1)}.cross(Helix<T>(start, T(0.01))).reached;
  };
  CHECK_FALSE(reaches(right_angle));
  CHECK(reaches(right_angle - T(1e-4)));
  CHECK(reaches(right_angle + T(1e-4)));
}

TEMPLATE_TEST_CASE("what is no number, or along the axis, reaches no surface", "[kalman]", double,
                   (Lanes<double, 4>)) {
  using Real = TestType;
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const UniformField field{3.8};
  const double good[6] = {1., 2., 3., 0.5, 0.3, 1.1};
  const auto state_with = [&](int parameter, double value) {
    TrackState<Real> state{};
    for (int i = 0; i < 6; ++i) state.parameters(i) = Real(i == parameter ? value : good[i]);
    for (int i = 0; i < 6; ++i) state.covariance(i, i) = Real(1.);
    state.charge = Real(1.);
    return state;
  };
  const auto check = [&](const auto& surface, bool reached, int parameter, double value) {
    CAPTURE(parameter, value);
    auto state = state_with(parameter, value);
    const auto arrived = propagate(state, field, surface);
    CHECK(all_of(arrived) == reached);
    CHECK(any_of(arrived) == reached);
    for (int i = 0; i < 6 && !reached; ++i)
      if (i != parameter) CHECK(extract(state.parameters(i), 0) == good[i]);
  };
  const Cylinder<Real> cylinder{Real(30.)};
  const ZPlane<Real> disk{Real(13.)};
  const Plane<Real> plane{Real(0.6), Real(0.), Real(0.8), Real(5.)};
  const Plane<Real> upright{Real(1.), Real(0.), Real(0.), Real(5.)};
  for (int parameter = 0; parameter < 6; ++parameter) {
    check(cylinder, false, parameter, nan);
    check(disk, false, parameter, nan);
    check(plane, false, parameter, nan);
    check(upright, false, parameter, nan);
  }
  check(cylinder, false, Parameter::theta, 0.);
  check(plane, false, Parameter::theta, 0.);
  check(upright, false, Parameter::theta, 0.);
  check(disk, true, Parameter::theta, 0.);  // straight along the axis
  check(cylinder, true, Parameter::theta, good[5]);
  check(disk, true, Parameter::theta, good[5]);
  check(plane, true, Parameter::theta, good[5]);
  check(upright, true, Parameter::theta, good[5]);
}

TEST_CASE("inwards a track meets the nearer side of a cylinder, forwards or backwards",
          "[kalman]") {
  const Cylinder<double> cylinder{5.};
  for (const double factor : {0., 0.01, -0.01}) {
    CAPTURE(factor);
    const auto cross = [&](double phi) {
      const Parameters<double> start{{10., 0., 0., 0.5, phi, 1.2}};
      return cylinder.cross(Helix<double>(start, factor));
    };
    const auto ahead = cross(std::numbers::pi), behind = cross(0.);
    REQUIRE(ahead.reached);
    REQUIRE(behind.reached);
    CHECK_THAT(ahead.point.length, WithinAbs(5., 0.01));
    CHECK_THAT(behind.point.length, WithinAbs(-5., 0.01));
    CHECK_THAT(ahead.point.parameters(0), WithinAbs(5., 0.01));
    CHECK_THAT(behind.point.parameters(0), WithinAbs(5., 0.01));
  }
}

TEST_CASE("surfaces between a point and a surface stand at their part of the way", "[kalman]") {
  const Parameters<double> start{{3., 4., 2., 0.7, 0.4, 1.2}};
  CHECK_THAT(Cylinder<double>{30.}.between(start, 0.2).radius, WithinRel(10., 1e-14));
  CHECK_THAT(ZPlane<double>{12.}.between(start, 0.25).z, WithinRel(4.5, 1e-14));
  CHECK_THAT(ZPlane<double>{-8.}.between(start, 0.25).z, WithinRel(-0.5, 1e-14));
  const Plane<double> plane{0.6, 0., 0.8, 20.};
  const auto part = plane.between(start, 0.25);
  CHECK_THAT(part.offset, WithinRel(3.4 + 0.25 * 16.6, 1e-14));  // 3.4 of the start
  CHECK(part.nx == plane.nx);
  CHECK(part.ny == plane.ny);
  CHECK(part.nz == plane.nz);
}

TEST_CASE("a track that is lost on an inner step does not reach the surface", "[kalman]") {
  // So strong inside that tracks curl up before the first step ends, and nothing outside
  const auto field = [](double x, double y, double) { return std::hypot(x, y) < 2. ? 50. : 0.; };
  const Parameters<double> start{{0., 0., 0., 1., 0.4, 1.2}};
  const Cylinder<double> cylinder{40.};
  REQUIRE(transport(start, 1., UniformField{0.}, cylinder, 2).reached);
  const auto first = transport(start, 1., field, cylinder.between(start, 0.5), 1);
  REQUIRE_FALSE(first.reached);
  // ... though the second step from where the first leaves it would
  REQUIRE(std::hypot(first.parameters(0), first.parameters(1)) > 2.);
  REQUIRE(transport(first.parameters, 1., field, cylinder, 1).reached);
  CHECK_FALSE(transport(start, 1., field, cylinder, 2).reached);
}

TEST_CASE("many steps to planes follow a changing field", "[kalman]") {
  const auto field = [](auto x, auto y, auto z) {
    return 3.8 - 0.002 * (x * x + y * y) + 0.01 * z;
  };
  const Parameters<double> start{{1., 0., 2., 0.7, 0.4, 1.2}};
  const auto check = [&](const auto& surface, const auto& is_behind) {
    Parameters<double> p = start;
    const double h = 1e-4;
    while (!is_behind(p)) {
      const double kappa = curvature_per_inverse_pt(1., field(p(0), p(1), p(2))) * p(3);
      p(0) += h * std::cos(p(4) + kappa * h / 2.);
      p(1) += h * std::sin(p(4) + kappa * h / 2.);
      p(2) += h / std::tan(p(5));
      p(4) += kappa * h;
    }
    double last = 1.;
    for (const int many : {1, 10, 100}) {
      CAPTURE(many);
      const auto moved = transport(start, 1., field, surface, many);
      REQUIRE(moved.reached);
      const double error = std::fabs(moved.parameters(4) - p(4));
      CHECK(error < last / 5.);
      last = error;
    }
    CHECK(last < 1e-3);
  };
  check(ZPlane<double>{12.}, [](const auto& p) { return p(2) > 12.; });
  const Plane<double> plane{0.6, 0., 0.8, 20.};
  check(plane, [&](const auto& p) { return plane.distance(p) > 0.; });
  // Surfaces without a parallel one through the start: parts of the path
  check(geometry::Surface<double>::disk(12.), [](const auto& p) { return p(2) > 12.; });
  check(geometry::Surface<double>::cylinder(30.),
        [](const auto& p) { return std::hypot(p(0), p(1)) > 30.; });
}
