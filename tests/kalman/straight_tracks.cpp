// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <trackplex/geometry/field_map.hpp>
#include <trackplex/kalman/coordinates.hpp>
#include <trackplex/kalman/fit.hpp>
#include <trackplex/kalman/osculating_parabola.hpp>
#include <trackplex/kalman/propagation.hpp>

#include <catch2/catch_template_test_macros.hpp>
#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_floating_point.hpp>

#include <cmath>
#include <limits>
#include <type_traits>

#include "differences.hpp"

using namespace trackplex;
using namespace trackplex::kalman;
using Catch::Matchers::WithinAbs;
using Catch::Matchers::WithinRel;

namespace {

const Parameters<double> central_start{{1., -2., 0.5, 0.5, 0.3, 1.2}};
const Parameters<double> forward_start{{1., -2., 0.5, 0.1, -0.05, 0.4}};

using Straight = geometry::UniformVectorField;

/// A neutral track is that of a charged one where there is no field, and keeps its momentum.
template <class Model, class Field, class Surface>
void check_neutral(const Parameters<double>& start, const Field& field, const Surface& surface) {
  const auto moved = transport<Model>(start, 0., field, surface);
  const auto straight = transport<Model>(start, 1., Straight{0., 0., 0.}, surface);
  REQUIRE(straight.reached);
  REQUIRE(moved.reached);
  for (int i = 0; i < 6; ++i)
    CHECK_THAT(moved.parameters(i), WithinAbs(straight.parameters(i), 1e-11));
  for (int i = 3; i < 6; ++i) CHECK_THAT(moved.parameters(i), WithinAbs(start(i), 1e-12));
  const auto a = as<Matrix<double, 6, 6>>(moved.jacobian),
             b = as<Matrix<double, 6, 6>>(straight.jacobian);
  for (int i = 0; i < 6; ++i)
    for (int j = 0; j < 6; ++j) CHECK_THAT(a(i, j), WithinAbs(b(i, j), 1e-9));
  const int momentum = Model::inverse_momentum;
  for (int i = 0; i < 6; ++i) CHECK_THAT(a(i, momentum), WithinAbs(i == momentum ? 1. : 0., 1e-12));
}

template <class Model, class Field>
void check_neutral(const Parameters<double>& start, const Field& field) {
  using Surface = geometry::Surface<double>;
  constexpr bool is_forward = std::is_same_v<Model, ForwardTrack>;
  check_neutral<Model>(start, field, Surface::cylinder(is_forward ? 5. : 50.));
  check_neutral<Model>(start, field, Surface::disk(30.));
  check_neutral<Model>(start, field, Surface::plane({{10., 0., 20.}}, {{0.6, 0., 0.8}}));
}

template <class T>
void check_same(const Parameters<T>& at, const auto& passage) {
  REQUIRE(passage.passed);
  for (int i = 0; i < 6; ++i) CHECK(passage.parameters(i) == at(i));
  const auto jacobian = as<Matrix<T, 6, 6>>(passage.jacobian);
  const auto noise = as<Symmetric<T, 6>>(passage.noise);
  for (int i = 0; i < 6; ++i)
    for (int j = 0; j < 6; ++j) {
      CHECK(jacobian(i, j) == T(i == j));
      CHECK(noise(i, j) == T(0));
    }
}

}  // namespace

TEST_CASE("neutral tracks are straight in every field and keep their momentum", "[kalman]") {
  const geometry::DipoleField dipole{1.2, 5., 25., 3.};
  const geometry::UniformVectorField uniform{0.3, -1.5, 2.};
  const geometry::FieldMap<double, Kokkos::HostSpace> map(
      HostExecutor(),
      geometry::sample_field({-100., 100., 3}, {-100., 100., 3}, {-100., 100., 5},
                             [](double x, double, double z) {
                               return geometry::Vector3<double>{{0.01 * z, 1. + 0.005 * x, 2.}};
                             }));
  check_neutral<CentralTrack>(central_start, UniformField{2.});
  check_neutral<CentralTrack>(central_start, SolenoidField{});
  check_neutral<CentralTrack>(central_start, uniform);
  check_neutral<CentralTrack>(central_start, dipole);
  check_neutral<CentralTrack>(central_start, map);
  check_neutral<CentralTrack>(central_start, HelicesInField<geometry::DipoleField>{dipole});
  check_neutral<ForwardTrack>(forward_start, UniformField{2.});
  check_neutral<ForwardTrack>(forward_start, SolenoidField{});
  check_neutral<ForwardTrack>(forward_start, uniform);
  check_neutral<ForwardTrack>(forward_start, dipole);
  check_neutral<ForwardTrack>(forward_start, map);
  const OsculatingParabola<double> parabola(central_start, 0., {{0.3, -1.5, 2.}});
  const OsculatingParabola<double, ForwardTrack> forward(forward_start, 0., {{0.3, -1.5, 2.}});
  for (int i = 0; i < 3; ++i) CHECK((parabola.bend(i) == 0. && forward.bend(i) == 0.));
}

