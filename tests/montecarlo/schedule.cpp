// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <trackplex/montecarlo/schedule.hpp>

#include <catch2/catch_test_macros.hpp>

#include <cstdint>
#include <vector>

using namespace trackplex::montecarlo;

namespace {

/// Counts of histories of which every second one ends at half of the limit, others at its start.
TransportCounts counts_of(const HistoryRange& range) {
  TransportCounts counts;
  counts.histories.add(range);
  counts.moments.histories = range.size();
  constexpr auto half = std::int64_t(0.5 / moment_unit);
  for (auto i = range.begin; i < range.end; ++i)
    for (auto& sum : counts.moments.sums) sum += i % 2 == 0 ? half : 0;
  return counts;
}

/// Takes all batches, of so many seconds each; gives their ranges.
std::vector<HistoryRange> run(Schedule& schedule, double seconds) {
  std::vector<HistoryRange> ranges;
  while (const auto range = schedule.next()) {
    ranges.push_back(*range);
    schedule.take(counts_of(*range), seconds);
  }
  return ranges;
}

}  // namespace

TEST_CASE("All histories of a goal are asked for once", "[schedule]") {
  Schedule schedule({.histories = {100, 5000}, .first_batch = 10});
  CHECK(schedule.expected() == 4900);
  const auto ranges = run(schedule, 1e-3);
  CHECK(schedule.counts().histories.ranges() == std::vector<HistoryRange>{{100, 5000}});
  CHECK(ranges.front() == HistoryRange{100, 110});
  CHECK(ranges[1].size() == 80);  // quick ones grow, by no more than eight times
  CHECK(schedule.stop() == StopReason::histories);
  CHECK(schedule.seconds() > 0.);
  CHECK_FALSE(schedule.next().has_value());
}

TEST_CASE("Slow batches become smaller, but not smaller than the first one", "[schedule]") {
  Schedule schedule({.histories = {0, 1000}, .first_batch = 10});
  for (const auto& range : run(schedule, 10.)) CHECK(range.size() == 10);
  Schedule fixed({.histories = {0, 1000}, .batch = 250});
  CHECK(run(fixed, 10.).size() == 4);
}

TEST_CASE("Counts of before are continued", "[schedule]") {
  Schedule schedule({.histories = {0, 30}, .batch = 100}, counts_of({10, 20}));
  CHECK(run(schedule, 1.) == std::vector<HistoryRange>{{0, 10}, {20, 30}});
  CHECK(schedule.counts().histories.size() == 30);
  CHECK(schedule.own_counts().histories.size() == 20);
  CHECK(schedule.expected() == 20);
}

TEST_CASE("A goal for the error ends at the same history, whatever the batches", "[schedule]") {
  const ScheduleParams goal{.histories = {0, 10'000'000}, .relative_error = 4e-3};
  std::vector<std::uint64_t> ends;
  for (const std::uint64_t batch : {999, 12345, 1 << 20}) {
    auto of_batches = goal;
    of_batches.batch = batch;
    Schedule schedule(of_batches);
    run(schedule, 1.);
    CHECK(schedule.stop() == StopReason::relative_error);
    CHECK(relative_error(schedule.counts().moments) <= goal.relative_error);
    ends.push_back(schedule.counts().histories.size());
  }
  CHECK(ends == std::vector(3, ends.front()));
  CHECK(ends.front() < goal.histories.size());
}

TEST_CASE("An interruption ends a schedule", "[schedule]") {
  Schedule schedule({.histories = {0, 100}, .batch = 10});
  const auto range = schedule.next();
  REQUIRE(range.has_value());
  schedule.take(counts_of(*range), 1.);
  CHECK_FALSE(schedule.next(true).has_value());
  CHECK(schedule.stop() == StopReason::interrupt);
  CHECK(schedule.counts().histories.size() == 10);
}
