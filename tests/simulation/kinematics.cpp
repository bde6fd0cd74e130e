// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <trackplex/simulation/detail/kinematics.hpp>

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_floating_point.hpp>

#include <cmath>

namespace {

using Catch::Matchers::WithinAbs;
using Catch::Matchers::WithinRel;
using namespace trackplex::simulation::detail;

double energy(const Vector3& p, double mass) { return std::sqrt(dot(p, p) + mass * mass); }

}  // namespace

TEST_CASE("A momentum has the pt and eta that it was made from", "[simulation]") {
  for (const double eta : {-6., -2.5, -0.01, 0., 1., 5.5}) {
    const Vector3 p = momentum_from(350., eta, {0.6, -0.8});
    CHECK_THAT(transverse(p), WithinRel(350., 1e-14));
    CHECK_THAT(pseudorapidity(p), WithinAbs(eta, 1e-13));
    CHECK_THAT(p.x, WithinRel(210., 1e-14));
    CHECK_THAT(p.y, WithinRel(-280., 1e-14));
  }
}

TEST_CASE("A boost keeps the mass and the sum of two daughters", "[simulation]") {
  const double parent = 497.6, pion = 139.57;
  const double q = std::sqrt(parent * parent / 4. - pion * pion);
  const Vector3 p = {300., -120., 4500.};
  const Vector3 at_rest = {0.6 * q, 0., -0.8 * q};
  const Vector3 a = boost(at_rest, pion, p, parent);
  const Vector3 b = boost(-1. * at_rest, pion, p, parent);
  CHECK_THAT(a.x + b.x, WithinRel(p.x, 1e-12));
  CHECK_THAT(a.y + b.y, WithinRel(p.y, 1e-12));
  CHECK_THAT(a.z + b.z, WithinRel(p.z, 1e-12));
  CHECK_THAT(energy(a, pion) + energy(b, pion), WithinRel(energy(p, parent), 1e-12));
}

TEST_CASE("Isotropic vectors have their length and no preferred direction", "[simulation]") {
  Draws draws(5, 5);
  Vector3 sum;
  double zz = 0.;
  constexpr int n = 50000;
  for (int i = 0; i < n; ++i) {
    const Vector3 v = isotropic(2., draws);
    REQUIRE_THAT(dot(v, v), WithinRel(4., 1e-12));
    sum = sum + v;
    zz += v.z * v.z;
  }
  const double tolerance = 5. * std::sqrt(4. / 3. / n);
  CHECK_THAT(sum.x / n, WithinAbs(0., tolerance));
  CHECK_THAT(sum.y / n, WithinAbs(0., tolerance));
  CHECK_THAT(sum.z / n, WithinAbs(0., tolerance));
  CHECK_THAT(zz / n, WithinAbs(4. / 3., 0.03));
}
