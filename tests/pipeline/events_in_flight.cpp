// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Events that nothing happens to: order, batches, back-pressure, statistics.

#include <catch2/catch_test_macros.hpp>
#include <chrono>
#include <cmath>
#include <memory>
#include <thread>

#include "scenario.hpp"
#include "support/refusals.hpp"

using namespace trackplex;
using namespace trackplex::pipeline;
using namespace trackplex::test;
using namespace std::chrono_literals;

TEST_CASE("Results come in the order of input for any slots and batches", "[pipeline]") {
  for (const int slots : {1, 2, 3, 8}) {
    for (const int events_per_batch : {1, 2, 7, 100, 5000}) {
      CAPTURE(slots, events_per_batch);
      Scenario scenario;
      scenario.options = options_with(slots, events_per_batch);
      const Outcome outcome = run(scenario);
      check_whole(outcome, scenario);
      const std::size_t n = std::size_t(events_per_batch);
      CHECK(outcome.statistics.batches == (scenario.events + n - 1) / n);
      CHECK(outcome.statistics.slots.size() == std::size_t(slots));
      CHECK(outcome.statistics.batches_made_smaller == 0);
    }
  }
}

TEST_CASE("By default there is a slot for each thread", "[pipeline]") {
  Scenario scenario;
  scenario.options.events_per_batch = 10;
  const Outcome outcome = run(scenario);
  check_whole(outcome, scenario);
  CHECK(outcome.statistics.slots.size() == std::size_t(HostExecutor().concurrency()));
}

TEST_CASE("Slots that are slow at different times keep the order", "[pipeline]") {
  Scenario scenario;
  scenario.events = 300;
  scenario.options = options_with(4, 10);
  scenario.fault = [](const std::string& stage, std::size_t event) {
    if (stage != "run" && event % 70 == 0) std::this_thread::sleep_for(5ms);
  };
  const Outcome outcome = run(scenario);
  check_whole(outcome, scenario);
}

TEST_CASE("No event and one event", "[pipeline]") {
  for (const std::size_t events : {0, 1}) {
    CAPTURE(events);
    Scenario scenario;
    scenario.events = events;
    scenario.options = options_with(3, 10);
    const Outcome outcome = run(scenario);
    check_whole(outcome, scenario);
    CHECK(outcome.statistics.batches == events);
    CHECK(outcome.statistics.events_per_second() >= 0.);
  }
}

TEST_CASE("Quantiles of latencies", "[pipeline]") {
  pipeline::detail::Latencies latencies;
  CHECK(latencies.quantile(0.5) == 0.);
  for (int i = 1; i <= 1000; ++i) latencies.add(1e-3 * i);
  for (const double q : {0.001, 0.25, 0.5, 0.99, 1.}) {
    CAPTURE(q);
    CHECK(latencies.quantile(q) >= q);
    CHECK(latencies.quantile(q) <= 1.032 * q);
  }
  pipeline::detail::Latencies extreme;
  for (const double seconds : {0., 1e-9, 1e12}) extreme.add(seconds);
  CHECK(extreme.quantile(0.5) < 1.1e-6);
  CHECK(extreme.quantile(1.) > 1e6);
}

TEST_CASE("A fast reader waits for a slow writer, a slow slot", "[pipeline]") {
  for (const char* const slow : {"write", "collect"}) {
    CAPTURE(slow);
    Scenario scenario;
    scenario.events = 400;
    scenario.options = options_with(2, 10);
    std::atomic<std::size_t> read{0}, out{0}, most{0};
    scenario.fault = [&](const std::string& stage, std::size_t event) {
      if (stage == "read") most = std::max<std::size_t>(most, ++read - out);
      if (stage == slow && event % 10 == 0) std::this_thread::sleep_for(2ms);
      if (stage == "write") ++out;
    };
    const Outcome outcome = run(scenario);
    check_whole(outcome, scenario);
    constexpr std::size_t bound = 2 + 4;  // slots, and batches beside them
    CHECK(outcome.statistics.max_batches_in_flight == bound);
    CHECK(most <= (bound + 1) * 10);  // a batch is recycled after its last event was written
    CHECK(most >= (bound - 1) * 10);  // the reader does go ahead
    CHECK(outcome.statistics.reader.waiting > outcome.statistics.reader.busy);
  }
}

TEST_CASE("Reading, staging and writing overlap", "[pipeline]") {
  // Each event sleeps 2 ms in the reader, in the slot and in the writer: 6 ms one after the other.
  Scenario scenario;
  scenario.events = 100;
  scenario.options = options_with(2, 5);
  scenario.fault = [](const std::string& stage, std::size_t) {
    if (stage == "read" || stage == "stage" || stage == "write") std::this_thread::sleep_for(2ms);
  };
  const Outcome outcome = run(scenario);
  check_whole(outcome, scenario);
  const Statistics& s = outcome.statistics;
  double staging = 0.;
  for (const auto& slot : s.slots) staging += slot.stage;
  CHECK(s.seconds < 0.7 * (s.reader.busy + staging + s.writer.busy));
  CHECK(s.median_latency >= 0.028);  // 2 ms for four more reads, five events staged, five written
  CHECK(s.latency_99 >= s.median_latency);
  CHECK(s.latency_99 <= 1.04 * s.seconds);
  CHECK(s.slots[0].batches + s.slots[1].batches == 20);
  CHECK(s.slots[0].events + s.slots[1].events == 100);
  CHECK(s.slots[0].batches > 0);
  CHECK(s.slots[1].batches > 0);
  for (const auto& slot : s.slots) {
    CHECK(slot.stage >= 0.002 * double(slot.events));
    CHECK(slot.idle > 0.);
    const double sum = slot.stage + slot.run + slot.collect + slot.waiting_to_run + slot.idle;
    CHECK(std::abs(sum - s.seconds) < 1e-6);
  }
  for (const auto& thread : {s.reader, s.writer}) {
    CHECK(thread.busy >= 0.2);
    CHECK(thread.busy + thread.waiting >= 0.99 * s.seconds);
  }
}

