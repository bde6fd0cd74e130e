// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <catch2/catch_approx.hpp>
#include <catch2/catch_template_test_macros.hpp>
#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_floating_point.hpp>
#include <trackplex/core/host_executor.hpp>
#include <trackplex/seeding/fit_seeds.hpp>
#include <trackplex/seeding/truth_seeds.hpp>

#include "cylinder_events.hpp"
#include "support/data.hpp"
#include "support/spaces.hpp"

using namespace trackplex;
using namespace trackplex::seeding;
using namespace trackplex::tracks;
using P = kalman::Parameter;

namespace {

/// Events of three layers whose hits are of these particles; the particles have one vertex each.
TrackingEvents events_of(const std::vector<std::vector<std::vector<int>>>& particles_of_hits,
                         int particles) {
  TrackingEvents events(3);
  for (const auto& event : particles_of_hits) {
    for (int i = 0; i < particles; ++i)
      events.particles.push_back({{{0.1 * i, 0., 1.5, 0.5, 0., 1.}}, i % 2 ? 1 : -1});
    events.particle_offsets.push_back(std::int32_t(events.particles.size()));
    for (const auto& layer : event) {
      for (const int particle : layer) {
        events.hits.add(1.f, 0.f, 0.f, {1e-4f, 0.f, 1e-4f, 0.f, 0.f, 1e-2f});
        events.particle_of_hit.push_back(particle);
      }
      events.hits.end_layer();
    }
  }
  return events;
}

}  // namespace

TEMPLATE_LIST_TEST_CASE("true seeds have a hit on each of the first layers", "[seeding]",
                        test::EnabledSpaces) {
  const TestType exec;
  // Particle 1 lacks a hit on layer 1, particle 0 has two on layer 2.
  const auto events = events_of({{{2, 1, 0}, {-1, 0, 2}, {1, 0, 2, 0}}, {{1}, {1}, {-1, 1}}}, 3);
  StartSeeds<double, MemoryOf<TestType>> seeds;
  const auto particles = truth_seeds(exec, events, 3, seeds);
  CHECK(particles == std::vector<std::int32_t>{0, 2, 1});
  REQUIRE(seeds.size() == 3);
  const auto index = to_host(exec, seeds.hits.index);
  const auto event = to_host(exec, seeds.hits.event);
  const int expected[3][3] = {{2, 1, 1}, {0, 2, 2}, {0, 0, 1}};
  for (int seed = 0; seed < 3; ++seed) {
    CHECK(event(seed) == (seed == 2));
    for (int layer = 0; layer < 3; ++layer)
      CHECK(index(layer * seeds.hits.stride() + seed) == expected[seed][layer]);
  }
  const auto states = kalman::states_on_host(exec, seeds.states);
  CHECK(states[1].charge == -1.);
  CHECK(states[2].charge == 1.);
  // x = 0.2 cm, z = 1.5 cm; px = 2 GeV, pz = 2 GeV / tan(1); y and py are 0
  const double variances[6] = {0.04, 1e-6, 2.25, 4., 1e-6, std::pow(2. / std::tan(1.), 2)};
  for (int i = 0; i < 6; ++i) {
    CHECK(states[1].parameters(i) == events.particles[2].start(i));
    for (int j = 0; j < i; ++j) CHECK(states[1].covariance(i, j) == 0.);
    CHECK_THAT(states[1].covariance(i, i), Catch::Matchers::WithinRel(variances[i], 1e-6));
  }

  CHECK(truth_seeds(exec, events, 1, seeds).size() == 4);
  CHECK(truth_seeds(exec, TrackingEvents(3), 3, seeds).empty());
  CHECK(seeds.size() == 0);
}

