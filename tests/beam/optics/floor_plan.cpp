// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <catch2/catch_approx.hpp>
#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <numbers>
#include <trackplex/beam/collective/csr_bend.hpp>
#include <trackplex/beam/elements/canonical_bend.hpp>
#include <trackplex/beam/elements/thin_bend.hpp>
#include <trackplex/beam/optics/floor_plan.hpp>

using namespace trackplex;
using namespace trackplex::beam;

namespace {

constexpr double pi = std::numbers::pi;

void check_at(const FloorPlace& place, double x, double y, double z) {
  CHECK(place.position[0] == Catch::Approx(x).margin(1e-13));
  CHECK(place.position[1] == Catch::Approx(y).margin(1e-13));
  CHECK(place.position[2] == Catch::Approx(z).margin(1e-13));
}

}  // namespace

TEST_CASE("positive angles bend the floor plan towards negative x", "[beam]") {
  const CanonicalBend quarter{.length = pi, .angle = 0.5 * pi};  // a radius of 2 m
  const auto places = floor_plan({{"d", ExactDrift{1.}}, {"b", quarter}, {"d", ExactDrift{3.}}});
  REQUIRE(places.size() == 4);
  check_at(places[1], 0., 0., 1.);
  check_at(places[2], -2., 0., 3.);
  check_at(places[3], -5., 0., 3.);
  CHECK(places[3].path == Catch::Approx(4. + pi));
  CHECK(places[3].turned == Catch::Approx(0.5 * pi));
}

TEST_CASE("a bend that is tilted by a quarter turn bends down", "[beam]") {
  Bend bend{SectorBend{.length = pi, .angle = 0.5 * pi}};
  bend.misalignment.tilt = 0.5 * pi;
  const auto places = floor_plan({{"b", bend}, {"d", ExactDrift{1.}}});
  check_at(places[1], 0., -2., 2.);
  check_at(places[2], 0., -3., 2.);
  CHECK(places[2].axes[0][0] == Catch::Approx(1.));
}

TEST_CASE("floor plans of rings close", "[beam]") {
  BeamLine ring;
  for (int i = 0; i < 6; ++i) {
    ring.push_back({"b", CanonicalBend{.length = 0.7, .angle = pi / 6.}});
    ring.push_back({"d", Drift{2.}});
    ring.push_back({"t", ThinBend{pi / 6., {{pi / 6.}, {}}}});
    ring.push_back({"q", CanonicalQuadrupole{.length = 0.3}});
  }
  const FloorPlace end = floor_plan(ring).back();
  check_at(end, 0., 0., 0.);
  CHECK(end.turned == Catch::Approx(2. * pi));
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j)
      CHECK(end.axes[i][j] == Catch::Approx(i == j ? 1. : 0.).margin(1e-13));
}

TEST_CASE("parts of bends and coherent bends have their angles", "[beam]") {
  const ElementKind bend = CanonicalBend{.length = 1., .angle = 0.4};
  CHECK(bend.part(1, 4).axis_bend().angle == Catch::Approx(0.1));
  CHECK(ElementKind(CsrBend{.magnet = {.length = 1., .angle = 0.4}}).axis_bend().angle == 0.4);
  CHECK(ElementKind(ExactDrift{1.}).axis_bend().angle == 0.);
}
