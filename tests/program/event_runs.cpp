// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <common/event_runs.hpp>
#include <trackplex/core/files.hpp>

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <filesystem>
#include <fstream>
#include <memory>
#include <numeric>
#include <string>
#include <vector>

using namespace trackplex;
using namespace trackplex::program;
using Runs = EventRuns<int, int>;

namespace {

/// Doubles numbers.
struct DoublingChain : AnyChain<int, int> {
  std::function<int(int)> added;  ///< to the results of batch n
  std::vector<int> values{};
  int batches = 0;
  std::function<void(const chain::StepArrays&)> observed{};

  explicit DoublingChain(const std::function<int(int)>& to_results) : added(to_results) {}
  void select(const std::vector<std::string>&) override {}
  void stage(std::span<const std::shared_ptr<const int>> events) override {
    values.clear();
    for (const auto& event : events) values.push_back(2 * *event + added(batches));
    ++batches;
  }
  void run() override {
    if (observed) observed({"double", {}});
  }
  void collect(std::vector<int>& results) override {
    results.insert(results.end(), values.begin(), values.end());
  }
  void repeat(const std::vector<std::string>&) override {}
  chain::Report report() const override {
    return {{{"double", 1e-6 * batches, std::size_t(batches)}}, {}, {}};
  }
  void time_each_step() override {}
  void trace(Trace&, int) override {}
  void observe(std::function<void(const chain::StepArrays&)> observer) override {
    observed = std::move(observer);
  }
};

/// A chain that doubles numbers, and adds to those of batch n.
Runs::Calls doubling(const std::function<int(int)>& added = [](int) { return 0; }) {
  Runs::Calls calls;
  calls.listing.default_steps = {"double"};
  calls.make = [=] { return std::make_unique<DoublingChain>(added); };
  calls.run_pipeline = [=](const pipeline::PipelineOptions& options, std::size_t,
                           const auto& prepare, const auto& reader, const auto& writer,
                           const auto& on_failure) {
    const auto make = [&](const auto&, int slot) {
      std::unique_ptr<Runs::Calls::Chain> chain = std::make_unique<DoublingChain>(added);
      prepare(*chain, slot);
      return chain;
    };
    return pipeline::run_pipeline<std::shared_ptr<const int>, int>(HostExecutor(), options, make,
                                                                   reader, writer, on_failure);
  };
  return calls;
}

const std::vector<ChainWork> work{{.groups = {{"total", {"double"}}}}};

/// The numbers from 0 to n - 1; it fails in the place of those that are divisible by `damaged`.
EventSource<int> source_of(int n, int damaged = 1000) {
  return {std::size_t(n), false, [=] {
            return [=, next = 0]() mutable -> std::shared_ptr<const int> {
              if (next == n) return nullptr;
              if (++next % damaged == 0) throw InputError({"list"}, "damaged");
              return std::make_shared<int>(next - 1);
            };
          }};
}

std::string hash_of(std::span<const int> results) {
  return std::to_string(std::accumulate(results.begin(), results.end(), 0));
}

struct Setting {
  Program program{"test", "A test", "number"};
  PipelineRunOptions options;
  Setting(int slots = 0) {
    program.options.quiet = true;
    program.options.repeat = 2;
    options.slots = slots;
    options.events_per_batch = 4;
  }
};

}  // namespace

TEST_CASE("Events are taken through the chain, directly or in the pipeline", "[event_runs]") {
  for (const int slots : {0, 2}) {
    CAPTURE(slots);
    Setting setting(slots);
    Runs runs(setting.program, setting.options, source_of(10), hash_of);
    std::vector<int> written;
    runs.write = [&](int event, int result) { written.insert(written.end(), {event, result}); };
    RunReport report;
    const auto found = runs.take(doubling(), work, report).front();
    CHECK(found.results == std::vector<int>{0, 2, 4, 6, 8, 10, 12, 14, 16, 18});
    CHECK(found.hash == "90");
    REQUIRE(found.events.size() == 10);
    CHECK(*found.events[9] == 9);
    CHECK(found.numbers[9] == 9);
    CHECK(written.size() == 20);
    CHECK(report.time("total") != nullptr);
    CHECK(report.rate.contains("events_per_s"));
    CHECK(report.pipeline.is_null() == (slots == 0));
    RunReport again;
    auto named = work;
    named.front().name = "second";
    CHECK(runs.take(doubling(), named, again).front().hash == "90");
    CHECK(written.size() == 20);  // the first run writes
    CHECK(again.rate.contains("second_events_per_s"));
  }
}

