// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <trackplex/kalman/osculating_parabola.hpp>

#include <catch2/catch_template_test_macros.hpp>
#include <catch2/catch_test_macros.hpp>

#include <algorithm>
#include <cmath>
#include <trackplex/kalman/field_along_z.hpp>
#include <trackplex/kalman/propagation.hpp>
#include <trackplex/kalman/update.hpp>
#include <tuple>
#include <type_traits>
#include <vector>

#include "differences.hpp"

using namespace trackplex;
using namespace trackplex::kalman;
using geometry::cross;
using geometry::dot;
using geometry::Frame;

namespace {

using Vector3 = geometry::Vector3<double>;
using Models = std::tuple<CentralTrack, ForwardTrack>;

Vector3 unit(const Vector3& a) { return 1. / std::sqrt(dot(a, a)) * a; }

/// State near a module, and a hit on it.
struct Near {
  Parameters<double> at;
  double charge;
  Frame<double> frame;
  double u, v;
};

/// Random tracks of 0.5 to 10 GeV, up to `distance` (cm) before or behind modules that are tilted
/// by up to 50 degrees against them.
template <class Model>
std::vector<Near> near_modules(int n, double distance) {
  test::Uniform uniform(5);
  std::vector<Near> all;
  for (int i = 0; i < n; ++i) {
    Near one;
    one.charge = i % 2 ? 1. : -1.;
    for (int k = 0; k < 3; ++k) one.at(k) = uniform(-30., 30.);
    const double per_p = 1. / uniform(0.5, 10.);
    if constexpr (std::is_same_v<Model, CentralTrack>) {
      one.at(3) = per_p;
      one.at(4) = uniform(-3., 3.);
      one.at(5) = uniform(0.4, 2.7);
    } else {
      one.at(3) = uniform(-1., 1.);
      one.at(4) = uniform(-1., 1.);
      one.at(5) = one.charge * per_p;
    }
    const Vector3 t = Model::motion(one.at, one.charge).motion.direction;
    const Vector3 across = unit(cross(t, {uniform(-1., 1.), uniform(-1., 1.), 2.}));
    const double tilt = uniform(-0.9, 0.9), turn = uniform(-3., 3.);
    const Vector3 normal = std::cos(tilt) * t + std::sin(tilt) * across;
    const Vector3 a = unit(cross(normal, across)), b = cross(normal, a);
    one.frame.u = std::cos(turn) * a + std::sin(turn) * b;
    one.frame.v = cross(normal, one.frame.u);
    const double u = uniform(-2., 2.), v = uniform(-2., 2.);
    one.frame.centre = Vector3{one.at(0), one.at(1), one.at(2)} + distance * uniform(-1., 1.) * t -
                       u * one.frame.u - v * one.frame.v;
    one.u = u + uniform(-0.1, 0.1);
    one.v = v + uniform(-0.1, 0.1);
    all.push_back(one);
  }
  return all;
}

template <class Model, class Real>
auto measure(const Near& near, const geometry::Vector3<Real>& tesla, const Real& variance_v) {
  Parameters<Real> at;
  for (int k = 0; k < 6; ++k) at(k) = Real(ScalarOf<Real>(near.at(k)));
  const auto vector = [](const Vector3& a) {
    using T = ScalarOf<Real>;
    return geometry::Vector3<Real>{{Real(T(a(0))), Real(T(a(1))), Real(T(a(2)))}};
  };
  using T = ScalarOf<Real>;
  const OsculatingParabola<Real, Model> parabola(at, Real(T(near.charge)), tesla);
  return parabola.measure({vector(near.frame.centre), vector(near.frame.u), vector(near.frame.v)},
                          Real(T(near.u)), Real(T(near.v)), Real(T(1e-4)), variance_v);
}

/// Coordinates of an exactly propagated track in the frame of a module.
template <class Model, class Field>
Vector<double, 2> exact(const Near& near, const Parameters<double>& at, const Field& field) {
  const auto surface = geometry::Surface<double>::plane(near.frame.centre, near.frame.normal());
  const auto moved = transport<Model>(at, near.charge, field, surface);
  REQUIRE(moved.reached);
  const Vector3 point{moved.parameters(0), moved.parameters(1), moved.parameters(2)};
  const Vector3 off = point - near.frame.centre;
  Vector<double, 2> local;
  local(0) = dot(near.frame.u, off);
  local(1) = dot(near.frame.v, off);
  return local;
}

/// Largest errors of the residuals (cm), and of the derivatives.
template <class Model, class Field>
std::pair<double, double> worst_errors(const Field& field, double distance) {
  double residual = 0., derivative = 0.;
  for (const auto& near : near_modules<Model>(200, distance)) {
    const auto tesla = field_vector<double>(field, near.at(0), near.at(1), near.at(2));
    const auto m = measure<Model>(near, tesla, 2e-4);
    const auto there = exact<Model>(near, near.at, field);
    residual = std::max({residual, std::abs(m.residual.elements[0] - (near.u - there(0))),
                         std::abs(m.residual.elements[1] - (near.v - there(1)))});
    derivative = std::max(
        derivative,
        test::worst_difference<2, 6>(
            near.at, [&](const Parameters<double>& at) { return exact<Model>(near, at, field); },
            m.projection, test::state_steps));
    CHECK(m.count == 2);
    CHECK(m.covariance.elements[0] == 1e-4);
    CHECK(m.covariance.elements[1] == 0.);
    CHECK(m.covariance.elements[2] == 2e-4);
  }
  return {residual, derivative};
}

}  // namespace

