// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <trackplex/validation/detector_tracking.hpp>

#include <trackplex/kalman/field_along_z.hpp>
#include <trackplex/kalman/helix.hpp>
#include <trackplex/validation/matched_efficiency.hpp>

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_floating_point.hpp>

#include <cmath>
#include <numbers>
#include <vector>

#include "support/refusals.hpp"

using namespace trackplex;
using namespace trackplex::validation;
using Catch::Matchers::WithinAbs;

namespace {

/// One module of one layer, so that hits stay in their order.
geometry::DetectorDescription one_module() {
  geometry::Module module;
  module.frame = {{0., 0., 1.}, {1., 0., 0.}, {0., 1., 0.}};
  module.bounds = geometry::Bounds::rectangle(1., 1.);
  geometry::DetectorDescription detector;
  detector.add_layer({.kind = geometry::LayerKind::disk, .position = 1.}, {module});
  return detector;
}

tracks::TrueParticle particle_at(double pt, double phi, double theta = 1.) {
  tracks::TrueParticle particle;
  particle.start = kalman::Parameters<double>{0., 0., 0., 1. / pt, phi, theta};
  particle.charge = 1;
  return particle;
}

/// An event with particles of these hits, in this order, and noise at its end.
void add_event_of(tracks::DetectorEvents& events, const std::vector<int>& hits, int noise) {
  for (int p = 0; p < int(hits.size()); ++p)
    for (int i = 0; i < hits[std::size_t(p)]; ++i) events.particle_of_hit.push_back(p);
  for (int i = 0; i < noise; ++i) events.particle_of_hit.push_back(-1);
  while (events.hits.u.size() < events.particle_of_hit.size()) {
    events.hits.add(0, 0., 0., 1., 1.);
    events.weight.push_back(events.particle_of_hit[events.hits.u.size() - 1] < 0 ? 0. : 0.1);
  }
  events.hits.end_event();
  for (int p = 0; p < int(hits.size()); ++p)
    events.particles.push_back(particle_at(p == 0 ? 0.3 : 1., 0.5 * p));
  events.particle_offsets.push_back(std::int32_t(events.particles.size()));
}

}  // namespace

TEST_CASE("tracks are compared with the truth by double majority", "[validation]") {
  tracks::DetectorEvents events(one_module());
  add_event_of(events, {6, 5, 4}, 4);  // hits 0-5, 6-10, 11-14, noise 15-18
  TrackCandidates tracks;
  tracks.add(std::vector{0, 1, 2, 3, 15});  // particle 0: 4 of 6, 4 of 5
  tracks.add(std::vector{6, 7, 16, 17});    // half of the track: a fake
  tracks.add(std::vector{11, 12, 18});      // too short to count
  const auto result = compare_with_truth(events, tracks);
  CHECK(result.particle_of_track == std::vector<std::int32_t>{0, -1, -1});
  CHECK_THAT(result.score, WithinAbs(0.4 / 1.5, 1e-12));
  CHECK(result.score_above_pt == 0.);
  CHECK(result.efficiency == Efficiency{1, 3});
  CHECK(result.fake_rate == Efficiency{1, 2});
  CHECK(result.completeness == Efficiency{4, 6});
  CHECK(result.purity == Efficiency{4, 5});
  CHECK(compare_with_truth(events, tracks, {.min_pt = 0.5}).efficiency == Efficiency{0, 2});

  tracks.add(std::vector{6, 7, 8, 9, 10});  // particle 1, two of its hits are in a track before
  const auto more = compare_with_truth(events, tracks, {.pt = BinEdges{{0., 0.5, 2.}}});
  CHECK_THAT(more.score, WithinAbs(0.4 / 1.5, 1e-12));  // three hits are left
  CHECK(more.efficiency == Efficiency{2, 3});
  CHECK(more.efficiency_pt == std::vector<Efficiency>{{1, 1}, {1, 2}});
  CHECK(more.shared_hits == 2);
  TrackCandidates twice;
  twice.add(std::vector{0, 1, 2, 3});
  twice.add(std::vector{2, 3, 4, 5});
  CHECK(compare_with_truth(events, twice).duplicates == Efficiency{1, 1});
}

TEST_CASE("particles count within a distance of the beam", "[validation]") {
  tracks::DetectorEvents events(one_module());
  add_event_of(events, {4, 4}, 0);
  events.particles[0].start(0) = 0.3;
  events.particles[0].start(1) = -0.4;
  const TrackCandidates none;
  const auto count = [&](double radius, double x, double y) {
    return compare_with_truth(events, none, {.max_vertex_radius = radius, .beam_x = x, .beam_y = y})
        .efficiency.total;
  };
  CHECK(count(0.1, 0., 0.) == 1);
  CHECK(count(0.1, 0.35, -0.4) == 1);
  CHECK(count(0.1, 0.3, -0.2) == 0);
  CHECK(count(0.51, 0., 0.) == 2);
}

TEST_CASE("matching is at the beam", "[validation]") {
  tracks::DetectorEvents events(one_module());
  add_event_of(events, {6}, 0);
  events.particles = {particle_at(1., 0.5)};
  auto& start = events.particles[0].start;
  start(0) = 20. + 5. * std::cos(0.5);
  start(1) = 5. * std::sin(0.5);
  const auto at = beam_parameters(events.particles[0], 2., 20., 0.);
  CHECK(std::abs(at.z0 - beam_parameters(events.particles[0], 2.).z0) > 1.);
  TrackCandidates tracks;
  tracks.add(std::vector{0}, at.phi, at.theta, at.z0, at.q_over_p);
  CHECK(matched_efficiency(events, tracks, {.beam_x = 20.}).matched == Efficiency{1, 1});
  CHECK(matched_efficiency(events, tracks).matched == Efficiency{0, 1});
}

