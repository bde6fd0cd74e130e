// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Histories that ranks share.
#include <bit>
#include <catch2/catch_test_macros.hpp>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <trackplex/core/host_executor.hpp>
#include <trackplex/montecarlo/schedule.hpp>
#include <trackplex/montecarlo/transport.hpp>
#include <trackplex/mpi/communicator.hpp>
#include <vector>

using namespace trackplex;
using namespace trackplex::montecarlo;
using mpi::Communicator;

namespace {

/// Counts of histories in two cells, with sums that fill their 96 bits.
TransportCounts counts_of(const HistoryRange& range) {
  TransportCounts counts;
  counts.cells = {0, 0};
  counts.histories.add(range);
  counts.lane_steps = 3 * range.size();
  for (auto i = range.begin; i < range.end; ++i) {
    ++counts.cells[i % 3 == 0];
    ++(i % 7 == 0 ? counts.moments.skipped : counts.moments.histories);
    for (auto& sum : counts.moments.sums)
      sum += std::numeric_limits<std::int64_t>::max() / (i % 2 == 0 ? 1 : -3) - std::int64_t(i);
  }
  return counts;
}

/// The counts of a real simulation, whose times differ from rank to rank.
TransportCounts simulate(const ScheduleParams& params, const Ranks* ranks) {
  using Space = HostExecutor;
  const Space exec;
  const auto list = tallies(AxisTally<Transverse, float>({0., 0.5, 20}));
  Transport<float, Space, std::decay_t<decltype(list)>> transport(
      exec, {.screening = 1e-2, .limit = 5., .seed = 3}, list);
  Schedule schedule(params, {}, ranks);
  while (const auto range = schedule.next()) {
    transport.run(exec, *range);
    schedule.take(transport.take(exec), ranks ? 0.1 * ranks->rank() : 0.1);
  }
  return schedule.counts();
}

/// Whether all ranks have the same bits.
bool is_agreed(const Communicator& all, double value) {
  const auto bits = std::bit_cast<std::int64_t>(value);
  return all.max_of(bits) == bits && all.max_of(~bits) == ~bits;
}

}  // namespace

TEST_CASE("Ranks together count what one process counts", "[mpi][montecarlo]") {
  const Communicator all;
  for (const std::uint64_t n : {1, 4, 20011}) {
    CAPTURE(n);
    const ScheduleParams params{.histories = {100, 100 + n}, .first_batch = 300};
    const auto counts = simulate(params, &all), expected = simulate(params, nullptr);
    CHECK(counts.same_results(expected));
    CHECK(counts.moments.histories == n);
  }
}

TEST_CASE("Ranks end together where the error is reached", "[mpi][montecarlo]") {
  const Communicator all;
  const ScheduleParams params{.histories = {0, 1'000'000}, .relative_error = 0.01};
  const auto counts = simulate(params, &all);
  CHECK(counts.same_results(simulate(params, nullptr)));
  CHECK(counts.histories.size() < 1'000'000);
}

TEST_CASE("Each rank has its part of a batch", "[mpi][montecarlo]") {
  const Communicator all;
  const auto n = std::uint64_t(all.size());
  Schedule schedule({.histories = {10, 12 + 100 * n}, .batch = 100}, {}, &all);
  const auto first = schedule.next();
  REQUIRE(first.has_value());
  CHECK(*first ==
        HistoryRange{10 + 100 * std::uint64_t(all.rank()), 110 + 100 * std::uint64_t(all.rank())});
  schedule.take(counts_of(*first), 1.);
  const auto last = schedule.next();  // two are left
  REQUIRE(last.has_value());
  CHECK(last->size() == (n == 1 ? 2u : std::uint64_t(all.rank() < 2)));
  schedule.take(counts_of(*last), 1.);
  CHECK_FALSE(schedule.next().has_value());
  const auto counts = schedule.counts(), expected = counts_of({10, 12 + 100 * n});
  CHECK(counts.same_results(expected));
  CHECK(counts.lane_steps == expected.lane_steps);
  CHECK(schedule.own_counts().moments == expected.moments);
}

TEST_CASE("Rank 0 has the counts of before", "[mpi][montecarlo]") {
  const Communicator all;
  auto done = counts_of({100, 200});
  done += counts_of({300, 400});
  if (!all.is_first()) done = all.rank() == 1 ? TransportCounts() : counts_of({0, 1});
  Schedule schedule({.histories = {0, 500}, .batch = 10}, done, &all);
  CHECK(schedule.expected() == 300);
  while (const auto range = schedule.next()) schedule.take(counts_of(*range), 1.);
  CHECK(schedule.counts().same_results(counts_of({0, 500})));
  CHECK(schedule.own_counts().histories.size() == 300);
  Schedule nothing_left({.histories = {}}, schedule.counts(), &all);
  CHECK_FALSE(nothing_left.next().has_value());
  CHECK(nothing_left.counts().same_results(counts_of({0, 500})));
}

TEST_CASE("Times and sizes of batches are agreed", "[mpi][montecarlo]") {
  const Communicator all;
  Schedule schedule({.histories = {0, 100'000}, .first_batch = 100}, {}, &all);
  for (int i = 0; i < 4; ++i) {
    const auto range = schedule.next();
    REQUIRE(range.has_value());
    schedule.take(counts_of(*range), 1e-3 * (all.rank() + 1));
    CHECK(is_agreed(all, schedule.seconds()));
    CHECK(is_agreed(all, double(schedule.own_counts().histories.size())));
    CHECK(is_agreed(all, double(schedule.expected())));
  }
}

TEST_CASE("Each rank can interrupt all", "[mpi][montecarlo]") {
  const Communicator all;
  Schedule schedule({.histories = {0, 1000}, .batch = 10}, {}, &all);
  const auto range = schedule.next(false);
  REQUIRE(range.has_value());
  schedule.take(counts_of(*range), 1.);
  CHECK_FALSE(schedule.next(all.rank() == all.size() - 1).has_value());
  CHECK(schedule.stop() == StopReason::interrupt);
  CHECK(schedule.counts().same_results(counts_of({0, 10 * std::uint64_t(all.size())})));
}

TEST_CASE("All ranks refuse counts that miss some of a batch", "[mpi][montecarlo]") {
  const Communicator all;
  Schedule schedule({.histories = {0, 1000}, .batch = 10}, {}, &all);
  auto range = schedule.next();
  REQUIRE(range.has_value());
  if (all.rank() == all.size() - 1) --range->end;
  CHECK_THROWS_AS(schedule.take(counts_of(*range), 1.), UsageError);
}