TEMPLATE_LIST_TEST_CASE("without a field a parabola is the exact track", "[kalman]", Models) {
  const auto [residual, derivative] =
      worst_errors<TestType>(geometry::BasicUniformVectorField<double>{0., 0., 0.}, 1.);
  CHECK(residual < 1e-12);
  CHECK(derivative < 1e-6);
}

TEMPLATE_LIST_TEST_CASE("a parabola is off by the third power of the distance", "[kalman]",
                        Models) {
  const geometry::BasicUniformVectorField<double> field{0.5, -1.5, 3.5};
  const auto [far, far_derivative] = worst_errors<TestType>(field, 0.4);
  const auto [near, near_derivative] = worst_errors<TestType>(field, 0.1);
  CHECK(far < 2e-4);
  CHECK(far > 1e-7);
  CHECK(near < far / 50.);
  // Derivatives neglect that the bend changes: in proportion to the distance
  CHECK(far_derivative < 0.03);
  CHECK(near_derivative < far_derivative / 3.);
}

TEST_CASE("a parabola in a field along z", "[kalman]") {
  const UniformField field{3.8};
  const auto vector = field_vector<double>(field, 1., 2., 3.);
  CHECK((vector(0) == 0. && vector(1) == 0. && vector(2) == double(field(1., 2., 3.))));
  const auto [residual, derivative] = worst_errors<CentralTrack>(field, 0.3);
  CHECK(residual < 2e-4);
  CHECK(derivative < 0.03);
}

TEMPLATE_LIST_TEST_CASE("a strip measures u alone", "[kalman]", Models) {
  const Vector3 tesla{0., 1., 3.};
  for (const auto& near : near_modules<TestType>(50, 0.3)) {
    const auto pixel = measure<TestType>(near, tesla, 1e-4);
    auto elsewhere = near;
    elsewhere.v += 3.;  // any point of the strip
    for (const auto& strip : {measure<TestType>(elsewhere, tesla, 0.),
                              measure<TestType>(elsewhere, tesla, std::nan(""))}) {
      CHECK(strip.count == 1);
      CHECK(strip.residual.elements[0] == pixel.residual.elements[0]);
      CHECK(strip.residual.elements[1] == 0.);
      CHECK(strip.covariance.elements[0] == 1e-4);
      CHECK(strip.covariance.elements[1] == 0.);
      CHECK(strip.covariance.elements[2] == 1.);
      for (int j = 0; j < 6; ++j) {
        CHECK(strip.projection(0, j) == pixel.projection(0, j));
        CHECK(strip.projection(1, j) == 0.);
      }
    }
    // The chi2 is that of one number.
    Covariance<double> covariance;
    for (auto& element : covariance.elements) element = 0.;
    for (int j = 0; j < 6; ++j) covariance(j, j) = 1e-4;
    const auto strip = measure<TestType>(near, tesla, 0.);
    double variance = 1e-4;
    for (int j = 0; j < 6; ++j) variance += 1e-4 * strip.projection(0, j) * strip.projection(0, j);
    const double residual = strip.residual.elements[0];
    const KalmanGain<double, 2> gain(covariance, strip, true, 1e9);
    CHECK(gain.result.updated);
    CHECK(std::abs(gain.result.chi2 - residual * residual / variance) <
          1e-9 * (1. + gain.result.chi2));
  }
}

TEMPLATE_LIST_TEST_CASE("a module along the track gives no update", "[kalman]", Models) {
  auto near = near_modules<TestType>(1, 0.3)[0];
  const Vector3 t = TestType::motion(near.at, near.charge).motion.direction;
  near.frame.u = t;
  near.frame.v = unit(cross(t, {0.3, 0.4, 0.5}));
  near.frame.centre = near.frame.centre + 0.1 * near.frame.normal();
  Covariance<double> covariance;
  for (auto& element : covariance.elements) element = 0.;
  for (int j = 0; j < 6; ++j) covariance(j, j) = 1e-4;
  for (const double variance_v : {0., 1e-4}) {
    auto m = measure<TestType>(near, {0., 0., 0.}, variance_v);
    const KalmanGain<double, 2> gain(covariance, m, true, 20.);
    CHECK_FALSE(gain.result.updated);
    CHECK_FALSE(gain.result.chi2 < 20.);
  }
}

TEMPLATE_LIST_TEST_CASE("lanes measure as scalars do", "[kalman]", Models) {
  using Real = LanesOf<float, 8>;
  for (const auto& near : near_modules<TestType>(20, 0.3)) {
    Real variance_v(1e-4f);
    insert(variance_v, 3, 0.f);
    const auto lanes =
        measure<TestType, Real>(near, {{Real(0.f), Real(1.f), Real(3.f)}}, variance_v);
    for (const int lane : {0, 3, 7}) {
      const auto one = measure<TestType, float>(near, {{0.f, 1.f, 3.f}}, extract(variance_v, lane));
      CHECK(extract(lanes.count, lane) == one.count);
      for (int i = 0; i < 2; ++i) {
        CHECK(extract(lanes.residual.elements[i], lane) == one.residual.elements[i]);
        for (int j = 0; j < 6; ++j)
          CHECK(extract(lanes.projection(i, j), lane) == one.projection(i, j));
      }
    }
  }
}
