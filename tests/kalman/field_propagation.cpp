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
using geometry::DipoleField;
using geometry::Surface;
using geometry::UniformVectorField;
using trackplex::test::state_steps;
using trackplex::test::Uniform;
using trackplex::test::worst_difference;

namespace {

using Vector3 = geometry::Vector3<double>;

/// Field with curvature in all directions, divergence-free, for derivatives.
struct WavyField {
  template <class Real>
  Vector3 operator()(const Real& x, const Real& y, const Real& z) const {
    return with_gradient(x, y, z).tesla;
  }
  geometry::FieldAt<double> with_gradient(double x, double y, double z) const {
    const double a = 0.02;
    return {{{0.7 * std::sin(a * y), 1.2 * std::cos(a * z), 2. + 0.5 * std::sin(a * (x - y))}},
            {0., 0.7 * a * std::cos(a * y), 0., 0., 0., -1.2 * a * std::sin(a * z),
             0.5 * a * std::cos(a * (x - y)), -0.5 * a * std::cos(a * (x - y)), 0.}};
  }
};

template <class Model>
Parameters<double> random_start(Uniform& uniform) {
  const double x = uniform(-15., 15.), y = uniform(-15., 15.), z = uniform(-20., 20.);
  if constexpr (std::is_same_v<Model, CentralTrack>)
    return {{x, y, z, uniform(0.1, 2.), uniform(-3.1, 3.1), uniform(0.4, 2.7)}};
  else
    return {{x, y, z, uniform(-0.8, 0.8), uniform(-0.8, 0.8), uniform(-2., 2.)}};
}

template <class Model>
Vector3 direction(const Parameters<double>& at) {
  return Model::motion(at, 1.).motion.direction;
}

/// Surfaces of all kinds within 10 cm or so, ahead and behind.
template <class Model>
Surface<double> random_surface(int kind, Uniform& uniform, const Parameters<double>& start) {
  const Vector3 at{{start(0), start(1), start(2)}}, t = direction<Model>(start);
  const double way = uniform(-15., 15.);
  const Vector3 there = geometry::add_scaled(at, way, t);
  if (kind == 0) return Surface<double>::cylinder(std::hypot(there(0), there(1)));
  if (kind == 1) return Surface<double>::disk(there(2));
  Vector3 normal{{t(0) + uniform(-0.7, 0.7), t(1) + uniform(-0.7, 0.7), t(2)}};
  return Surface<double>::plane(there, 1. / std::sqrt(geometry::dot(normal, normal)) * normal);
}

template <class Model, class Field>
void check_jacobians(const Field& field, unsigned seed) {
  Uniform uniform(seed);
  int checked[3] = {};
  for (int n = 0; n < 900; ++n) {
    const int kind = n % 3;
    const auto start = random_start<Model>(uniform);
    const double charge = n % 2 ? 1. : -1.;
    const auto surface = random_surface<Model>(kind, uniform, start);
    const auto moved = transport<Model>(start, charge, field, surface);
    if (!moved.reached) continue;
    const auto& p = moved.parameters;
    const Vector3 end{{p(0), p(1), p(2)}};
    REQUIRE_THAT(surface.distance(end), WithinAbs(0., 1e-9));
    // Away from the edge of what is reached, where derivatives grow without limit
    if (std::fabs(geometry::dot(surface.gradient(end), direction<Model>(p))) < 0.3 ||
        std::hypot(end(0) - start(0), end(1) - start(1), end(2) - start(2)) > 40.)
      continue;
    ++checked[kind];
    CAPTURE(kind, n);
    const auto map = [&](const Parameters<double>& x) {
      return transport<Model>(x, charge, field, surface).parameters;
    };
    REQUIRE(worst_difference<6>(start, map, moved.jacobian, state_steps, 10.) < 1e-6);
  }
  for (const int count : checked) CHECK(count > 120);
}

}  // namespace

TEMPLATE_TEST_CASE("Jacobians in fields of any direction are those of central differences",
                   "[kalman]", CentralTrack, ForwardTrack) {
  check_jacobians<TestType>(UniformVectorField{0.8, -1.1, 2.9}, 1);
  check_jacobians<TestType>(UniformVectorField{0., 0., 0.}, 2);
  check_jacobians<TestType>(UniformField{3.8}, 3);
  check_jacobians<TestType>(DipoleField{1.5, -25., 25., 40.}, 4);
  check_jacobians<TestType>(WavyField{}, 5);
}

TEST_CASE("magnetic fields do not change momenta, nor what they depend on", "[kalman]") {
  const auto check = [](const auto& field, unsigned seed) {
    Uniform uniform(seed);
    int checked = 0;
    for (int n = 0; n < 300; ++n) {
      auto start = random_start<CentralTrack>(uniform);
      start(3) = uniform(0.1, 1.);
      const auto t = direction<CentralTrack>(start);
      const Vector3 there =
          geometry::add_scaled(Vector3{{start(0), start(1), start(2)}}, uniform(-80., 80.), t);
      const auto surface = Surface<double>::plane(there, t);
      const auto moved = transport<CentralTrack>(start, n % 2 ? 1. : -1., field, surface);
      const auto& end = moved.parameters;
      if (!moved.reached || std::fabs(geometry::dot(direction<CentralTrack>(end), t)) < 0.3)
        continue;
      ++checked;
      CAPTURE(seed, n);
      // 1/p = sin(theta) / pT, and the derivatives of its logarithm
      const double before = std::sin(start(5)) * start(3), after = std::sin(end(5)) * end(3);
      REQUIRE_THAT(after, WithinRel(before, 4e-15));
      const auto jacobian = as<Matrix<double, 6, 6>>(moved.jacobian);
      for (int j = 0; j < 6; ++j) {
        const double expected = j == 3 ? 1. / start(3) : j == 5 ? 1. / std::tan(start(5)) : 0.;
        CHECK_THAT(jacobian(3, j) / end(3) + jacobian(5, j) / std::tan(end(5)),
                   WithinAbs(expected, 1e-9 * std::max(1., std::fabs(expected))));
      }
    }
    CHECK(checked > 200);
  };
  check(UniformVectorField{0.8, -1.1, 2.9}, 11);
  check(UniformField{3.8}, 12);
  check(DipoleField{1.5, -25., 25., 40.}, 13);
  check(WavyField{}, 14);
}
