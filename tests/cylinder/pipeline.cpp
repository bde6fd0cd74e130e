// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tracks in a detector of cylinders through the event pipeline.
#include <trackplex/core/host_executor.hpp>
#include <trackplex/pipeline/pipeline.hpp>

#include "checks.hpp"

using namespace trackplex;

namespace {

using HostSpace = HostExecutor;
using Event = test::CylinderEvents::value_type;
using Result = cylinder::CylinderResult;
static_assert(pipeline::Processor<cylinder::TrackingChain<float, HostSpace>, Event, Result>);

auto host_chain(const HostSpace& exec, std::size_t bytes) {
  return cylinder::tracking_chain<float>(exec, test::tracking_params(), {bytes, bytes});
}

/// Results of `copies` times the events, by their place in the input; of events that fail, nothing.
struct TrackingOutcome {
  std::vector<std::string> hashes;
  std::vector<pipeline::Failure> failures;
  pipeline::Statistics statistics;
};

TrackingOutcome run(const test::CylinderEvents& events, std::size_t copies, std::size_t bytes,
                    const pipeline::PipelineOptions& options) {
  TrackingOutcome outcome;
  std::size_t next = 0;
  outcome.statistics = pipeline::run_pipeline<Event, Result>(
      HostSpace(), options, [&](const HostSpace& exec, int) { return host_chain(exec, bytes); },
      [&](std::stop_token) -> std::optional<Event> {
        if (next == copies * events.size()) return std::nullopt;
        return events[next++ % events.size()];
      },
      [&](std::size_t, Result&& result) { outcome.hashes.push_back(test::hash_of(result)); },
      [&](const pipeline::Failure& failure) { outcome.failures.push_back(failure); });
  return outcome;
}

}  // namespace

TEST_CASE("The pipeline finds the tracks that direct calls find", "[cylinder]") {
  constexpr std::size_t copies = 6;
  const auto events = test::cylinder_events();
  auto direct = cylinder::tracking_chain<float>(HostSpace(), test::tracking_params());
  const auto of_each = test::hashes_of(test::run_batches(direct, events, events.size()));
  std::vector<std::string> expected;
  for (std::size_t i = 0; i < copies; ++i)
    expected.insert(expected.end(), of_each.begin(), of_each.end());
  for (const int slots : {1, 3})
    for (const int batch : {1, 5, 100}) {
      CAPTURE(slots, batch);
      const auto outcome =
          run(events, copies, test::plenty.device, {.slots = slots, .events_per_batch = batch});
      CHECK(outcome.hashes == expected);
      CHECK(outcome.failures.empty());
    }

  // As much memory as the largest event needs
  auto largest = host_chain(HostSpace(), test::plenty.device);
  test::run_batches(largest, events, 1);
  const auto bytes = largest.report().device.high_water * 9 / 8;
  const auto outcome = run(events, copies, bytes, {.slots = 2, .events_per_batch = 20});
  CHECK(outcome.hashes == expected);
  CHECK(outcome.failures.empty());
  CHECK(outcome.statistics.batches_made_smaller > 0);
}

TEST_CASE("The pipeline tells of an event that is no good", "[cylinder]") {
  auto events = test::cylinder_events();
  const auto good = run(events, 1, test::plenty.device, {});
  auto broken = *events[3];
  broken.particle_of_hit[0] = 1000;
  events[3] = std::make_shared<const tracks::TrackingEvents>(broken);
  const auto outcome = run(events, 1, test::plenty.device, {.slots = 2, .events_per_batch = 4});
  REQUIRE(outcome.failures.size() == 1);
  CHECK(outcome.failures[0].event == 3);
  CHECK(outcome.failures[0].stage == "stage");
  auto expected = good.hashes;
  expected.erase(expected.begin() + 3);
  CHECK(outcome.hashes == expected);
}