TEST_CASE("Damaged events end the program, or are skipped", "[event_runs]") {
  Setting setting;
  RunReport report;
  Runs strict(setting.program, setting.options, source_of(10, 3), hash_of);
  CHECK_THROWS_AS(strict.take(doubling(), work, report), InputError);
  Runs lenient(setting.program, setting.options, source_of(10, 3), hash_of);
  lenient.skip_bad_events = true;
  CHECK(lenient.take(doubling(), work, report).front().results.size() == 7);
  CHECK(lenient.bad_events() == 3);
  Runs none(setting.program, setting.options, source_of(4, 1), hash_of);
  none.skip_bad_events = true;
  CHECK_THROWS_AS(none.take(doubling(), work, report), InputError);
}

TEST_CASE("In the pipeline the others go on, and the status says so", "[event_runs]") {
  Setting setting(2);
  RunReport report;
  Runs strict(setting.program, setting.options, source_of(10, 3), hash_of);
  CHECK(strict.take(doubling(), work, report).front().results.size() == 7);
  CHECK(strict.bad_events() == 3);
  CHECK(setting.program.status == bad_input);
  Setting other(2);
  Runs lenient(other.program, other.options, source_of(10, 3), hash_of);
  lenient.skip_bad_events = true;
  lenient.take(doubling(), work, report);
  CHECK(other.program.status == success);
}

TEST_CASE("Repetitions that differ are an error", "[event_runs]") {
  Setting setting;
  RunReport report;
  Runs runs(setting.program, setting.options, source_of(10), hash_of);
  CHECK_THROWS_AS(runs.take(doubling([](int i) { return i; }), work, report), Error);
}

TEST_CASE("Fingerprints have the steps and results of each batch", "[event_runs]") {
  Setting setting;
  const auto path = std::filesystem::temp_directory_path() /
                    fmt::format("trackplex_fingerprints_{}.json", ::getpid());
  setting.options.fingerprints = path;
  setting.options.events_per_batch = 4;
  Runs runs(setting.program, setting.options, source_of(10), hash_of);
  RunReport report{.run = {"serial", 1, 1, "float"}};
  runs.take(doubling(), work, report);
  runs.finish();
  const auto json = Json::parse(std::ifstream(path));
  std::filesystem::remove(path);
  CHECK(json["schema"] == "trackplex-fingerprints");
  REQUIRE(json["runs"].size() == 1);
  const auto& batches = json["runs"][0]["batches"];
  REQUIRE(batches.size() == 3);
  CHECK(batches[2]["events"] == 2);
  CHECK(batches[2]["steps"][0]["algorithm"] == "double");
  CHECK(batches[2]["steps"][0]["arrays"][0]["array"] == "results");

  setting.options.slots = 1;
  CHECK_THROWS_AS(setting.options.check(), UsageError);
}