TEST_CASE("true seeds stand in the order of azimuth", "[seeding]") {
  // On layers 0 and 1 in other orders; particles 2 and 4 have the same azimuth on layer 1.
  const double azimuth[2][6] = {{0., 1., 2., 3., -1., -2.}, {3., -1., 0.5, -3., 0.5, 2.}};
  TrackingEvents events(2);
  for (int event = 0; event < 2; ++event) {
    for (int i = 0; i < 6; ++i) events.particles.push_back({{{0., 0., 0., 1., 0., 1.}}, 1});
    events.particle_offsets.push_back(std::int32_t(events.particles.size()));
    for (const auto& layer : azimuth) {
      for (int i = 5; i >= event; --i) {  // event 1 lacks particle 0
        events.hits.add(float(4. * std::cos(layer[i])), float(4. * std::sin(layer[i])), 0.f,
                        {1e-4f, 0.f, 1e-4f, 0.f, 0.f, 1e-2f});
        events.particle_of_hit.push_back(i);
      }
      events.hits.end_layer();
    }
  }
  using Space = HostExecutor;
  StartSeeds<float, MemoryOf<Space>> seeds;
  const Space exec;
  CHECK(truth_seeds(exec, events, 2, seeds) ==
        std::vector<std::int32_t>{3, 1, 2, 4, 5, 0, 3, 1, 2, 4, 5});
  CHECK(truth_seeds(exec, events, 1, seeds) ==
        std::vector<std::int32_t>{5, 4, 0, 1, 2, 3, 5, 4, 1, 2, 3});
  for (int seed = 0; seed < seeds.size(); ++seed) CHECK(seeds.hits.event(seed) == seed / 6);
}

TEST_CASE("true seeds of impossible input are refused", "[seeding]") {
  const HostExecutor exec;
  StartSeeds<float, MemoryOf<HostExecutor>> seeds;
  const auto events = events_of({{{0}, {3}, {0}}}, 3);
  CHECK_THROWS_AS(truth_seeds(exec, events, 3, seeds), UsageError);
  CHECK_THROWS_AS(truth_seeds(exec, events, 4, seeds), UsageError);
  CHECK_THROWS_AS(truth_seeds(exec, events, 0, seeds), UsageError);
  CHECK(truth_seeds(exec, events, 1, seeds).size() == 1);
}

TEST_CASE("true seeds of mkFit's events are fitted", "[seeding]") {
  using Space = HostExecutor;
  const auto toy = io::read_toy_events(test::data_or_skip("cylinder/toy_2x10k.bin"));
  const auto events = io::tracking_events(toy, "toy_2x10k.bin");
  const Space exec;
  StartSeeds<float, MemoryOf<Space>> start;
  Seeds<float, MemoryOf<Space>> seeds;
  const auto particles = truth_seeds(exec, events, 3, start);
  REQUIRE(particles.size() > 19900);
  for (int seed = 0; seed < start.size(); ++seed) {
    const auto& track =
        toy[std::size_t(start.hits.event(seed))].tracks[std::size_t(particles[std::size_t(seed)])];
    for (int layer = 0; layer < 3; ++layer) REQUIRE(start.hits(seed, layer) == track.hits[layer]);
  }

  hits::LayerHits<float, MemoryOf<Space>> hits;
  hits::upload(exec, events.hits, hits);
  CylinderLayers detector;
  detector.size = 10;
  for (int layer = 0; layer < 10; ++layer) detector.radius[layer] = 4. * (layer + 1);
  run_algorithm(exec, FitSeeds<float, Space>{detector, test::cylinder_field}, hits, start, seeds);
  exec.fence();

  const auto states = kalman::states_on_host(exec, seeds.states);
  double sum = 0.;
  int lost = 0, far = 0;
  for (int seed = 0; seed < seeds.size(); ++seed) {
    if (!seeds.fit.reached(seed)) {
      ++lost;
      continue;
    }
    const auto& state = states[std::size_t(seed)];
    CAPTURE(seed);
    REQUIRE(std::hypot(state.parameters(0), state.parameters(1)) ==
            Catch::Approx(12.).epsilon(0.001));
    const auto& truth =
        events.particles[std::size_t(events.particle_offsets[std::size_t(seeds.hits.event(seed))] +
                                     particles[std::size_t(seed)])];
    const double off = state.parameters(P::inverse_pt) - truth.start(P::inverse_pt);
    if (std::fabs(off) > 4. * std::sqrt(state.covariance(3, 3))) ++far;
    sum += double(seeds.fit.chi2(seed));
  }
  CHECK(lost < 20);
  CHECK(far < 200);
  // Six numbers were measured; the start, which is the truth, counts for some of five parameters.
  const double chi2 = sum / (seeds.size() - lost);
  CHECK(chi2 > 1.);
  CHECK(chi2 < 2.5);
}
