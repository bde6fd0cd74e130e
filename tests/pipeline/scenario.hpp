// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <atomic>
#include <catch2/catch_test_macros.hpp>
#include <functional>
#include <map>
#include <string>
#include <trackplex/chain/arena.hpp>
#include <trackplex/core/host_executor.hpp>
#include <trackplex/pipeline/pipeline.hpp>
#include <vector>

namespace trackplex::test {

/// What happens to which event: throws if it is this event's turn to fail in a stage ("read",
/// "stage", "run", "collect" or "write").
using Fault = std::function<void(const std::string& stage, std::size_t event)>;

/// Events 0 to n - 1 on their way through a pipeline whose processors do nothing but what the test
/// wants. The result of an event is a function of the event.
struct Scenario {
  std::size_t events = 1000;
  pipeline::PipelineOptions options;
  Fault fault = [](const std::string&, std::size_t) {};
  /// More events at a time need more memory than there is.
  std::size_t max_at_a_time = std::size_t(-1);
};

struct Written {
  std::size_t event;
  std::uint64_t result;
};

/// What came out, in the order in which it came.
struct Outcome {
  std::vector<Written> written;
  std::vector<pipeline::Failure> failed;
  std::vector<std::size_t> order;  ///< events written and failed
  std::size_t attempts = 0;        ///< calls of stage
  pipeline::Statistics statistics;
};

inline std::uint64_t result_of(std::size_t event) { return 3 * std::uint64_t(event) + 1; }

/// Does its work in three steps, and leaves them in the middle where an event fails.
class NumberProcessor {
 public:
  NumberProcessor(const Scenario& scenario, std::atomic<std::size_t>& attempts)
      : scenario_(scenario), attempts_(attempts) {}

  void stage(std::span<const std::size_t> events) {
    ++attempts_;
    staged_.clear();
    for (const std::size_t event : events) {
      if (staged_.size() == scenario_.max_at_a_time)
        throw chain::ArenaError("NumberProcessor", "events", events.size(),
                                scenario_.max_at_a_time);
      scenario_.fault("stage", event);
      staged_.push_back(event);
    }
  }
  void run() {
    results_.clear();
    for (const std::size_t event : staged_) {
      scenario_.fault("run", event);
      results_.push_back(result_of(event));
    }
  }
  void collect(std::vector<std::uint64_t>& results) {
    for (std::size_t i = 0; i < staged_.size(); ++i) {
      scenario_.fault("collect", staged_[i]);
      results.push_back(results_[i]);
    }
  }

 private:
  const Scenario& scenario_;
  std::atomic<std::size_t>& attempts_;
  std::vector<std::size_t> staged_;
  std::vector<std::uint64_t> results_;
};

inline Outcome run(const Scenario& scenario) {
  Outcome outcome;
  std::atomic<std::size_t> attempts{0};
  std::size_t next = 0;
  outcome.statistics = pipeline::run_pipeline<std::size_t, std::uint64_t>(
      HostExecutor(), scenario.options,
      [&](const auto&, int) { return NumberProcessor(scenario, attempts); },
      [&](std::stop_token) -> std::optional<std::size_t> {
        if (next == scenario.events) return std::nullopt;
        const std::size_t event = next++;
        scenario.fault("read", event);
        return event;
      },
      [&](std::size_t event, std::uint64_t&& result) {
        scenario.fault("write", event);
        outcome.written.push_back({event, result});
        outcome.order.push_back(event);
      },
      [&](const pipeline::Failure& failure) {
        outcome.failed.push_back(failure);
        outcome.order.push_back(failure.event);
      });
  outcome.attempts = attempts;
  return outcome;
}

/// All that was read came out once and in order: these events failed in these stages, all others
/// have their results; and the statistics say so.
inline void check_complete(const Outcome& outcome, std::size_t events,
                           const std::map<std::size_t, std::string>& failing = {}) {
  REQUIRE(outcome.order.size() == events);
  for (std::size_t i = 0; i < events; ++i) REQUIRE(outcome.order[i] == i);
  std::map<std::size_t, std::string> failed;
  for (const auto& failure : outcome.failed) failed[failure.event] = failure.stage;
  CHECK(failed == failing);
  for (const auto& [event, result] : outcome.written) REQUIRE(result == result_of(event));
  CHECK(outcome.statistics.events_read == events);
  CHECK(outcome.statistics.events_written == outcome.written.size());
  CHECK(outcome.statistics.events_failed == outcome.failed.size());
  CHECK(outcome.statistics.events_not_processed == 0);
}

/// The same of a run that was not cut short.
inline void check_whole(const Outcome& outcome, const Scenario& scenario,
                        const std::map<std::size_t, std::string>& failing = {}) {
  check_complete(outcome, scenario.events, failing);
  CHECK(outcome.statistics.ending == pipeline::Ending::end_of_input);
  CHECK_FALSE(outcome.statistics.broken());
  CHECK(outcome.statistics.error == "");
}

inline pipeline::PipelineOptions options_with(int slots, int events_per_batch) {
  pipeline::PipelineOptions options;
  options.slots = slots;
  options.events_per_batch = events_per_batch;
  options.flush_after = std::chrono::hours(1);  // batches do not depend on the machine's load
  return options;
}

}  // namespace trackplex::test
