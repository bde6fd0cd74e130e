// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The whole way from hits to tracks that are compared with the truth: of events that are turned
// about the z axis, and of collisions that are not at the origin.
#include "support/turned.hpp"

#include <trackplex/detector/collider_finder.hpp>
#include <trackplex/detector/track_finder.hpp>
#include <trackplex/geometry/field_map.hpp>
#include <trackplex/simulation/detector_generator.hpp>
#include <trackplex/simulation/particle_gun.hpp>
#include <trackplex/simulation/small_detector.hpp>
#include <trackplex/validation/detector_tracking.hpp>
#include <trackplex/validation/matched_efficiency.hpp>
#include <trackplex/validation/pulls.hpp>

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_floating_point.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <span>
#include <vector>

using namespace trackplex;
using Catch::Matchers::WithinAbs;

namespace {

using Space = HostExecutor;
using Map = geometry::AxisymmetricFieldMap<float, MemoryOf<Space>>;
using Field = kalman::HelicesInField<geometry::DisplacedField<Map, float>>;
constexpr double tesla = 2.;

Field field_of(const Space& exec) {
  const auto grid =
      geometry::sample_axisymmetric_field({0., 500., 2}, {-500., 500., 2}, [](double, double) {
        return std::array{0., tesla};
      });
  return {{Map(exec, grid, geometry::OutsideOfMap::zero), {{0.f, 0.f, 0.f}}}};
}

using test::turned;

geometry::DetectorDescription turned(geometry::DetectorDescription detector, double angle) {
  for (auto& module : detector.modules)
    module.frame = {turned(module.frame.centre, angle), turned(module.frame.u, angle),
                    turned(module.frame.v, angle)};
  return detector;
}

/// The same hits, with the particles turned; their azimuths are not wrapped.
tracks::DetectorEvents turned(const tracks::DetectorEvents& events,
                              const geometry::DetectorDescription& detector, double angle) {
  tracks::DetectorEvents result(detector);
  result.hits = events.hits;
  result.particle_of_hit = events.particle_of_hit;
  result.particles = turned(events.particles, angle);
  result.n_hits = events.n_hits;
  result.particle_offsets = events.particle_offsets;
  return result;
}

struct Found {
  detector::TrackList<> tracks;
  validation::DetectorTrackingResult compared;
  validation::MatchedEfficiency matched;
  validation::Pulls phi_pulls;
};

Found find(const geometry::DetectorDescription& description, const tracks::DetectorEvents& events,
           const detector::ColliderFinderParams& collider = {.min_pt = 0.4, .max_d0 = 0.2}) {
  const Space exec;
  const auto graph =
      geometry::find_layer_graph(description, {.x = collider.x, .y = collider.y, .z = collider.z});
  auto finder =
      detector::track_finder<float>(exec, description, graph, field_of(exec),
                                    detector::collider_finder_params(description, graph, collider));
  Found found{finder(std::span(&events.hits, 1)).front(), {}, {}, {}};
  validation::TrackCandidates candidates;
  const auto& list = found.tracks;
  for (std::size_t t = 0; t < list.size(); ++t) {
    const auto& state = list.states[t];
    const auto beam =
        validation::beam_parameters({state.parameters, state.charge < 0. ? -1 : 1}, tesla);
    candidates.add(list.hits_of(t), beam.phi, beam.theta, beam.z0, beam.q_over_p);
  }
  found.compared = validation::compare_with_truth(
      events, candidates, {.phi = validation::BinEdges::regular(9, 0., 2. * std::numbers::pi)});
  found.matched = validation::matched_efficiency(events, candidates);
  for (std::size_t t = 0; t < list.size(); ++t)
    if (const auto particle = found.compared.particle_of_track[t]; particle >= 0) {
      const auto truth =
          validation::beam_parameters(events.particles[std::size_t(particle)], tesla);
      found.phi_pulls.add_angle(candidates.phi[t], truth.phi, 1e-3);
    }
  return found;
}

tracks::DetectorEvents event_of(const geometry::DetectorDescription& description,
                                const simulation::ParticleGunParams& gun) {
  const simulation::DetectorGenerator generator(description,
                                                geometry::UniformVectorField{0., 0., tesla}, {});
  tracks::DetectorEvents events(description);
  generator.add_event(0, simulation::shoot_particles(gun, 0), events);
  return events;
}

std::uint64_t particles_in_bins(const std::vector<validation::Efficiency>& bins) {
  std::uint64_t n = 0;
  for (const auto& bin : bins) n += bin.total;
  return n;
}

}  // namespace

