// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <trackplex/core/host_executor.hpp>
#include <trackplex/simulation/detector_generator.hpp>

#include <trackplex/kalman/coordinates.hpp>
#include <trackplex/kalman/field_along_z.hpp>
#include <trackplex/simulation/trackml.hpp>

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_floating_point.hpp>

#include <cmath>
#include <numbers>
#include <vector>

#include "support/refusals.hpp"

using namespace trackplex;
using namespace trackplex::simulation;
using Catch::Matchers::WithinAbs;
using Catch::Matchers::WithinRel;
using geometry::DetectorDescription;

namespace {

using geometry::Vector3;

tracks::TrueParticle particle_of(double px, double py, double pz, int charge) {
  return {kalman::from_cartesian(Vector<double, 6>{0., 0., 0., px, py, pz}).coordinates, charge};
}

/// Barrels of modules that overlap in phi, of a pitch so small that hits are exact.
DetectorDescription barrels(double radiation_lengths = 0.) {
  DetectorDescription detector;
  for (const double radius : {5., 10., 20., 30.}) {
    std::vector<geometry::Module> modules;
    for (int i = 0; i < 16; ++i) {
      const double phi = 2. * std::numbers::pi * i / 16., r = radius + (i % 2 ? 0.2 : -0.2);
      geometry::Module module;
      module.frame = {{r * std::cos(phi), r * std::sin(phi), 0.},
                      {-std::sin(phi), std::cos(phi), 0.},
                      {0., 0., 1.}};
      module.bounds = geometry::Bounds::rectangle(0.25 * radius, 100.);
      module.pitch_u = module.pitch_v = 1e-9;
      module.radiation_lengths = radiation_lengths;
      modules.push_back(module);
    }
    detector.add_layer({.kind = geometry::LayerKind::barrel, .position = radius}, modules);
  }
  return detector;
}

Vector3<double> place_of(const DetectorDescription& detector, const tracks::DetectorEvents& events,
                         std::size_t hit) {
  return geometry::to_global(detector.modules[std::size_t(events.hits.module[hit])].frame,
                             Vector3<double>{events.hits.u[hit], events.hits.v[hit], 0.});
}

const geometry::UniformVectorField two_tesla{0., 0., 2.};

}  // namespace

TEST_CASE("generated hits lie on the helices of their particles, two where modules overlap",
          "[simulation]") {
  const auto detector = barrels();
  const DetectorGenerator generator(detector, two_tesla, {.max_turn = std::numbers::pi});
  std::vector<tracks::TrueParticle> particles;
  for (int i = 0; i < 200; ++i) {
    const double phi = 0.031 * i, pt = 0.25 + 0.01 * i;
    particles.push_back(
        particle_of(pt * std::cos(phi), pt * std::sin(phi), pt * 0.01 * (i - 100), i % 2 ? 1 : -1));
  }
  const auto events = generator(particles);
  REQUIRE(events.events() == 1);
  std::vector<int> layers(200, 0), hits(200, 0);
  for (std::size_t i = 0; i < events.hits.u.size(); ++i) {
    const auto owner = std::size_t(events.particle_of_hit[i]);
    const auto& particle = particles[owner];
    const auto x = place_of(detector, events, i);
    const double curvature = kalman::curvature_per_inverse_pt(double(particle.charge), 2.) *
                             particle.start(kalman::Parameter::inverse_pt);
    const double phi = particle.start(kalman::Parameter::phi);
    const double r = std::hypot(x(0), x(1)), half = std::asin(0.5 * r * curvature);
    CHECK_THAT(std::remainder(std::atan2(x(1), x(0)) - phi - half, 2. * std::numbers::pi),
               WithinAbs(0., 1e-6));
    const double cot = 1. / std::tan(particle.start(kalman::Parameter::theta));
    CHECK_THAT(x(2), WithinAbs(2. * half / curvature * cot, 1e-5));
    layers[owner] |= 1 << events.hits.layer_of_module(events.hits.module[i]);
    ++hits[owner];
  }
  int two = 0;
  for (std::size_t p = 0; p < 200; ++p) {
    CHECK(layers[p] == 15);
    CHECK(hits[p] == events.n_hits[p]);
    two += hits[p] > 4;
  }
  CHECK(two > 80);
}

TEST_CASE("hits of a particle depend on the seed, the event and its number alone", "[simulation]") {
  const DetectorGenerator generator(barrels(0.02), two_tesla, {.efficiency = 0.9}, 5);
  const std::vector<tracks::TrueParticle> one{particle_of(1., 0., 0.3, 1)},
      three{one[0], particle_of(0.3, 0.5, 0., -1), particle_of(-1., 2., 0., 1)};
  const auto a = generator(one), b = generator(three);
  std::vector<double> of_first;
  for (std::size_t i = 0; i < b.hits.u.size(); ++i)
    if (b.particle_of_hit[i] == 0) of_first.push_back(b.hits.u[i]);
  CHECK(of_first == a.hits.u);
  tracks::DetectorEvents events(barrels());
  generator.add_event(0, one, events);
  generator.add_event(1, one, events);
  CHECK(events.events() == 2);
  CHECK(events.hits.u[0] == a.hits.u[0]);
  CHECK(events.hits.u[std::size_t(events.hits.first(1))] != a.hits.u[0]);
}

