// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tracks that are built on the modules of a detector from true seeds: efficiency, purity, holes,
// and the parameters that are refused.
#include <trackplex/candidates/build_tracks.hpp>
#include <trackplex/core/host_executor.hpp>

#include <catch2/catch_test_macros.hpp>

#include <algorithm>
#include <set>
#include <vector>

#include "building_in_detector.hpp"
#include "support/refusals.hpp"

using namespace trackplex;
using candidates::BestHit;
using candidates::CloneEngine;
using candidates::DetectorSearchParams;
using candidates::Standard;
using test::DetectorBuildingInput;
using test::host_copy;

namespace {

using Space = HostExecutor;
using Central = DetectorBuildingInput<float, Space>;

const kalman::UniformField solenoid{test::building_tesla};

/// Hits of tracks compared with those of the particles of their seeds, behind the seeds.
struct Quality {
  int true_layers = 0,   ///< layers on which particles have hits
      found_layers = 0,  ///< of these, those on which the track has one of them
      found = 0,         ///< hits of tracks
      right = 0;         ///< of these, hits of the particle
  double efficiency() const { return double(found_layers) / true_layers; }
  double purity() const { return double(right) / found; }
};

template <class Input>
Quality quality_of(const tracks::DetectorEvents& events, const Input& input,
                   const typename Input::Found& tracks) {
  const auto truth = test::true_tracks(events);
  const auto layer_of = [&](int hit) {
    return events.hits.layer_of_module(events.hits.module[std::size_t(hit)]);
  };
  Quality quality;
  for (int t = 0; t < tracks.size(); ++t) {
    const auto& particle = truth[input.list.track[std::size_t(t)]];
    std::set<int> layers, of_seed, met;
    for (int k = 0; k < 3; ++k) of_seed.insert(layer_of(tracks.hits(t, k)));
    for (const int hit : particle.hits)
      if (!of_seed.contains(layer_of(hit))) layers.insert(layer_of(hit));
    quality.true_layers += int(layers.size());
    for (int k = 3; k < tracks.hits.layers; ++k) {
      const int hit = tracks.hits(t, k);
      if (hit < 0) continue;
      ++quality.found;
      const bool is_right =
          std::find(particle.hits.begin(), particle.hits.end(), hit) != particle.hits.end();
      quality.right += is_right;
      if (is_right) met.insert(layer_of(hit));
    }
    quality.found_layers += int(met.size());
  }
  return quality;
}

template <class Strategy, class Input>
void check_quality(const tracks::DetectorEvents& events, const Input& input, double min_efficiency,
                   double min_purity) {
  CAPTURE(Strategy::name);
  const auto tracks = input.template build<Strategy>();
  REQUIRE(tracks.size() == input.seeds.size());
  const auto quality = quality_of(events, input, tracks);
  CAPTURE(quality.true_layers, quality.found);
  CHECK(quality.true_layers > 3 * tracks.size());
  CHECK(quality.efficiency() > min_efficiency);
  CHECK(quality.purity() > min_purity);
  // What the tracks say of themselves
  const auto layers = input.navigation.detector.layer_of_module;
  for (int t = 0; t < tracks.size(); ++t) {
    int n = 0, before = -1;
    for (int k = 0; k < tracks.hits.layers; ++k) {
      const int hit = tracks.hits(t, k);
      if (k < 3) CHECK(hit == input.seeds.hits(t, k));
      if (hit < 0) continue;
      n += k >= 3;
      const int layer = layers(std::size_t(events.hits.module[std::size_t(hit)]));
      CHECK(layer != before);
      before = layer;
      CHECK(hit >= events.hits.first(input.list.event[std::size_t(t)]));
      CHECK(hit < events.hits.first(input.list.event[std::size_t(t)] + 1));
    }
    CHECK(tracks.found(std::size_t(t)) == n);
    CHECK(tracks.hits.event(std::size_t(t)) == input.list.event[std::size_t(t)]);
    CHECK(tracks.chi2(std::size_t(t)) >= 0.f);
    CHECK(tracks.chi2(std::size_t(t)) <= 20.f * float(n));
  }
}

/// Layers behind the seed on which tracks have hits, of all tracks.
template <class Found>
int hits_behind_seeds(const Found& tracks) {
  int n = 0;
  for (int t = 0; t < tracks.size(); ++t) n += tracks.found(std::size_t(t));
  return n;
}

}  // namespace

