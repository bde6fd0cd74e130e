// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_floating_point.hpp>
#include <cmath>
#include <trackplex/core/random.hpp>
#include <trackplex/kalman/beam_spot.hpp>
#include <trackplex/kalman/field_along_z.hpp>
#include <trackplex/matriplex/cholesky.hpp>

#include "support/turned.hpp"

using namespace trackplex;
using namespace trackplex::kalman;
using Catch::Matchers::WithinAbs;
using P = Parameter;

namespace {

using State = TrackState<double, CentralTrack>;
const geometry::UniformVectorField solenoid{0., 0., 2.};
constexpr double two_coordinates = 16.;  // limit of chi2

/// Errors of a state on a cylinder of 3 cm.
constexpr double sigmas[6] = {0.003, 0.003, 0.01, 0.05, 0.004, 0.003};

/// A particle at its vertex.
State particle_from(double x, double y, double z, RandomStream<double>& random) {
  State state{};
  const double parameters[] = {
      x, y, z, 0.5 + random.uniform(), 6. * random.uniform(), 0.8 + 1.6 * random.uniform()};
  for (int i = 0; i < 6; ++i) state.parameters(i) = parameters[i];
  state.charge = random.uniform() < 0.5 ? -1. : 1.;
  return state;
}

/// As it is measured near the beam pipe.
State measured(const State& particle, RandomStream<double>& random) {
  State state = particle;
  REQUIRE(propagate(state, solenoid, geometry::Surface<double>::cylinder(3.)));
  for (auto& element : state.covariance.elements) element = 0.;
  for (int i = 0; i < 6; ++i) {
    state.parameters(i) += sigmas[i] * random.normal();
    state.covariance(i, i) = sigmas[i] * sigmas[i];
  }
  return state;
}

}  // namespace

TEST_CASE("the region of collisions improves tracks from there, with the right errors",
          "[kalman]") {
  const BeamSpot spot{.x = 0.1, .y = -0.05, .z = 1., .sigma_xy = 0.01, .sigma_z = 0.02};
  const int n = 2000;
  double pulls[6] = {}, before = 0., behind = 0.;
  for (int i = 0; i < n; ++i) {
    RandomStream<double> random(5, std::uint64_t(i));
    const auto particle = particle_from(spot.x + spot.sigma_xy * random.normal(),
                                        spot.y + spot.sigma_xy * random.normal(),
                                        spot.z + spot.sigma_z * random.normal(), random);
    const auto start = measured(particle, random);
    State free = start, state = start;
    REQUIRE(constrain_to_beam(free, solenoid, spot, -1.));  // no update
    REQUIRE(constrain_to_beam(state, solenoid, spot, 1e9));
    // The particle on the plane of the state
    State truth = particle;
    const double phi = state.parameters(P::phi);
    REQUIRE(propagate(truth, solenoid,
                      geometry::Surface<double>::plane(
                          {{state.parameters(0), state.parameters(1), state.parameters(2)}},
                          {{std::cos(phi), std::sin(phi), 0.}})));
    for (const int k : {2, 3, 4, 5}) {
      const double off = state.parameters(k) - truth.parameters(k);
      pulls[k] += off * off / state.covariance(k, k);
    }
    before += free.covariance(P::phi, P::phi);
    behind += state.covariance(P::phi, P::phi);
    CHECK(state.covariance(P::inverse_pt, P::inverse_pt) <=
          free.covariance(P::inverse_pt, P::inverse_pt));
  }
  for (const int k : {2, 3, 4, 5}) CHECK_THAT(std::sqrt(pulls[k] / n), WithinAbs(1., 0.05));
  CHECK(behind < 0.8 * before);
}

TEST_CASE("tracks from elsewhere are only taken to the beam", "[kalman]") {
  RandomStream<double> random(7, 1);
  auto particle = particle_from(2., 0., 0., random);
  particle.parameters(P::phi) = 1.;
  const auto start = measured(particle, random);
  State state = start, plain = start;
  const BeamSpot spot;
  REQUIRE(constrain_to_beam(state, solenoid, spot, two_coordinates));
  REQUIRE(constrain_to_beam(plain, solenoid, spot, -1.));
  for (int i = 0; i < 6; ++i) CHECK(state.parameters(i) == plain.parameters(i));
  const double phi = state.parameters(P::phi);
  CHECK_THAT(state.parameters(0) * std::cos(phi) + state.parameters(1) * std::sin(phi),
             WithinAbs(0., 1e-3));
  // A track that never gets there stays as it is
  State lost = start;
  lost.parameters(0) = std::nan("");
  CHECK_FALSE(constrain_to_beam(lost, solenoid, spot, two_coordinates));
  CHECK(lost.parameters(P::phi) == start.parameters(P::phi));
}

TEST_CASE("the limit of chi2 is that of d0 and z0 at the beam", "[kalman]") {
  const BeamSpot spot{.x = 0.1, .y = -0.05, .z = 1., .sigma_xy = 0.01, .sigma_z = 0.02};
  for (int i = 0; i < 20; ++i) {
    RandomStream<double> random(8, std::uint64_t(i));
    const auto start = measured(particle_from(0.08, -0.02, 1.05, random), random);
    State plain = start;
    REQUIRE(constrain_to_beam(plain, solenoid, spot, -1.));
    const double c = std::cos(plain.parameters(P::phi)), s = std::sin(plain.parameters(P::phi));
    const ModuleHit<double> beam{{{spot.x, spot.y, spot.z}},
                                 {{-s, c, 0.}},
                                 {{0., 0., 1.}},
                                 {{spot.sigma_xy * spot.sigma_xy, 0., spot.sigma_z * spot.sigma_z}},
                                 2};
    const double limit = chi2(plain, measure_in_module(beam, plain.parameters));
    State used = start, refused = start;
    REQUIRE(constrain_to_beam(used, solenoid, spot, 1.01 * limit));
    REQUIRE(constrain_to_beam(refused, solenoid, spot, 0.99 * limit));
    CHECK(used.covariance(P::phi, P::phi) < plain.covariance(P::phi, P::phi));
    CHECK(refused.covariance(P::phi, P::phi) == plain.covariance(P::phi, P::phi));
  }
}

TEST_CASE("the region of collisions may be turned about the z axis", "[kalman]") {
  const BeamSpot spot{.x = 0.1, .y = -0.05, .z = 1., .sigma_xy = 0.01, .sigma_z = 0.02};
  for (const double angle : test::turns)
    for (int i = 0; i < 20; ++i) {
      RandomStream<double> random(9, std::uint64_t(i));
      auto state = measured(particle_from(0.1, -0.05, 1., random), random);
      auto turned = state;
      turned.parameters = test::turned(state.parameters, angle);
      const auto centre = test::turned(geometry::Vector3<double>{{spot.x, spot.y, spot.z}}, angle);
      auto turned_spot = spot;
      turned_spot.x = centre(0);
      turned_spot.y = centre(1);
      REQUIRE(constrain_to_beam(state, solenoid, spot, 1e9));
      REQUIRE(constrain_to_beam(turned, solenoid, turned_spot, 1e9));
      test::check_turned(turned, state, angle, 1e-9, 1e-6);
    }
}
