// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Input that the chain for cylinders refuses or accepts.
#include "checks.hpp"
#include "support/refusals.hpp"

using namespace trackplex;
using cylinder::CylinderSteps;

namespace {
auto arena_chain(const cylinder::TrackingParams& params = test::tracking_params()) {
  return cylinder::tracking_chain<float>(test::FirstSpace(), params, test::plenty);
}
}  // namespace

TEST_CASE("The chain for cylinders takes single events of its detector", "[cylinder]") {
  auto tracking = arena_chain();
  const auto events = test::cylinder_events();
  auto two = *events[0];
  two.append(*events[1]);
  const auto refused = [&](tracks::TrackingEvents event, const std::string& part) {
    const test::CylinderEvents batch{std::make_shared<const tracks::TrackingEvents>(event)};
    test::check_refused<UsageError>([&] { tracking.stage(batch); }, part);
  };
  refused(two, "2 events with 10 layers (one event with 10 layers is wanted)");
  refused(tracks::TrackingEvents(10), "0 events with 10 layers");
  refused(tracks::TrackingEvents(9), "0 events with 9 layers");
  tracks::TrackingEvents nine(9);
  for (int layer = 0; layer < 9; ++layer) nine.hits.end_layer();
  nine.particle_offsets.push_back(0);
  refused(nine, "1 events with 9 layers");
  auto broken = *events[0];
  broken.particle_of_hit[0] = 1000;
  refused(broken, "a hit of event 0 is of particle 1000");

  const auto expected = test::run_batches(tracking, {events[0]}, 1);
  const test::CylinderEvents batch{std::make_shared<const tracks::TrackingEvents>(two.part(0, 1))};
  CHECK(test::hashes_of(test::run_batches(tracking, batch, 1)) == test::hashes_of(expected));
}

TEST_CASE("The chain for cylinders takes batches without events", "[cylinder]") {
  auto tracking = arena_chain();
  std::vector<cylinder::CylinderResult> results;
  tracking.stage({});
  tracking.run();
  tracking.collect(results);
  CHECK(results.empty());
}

TEST_CASE("States of seeds and tracks are in the results if they are wanted", "[cylinder]") {
  const auto events = test::cylinder_events();
  auto with_states = arena_chain();
  auto expected = test::run_batches(with_states, events, 2);
  CHECK(expected[0].seeds.states.size() == expected[0].seeds.size());
  auto params = test::tracking_params();
  params.all_states = false;
  auto without = arena_chain(params);
  const auto results = test::run_batches(without, events, 2);
  for (auto& result : expected) {
    result.seeds.states.clear();
    result.tracks.states.clear();
  }
  CHECK(test::hashes_of(results) == test::hashes_of(expected));
}

TEST_CASE("A chain for cylinders needs parameters that belong together", "[cylinder]") {
  auto params = test::tracking_params();
  params.half_length.pop_back();
  test::check_refused<UsageError>([&] { arena_chain(params); },
                                  "bins for 9 layers (the detector has 10)");

  auto tracking = arena_chain(test::tracking_params());
  test::check_refused<UsageError>(
      [&] { tracking.select(CylinderSteps{.strategy = "worst_hit"}.names()); },
      "there is no algorithm worst_hit");
  auto steps = CylinderSteps().names();
  std::erase(steps, "keep_tracks");
  test::check_refused<UsageError>(
      [&] { tracking.select(steps); },
      "which no step before it makes; it is made by: keep_tracks, resolve_ambiguities");
}

TEST_CASE("A chain without the step of its results has none to return", "[cylinder]") {
  auto tracking = arena_chain();
  auto steps = CylinderSteps().names();
  steps.pop_back();
  tracking.select(steps);
  test::check_refused<UsageError>([&] { tracking(std::vector{*test::cylinder_events()[0]}); },
                                  "the selected steps do not make results");
}