TEST_CASE("neutral tracks keep their momentum in other coordinates", "[kalman]") {
  const auto curvilinear = to_curvilinear(central_start, 0., 0.);
  CHECK_THAT(curvilinear.coordinates(0), WithinRel(0.5 * std::sin(1.2), 1e-14));
  const Vector<double, 3> point{{1., -2., 0.5}};
  const auto back = from_curvilinear(curvilinear.coordinates, point, 0.);
  for (int i = 0; i < 6; ++i) CHECK_THAT(back.coordinates(i), WithinAbs(central_start(i), 1e-14));
}

TEMPLATE_TEST_CASE("neutral tracks and those of infinite momentum pass material unaffected",
                   "[kalman]", float, double) {
  using T = TestType;
  using Surface = geometry::Surface<T>;
  const ThinLayer layer{silicon, 0.03};
  const auto check = [&]<class Model>(Model, Parameters<T> at, T charge) {
    for (const bool along : {true, false})
      for (const auto& surface : {Surface::disk(T(0)), Surface::cylinder(T(4))})
        check_same<T>(at, pass_layer<Model>(at, charge, layer, surface, T(pion_mass), along));
  };
  check(ForwardTrack{}, {{0, 2, 0, T(0.01), T(0.02), 0}}, T(1));
  check(ForwardTrack{}, {{0, 2, 0, T(0.01), T(0.02), 0}}, T(0));
  check(ForwardTrack{}, {{0, 2, 0, T(0.01), T(0.02), T(0.7)}}, T(0));
  check(CentralTrack{}, {{0, 2, 0, 0, T(0.02), T(1.1)}}, T(-1));
  check(CentralTrack{}, {{0, 2, 0, T(3), T(0.02), T(1.1)}}, T(0));
  // Not all lanes are straight
  using Real = LanesOf<T, 4>;
  Parameters<Real> lanes;
  const T all[6] = {0, 2, 0, T(0.01), T(0.02), 0};
  for (int i = 0; i < 6; ++i) lanes(i) = Real(all[i]);
  insert(lanes(5), 2, T(0.5));
  const auto passed =
      pass_layer<ForwardTrack>(lanes, Real(1), layer, geometry::Surface<Real>::disk(Real(0)));
  for (int lane = 0; lane < 4; ++lane) {
    CAPTURE(lane);
    const bool is_straight = lane != 2;
    CHECK((extract(passed.parameters(5), lane) == extract(lanes(5), lane)) == is_straight);
    CHECK((extract(passed.noise.template get<3, 3>(), lane) == T(0)) == is_straight);
  }
}

TEMPLATE_TEST_CASE("material takes from tracks of any momentum what is finite", "[kalman]", float,
                   double) {
  using T = TestType;
  const ThinLayer layer{silicon, 0.03};
  for (const double q_over_p : {1., 1e-3, 1e-8, 1e-9, 1e-15, 1e-30, 1e-37}) {
    CAPTURE(q_over_p);
    const Parameters<T> at{{0, 0, 0, T(0.01), T(0.02), T(q_over_p)}};
    const auto passage =
        pass_layer<ForwardTrack>(at, T(1), layer, geometry::Surface<T>::disk(T(0)));
    REQUIRE(passage.passed);
    CHECK_THAT(passage.parameters(5), WithinRel(at(5), T(2e-3)));
    CHECK(passage.noise.template get<3, 3>() >= T(0));
    CHECK(std::isfinite(passage.jacobian.template get<5, 5>()));
    CHECK(std::isfinite(passage.noise.template get<5, 5>()));
  }
  // NaN is no momentum
  const Parameters<T> lost{{0, 0, 0, 0, 0, std::numeric_limits<T>::quiet_NaN()}};
  CHECK_FALSE(pass_layer<ForwardTrack>(lost, T(1), layer, geometry::Surface<T>::disk(T(0))).passed);
}
