// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Hashes of detectors that a builder made, and of events that particle guns shot into them.
#include <catch2/catch_test_macros.hpp>
#include <cstdint>
#include <string>
#include <trackplex/core/fingerprint.hpp>
#include <trackplex/geometry/field.hpp>
#include <trackplex/geometry/outlines.hpp>
#include <trackplex/simulation/detector_generator.hpp>
#include <trackplex/simulation/particle_gun.hpp>
#include <trackplex/simulation/small_detector.hpp>
#include <trackplex/simulation/telescope.hpp>
#include <vector>

#include "golden_hashes.hpp"

namespace trackplex::test {
namespace {

using geometry::DetectorDescription;

std::string detector_hash(const DetectorDescription& detector) {
  Fingerprint hash;
  for (const auto& layer : detector.layers)
    hash.add(layer.position).add(layer.low).add(layer.high).add(layer.normal.elements);
  for (const auto& module : detector.modules) {
    for (const auto* const vector : {&module.frame.centre, &module.frame.u, &module.frame.v})
      hash.add(vector->elements);
    hash.add(module.bounds.size);
    for (const auto& corner : geometry::corners_of(module)) hash.add(corner.elements);
  }
  for (int layer = 0; layer < int(detector.layers.size()); ++layer)
    for (const auto projection : {geometry::Projection::zr, geometry::Projection::xy})
      for (const auto& segment : geometry::outlines(detector, layer, projection)) hash.add(segment);
  return hash.hex();
}

/// Three events, each of the particles that `shoot` gives for its number.
template <class Field, class Shoot>
std::string events_hash(const DetectorDescription& detector, const Field& field,
                        const Shoot& shoot) {
  const simulation::DetectorGenerator generator(detector, field,
                                                {.efficiency = 0.95, .noise_fraction = 0.3});
  tracks::DetectorEvents events(detector);
  for (std::uint64_t event = 0; event < 3; ++event) {
    const std::vector<tracks::TrueParticle> particles = shoot(event);
    generator.add_event(event, particles, events);
  }
  CHECK(events.hits.u.size() > 300);
  Fingerprint hash;
  for (const auto& particle : events.particles)
    hash.add(particle.start.elements).add(particle.charge);
  hash.add(events.hits.u).add(events.hits.v).add(events.hits.module);
  hash.add(events.particle_of_hit).add(events.weight);
  return hash.hex();
}

TEST_CASE("Built detectors are the same everywhere", "[reproducibility]") {
  CHECK(detector_hash(simulation::small_detector()) == small_detector_golden);
  auto telescope = simulation::telescope();
  telescope.modules.front().bounds = geometry::Bounds::annulus(4., 7., 0.6);
  CHECK(detector_hash(telescope) == small_telescope_golden);
}

TEST_CASE("Events of particle guns are the same everywhere", "[reproducibility]") {
  const geometry::UniformVectorField solenoid{0., 0., 2.};
  CHECK(events_hash(simulation::small_detector(), solenoid, [](std::uint64_t event) {
          return simulation::shoot_particles({.particles = 40}, event);
        }) == gun_events_golden);
  CHECK(
      events_hash(simulation::telescope(), simulation::telescope_magnet(), [](std::uint64_t event) {
        return simulation::shoot_beam({.particles = 40}, event);
      }) == beam_gun_events_golden);
}

}  // namespace
}  // namespace trackplex::test
