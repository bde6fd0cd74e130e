// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_floating_point.hpp>
#include <trackplex/kalman/coordinates.hpp>
#include <trackplex/kalman/propagation.hpp>

#include "differences.hpp"
#include "support/turned.hpp"

using namespace trackplex;
using namespace trackplex::kalman;
using Catch::Matchers::WithinAbs;
using Catch::Matchers::WithinRel;
using trackplex::test::state_steps;
using trackplex::test::Uniform;
using trackplex::test::worst_difference;

namespace {

Parameters<double> random_parameters(Uniform& uniform) {
  return {{uniform(-30., 30.), uniform(-30., 30.), uniform(-20., 20.), uniform(0.1, 2.),
           uniform(-3., 3.), uniform(0.3, 2.8)}};
}

template <int N>
Matrix<double, N, N> unit() {
  Matrix<double, N, N> result;
  for (int i = 0; i < N; ++i)
    for (int j = 0; j < N; ++j) result(i, j) = i == j ? 1. : 0.;
  return result;
}

/// Turn about the z axis of N coordinates, of which the first `Vectors` times three are vectors.
template <int N, int Vectors>
Matrix<double, N, N> turn_of(double angle) {
  auto result = unit<N>();
  for (int first = 0; first < 3 * Vectors; first += 3) {
    result(first, first) = result(first + 1, first + 1) = std::cos(angle);
    result(first + 1, first) = std::sin(angle);
    result(first, first + 1) = -std::sin(angle);
  }
  return result;
}

/// R A = B S
template <int To, int From>
void check_turned(const Matrix<double, To, To>& r, const Matrix<double, To, From>& a,
                  const Matrix<double, To, From>& b, const Matrix<double, From, From>& s) {
  const auto expected = as<Matrix<double, To, From>>(r * a),
             found = as<Matrix<double, To, From>>(b * s);
  for (int i = 0; i < To; ++i)
    for (int j = 0; j < From; ++j) REQUIRE_THAT(found(i, j), WithinAbs(expected(i, j), 1e-11));
}

}  // namespace

TEST_CASE("Cartesian coordinates and back", "[kalman]") {
  Uniform uniform(1);
  for (int n = 0; n < 1000; ++n) {
    const auto p = random_parameters(uniform);
    const auto cartesian = to_cartesian(p);
    const auto& c = cartesian.coordinates;
    REQUIRE_THAT(std::hypot(c(3), c(4)), WithinRel(1. / p(3), 1e-14));
    REQUIRE_THAT(std::atan2(std::hypot(c(3), c(4)), c(5)), WithinRel(p(5), 1e-14));
    REQUIRE(worst_difference<6>(
                p, [](const auto& x) { return to_cartesian(x).coordinates; }, cartesian.jacobian,
                state_steps) < 1e-6);
    const auto back = from_cartesian(c);
    for (int i = 0; i < 6; ++i) REQUIRE_THAT(back.coordinates(i), WithinRel(p(i), 1e-13));
    const double small[6] = {1e-3, 1e-3, 1e-3, 1e-4, 1e-4, 1e-4};
    REQUIRE(worst_difference<6>(
                c, [](const auto& x) { return from_cartesian(x).coordinates; }, back.jacobian,
                small) < 1e-6);
    const auto both = as<Matrix<double, 6, 6>>(back.jacobian * cartesian.jacobian);
    for (int i = 0; i < 6; ++i)
      for (int j = 0; j < 6; ++j) REQUIRE_THAT(both(i, j), WithinAbs(i == j ? 1. : 0., 1e-12));
  }
}

