// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Events that fail in a processor, alone or many, and batches that need too much memory.

#include <catch2/catch_test_macros.hpp>
#include <new>
#include <set>
#include <stdexcept>

#include "scenario.hpp"

using namespace trackplex;
using namespace trackplex::pipeline;
using namespace trackplex::test;

namespace {

const std::vector<std::string> processor_stages = {"stage", "run", "collect"};

/// These events fail in this stage.
Fault failing(const std::string& where, const std::set<std::size_t>& events) {
  return [=](const std::string& stage, std::size_t event) {
    if (stage == where && events.count(event) > 0)
      throw std::runtime_error("event " + std::to_string(event) + " is bad");
  };
}

std::map<std::size_t, std::string> all_in(const std::string& stage,
                                          const std::set<std::size_t>& events) {
  std::map<std::size_t, std::string> result;
  for (const std::size_t event : events) result[event] = stage;
  return result;
}

}  // namespace

TEST_CASE("An event that fails at any place of a batch costs itself only", "[pipeline]") {
  for (const auto& stage : processor_stages) {
    for (std::size_t bad = 0; bad < 26; ++bad) {  // two batches of 13
      CAPTURE(stage, bad);
      Scenario scenario;
      scenario.events = 40;
      scenario.options = options_with(2, 13);
      scenario.fault = failing(stage, {bad});
      const Outcome outcome = run(scenario);
      check_whole(outcome, scenario, {{bad, stage}});
      REQUIRE(outcome.failed.size() == 1);
      CHECK(outcome.failed[0].message == "event " + std::to_string(bad) + " is bad");
      CHECK(outcome.attempts <= 4 + 2 * 4);  // batches, and two per halving
      CHECK(outcome.statistics.batches_made_smaller == 0);
    }
  }
}

TEST_CASE("Several bad events of a batch, bad events of all stages", "[pipeline]") {
  Scenario scenario;
  scenario.events = 500;
  std::map<std::size_t, std::string> bad;
  for (const std::size_t event : {0, 1, 2, 63, 64, 65, 99, 100, 250, 313, 399, 498, 499})
    bad[event] = processor_stages[event % 3];
  scenario.fault = [&](const std::string& stage, std::size_t event) {
    const auto found = bad.find(event);
    if (found != bad.end() && found->second == stage) throw std::runtime_error("bad");
  };
  for (const int slots : {1, 2, 4}) {
    for (const int events_per_batch : {1, 10, 100, 1000}) {
      CAPTURE(slots, events_per_batch);
      scenario.options = options_with(slots, events_per_batch);
      check_whole(run(scenario), scenario, bad);
    }
  }
}

TEST_CASE("All events are bad", "[pipeline]") {
  std::set<std::size_t> all;
  for (std::size_t event = 0; event < 200; ++event) all.insert(event);
  for (const auto& stage : processor_stages) {
    CAPTURE(stage);
    Scenario scenario;
    scenario.events = all.size();
    scenario.options = options_with(3, 16);
    scenario.options.max_failures_in_a_row = 5;  // concerns reader and writer only
    scenario.fault = failing(stage, all);
    check_whole(run(scenario), scenario, all_in(stage, all));
  }
}

TEST_CASE("An exception of an unknown type is reported as such", "[pipeline]") {
  Scenario scenario;
  scenario.events = 20;
  scenario.options = options_with(2, 10);
  scenario.fault = [](const std::string& stage, std::size_t event) {
    if (stage == "run" && event == 7) throw 42;
  };
  const Outcome outcome = run(scenario);
  check_whole(outcome, scenario, {{7, "run"}});
  CHECK(outcome.failed.at(0).message == "an exception of an unknown type");
}

TEST_CASE("Batches that need too much memory are made smaller", "[pipeline]") {
  for (const std::size_t most : {1, 7, 50, 99}) {
    CAPTURE(most);
    Scenario scenario;
    scenario.events = 30000;
    scenario.options = options_with(2, 100);
    scenario.max_at_a_time = most;
    const Outcome outcome = run(scenario);
    check_whole(outcome, scenario);
    CHECK(outcome.statistics.batches == 300);
    CHECK(outcome.statistics.batches_made_smaller == 300);
    // The size that fits is remembered: few attempts fail.
    std::size_t fits = 100;
    while (fits > most) fits = (fits + 1) / 2;
    const std::size_t needed = 300 * ((100 + fits - 1) / fits);
    CHECK(outcome.attempts >= needed);
    CHECK(outcome.attempts <= needed + 100);
  }
}

TEST_CASE("The usual size comes back after a batch that was too large", "[pipeline]") {
  Scenario scenario;
  scenario.events = 10000;
  scenario.options = options_with(1, 100);
  std::set<std::size_t> large;  // two of these events at a time do not fit
  for (std::size_t event = 1000; event < 1010; ++event) large.insert(event);
  std::size_t last = 0;
  scenario.fault = [&](const std::string& stage, std::size_t event) {
    if (stage == "stage" && large.count(event) > 0 && large.count(event - 1) > 0 &&
        last == event - 1)
      throw std::bad_alloc();
    if (stage == "stage") last = event;
    if (stage == "run") last = 0;
  };
  const Outcome outcome = run(scenario);
  check_whole(outcome, scenario);
  CHECK(outcome.statistics.batches == 100);
  CHECK(outcome.statistics.batches_made_smaller > 1);
  CHECK(outcome.statistics.batches_made_smaller < 20);  // not all that follow
}

TEST_CASE("An event that never fits fails and leaves the batches their size", "[pipeline]") {
  Scenario scenario;
  scenario.events = 1000;
  scenario.options = options_with(1, 100);
  scenario.fault = [](const std::string& stage, std::size_t event) {
    if (stage == "run" && event == 321)
      throw trackplex::chain::ArenaError("tracking", "hits", 70000, 65535);
  };
  const Outcome outcome = run(scenario);
  check_whole(outcome, scenario, {{321, "run"}});
  CHECK(outcome.failed.at(0).message.find("tracking") != std::string::npos);
  CHECK(outcome.statistics.batches_made_smaller == 1);
}

namespace {

/// Forgets a result of three events, or has one too many.
struct Miscounting {
  int too_many;
  int* collected;
  std::size_t n = 0;
  void stage(std::span<const int> events) { n = events.size(); }
  void run() {}
  void collect(std::vector<int>& results) {
    ++*collected;
    results.assign(std::size_t(int(n) + (n == 3 ? too_many : 0)), 0);
  }
};

}  // namespace

TEST_CASE("A processor that does not give one result per event", "[pipeline]") {
  for (const int too_many : {-1, 1}) {
    CAPTURE(too_many);
    int next = 0, written = 0, collected = 0;
    std::vector<Failure> failed;
    const auto statistics = run_pipeline<int, int>(
        HostExecutor(), options_with(1, 3),
        [&](const auto&, int) {
          return Miscounting{too_many, &collected};
        },
        [&](std::stop_token) { return next < 6 ? std::optional(next++) : std::nullopt; },
        [&](std::size_t, int&&) { ++written; }, [&](const Failure& f) { failed.push_back(f); });
    CHECK(written == 6);  // one at a time and two at a time it works
    CHECK(failed.empty());
    CHECK(collected == 2 * 3);  // of three events, then of two and of one
    CHECK_FALSE(statistics.broken());
  }
}
