// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Readers and writers that throw.

#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>
#include <stdexcept>

#include "scenario.hpp"

using namespace trackplex;
using namespace trackplex::pipeline;
using namespace trackplex::test;

namespace {

Fault every(const std::string& where, std::size_t n) {
  return [=](const std::string& stage, std::size_t event) {
    if (stage == where && event % n == 0)
      throw std::runtime_error(where + " " + std::to_string(event));
  };
}

}  // namespace

TEST_CASE("The reader fails for single events at any place of a batch", "[pipeline]") {
  for (std::size_t bad = 0; bad < 25; ++bad) {
    CAPTURE(bad);
    Scenario scenario;
    scenario.events = 25;
    scenario.options = options_with(2, 10);
    scenario.fault = [=](const std::string& stage, std::size_t event) {
      if (stage == "read" && event == bad) throw std::runtime_error("damaged");
    };
    const Outcome outcome = run(scenario);
    check_whole(outcome, scenario, {{bad, "read"}});
    CHECK(outcome.failed.at(0).message == "damaged");
    CHECK(outcome.statistics.batches == 3);  // what failed has its place in a batch
  }
}

TEST_CASE("Reader, processor and writer fail for different events", "[pipeline]") {
  Scenario scenario;
  scenario.events = 300;
  std::map<std::size_t, std::string> failing;
  for (std::size_t event = 0; event < scenario.events; event += 3) failing[event] = "read";
  for (std::size_t event = 0; event < scenario.events; event += 7) failing.emplace(event, "run");
  for (std::size_t event = 0; event < scenario.events; event += 5) failing.emplace(event, "write");
  scenario.fault = [&](const std::string& stage, std::size_t event) {
    const auto found = failing.find(event);
    if (found != failing.end() && found->second == stage) throw std::runtime_error(stage);
  };
  for (const int slots : {1, 3}) {
    for (const int events_per_batch : {1, 16, 300}) {
      CAPTURE(slots, events_per_batch);
      scenario.options = options_with(slots, events_per_batch);
      const Outcome outcome = run(scenario);
      check_whole(outcome, scenario, failing);
      for (const auto& failure : outcome.failed) CHECK(failure.message == failure.stage);
    }
  }
}

TEST_CASE("A batch of events that could not be read", "[pipeline]") {
  Scenario scenario;
  scenario.events = 30;
  scenario.options = options_with(2, 10);
  std::map<std::size_t, std::string> failing;
  for (std::size_t event = 10; event < 20; ++event) failing[event] = "read";
  scenario.fault = [&](const std::string& stage, std::size_t event) {
    if (stage == "read" && failing.count(event) > 0) throw std::runtime_error("damaged");
  };
  check_whole(run(scenario), scenario, failing);
}

TEST_CASE("A reader that fails for ever ends the run; what was read is written", "[pipeline]") {
  Scenario scenario;
  scenario.options = options_with(2, 10);
  scenario.options.max_failures_in_a_row = 7;
  scenario.fault = [](const std::string& stage, std::size_t event) {
    if (stage == "read" && event >= 123) throw std::runtime_error("the disk is gone");
  };
  const Outcome outcome = run(scenario);
  std::map<std::size_t, std::string> failing;
  for (std::size_t event = 123; event < 130; ++event) failing[event] = "read";
  check_complete(outcome, 130, failing);
  CHECK(outcome.statistics.broken());
  CHECK(outcome.statistics.ending == Ending::reader_failed);
  CHECK(outcome.statistics.error ==
        "the reader failed 7 times in a row, at last with: the disk is gone");
}

TEST_CASE("A reader or writer that fails often, but not in a row, goes on", "[pipeline]") {
  const std::string stage = GENERATE("read", "write");
  Scenario scenario;
  scenario.events = 200;
  scenario.options = options_with(2, 10);
  scenario.options.max_failures_in_a_row = 2;
  scenario.fault = every(stage, 2);
  std::map<std::size_t, std::string> failing;
  for (std::size_t event = 0; event < 200; event += 2) failing[event] = stage;
  check_whole(run(scenario), scenario, failing);
}

TEST_CASE("A writer that fails for ever ends the run; nothing is lost silently", "[pipeline]") {
  Scenario scenario;
  scenario.events = 100000;
  scenario.options = options_with(2, 10);
  scenario.options.max_failures_in_a_row = 5;
  scenario.fault = [](const std::string& stage, std::size_t event) {
    if (stage == "write" && event >= 33) throw std::runtime_error("no space left");
  };
  const Outcome outcome = run(scenario);
  const Statistics& s = outcome.statistics;
  CHECK(s.ending == Ending::writer_failed);
  CHECK(s.error == "the writer failed 5 times in a row, at last with: no space left");
  CHECK(outcome.written.size() == 33);
  REQUIRE(outcome.failed.size() == 5);
  for (std::size_t i = 0; i < 5; ++i) {
    CHECK(outcome.failed[i].event == 33 + i);
    CHECK(outcome.failed[i].stage == "write");
  }
  CHECK(s.events_written == 33);
  CHECK(s.events_failed == 5);
  CHECK(s.events_read == 38 + s.events_not_processed);
  CHECK(s.events_read < 38 + 10 * 10);  // reading ended, too
}

TEST_CASE("What on_failure throws counts as a failure of the writer", "[pipeline]") {
  int next = 0;
  const Scenario scenario;
  std::atomic<std::size_t> attempts{0};
  auto options = options_with(1, 10);
  options.max_failures_in_a_row = 3;
  const auto statistics = run_pipeline<std::size_t, std::uint64_t>(
      HostExecutor(), options,
      [&](const auto&, int) { return NumberProcessor(scenario, attempts); },
      [&](std::stop_token) -> std::optional<std::size_t> {
        if (++next > 50) throw std::runtime_error("damaged");
        return std::size_t(next);
      },
      [](std::size_t, std::uint64_t&&) {},
      [](const Failure&) { throw std::runtime_error("the log is full"); });
  CHECK(statistics.events_written == 50);
  CHECK(statistics.events_failed == 3);
  CHECK(statistics.ending == Ending::reader_failed);  // this came first
}