TEST_CASE("curvilinear coordinates are those of the plane across the track", "[kalman]") {
  Uniform uniform(2);
  for (int n = 0; n < 500; ++n) {
    const auto p = random_parameters(uniform);
    const double charge = (uniform(0., 1.) < 0.5 ? -1. : 1.) * (1 + n % 2);
    const double factor = curvature_per_inverse_pt(charge, 3.8), kappa = factor * p(3);
    const auto curvilinear = to_curvilinear(p, charge, kappa);
    const auto& c = curvilinear.coordinates;
    REQUIRE_THAT(c(0), WithinRel(charge * p(3) * std::sin(p(5)), 1e-14));
    REQUIRE_THAT(c(1), WithinAbs(std::numbers::pi / 2. - p(5), 1e-14));

    // A track near by, followed to the plane across the first one
    const double t[3] = {std::cos(p(4)) * std::sin(p(5)), std::sin(p(4)) * std::sin(p(5)),
                         std::cos(p(5))};
    const Plane<double> plane{t[0], t[1], t[2], t[0] * p(0) + t[1] * p(1) + t[2] * p(2)};
    const auto map = [&](const Parameters<double>& x) -> Vector<double, 5> {
      const auto q = transport(x, factor, plane).parameters;
      const double u[3] = {-std::sin(p(4)), std::cos(p(4)), 0.};
      const double v[3] = {-t[2] * u[1], t[2] * u[0], t[0] * u[1] - t[1] * u[0]};
      Vector<double, 5> result{
          {charge * q(3) * std::sin(q(5)), std::numbers::pi / 2. - q(5), q(4), 0., 0.}};
      for (int i = 0; i < 3; ++i) {
        result(3) += u[i] * (q(i) - p(i));
        result(4) += v[i] * (q(i) - p(i));
      }
      return result;
    };
    REQUIRE(worst_difference<5>(p, map, curvilinear.jacobian, state_steps) < 1e-5);

    const auto back = from_curvilinear(c, Vector<double, 3>{{p(0), p(1), p(2)}}, charge);
    for (int i = 0; i < 6; ++i) REQUIRE_THAT(back.coordinates(i), WithinRel(p(i), 1e-13));
    const auto both = as<Matrix<double, 5, 5>>(curvilinear.jacobian * back.jacobian);
    for (int i = 0; i < 5; ++i)
      for (int j = 0; j < 5; ++j) REQUIRE_THAT(both(i, j), WithinAbs(i == j ? 1. : 0., 1e-12));
  }
}

TEST_CASE("conversions of coordinates turn with the track", "[kalman]") {
  Uniform uniform(3);
  for (int n = 0; n < 300; ++n) {
    const double angle = test::turns[std::size_t(n) % test::turns.size()];
    auto p = random_parameters(uniform);
    if (n % 7 == 0) p(4) = uniform(-3.2, -3.1);  // across the seam
    const auto there = test::turned(p, angle);
    CAPTURE(n, angle);

    const auto track_turn = turn_of<6, 1>(angle), cartesian_turn = turn_of<6, 2>(angle);
    const auto a = to_cartesian(p), b = to_cartesian(there);
    const auto expected = as<Vector<double, 6>>(cartesian_turn * a.coordinates);
    for (int i = 0; i < 6; ++i) REQUIRE_THAT(b.coordinates(i), WithinAbs(expected(i), 1e-12));
    check_turned(cartesian_turn, as<Matrix<double, 6, 6>>(a.jacobian),
                 as<Matrix<double, 6, 6>>(b.jacobian), track_turn);
    const auto back = from_cartesian(a.coordinates), turned_back = from_cartesian(b.coordinates);
    REQUIRE(std::fabs(turned_back.coordinates(4)) <= std::numbers::pi);
    const auto off = difference<CentralTrack>(turned_back.coordinates, there);
    for (int i = 0; i < 6; ++i) REQUIRE_THAT(off(i), WithinAbs(0., 1e-12));
    check_turned(track_turn, as<Matrix<double, 6, 6>>(back.jacobian),
                 as<Matrix<double, 6, 6>>(turned_back.jacobian), cartesian_turn);

    const double charge = n % 2 ? 1. : -1., curvature = 0.01 * charge;
    const auto c = to_curvilinear(p, charge, curvature),
               d = to_curvilinear(there, charge, curvature);
    for (int i = 0; i < 5; ++i)
      REQUIRE_THAT(d.coordinates(i) - c.coordinates(i), WithinAbs(i == 2 ? angle : 0., 1e-14));
    const auto none = unit<5>();
    check_turned(none, as<Matrix<double, 5, 6>>(c.jacobian), as<Matrix<double, 5, 6>>(d.jacobian),
                 track_turn);
    const auto e = from_curvilinear(c.coordinates, Vector<double, 3>{{p(0), p(1), p(2)}}, charge);
    const auto f =
        from_curvilinear(d.coordinates, Vector<double, 3>{{there(0), there(1), there(2)}}, charge);
    for (int i = 0; i < 6; ++i) REQUIRE_THAT(f.coordinates(i), WithinAbs(there(i), 1e-12));
    check_turned(track_turn, as<Matrix<double, 6, 5>>(e.jacobian),
                 as<Matrix<double, 6, 5>>(f.jacobian), none);
  }
}