TEST_CASE("tracks of several events are compared with their own", "[validation]") {
  tracks::DetectorEvents events(one_module());
  add_event_of(events, {4}, 1);
  add_event_of(events, {2, 5}, 0);  // hits 5, 6 and 7-11
  TrackCandidates tracks;
  tracks.add(std::vector{7, 8, 9, 10}, 0., 1., 0., 0.5);
  const auto result = compare_with_truth(
      events, tracks, {.phi = BinEdges::regular(2, -std::numbers::pi, std::numbers::pi)});
  CHECK(result.particle_of_track == std::vector<std::int32_t>{1});
  CHECK(result.efficiency == Efficiency{1, 2});
  CHECK(result.score_above_pt == 0.8);
  CHECK(result.fake_rate_phi == std::vector<Efficiency>{{0, 0}, {0, 1}});
  const auto refuse = [&](const std::vector<std::int32_t>& hits, const char* message) {
    TrackCandidates wrong;
    wrong.add(hits);
    test::check_refused<UsageError>([&] { compare_with_truth(events, wrong); }, message);
  };
  refuse({3, 4, 5, 6}, "hits of several events");
  refuse({12}, "there is no hit 12");
  refuse({1, 2, 1}, "a hit twice");
  refuse({}, "no hits");
  events.particle_of_hit.clear();
  test::check_refused<UsageError>([&] { compare_with_truth(events, tracks); },
                                  "use matched_efficiency");
}

TEST_CASE("parameters at the beam are those of the helix, wherever the particle begins",
          "[validation]") {
  for (const int charge : {-1, 1})
    for (const double phi : {-3., 0.3, 2.}) {
      auto particle = particle_at(0.4, phi, 0.7);
      particle.charge = charge;
      particle.start(0) = 0.02 * std::sin(phi);  // at its closest approach
      particle.start(1) = -0.02 * std::cos(phi);
      particle.start(2) = 3.;
      const auto here = beam_parameters(particle, 2.);
      CHECK_THAT(here.phi, WithinAbs(phi, 1e-12));
      CHECK_THAT(here.z0, WithinAbs(3., 1e-12));
      const kalman::Helix<double> helix(particle.start,
                                        kalman::curvature_per_inverse_pt(double(charge), 2.));
      auto later = particle;
      later.start = kalman::HelixPoint<double>(helix, 12.).parameters;
      const auto there = beam_parameters(later, 2.);
      CHECK_THAT(there.phi, WithinAbs(phi, 1e-9));
      CHECK_THAT(there.z0, WithinAbs(3., 1e-9));
      CHECK_THAT(there.q_over_p, WithinAbs(here.q_over_p, 1e-12));
      later.start(0) += 0.7;
      later.start(1) -= 1.3;
      const auto elsewhere = beam_parameters(later, 2., 0.7, -1.3);
      CHECK_THAT(elsewhere.phi, WithinAbs(phi, 1e-9));
      CHECK_THAT(elsewhere.z0, WithinAbs(3., 1e-9));
    }
  auto straight = particle_at(1., 0., std::numbers::pi / 4.);
  straight.start(0) = 5.;
  CHECK_THAT(beam_parameters(straight, 0.).z0, WithinAbs(-5., 1e-12));
}

TEST_CASE("tracks are matched one to one at the beam, and accidentals are counted",
          "[validation]") {
  tracks::DetectorEvents events(one_module());
  add_event_of(events, {2}, 0);
  events.particles.clear();
  for (const double phi : {0., 3.14, 1.}) events.particles.push_back(particle_at(1., phi));
  events.particles.push_back(particle_at(0.4, 2.));  // too slow
  events.n_hits = {5, 7, 4, 9};                      // the third one has too few
  events.particle_offsets = {0, 4};
  TrackCandidates tracks;
  const std::vector hit{0};
  const double q_over_p = std::sin(1.);
  tracks.add(hit, 0.015, 1., 0.2, 1.2 * q_over_p);
  tracks.add(hit, 0.019, 1., 0.2, q_over_p);     // the same particle
  tracks.add(hit, -3.14, 1.01, -0.2, q_over_p);  // 3.14, the other way round
  const auto result = matched_efficiency(events, tracks);
  CHECK(result.matched == Efficiency{2, 2});
  CHECK(result.accidental == Efficiency{0, 2});
  CHECK(result.value() == 1.);
  for (const MatchedEfficiencyParams& narrow :
       {MatchedEfficiencyParams{.phi = 0.001}, {.theta = 0.}, {.z0 = 0.1}})
    CHECK(matched_efficiency(events, tracks, narrow).matched.passed < 2);
  tracks.add(hit, 1.01, 1., 0., q_over_p);
  CHECK(matched_efficiency(events, tracks).accidental == Efficiency{1, 2});
  CHECK(matched_efficiency(events, tracks).value() == 0.5);
  tracks.phi.pop_back();
  test::check_refused<UsageError>([&] { matched_efficiency(events, tracks); }, "only some tracks");
  tracks.phi.clear();
  test::check_refused<UsageError>([&] { matched_efficiency(events, tracks); }, "give phi, theta");
}
