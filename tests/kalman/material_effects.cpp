// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <catch2/catch_approx.hpp>
#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_floating_point.hpp>
#include <trackplex/kalman/material_effects.hpp>

#include "differences.hpp"

using namespace trackplex;
using namespace trackplex::kalman;
using Catch::Matchers::WithinAbs;
using Catch::Matchers::WithinRel;
using trackplex::test::state_steps;
using trackplex::test::Uniform;
using trackplex::test::worst_difference;

TEST_CASE("scattering angles are those of Highland's formula", "[kalman]") {
  // 13.6 MeV / 1 GeV * sqrt(0.01) * (1 + 0.038 ln 0.01), beta = 1
  CHECK_THAT(highland_angle(1., 1., 1., 0.01),
             WithinRel(0.0136 * 0.1 * (1. + 0.038 * std::log(0.01)), 1e-14));
  CHECK(highland_angle(1., 1., -1., 0.01) == highland_angle(1., 1., 1., 0.01));
  CHECK(highland_angle(1., 1., 1., 0.) == 0.);
  CHECK(highland_angle(1., 1., 1., 1e-13) == 0.);  // where the correction is below -1
  CHECK_THAT(highland_angle(1., 0.5, 2., 0.01),
             WithinRel(4. * 0.0136 * 0.1 * (1. + 0.038 * std::log(0.01 * 16.)), 1e-14));
}

TEST_CASE("mean energy losses are those of the Review of Particle Physics", "[kalman]") {
  // Minimum ionisation of a muon, MeV cm^2/g
  const double muon = 0.1056583745;
  const auto smallest = [&](const Material& material) {
    double least = 1e9;
    for (double p = 0.1; p < 2.; p += 0.005)
      least = std::min(least, bethe_energy_loss(material, 1., p, muon, 1.).mean);
    return 1e3 * least / material.density;
  };
  CHECK(smallest(silicon) == Catch::Approx(1.664).epsilon(0.005));
  CHECK(smallest(beryllium) == Catch::Approx(1.595).epsilon(0.005));
  CHECK(smallest(aluminium) == Catch::Approx(1.615).epsilon(0.005));
  // Twice the path loses twice; twice the charge four times
  const auto once = bethe_energy_loss(silicon, 0.1, 0.5, pion_mass, 1.);
  const auto longer = bethe_energy_loss(silicon, 0.2, 0.5, pion_mass, 1.);
  CHECK_THAT(longer.mean, WithinRel(2. * once.mean, 1e-14));
  CHECK_THAT(longer.variance, WithinRel(2. * once.variance, 1e-14));
  CHECK_THAT(bethe_energy_loss(silicon, 0.1, 0.5, pion_mass, 2.).mean,
             WithinRel(4. * once.mean, 1e-14));
}

TEST_CASE("radiation lengths are those of the Review of Particle Physics", "[kalman]") {
  const auto per_area = [](const Material& m) { return m.radiation_length * m.density; };  // g/cm^2
  CHECK_THAT(per_area(silicon), WithinRel(21.82, 5e-4));
  CHECK_THAT(per_area(beryllium), WithinRel(65.19, 5e-4));
  CHECK_THAT(per_area(aluminium), WithinRel(24.01, 5e-4));
}

TEST_CASE("mean and variance of energy losses in silicon from below the density effect to above",
          "[kalman]") {
  struct Row {
    double beta_gamma, mean, variance;  // of a pion along 1 cm: GeV, GeV^2
  };
  // Worked out apart from the code; log10(beta gamma) begins below x0 and ends above x1.
  const Row table[] = {
      {0.5, 0.0126444059, 2.032766319e-07},    {1.0, 0.005831528024, 2.704537302e-07},
      {1.5, 0.004529492906, 3.82066873e-07},   {10.0, 0.004178563433, 8.653824579e-06},
      {1000.0, 0.005614910239, 0.01094460827},
  };
  for (const auto& [beta_gamma, mean, variance] : table) {
    CAPTURE(beta_gamma);
    const auto loss = bethe_energy_loss(silicon, 1., beta_gamma * pion_mass, pion_mass, 1.);
    CHECK_THAT(loss.mean, WithinRel(mean, 1e-9));
    CHECK_THAT(loss.variance, WithinRel(variance, 1e-9));
  }
}