TEST_CASE("all strategies find the hits of particles in barrels and disks", "[candidates]") {
  const auto detector = test::barrels_and_disks();
  const auto events = test::generated_events(detector, 2, 100);
  const Central input(detector, events, solenoid);
  REQUIRE(input.list.size() > 180);
  check_quality<BestHit>(events, input, 0.95, 0.98);
  check_quality<CloneEngine<4>>(events, input, 0.97, 0.99);
  check_quality<Standard<4>>(events, input, 0.97, 0.99);
}

TEST_CASE("forward tracks are found in tilted planes after each other", "[candidates]") {
  const auto detector = test::tilted_planes();
  const auto events = test::generated_events(detector, 2, 40, true);
  const DetectorBuildingInput<float, Space, kalman::ForwardTrack, geometry::UniformVectorField>
      input(detector, events, test::dipole);
  REQUIRE(input.list.size() > 70);
  check_quality<CloneEngine<4>>(events, input, 0.97, 0.97);
}

TEST_CASE("a layer without a hit is a hole where modules are active", "[candidates]") {
  const auto detector = test::barrels_and_disks();
  // Tracks in barrels alone, of which none has a hit on the fifth
  simulation::DetectorGeneratorParams params;
  params.scattering = false;
  const auto complete = test::generated_events(detector, 1, 200, false, params);
  tracks::DetectorEvents events(detector);
  for (std::size_t i = 0; i < complete.hits.u.size(); ++i) {
    const auto& h = complete.hits;
    if (h.layer_of_module(h.module[i]) == 4) continue;
    events.hits.add(h.module[i], h.u[i], h.v[i], h.variance_u[i], h.variance_v[i]);
    events.particle_of_hit.push_back(complete.particle_of_hit[i]);
  }
  events.hits.end_event();
  events.particle_offsets = complete.particle_offsets;
  geometry::NavigationParams dead;
  for (int m = 0; m < detector.layers[4].n_modules; ++m)
    dead.coverage.dead.push_back(detector.layers[4].first_module + m);

  const Central inefficient(detector, events, solenoid),
      without(detector, events, solenoid, {.hits = {}, .default_hits = 150}, dead);
  const auto behind = [&](const Central& input, int max_holes) {
    const auto tracks = input.build<CloneEngine<4>>({.max_holes = max_holes});
    int beyond = 0;
    for (int t = 0; t < tracks.size(); ++t)
      for (int k = 3; k < tracks.hits.layers; ++k)
        if (const int hit = tracks.hits(t, k); hit >= 0)
          beyond += events.hits.layer_of_module(events.hits.module[std::size_t(hit)]) == 6;
    return beyond;
  };
  const int all = behind(without, 0);
  CHECK(all > 70);
  CHECK(behind(inefficient, 0) < all / 3);  // those between modules
  CHECK(behind(inefficient, 1) > all * 95 / 100);
  CHECK(behind(without, 1) >= all);
  // The best hit has no limit.
  CHECK(hits_behind_seeds(inefficient.build<BestHit>({.max_holes = 0})) ==
        hits_behind_seeds(inefficient.build<BestHit>({.max_holes = 5})));
  // More holes, more hits
  params.efficiency = 0.7;
  const auto few = test::generated_events(detector, 1, 200, false, params);
  const Central with_gaps(detector, few, solenoid);
  int before = 0;
  for (const int max_holes : {0, 1, 3}) {
    const int n = hits_behind_seeds(with_gaps.build<CloneEngine<4>>({.max_holes = max_holes}));
    CHECK(n > before);
    before = n;
  }
}