namespace {

/// Can neither be copied nor moved; reports what it did.
struct PinnedProcessor {
  explicit PinnedProcessor(int s) : slot(s) {}
  PinnedProcessor(const PinnedProcessor&) = delete;

  void stage(std::span<const std::unique_ptr<int>> e) { events = e; }
  void run() { ++runs; }
  void collect(std::vector<std::unique_ptr<long>>& results) {
    for (const auto& event : events) results.push_back(std::make_unique<long>(2L * *event));
  }
  chain::Report report() const {
    return {{{"run", 0.5, runs}}, {std::size_t(slot), 100}, {7, 200}};
  }

  int slot;
  std::size_t runs = 0;
  std::span<const std::unique_ptr<int>> events;
};

}  // namespace

TEST_CASE("Events, results and readers may be movable only; processors report", "[pipeline]") {
  auto options = options_with(2, 10);
  auto next = std::make_unique<int>(0);
  long sum = 0;
  int wrong = 0;
  const auto statistics = run_pipeline<std::unique_ptr<int>, std::unique_ptr<long>>(
      HostExecutor(), options, [](const auto&, int slot) { return PinnedProcessor(slot); },
      [next = std::move(next)](std::stop_token) -> std::optional<std::unique_ptr<int>> {
        if (*next == 95) return std::nullopt;
        return std::make_unique<int>((*next)++);
      },
      [&](std::size_t event, std::unique_ptr<long>&& result, std::stop_token) {
        wrong += *result != 2 * long(event);
        sum += *result;
      },
      [](const Failure& failure) { FAIL(failure.message); });
  CHECK(wrong == 0);
  CHECK(sum == 95 * 94);
  REQUIRE(statistics.slots.size() == 2);
  for (const std::size_t slot : {0, 1}) {
    const chain::Report& report = statistics.slots[slot].report;
    REQUIRE(report.steps.size() == 1);
    CHECK(report.steps[0].calls == statistics.slots[slot].batches);
    CHECK(report.device.high_water == slot);
    CHECK(report.pinned.capacity == 200);
  }
}

TEST_CASE("A trace tells what each thread did with which batch", "[pipeline]") {
  Scenario scenario;
  scenario.events = 95;
  scenario.options = options_with(2, 10);
  Trace trace;
  scenario.options.trace = &trace;
  check_whole(run(scenario), scenario);
  CHECK(trace.lanes() == std::vector<std::string>{"reader", "slot 0", "slot 1", "writer"});
  std::map<std::string, std::map<std::int64_t, int>> events;  // per stage and batch
  std::map<int, double> ends;
  for (const auto& span : trace.spans()) {
    CHECK(span.begin_us <= span.end_us);
    CHECK(span.begin_us >= ends[span.lane] - 1.);  // a lane does one thing at a time
    ends[span.lane] = span.end_us;
    if (span.name != "wait") events[span.name][span.batch] += span.events;
  }
  for (const char* const name : {"read", "stage", "run", "collect", "write"}) {
    CAPTURE(name);
    REQUIRE(events[name].size() == 10);
    for (int batch = 0; batch < 10; ++batch) CHECK(events[name][batch] == (batch < 9 ? 10 : 5));
  }
}

TEST_CASE("Options out of range are refused by name", "[pipeline]") {
  const auto check = [](const char* name, auto change) {
    Scenario scenario;
    change(scenario.options);
    check_refused<UsageError>([&] { (void)run(scenario); }, name);
  };
  check("number of slots must be at least 0 (it is -1)", [](auto& o) { o.slots = -1; });
  check("events per batch", [](auto& o) { o.events_per_batch = 0; });
  check("failures in a row", [](auto& o) { o.max_failures_in_a_row = 0; });
  check("time to flush after", [](auto& o) { o.flush_after = -1ms; });
  check("stall limit", [](auto& o) { o.stall_limit = -1ms; });
}

TEST_CASE("What a processor's constructor throws arrives before anything is read", "[pipeline]") {
  const Scenario scenario;
  for (const int bad_slot : {0, 2}) {
    bool touched = false;
    std::atomic<std::size_t> attempts{0};
    const auto start = [&] {
      (void)run_pipeline<std::size_t, std::uint64_t>(
          HostExecutor(), options_with(3, 10),
          [&](const auto&, int slot) {
            if (slot == bad_slot) throw InputError({"geometry.json"}, "cannot be read");
            return NumberProcessor(scenario, attempts);
          },
          [&](std::stop_token) -> std::optional<std::size_t> {
            touched = true;
            return std::nullopt;
          },
          [&](std::size_t, std::uint64_t&&) { touched = true; },
          [&](const Failure&) { touched = true; });
    };
    check_refused<InputError>(start, "geometry.json: cannot be read");
    CHECK_FALSE(touched);
  }
}