TEST_CASE("a passage loses its energy, and its Jacobian is that of differences", "[kalman]") {
  Uniform uniform(1);
  for (int n = 0; n < 1000; ++n) {
    const Parameters<double> at{{4., 0., 1., uniform(0.2, 3.), 0.3, uniform(0.3, 2.8)}};
    const double mass = uniform(0.05, 1.);
    const EnergyLoss<double> loss{uniform(-0.01, 0.01), 1e-6};
    const auto map = [&](const Parameters<double>& x) {
      return pass(x, 0.01, loss, mass).parameters;
    };
    const auto passage = pass(at, 0.01, loss, mass);
    REQUIRE(passage.passed);
    const Kinematics<double> before(at, mass), after(passage.parameters, mass);
    REQUIRE_THAT(after.energy, WithinRel(before.energy - loss.mean, 1e-14));
    REQUIRE(worst_difference<6>(at, map, passage.jacobian, state_steps) < 1e-6);
  }
}

TEST_CASE("the noise of a passage is what random passages show", "[kalman]") {
  const Parameters<double> at{{4., 0., 1., 0.8, 0.3, 1.}};
  const double mass = pion_mass, angle = 1e-3;
  const EnergyLoss<double> loss{0.002, 1e-6};
  const auto passage = pass(at, angle, loss, mass);
  Uniform uniform(2);
  const auto normal = [&] {
    return std::sqrt(-2. * std::log(uniform(0., 1.))) *
           std::cos(6.283185307179586 * uniform(0., 1.));
  };
  double sums[3][3] = {};
  const int n = 200000;
  const int places[3] = {Parameter::inverse_pt, Parameter::phi, Parameter::theta};
  for (int i = 0; i < n; ++i) {
    Parameters<double> p = at;
    const double momentum = Kinematics<double>(at, mass).momentum;
    p(4) += angle * normal() / std::sin(at(5));
    p(5) += angle * normal();
    p(3) = 1. / (momentum * std::sin(p(5)));
    const auto there = pass(p, 0., {loss.mean + std::sqrt(loss.variance) * normal(), 0.}, mass);
    for (int a = 0; a < 3; ++a)
      for (int b = 0; b < 3; ++b)
        sums[a][b] += (there.parameters(places[a]) - passage.parameters(places[a])) *
                      (there.parameters(places[b]) - passage.parameters(places[b])) / n;
  }
  const auto noise = as<Symmetric<double, 6>>(passage.noise);
  for (int a = 0; a < 3; ++a)
    for (int b = 0; b <= a; ++b) {
      CAPTURE(a, b);
      const double size = std::sqrt(noise(places[a], places[a]) * noise(places[b], places[b]));
      CHECK_THAT(sums[a][b], WithinAbs(noise(places[a], places[b]), 0.015 * size));
    }
}