TEST_CASE("tracks have hits on at most max_layers layers", "[candidates]") {
  const auto detector = test::barrels_and_disks();
  const auto events = test::generated_events(detector, 1, 50);
  const Central input(detector, events, solenoid);
  const auto all = input.build<CloneEngine<4>>();
  CHECK(all.hits.layers == 20);
  const auto five = input.build<CloneEngine<4>>({.max_layers = 5});
  REQUIRE(five.hits.layers == 5);
  int same = 0;
  for (int t = 0; t < five.size(); ++t) same += five.hits(t, 3) == all.hits(t, 3);
  CHECK(same > five.size() * 9 / 10);
  const auto none = input.build<CloneEngine<4>>({.max_layers = 3});
  CHECK(none.hits.layers == 3);
  CHECK(hits_behind_seeds(none) == 0);
  // Nor hits that are taken
  auto left = input;
  std::vector<std::uint8_t> taken(events.hits.u.size(), 1);
  left.bin(taken);
  CHECK(hits_behind_seeds(left.build<CloneEngine<4>>()) == 0);
  CHECK(hits_behind_seeds(left.build<BestHit>()) == 0);
}

TEST_CASE("states, hits and seeds of no or any numbers are no fault", "[candidates]") {
  const auto detector = test::barrels_and_disks();
  const auto events = test::generated_events(detector, 1, 60);
  Central input(detector, events, solenoid);
  const auto expected = input.build<CloneEngine<4>>();
  // Every third state has a number that is none
  const float nan = std::numeric_limits<float>::quiet_NaN(),
              inf = std::numeric_limits<float>::infinity();
  for (int i = 0; i < input.seeds.size(); i += 3) {
    const auto view = input.seeds.states.view();
    const float wrong = i % 2 ? nan : inf;
    if (i % 4 < 2)
      view.parameters.element(i, i % 6) = wrong;
    else
      view.covariance.element(i, i % 21) = i % 5 ? wrong : -1e30f;
  }
  const auto check = [&](const auto& tracks, const auto& without_faults) {
    for (int t = 0; t < tracks.size(); ++t)
      if (t % 3 != 0)
        for (int k = 0; k < tracks.hits.layers; ++k)
          CHECK(tracks.hits(t, k) == without_faults.hits(t, k));
  };
  check(input.build<CloneEngine<4>>(), expected);
  CHECK_NOTHROW(input.build<BestHit>());
  // No seeds, and no hits
  auto none = input;
  none.seeds = {};
  CHECK(none.build<CloneEngine<4>>().size() == 0);
  CHECK(none.build<BestHit>().size() == 0);
  tracks::DetectorEvents no_hits(detector);
  no_hits.hits.end_event();
  no_hits.particle_offsets.push_back(0);
  Central empty(detector, no_hits, solenoid);
  empty.seeds = input.seeds;
  CHECK(hits_behind_seeds(empty.build<CloneEngine<4>>()) == 0);
  CHECK(hits_behind_seeds(empty.build<BestHit>()) == 0);
}

TEST_CASE("hits, seeds and parameters that do not belong together are refused", "[candidates]") {
  const auto detector = test::barrels_and_disks();
  const auto events = test::generated_events(detector, 1, 10);
  const Central input(detector, events, solenoid);
  const auto refuse = [](const Central& wrong, const DetectorSearchParams& params,
                         const char* message) {
    test::check_refused<UsageError>([&] { wrong.build<CloneEngine<4>>(params); }, message);
    test::check_refused<UsageError>([&] { wrong.build<BestHit>(params); }, message);
  };
  refuse(input, {.max_layers = 0}, "max_layers = 0");
  refuse(input, {.max_layers = 64}, "max_layers = 64");
  refuse(input, {.max_layers = 2}, "seeds have no or more than max_layers hits (3 of 2)");
  auto wrong = input;
  wrong.binned.layers = 3;
  refuse(wrong, {}, "hits and detector have different layers (3 and 19)");
  wrong = input;
  wrong.seeds.layer = {};
  refuse(wrong, {}, "the layers of the seeds are not known");
  wrong = input;
  wrong.binned.events = 0;
  refuse(wrong, {}, "there are no hits in bins");
}
