// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_floating_point.hpp>
#include <cmath>
#include <trackplex/kalman/propagation.hpp>

using namespace trackplex;
using namespace trackplex::kalman;
using Catch::Matchers::WithinAbs;
using Catch::Matchers::WithinRel;

namespace {

/// B_z that changes along z.
struct Slope {
  double per_cm;
  template <class Real>
  geometry::Vector3<Real> operator()(const Real&, const Real&, const Real& z) const {
    return {{Real(0), Real(0), fma(Real(per_cm), z, Real(2))}};
  }
};

constexpr double theta = 0.6;
const Parameters<double> start{{0.1, 0.2, 5., 1., 0.3, theta}};

double distance(const Parameters<double>& a, const Parameters<double>& b) {
  return std::hypot(a(0) - b(0), a(1) - b(1), a(2) - b(2));
}

}  // namespace

TEST_CASE("in a uniform field helices are exact", "[kalman]") {
  const geometry::UniformVectorField uniform{0.2, -0.1, 2.};
  const auto surface = geometry::Surface<double>::cylinder(40.);
  const auto exact = transport<CentralTrack>(start, 1., uniform, surface);
  const auto helix = transport<CentralTrack>(
      start, 1., HelicesInField<geometry::UniformVectorField>{uniform}, surface);
  REQUIRE(helix.reached);
  CHECK(distance(exact.parameters, helix.parameters) < 1e-12);
  for (int i = 0; i < 6; ++i)
    for (int j = 0; j < 6; ++j)
      CHECK_THAT(helix.jacobian(i, j), WithinAbs(exact.jacobian(i, j), 1e-12));
}

TEST_CASE("helices in the field half way are wrong by the third power of the length", "[kalman]") {
  const Slope field{-0.005};
  for (const double length : {10., 20., 40.}) {
    const auto surface = geometry::Surface<double>::disk(5. + length * std::cos(theta));
    const auto exact = transport<CentralTrack>(start, 1., field, surface);
    const auto helix = transport<CentralTrack>(start, 1., HelicesInField<Slope>{field}, surface);
    REQUIRE((exact.reached && helix.reached));
    const double lambda = 2.99792458e-3 * std::sin(theta);  // of 1 GeV across the beam
    const double error = lambda * std::pow(length, 3) * 0.005 * std::cos(theta) / 12.;
    CHECK_THAT(distance(exact.parameters, helix.parameters),
               WithinRel(error * std::sin(theta), 0.1));
  }
}

TEST_CASE("tracks turn in the field along z less its radial part", "[kalman]") {
  const auto field = [](auto x, auto y, auto z) {
    return geometry::Vector3<decltype(x)>{{0.001 * x * z, 0.001 * y * z, 2. - 0.001 * z * z}};
  };
  CHECK_THAT(turning_field(field, 3., 4., 10.), WithinRel(2. - 0.1 - 10. * 0.05 / 5., 1e-14));
  CHECK(turning_field(field, 0., 0., 10.) == 2. - 0.1);
  CHECK(turning_field(UniformField{2.}, 3., 4., 10.) == 2.);
  CHECK(field_vector(UniformField{2.}, 3., 4., 10.)(2) == 2.);
}