TEST_CASE("A journal that is cut off anywhere gives the results of the pipeline", "[event_runs]") {
  struct Outcome {
    Runs::Found found;
    std::vector<int> written;
    std::size_t bad_events = 0;
    Json pipeline;
  };
  const auto path =
      std::filesystem::temp_directory_path() / fmt::format("trackplex_runs_{}", ::getpid());
  const auto run = [&](bool has_journal, std::size_t limit) {
    Setting setting(has_journal ? 0 : 1);  // with a journal there is a pipeline in any case
    if (has_journal) setting.options.journal = path;
    Runs runs(setting.program, setting.options, limited(source_of(20, 3), limit), hash_of);
    runs.skip_bad_events = true;
    Outcome outcome;
    runs.write = [&](int, int result) { outcome.written.push_back(result); };
    RunReport report;
    outcome.found = std::move(runs.take(doubling(), work, report).front());
    outcome.bad_events = runs.bad_events();
    outcome.pipeline = report.pipeline;
    CHECK(setting.program.status == success);
    return outcome;
  };
  for (const std::size_t limit : {0, 7}) {
    CAPTURE(limit);
    const auto expected = run(false, limit);
    std::filesystem::remove(path);
    run(true, limit);
    const auto whole = read_file(path);
    for (std::size_t size = 0; size <= whole.size(); size += 23) {
      CAPTURE(size, whole.size());
      write_file(path, whole.substr(0, size));
      const auto resumed = run(true, limit);
      CHECK(resumed.found.hash == expected.found.hash);
      CHECK(resumed.found.results == expected.found.results);
      CHECK(resumed.found.numbers == expected.found.numbers);
      CHECK(resumed.written == expected.written);
      CHECK(resumed.bad_events == expected.bad_events);
      CHECK(resumed.pipeline["failures"] == expected.pipeline["failures"]);
      CHECK(resumed.pipeline["resumed_events"].get<std::size_t>() +
                resumed.pipeline["events"]["read"].get<std::size_t>() ==
            expected.found.results.size() + expected.bad_events);
      CHECK(read_file(path) == whole);
    }
  }
  std::filesystem::remove(path);
}

TEST_CASE("Passes that differ are told of, with a journal, too", "[event_runs]") {
  Setting setting;
  setting.options.journal =
      std::filesystem::temp_directory_path() / fmt::format("trackplex_runs_{}", ::getpid());
  Runs runs(setting.program, setting.options, source_of(8), hash_of);
  RunReport report;
  std::atomic<int> batches = 0;
  const auto differs = doubling([&](int) { return batches++ == 3 ? 1 : 0; });
  CHECK_THROWS_WITH(runs.take(differs, work, report),
                    Catch::Matchers::ContainsSubstring("gave other results in pass 2"));
  std::filesystem::remove(setting.options.journal);
  Runs several(setting.program, setting.options, source_of(8), hash_of);
  auto two = work;
  two.push_back(work.front());
  CHECK_THROWS_AS(several.take(doubling(), two, report), UsageError);
}

TEST_CASE("Sources give some of their events", "[event_runs]") {
  const auto some = [](const EventSource<int>& source, std::vector<std::size_t> numbers) {
    std::vector<int> values;
    const auto next =
        source.open_numbers([&, i = std::size_t(0)]() mutable -> std::optional<std::size_t> {
          if (i == numbers.size()) return std::nullopt;
          return numbers[i++];
        });
    for (;;) try {
        const auto event = next();
        if (!event) return values;
        values.push_back(*event);
      } catch (const InputError&) {
        values.push_back(-1);
      }
  };
  using Values = std::vector<int>;
  const auto files = read_by_threads<int>(10, 3, [](std::size_t i) {
    if (i % 3 == 2) throw InputError({"list"}, "damaged");
    return int(i);
  });
  for (const auto& source : {source_of(10, 3), files, limited(files, 20)}) {
    CHECK(some(source, {0, 1, 2, 3}) == Values{0, 1, -1, 3});
    CHECK(some(source, {1, 5, 7, 9, 10, 11}) == Values{1, -1, 7, 9});
    CHECK(some(source, {8, 12}) == Values{-1});
    CHECK(some(source, {}).empty());
  }
}

TEST_CASE("Sources give their events in order", "[event_runs]") {
  const auto all = [](const EventSource<int>& source) {
    std::vector<int> values;
    for (const auto next = source.open(); const auto event = next();) values.push_back(*event);
    return values;
  };
  const auto square = [](std::size_t i) { return int(i * i); };
  CHECK(all(made_in_memory<int>(4, square)) == std::vector<int>{0, 1, 4, 9});
  CHECK(all(read_by_threads<int>(4, 3, square)) == std::vector<int>{0, 1, 4, 9});
  CHECK(made_in_memory<int>(4, square).in_memory);
  const auto seven = std::make_shared<const int>(7);
  const auto next = made_in_memory<int>(1, [=](std::size_t) { return seven; }).open();
  CHECK(next() == seven);  // no copy
  CHECK(next() == nullptr);
  CHECK_THROWS_AS(check_one_input(true, true), UsageError);
  CHECK_NOTHROW(check_one_input(false, false));
}
