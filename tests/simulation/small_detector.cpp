// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <trackplex/simulation/small_detector.hpp>

#include <trackplex/simulation/detector_generator.hpp>
#include <trackplex/simulation/particle_gun.hpp>

#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <numeric>

using namespace trackplex;

TEST_CASE("the small detector is covered without gaps", "[simulation][small_detector]") {
  const auto detector = simulation::small_detector();
  CHECK(detector.layers.size() == 20);
  CHECK(detector.modules.size() == 1984);
  const simulation::DetectorGenerator generator(detector, geometry::UniformVectorField{0., 0., 2.});
  const auto events = generator(simulation::shoot_particles({.particles = 500}, 0));
  CHECK(*std::ranges::min_element(events.n_hits) >= 4);
  const double mean = std::accumulate(events.n_hits.begin(), events.n_hits.end(), 0.) / 500.;
  CHECK(mean > 7.);
  CHECK(mean < 10.);
}

TEST_CASE("a particle gun fills its ranges", "[simulation][particle_gun]") {
  const simulation::ParticleGunParams params{
      .particles = 2000, .min_pt = 0.5, .max_pt = 8., .max_abs_eta = 1.5, .vertex_sigma_z = 2.};
  const auto particles = simulation::shoot_particles(params, 3, 7);
  REQUIRE(particles.size() == 2000);
  int positive = 0, soft = 0;
  double z2 = 0.;
  for (const auto& particle : particles) {
    const double pt = 1. / particle.start(3), theta = particle.start(5);
    CHECK(pt >= 0.5);
    CHECK(pt <= 8.);
    CHECK(std::abs(std::log(std::tan(0.5 * theta))) <= 1.5);
    positive += particle.charge == 1 ? 1 : 0;
    soft += pt < 2. ? 1 : 0;  // half of the logarithms
    z2 += particle.start(2) * particle.start(2) / 2000.;
  }
  CHECK(std::abs(positive - 1000) < 120);
  CHECK(std::abs(soft - 1000) < 120);
  CHECK(std::abs(std::sqrt(z2) - 2.) < 0.15);
}

TEST_CASE("a particle depends on the numbers of itself and its event alone",
          "[simulation][particle_gun]") {
  const auto few = simulation::shoot_particles({.particles = 3}, 5);
  const auto many = simulation::shoot_particles({.particles = 30}, 5);
  const auto others = simulation::shoot_particles({.particles = 3}, 6);
  for (std::size_t i = 0; i < few.size(); ++i) {
    CHECK(std::ranges::equal(few[i].start.elements, many[i].start.elements));
    CHECK(few[i].charge == many[i].charge);
    CHECK(!std::ranges::equal(few[i].start.elements, others[i].start.elements));
  }
}

TEST_CASE("a particle gun refuses what cannot be", "[simulation][particle_gun]") {
  CHECK_THROWS_AS(simulation::shoot_particles({.particles = -1}, 0), UsageError);
  CHECK_THROWS_AS(simulation::shoot_particles({.min_pt = 2., .max_pt = 1.}, 0), UsageError);
  CHECK_THROWS_AS(simulation::shoot_particles({.min_pt = 0.}, 0), UsageError);
}