TEST_CASE("layers are crossed at their angle, forth and back, or not at all", "[kalman]") {
  const Parameters<double> at{{3., 4., 1., 0.8, 0.3, 1.}};
  const double radial = 0.6 * std::cos(0.3) + 0.8 * std::sin(0.3);
  CHECK_THAT(incidence_cosine(at, Cylinder<double>{5.}), WithinRel(radial * std::sin(1.), 1e-14));
  CHECK_THAT(incidence_cosine(at, ZPlane<double>{1.}), WithinRel(std::cos(1.), 1e-14));
  CHECK_THAT(incidence_cosine(at, Plane<double>{0.6, 0.8, 0., 5.}),
             WithinRel(radial * std::sin(1.), 1e-14));

  // Backwards along z, and onto a plane that is tilted in all directions
  const Parameters<double> down{{3., 4., 1., 0.8, 0.3, 2.5}};
  CHECK_THAT(incidence_cosine(down, ZPlane<double>{1.}), WithinRel(-std::cos(2.5), 1e-14));
  for (const auto& track : {at, down}) {
    const double theta = track(5);
    const double cosine =
        (0.36 * std::cos(0.3) + 0.48 * std::sin(0.3)) * std::sin(theta) - 0.8 * std::cos(theta);
    CHECK_THAT(incidence_cosine(track, Plane<double>{0.36, 0.48, -0.8, 5.}),
               WithinRel(std::fabs(cosine), 1e-14));
  }

  const ThinLayer layer{silicon, 0.03};
  const auto out = pass_layer(at, 1., layer, Cylinder<double>{5.});
  REQUIRE(out.passed);
  CHECK(out.parameters(3) > at(3));
  // The path is the thickness over the cosine
  const double length = 0.03 / (radial * std::sin(1.));
  const Kinematics<double> before_layer(at, pion_mass), after_layer(out.parameters, pion_mass);
  const double p = before_layer.momentum;
  const double lost = bethe_energy_loss(silicon, length, p, pion_mass, 1.).mean;
  CHECK_THAT(before_layer.energy - after_layer.energy, WithinRel(lost, 1e-9));
  const double angle = highland_angle(p, before_layer.beta, 1., length / silicon.radiation_length);
  const auto noise = as<Symmetric<double, 6>>(out.noise);
  CHECK_THAT(noise(5, 5), WithinRel(angle * angle, 1e-12));
  const auto back = pass_layer(out.parameters, 1., layer, Cylinder<double>{5.}, pion_mass, false);
  CHECK(back.parameters(3) == Catch::Approx(at(3)).epsilon(1e-4));

  // A measurement has turned the sign of 1/pT
  auto turned = at;
  turned(3) = -at(3);
  const auto also_out = pass_layer(turned, 1., layer, Cylinder<double>{5.});
  REQUIRE(also_out.passed);
  CHECK(also_out.parameters(3) == -out.parameters(3));
  CHECK(as<Symmetric<double, 6>>(also_out.noise)(5, 5) == noise(5, 5));

  TrackState<double> slow{{{3., 4., 1., 40., 0.3, 1.}}, {}, 1.};
  const auto before = slow;
  const auto stopped =
      pass_layer(slow.parameters, 1., ThinLayer{silicon, 1.}, Cylinder<double>{5.});
  CHECK_FALSE(stopped.passed);
  stopped.apply(slow);
  for (int i = 0; i < 6; ++i) CHECK(slow.parameters(i) == before.parameters(i));
}

