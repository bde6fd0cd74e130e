// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <trackplex/validation/cylinder_tracking.hpp>

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_floating_point.hpp>

#include <cmath>
#include <stdexcept>

namespace {

using namespace trackplex;
using Catch::Matchers::WithinAbs;
using validation::TrackDefinition;

constexpr int cylinders = 8;

/// Two particles with a hit on each of eight layers, that of the first particle first, and noise.
tracks::TrackingEvents event_of_two() {
  tracks::TrackingEvents event(cylinders);
  for (int layer = 0; layer < cylinders; ++layer) {
    for (const int particle : {0, 1, -1}) {
      event.hits.add(float(1 + layer), particle == 0 ? 0.f : float(1 + layer), 0.f, {});
      event.particle_of_hit.push_back(particle);
    }
    event.hits.end_layer();
  }
  for (int particle = 0; particle < 2; ++particle)
    event.particles.push_back({{{0., 0., 0., 1., 0., 1.5}}, 1});
  event.particle_offsets.push_back(2);
  return event;
}

/// A track of a known or unknown particle.
void add_track(cylinder::TrackList& list, const std::vector<std::int32_t>& hits,
               std::int32_t particle) {
  list.layers = cylinders;
  list.hits.insert(list.hits.end(), hits.begin(), hits.end());
  list.particle.push_back(particle);
  auto& state = list.states.emplace_back();
  state.parameters(kalman::Parameter::inverse_pt) = -0.5;
  state.parameters(kalman::Parameter::theta) = 1.5;
}

}  // namespace

TEST_CASE("A track has one particle, or none", "[cylinder_tracks]") {
  const auto event = event_of_two();
  CHECK(validation::only_particle(event, std::vector{0, -1, 0, 0, 0, 0, 0, 0}) == 0);
  CHECK(validation::only_particle(event, std::vector{1, 1, 1, 1, 1, 1, 1, -1}) == 1);
  CHECK(validation::only_particle(event, std::vector{0, 0, 0, 0, 0, 0, 0, 1}) == -1);
  CHECK(validation::only_particle(event, std::vector{0, 0, 0, 0, 0, 0, 0, 2}) == -1);
  CHECK(validation::only_particle(event, std::vector(8, -1)) == -1);
}

TEST_CASE("Tracks of a chain are compared with the particles of their event", "[cylinder_tracks]") {
  const auto event = event_of_two();
  cylinder::TrackList tracks;
  add_track(tracks, {0, 0, 0, 0, 0, 0, 0, 0}, 0);   // the truth's seed
  add_track(tracks, {1, 1, 0, 1, 1, 1, 1, 1}, -1);  // two of three hits: particle 1
  add_track(tracks, {0, 1, 2, 1, 1, 1, 1, 1}, -1);  // the seed has no particle
  const auto quality = validation::quality_of(event, tracks, 3);
  CHECK(quality.result(TrackDefinition::d1).good == 3);
  const auto by_seeds = quality.result(TrackDefinition::d2);
  CHECK(by_seeds.good == 2);
  CHECK(by_seeds.fake == 1);
  CHECK(by_seeds.efficiency == validation::Efficiency{2, 2});
}

TEST_CASE("Fake rates are over what the tracks' states have", "[cylinder_tracks]") {
  const auto event = event_of_two();
  cylinder::TrackList tracks;
  add_track(tracks, {0, 1, 0, 1, 0, 1, 0, 1}, 0);
  validation::TrackingQualityParams params;
  params.pt = validation::BinEdges::regular(4, 0., 4.);
  params.phi = validation::BinEdges::regular(2, -1., 1.);
  const auto result = validation::quality_of(event, tracks, 3, params).result(TrackDefinition::d1);
  CHECK(result.fake_rate_pt[2] == validation::Efficiency{1, 1});
  CHECK(result.fake_rate_phi[1] == validation::Efficiency{1, 1});
  tracks.states.clear();
  CHECK_THROWS_AS(validation::quality_of(event, tracks, 3), std::out_of_range);
}

TEST_CASE("Pseudorapidity is that of the polar angle", "[cylinder_tracks]") {
  CHECK_THAT(validation::eta_of(0.5 * std::acos(-1.)), WithinAbs(0., 1e-15));
  CHECK_THAT(std::sinh(validation::eta_of(0.1)), WithinAbs(1. / std::tan(0.1), 1e-12));
}
