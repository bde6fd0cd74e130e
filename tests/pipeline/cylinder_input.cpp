// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a sequence for cylinders refuses, and what it takes.
#include "cylinder_checks.hpp"
#include "support/refusals.hpp"

using namespace trackplex;
using pipeline::CylinderChoice;

namespace {
using Space = test::FirstSpace;
using Tracking = pipeline::CylinderSequence<float, Space>;
}  // namespace

TEST_CASE("The sequence for cylinders takes single events of its detector", "[cylinder]") {
  Tracking tracking(Space(), test::plenty, test::cylinder_settings());
  const auto events = test::cylinder_events();
  auto two = *events[0];
  two.append(*events[1]);
  const auto refused = [&](seeding::TrackingEvents event, const std::string& part) {
    const test::CylinderEvents batch{std::make_shared<const seeding::TrackingEvents>(event)};
    test::check_refused<UsageError>([&] { tracking.stage(batch); }, part);
  };
  refused(two, "2 events with 10 layers (one event with 10 layers is wanted)");
  refused(seeding::TrackingEvents(10), "0 events with 10 layers");
  refused(seeding::TrackingEvents(9), "0 events with 9 layers");
  auto broken = *events[0];
  broken.particle_of_hit[0] = 1000;
  refused(broken, "a hit of event 0 is of particle 1000");

  const auto expected = test::run_batches(tracking, {events[0]}, 1);
  const test::CylinderEvents batch{std::make_shared<const seeding::TrackingEvents>(two.part(0, 1))};
  CHECK(test::hashes_of(test::run_batches(tracking, batch, 1)) == test::hashes_of(expected));
}

TEST_CASE("The sequence for cylinders takes batches without events", "[cylinder]") {
  Tracking tracking(Space(), test::plenty, test::cylinder_settings());
  std::vector<pipeline::CylinderResult> results;
  tracking.stage({});
  tracking.run();
  tracking.collect(results);
  CHECK(results.empty());
}

TEST_CASE("States of seeds and tracks are in the results if they are wanted", "[cylinder]") {
  auto settings = test::cylinder_settings();
  settings.all_states = false;
  Tracking tracking(Space(), test::plenty, settings);
  const auto events = test::cylinder_events();
  const auto results = test::run_batches(tracking, events, 2);
  test::DirectCylinderTracking<float, Space> direct(events, settings);
  auto expected = direct.run({});
  for (auto& result : expected) {
    result.seeds.states.clear();
    result.tracks.states.clear();
  }
  CHECK(test::hashes_of(results) == test::hashes_of(expected));
}

TEST_CASE("A sequence for cylinders needs settings that belong together", "[cylinder]") {
  auto settings = test::cylinder_settings();
  settings.half_length.pop_back();
  test::check_refused<UsageError>([&] { Tracking(Space(), test::plenty, settings); },
                                  "bins for 9 layers (the detector has 10)");

  settings = test::cylinder_settings();
  settings.detector.size = 11;
  settings.detector.radius[10] = 44.;
  settings.half_length.push_back(200.);
  Tracking tracking(Space(), test::plenty, settings);
  tracking.select(CylinderChoice{.smooth = true}.steps());
  const test::CylinderEvents events{[] {
    seeding::TrackingEvents event(11);
    for (int layer = 0; layer < 11; ++layer) event.hits.end_layer();
    event.particle_offsets.push_back(0);
    return std::make_shared<const seeding::TrackingEvents>(event);
  }()};
  test::check_refused<UsageError>([&] { test::run_batches(tracking, events, 1); },
                                  "smooth_tracks: the detector has 11 layers");
  tracking.select(CylinderChoice().steps());
  CHECK(test::run_batches(tracking, events, 1).size() == 1);

  test::check_refused<UsageError>(
      [&] { tracking.select(CylinderChoice{.strategy = "worst_hit"}.steps()); },
      "there is no algorithm worst_hit");
  auto steps = CylinderChoice().steps();
  std::erase(steps, "keep_tracks");
  test::check_refused<UsageError>([&] { tracking.select(steps); },
                                  "fit_tracks reads tracks, which no step before it makes; it is "
                                  "made by: keep_tracks, remove_shared_hits");
}