TEST_CASE("an event and the same event turned have the same tracks", "[detector]") {
  const auto straight = simulation::small_detector();
  const auto events = event_of(straight, {.particles = 200});
  const auto expected = find(straight, events);
  const auto expected_order = test::by_hits(expected.tracks);
  REQUIRE(expected.tracks.size() > 150);
  for (const double angle : test::turns) {
    CAPTURE(angle);
    const auto description = turned(straight, angle);
    const auto found = find(description, turned(events, description, angle));
    REQUIRE(found.tracks.size() == expected.tracks.size());
    const auto order = test::by_hits(found.tracks);
    for (std::size_t n = 0; n < order.size(); ++n) {
      const auto t = order[n], e = expected_order[n];
      CAPTURE(t, e);
      REQUIRE(std::ranges::equal(found.tracks.hits_of(t), expected.tracks.hits_of(e)));
      test::check_turned(found.tracks.states[t], expected.tracks.states[e], angle, 1e-3, 0.05);
      const double chi2 = expected.tracks.chi2[e];
      CHECK_THAT(found.tracks.chi2[t], WithinAbs(chi2, 0.02 + 0.01 * chi2));
    }
    CHECK(found.compared.efficiency.passed == expected.compared.efficiency.passed);
    CHECK(found.compared.fake_rate.passed == expected.compared.fake_rate.passed);
    CHECK(found.matched.matched.passed == expected.matched.matched.passed);
    CHECK(particles_in_bins(found.compared.efficiency_phi) == found.compared.efficiency.total);
    CHECK(particles_in_bins(found.compared.fake_rate_phi) == found.compared.fake_rate.total);
    CHECK(std::fabs(found.phi_pulls.max()) < 50.);
    CHECK(std::fabs(found.phi_pulls.min()) < 50.);
  }
}

TEST_CASE("collisions away from the origin are found as those there", "[detector]") {
  const auto description = simulation::small_detector();
  struct Centre {
    double x, y, z;
  };
  const auto efficiency_at = [&](const Centre& centre, bool is_known) {
    const auto events = event_of(description, {.particles = 200,
                                               .vertex_x = centre.x,
                                               .vertex_y = centre.y,
                                               .vertex_z = centre.z,
                                               .vertex_sigma_z = 3.});
    detector::ColliderFinderParams collider{.min_pt = 0.4, .sigma_z0 = 3., .max_d0 = 0.2};
    if (is_known) {
      collider.x = centre.x;
      collider.y = centre.y;
      collider.z = centre.z;
    }
    const auto found = find(description, events, collider);
    CHECK(found.compared.efficiency.total > 190);
    CHECK(found.compared.fake_rate.passed == 0);
    return found.compared.efficiency.value();
  };
  const double at_origin = efficiency_at({0., 0., 0.}, true);
  CHECK(at_origin > 0.98);
  for (const Centre& centre :
       std::vector<Centre>{{0., 0., 20.}, {0., 0., -30.}, {0.4, -0.3, 0.}, {-0.1, 0.2, 30.}}) {
    CAPTURE(centre.x, centre.y, centre.z);
    CHECK(efficiency_at(centre, true) >= at_origin - 0.005);
  }
  CHECK(efficiency_at({0., 0., 30.}, false) < 0.5);
}

TEST_CASE("tracks have the errors that their covariances say", "[detector]") {
  const auto description = simulation::small_detector();
  const auto events = event_of(description, {.particles = 300});
  const auto found = find(description, events);
  // Of 1/pT at the first hit, almost that at the start
  double sum = 0., square = 0.;
  int n = 0;
  for (std::size_t t = 0; t < found.tracks.size(); ++t) {
    const auto particle = found.compared.particle_of_track[t];
    if (particle < 0) continue;
    const auto& state = found.tracks.states[t];
    const auto& truth = events.particles[std::size_t(particle)].start;
    constexpr int parameter = kalman::Parameter::inverse_pt;
    const double pull = (state.parameters(parameter) - truth(parameter)) /
                        std::sqrt(state.covariance(parameter, parameter));
    const double limited = std::clamp(pull, -5., 5.);
    sum += limited;
    square += limited * limited;
    ++n;
  }
  REQUIRE(n > 250);
  const double mean = sum / n, width = std::sqrt(square / n - mean * mean);
  CHECK_THAT(mean, WithinAbs(0., 0.25));
  CHECK_THAT(width, WithinAbs(1., 0.2));
}

TEST_CASE("the tracks of an event do not depend on the other events of a batch", "[detector]") {
  const auto description = simulation::small_detector();
  const Space exec;
  const auto graph = geometry::find_layer_graph(description);
  const detector::ColliderFinderParams collider{.min_pt = 0.4, .max_d0 = 0.2};
  auto finder =
      detector::track_finder<float>(exec, description, graph, field_of(exec),
                                    detector::collider_finder_params(description, graph, collider));
  const simulation::DetectorGenerator generator(description,
                                                geometry::UniformVectorField{0., 0., tesla}, {});
  tracks::DetectorEvents batch(description);
  for (const unsigned number : {0u, 1u, 2u})
    generator.add_event(number, simulation::shoot_particles({.particles = 30}, number), batch);
  const auto together = finder(hits::split(batch.hits));
  REQUIRE(together.size() == 3);
  for (const unsigned number : {0u, 1u, 2u}) {
    CAPTURE(number);
    tracks::DetectorEvents alone(description);
    generator.add_event(number, simulation::shoot_particles({.particles = 30}, number), alone);
    const auto found = finder(std::span(&alone.hits, 1)).front();
    CHECK(found.size() > 20);
    CHECK(together[number].hits == found.hits);
    CHECK(together[number].first == found.first);
    CHECK(together[number].chi2 == found.chi2);
  }
}