TEST_CASE("scattering, energy loss, inefficiency and noise have the sizes asked for",
          "[simulation]") {
  const double t = 0.02;
  const std::vector<tracks::TrueParticle> particles(4000, particle_of(1., 0., 0., 1));
  const DetectorGenerator generator(barrels(t), geometry::UniformVectorField{0., 0., 0.},
                                    {.efficiency = 0.95, .noise_fraction = 0.2});
  const auto events = generator(particles);
  // along z on the second layer: one module of the first one, 4.8 cm from the origin, scatters
  const auto detector = barrels();
  double square = 0.;
  int second = 0, noise = 0;
  for (std::size_t i = 0; i < events.hits.u.size(); ++i) {
    if (events.particle_of_hit[i] < 0) {
      ++noise;
    } else if (events.hits.layer_of_module(events.hits.module[i]) == 1) {
      const auto x = place_of(detector, events, i);
      square += x(2) * x(2);
      ++second;
    }
  }
  const double beta = 1. / std::hypot(1., constants::pion_mass);
  const double angle = kalman::highland_angle(1., beta, 1., t);
  CHECK_THAT(std::sqrt(square / second), WithinRel(angle * (9.8 - 4.8), 0.05));
  CHECK_THAT(second / 4000., WithinAbs(0.95, 0.02));
  CHECK_THAT(double(noise) / double(events.hits.u.size()), WithinAbs(0.2, 0.02));
  const std::vector<tracks::TrueParticle> slow{particle_of(0.08, 0., 0., 1)};
  const DetectorGenerator thick(barrels(0.3), two_tesla, {.scattering = false});
  CHECK(thick(slow).n_hits[0] == 1);
}

TEST_CASE("telescopes of tilted planes and particles from outside are simulated", "[simulation]") {
  DetectorDescription detector;
  const double tilt = 0.4;
  for (int i = 0; i < 6; ++i) {
    geometry::Module module;
    module.frame = {{0., 0., 10. * i}, {std::cos(tilt), 0., -std::sin(tilt)}, {0., 1., 0.}};
    module.bounds = geometry::Bounds::rectangle(5., 5.);
    module.pitch_u = 1e-9;
    const auto w = module.frame.normal();
    detector.add_layer({.kind = geometry::LayerKind::plane,
                        .position = geometry::dot(w, module.frame.centre),
                        .normal = w},
                       {module});
  }
  auto particle = particle_of(0.01, 0., 1., 1);
  particle.start(2) = -50.;
  const DetectorGenerator generator(detector, geometry::BasicDipoleField<double>{1., 20., 30., 5.});
  const auto events = generator(std::vector{particle});
  CHECK(events.n_hits[0] == 6);
  CHECK(events.hits.v == std::vector<double>(6, 0.));  // strips
}

TEST_CASE("wrong parameters of generated events are refused", "[simulation]") {
  const auto refuse = [](DetectorGeneratorParams params, const char* message) {
    test::check_refused<UsageError>([&] { DetectorGenerator(barrels(), two_tesla, params); },
                                    message);
  };
  refuse({.efficiency = 1.1}, "efficiency cannot be 1.1");
  refuse({.noise_fraction = 1.}, "noise_fraction");
  refuse({.max_step = 0.}, "max_step");
  auto detector = barrels();
  detector.modules[3].pitch_u = 0.;
  test::check_refused<UsageError>([&] { DetectorGenerator(detector, two_tesla); }, "module 3");
  detector.modules[3].identifier = geometry::module_identifier(1, 2, 3);
  test::check_refused<UsageError>([&] { set_trackml_material(detector); }, "no volume of TrackML");
}

TEST_CASE("weights of TrackML follow the order of hits and the momentum", "[simulation]") {
  const auto four = trackml_order_weights(4);
  const double sum = 10. + (6. - 1. / 3.) + 3. + 6.;
  CHECK_THAT(four[0], WithinRel(10. / sum, 0.05));
  CHECK(trackml_order_weights(3) == std::vector<double>(3, 0.));
  CHECK(trackml_order_weights(22)[20] == 0.);
  CHECK(trackml_momentum_weight(0.04) == 0.);
  CHECK(trackml_momentum_weight(0.3) == 0.2);
  CHECK_THAT(trackml_momentum_weight(1.75), WithinRel(0.6, 1e-12));
  CHECK(trackml_momentum_weight(9.) == 1.);
  const std::vector<std::int32_t> wrong{1};
  const std::vector<double> z{0.};
  test::check_refused<UsageError>(
      [&] { trackml_weights(std::vector{particle_of(1., 0., 0., 1)}, wrong, z); },
      "no such particle");
}

TEST_CASE("the field of TrackML is that of a displaced solenoid", "[simulation]") {
  const auto map = trackml_field<double>(HostExecutor());
  CHECK_THAT(map(0., 0., 0.)(2), WithinAbs(1.995, 0.002));
  for (const double z : {-270., -60., 0., 120., 270.})
    for (const double x : {-80., 10., 60.}) {
      const double y = 20.;
      const auto b = map(x, y, z);
      const double divergence =
          (map(x + 0.01, y, z)(0) - map(x - 0.01, y, z)(0) + map(x, y + 0.01, z)(1) -
           map(x, y - 0.01, z)(1) + map(x, y, z + 0.01)(2) - map(x, y, z - 0.01)(2)) /
          0.02;
      CHECK_THAT(divergence, WithinAbs(0., 1e-3));
      CHECK_THAT(b(0) * (y + 15.), WithinAbs(b(1) * (x + 15.), 1e-12));  // radial from the axis
    }
  CHECK(map(0., 0., 500.)(2) == 0.);
}
