// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_floating_point.hpp>
#include <cmath>
#include <trackplex/beam/elements/detail/differenced_map.hpp>
#include <trackplex/beam/elements/trajectory_bend.hpp>
#include <trackplex/core/error.hpp>
#include <trackplex/io/elegant/elegant_lattice.hpp>

#include "support/refusals.hpp"

using namespace trackplex;
using namespace trackplex::beam;
using Catch::Matchers::WithinAbs;
using Catch::Matchers::WithinRel;

namespace {

TrajectoryBend usual_trajectory_bend(int steps) {
  TrajectoryBend bend;
  bend.magnet = {.length = 0.6, .angle = 0.4, .strengths = {0.5, 4., -10., 60.}, .slices = steps};
  return bend;
}

/// A particle behind the body of a bend.
Particle<double> behind_trajectory(const TrajectoryBend& bend, Particle<double> v,
                                   double p0 = 1000.) {
  TrajectoryBend body = bend;
  body.magnet.expansion_order = bend.magnet.nonlinear ? 4 : 1;
  const auto c = steps::TrajectoryBend{body}.coefficients({0, {p0, 3.}});
  const bool passes = steps::TrajectoryBend::pass(c.data(), v);
  REQUIRE(passes);
  return v;
}

Particle<double> some_trajectory() {
  Particle<double> v;
  v[x] = 2e-3;
  v[xp] = -1e-3;
  v[y] = 1e-3;
  v[yp] = 2e-3;
  v[s] = 1e-4;
  v[delta] = 0.01;
  return v;
}

double difference(const Particle<double>& a, const Particle<double>& b) {
  double largest = 0.;
  for (int i = 0; i < n_coordinates; ++i) largest = std::max(largest, std::abs(a[i] - b[i]));
  return largest;
}

}  // namespace

TEST_CASE("bends by trajectories are of second order, to what canonical ones are",
          "[beam][trajectory_bend]") {
  TrajectoryBend fine = usual_trajectory_bend(1);
  for (const double angle : {0.4, -0.4}) {
    CAPTURE(angle);
    fine.magnet.angle = angle;
    fine.magnet.slices = 400;
    fine.magnet.integration_order = 6;
    fine.magnet.expansion_order = 4;
    auto canonical = some_trajectory();
    const auto c = steps::Bend<false>{fine.magnet.body(400)}.coefficients();
    steps::Bend<false>::pass(c.data(), canonical);
    for (const bool leaps : {false, true}) {
      CAPTURE(leaps);
      const auto error = [&](int steps) {
        TrajectoryBend bend = fine;
        bend.magnet.slices = steps;
        bend.is_leap_frog = leaps;
        return difference(behind_trajectory(bend, some_trajectory()), canonical);
      };
      if (leaps) {  // the force is that of the slopes before it: of first order
        CHECK(error(1000) < 2e-6);
      } else {
        CHECK_THAT(error(50) / error(100), WithinAbs(4., 0.1));
        CHECK(error(2000) < 3e-9);
      }
    }
  }
}

TEST_CASE("particles in bends by trajectories lose energy by radiation",
          "[beam][trajectory_bend]") {
  TrajectoryBend bend = usual_trajectory_bend(100);
  bend.magnet.strengths.clear();
  Particle<double> v{};
  const auto still = behind_trajectory(bend, v, 5000.);
  bend.magnet.radiates = true;
  const auto radiated = behind_trajectory(bend, v, 5000.);
  const double h = 0.4 / 0.6;
  const double loss =
      2. / 3. * constants::elegant::classical_electron_radius * 1.25e11 * h * h * 0.6;
  CHECK_THAT(radiated[delta], WithinRel(-loss, 1e-3));
  CHECK(still[delta] == 0.);
  CHECK_THAT(radiated[s], WithinAbs(still[s], 1e-6));
}

TEST_CASE("maps of bends by trajectories are the derivatives of their tracking",
          "[beam][trajectory_bend]") {
  TrajectoryBend bend = usual_trajectory_bend(2000);
  bend.magnet.entrance_effects = bend.magnet.exit_effects = EdgeEffects::none;
  const auto found = beam::detail::differenced_map(
      [&](Particle<double>& v) { v = behind_trajectory(bend, v); }, 2);
  const auto map = bend.map_to(2);
  for (int i = 0; i < n_coordinates; ++i)
    for (int j = 0; j < n_coordinates; ++j) {
      CAPTURE(i, j);
      CHECK_THAT(found.component[i].r[j], WithinAbs(map.component[i].r[j], 1e-6));
      for (int k = 0; k <= j; ++k)
        CHECK_THAT(found.component[i].t[pair_index(j, k)],
                   WithinAbs(map.component[i].t[pair_index(j, k)], 2e-5));
    }
}

TEST_CASE("elegant's element KSBEND is read", "[beam][trajectory_bend]") {
  const auto read = [](const std::string& parameters) {
    return io::parse_elegant_lattice("b: KSBEND," + parameters + "\nl: LINE=(b)\n", "b.lte")
        .expand();
  };
  const auto line = read(
      "L=0.8,ANGLE=-0.7,K1=1,K2=2,K3=3,K4=4,E1=0.1,E2=0.2,H1=0.3,H2=0.4,HGAP=0.02,FINT=0.4,"
      "FSE=1e-3,N_KICKS=40,EDGE_ORDER=2,METHOD=\"leap-frog\",SYNCH_RAD=1,DX=1e-3,TILT=0.1,"
      "PARAXIAL=1,NONLINEAR=0,EDGE2_EFFECTS=0");
  const auto* bend = line[0].kind.as<TrajectoryBend>();
  REQUIRE(bend);
  const CanonicalBend& magnet = bend->magnet;
  CHECK(magnet.length == 0.8);
  CHECK(magnet.angle == -0.7);
  CHECK(magnet.strengths == std::vector<double>{1., 2., 3., 4.});
  CHECK(magnet.entrance == 0.1);
  CHECK(magnet.exit == 0.2);
  CHECK(magnet.entrance_curve == 0.3);
  CHECK(magnet.exit_curve == 0.4);
  CHECK(magnet.half_gap == 0.02);
  CHECK(magnet.fringe == 0.4);
  CHECK(magnet.field_error == 1e-3);
  CHECK(magnet.slices == 40);
  CHECK(magnet.edge_order == 2);
  CHECK(magnet.exit_effects == EdgeEffects::none);
  CHECK(magnet.radiates);
  CHECK(!magnet.nonlinear);
  CHECK(bend->is_leap_frog);
  CHECK(bend->is_paraxial);
  test::check_refused([&] { return read("L=1"); }, "ANGLE cannot be 0");
  test::check_refused([&] { return read("L=1,ANGLE=0.1,METHOD=\"euler\""); }, "modified-midpoint");
  test::check_refused([&] { return read("L=1,ANGLE=0.1,N_KICKS=0"); }, "N_KICKS");
  test::check_refused([&] { return read("L=1,ANGLE=0.1,ETILT=0.1"); }, "ETILT");
  TrajectoryBend quantum = usual_trajectory_bend(4);
  quantum.magnet.quantum = true;
  CHECK_THROWS_AS(check_element({"b", quantum}), UsageError);
}