TEST_CASE("passages of forward tracks have the Jacobian of differences and the noise of rotations",
          "[kalman]") {
  Uniform uniform(3);
  const auto normal = [&] {
    return std::sqrt(-2. * std::log(uniform(0., 1.))) *
           std::cos(6.283185307179586 * uniform(0., 1.));
  };
  for (int n = 0; n < 200; ++n) {
    const Parameters<double> at{
        {1., 2., 3., uniform(-0.4, 0.4), uniform(-0.4, 0.4), uniform(-2., 2.)}};
    const EnergyLoss<double> loss{uniform(-0.01, 0.01), 1e-6};
    const auto map = [&](const Parameters<double>& x) {
      return pass<ForwardTrack>(x, 0.01, loss, pion_mass).parameters;
    };
    const auto passage = pass<ForwardTrack>(at, 0.01, loss, pion_mass);
    REQUIRE(passage.passed);
    REQUIRE(worst_difference<6>(at, map, passage.jacobian, state_steps) < 1e-6);
  }
  const Parameters<double> at{{1., 2., 3., 0.3, -0.4, -0.5}};
  const double angle = 1e-3, momentum = ForwardTrack::momentum(at, 1.);
  CHECK_THAT(momentum, WithinRel(2., 1e-14));
  const EnergyLoss<double> loss{0.002, 1e-6};
  const auto noise = as<Symmetric<double, 6>>(pass<ForwardTrack>(at, angle, loss, pion_mass).noise);
  const auto direction = ForwardTrack::motion(at, 1.).motion.direction;
  const geometry::Vector3<double> axis{{0., 0., 1.}};
  const auto u = geometry::cross(direction, axis), v = geometry::cross(direction, u);
  const double size_u = std::sqrt(geometry::dot(u, u)), size_v = std::sqrt(geometry::dot(v, v));
  double sums[3][3] = {};
  constexpr int samples = 200000;
  for (int i = 0; i < samples; ++i) {
    auto turned = geometry::add_scaled(direction, angle * normal() / size_u, u);
    turned = geometry::add_scaled(turned, angle * normal() / size_v, v);
    const auto there = pass<ForwardTrack>(
        at, 0., {loss.mean + std::sqrt(loss.variance) * normal(), 0.}, pion_mass);
    const double off[3] = {
        turned(0) / turned(2) - at(3), turned(1) / turned(2) - at(4),
        there.parameters(5) - pass<ForwardTrack>(at, 0., {loss.mean, 0.}, pion_mass).parameters(5)};
    for (int a = 0; a < 3; ++a)
      for (int b = 0; b < 3; ++b) sums[a][b] += off[a] * off[b] / samples;
  }
  for (int a = 0; a < 3; ++a)
    for (int b = 0; b <= a; ++b) {
      CAPTURE(a, b);
      const double scale = std::sqrt(noise(3 + a, 3 + a) * noise(3 + b, 3 + b));
      CHECK_THAT(sums[a][b], WithinAbs(noise(3 + a, 3 + b), 0.015 * scale));
    }
}

TEST_CASE("both models see the same incidence and material on any surface", "[kalman]") {
  using geometry::Surface;
  const Parameters<double> central{{3., 4., 1., 0.8, 0.3, 0.5}};
  const auto motion = CentralTrack::motion(central, -1.).motion;
  const auto slopes = ForwardTrack::parameters(motion, central, -1.).parameters;
  const Parameters<double> forward{{3., 4., 1., slopes(0), slopes(1), slopes(2)}};
  const auto check = [&](const auto& special, const Surface<double>& any) {
    const double cosine = incidence_cosine(central, special);
    CHECK_THAT(incidence_cosine(central, any), WithinRel(cosine, 1e-13));
    CHECK_THAT(incidence_cosine<ForwardTrack>(forward, any), WithinRel(cosine, 1e-13));
    const ThinLayer layer{silicon, 0.05};
    const auto a = pass_layer(central, -1., layer, special);
    const auto b = pass_layer<ForwardTrack>(forward, -1., layer, any);
    CHECK_THAT(CentralTrack::momentum(a.parameters, 1.),
               WithinRel(ForwardTrack::momentum(b.parameters, 1.), 1e-13));
  };
  check(Cylinder<double>{5.}, Surface<double>::cylinder(5.));
  check(ZPlane<double>{1.}, Surface<double>::disk(1.));
  check(Plane<double>{0.36, 0.48, -0.8, 2.2},
        Surface<double>::plane({{3., 4., 1.}}, {{0.36, 0.48, -0.8}}));
}

TEST_CASE("layers known in radiation lengths and xi are those of their material", "[kalman]") {
  const Parameters<double> at{{3., 4., 1., 0.8, 0.3, 1.}};
  const double d = 0.03;
  const LayerConstants<double> thin(ThinLayer{silicon, d});
  const LayerConstants<double> known(d / silicon.radiation_length, d * thin.material.bethe_factor,
                                     silicon);
  const auto a = pass_layer(at, 1., thin, Cylinder<double>{5.});
  const auto b = pass_layer(at, 1., known, Cylinder<double>{5.});
  CHECK_THAT(b.parameters(3), WithinRel(a.parameters(3), 1e-14));
  for (int e = 0; e < 4; ++e)
    CHECK_THAT(b.noise.elements[e], WithinRel(a.noise.elements[e], 1e-12));
  CHECK(LayerConstants<double>(0., 0., silicon).thickness == 0.);
  CHECK(known.thickness == 1.);
}
