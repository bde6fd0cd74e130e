// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <common/event_stream.hpp>

#include <catch2/catch_test_macros.hpp>

#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

using namespace trackplex;
using namespace trackplex::program;
using Space = HostExecutor;

namespace {

/// Doubles numbers. Does not like 13, and counts how often it is run.
class Doubling {
 public:
  explicit Doubling(int& runs) : runs_(runs) {}

  void stage(std::span<const std::shared_ptr<const int>> events) {
    values_.clear();
    for (const auto& event : events) {
      if (*event == 13) throw std::runtime_error("unlucky");
      values_.push_back(*event);
    }
  }
  void run() {
    ++runs_;
    for (int& value : values_) value *= 2;
  }
  void collect(std::vector<int>& results) {
    results.insert(results.end(), values_.begin(), values_.end());
  }
  chain::Report report() const { return {{{"double", 0., std::size_t(runs_)}}, {}, {}}; }

 private:
  int& runs_;
  std::vector<int> values_;
};

pipeline::PipelineOptions two_slots() {
  pipeline::PipelineOptions options;
  options.slots = 2;
  options.events_per_batch = 4;
  return options;
}

StreamOutcome<int, int> double_all(const EventStream<int, int>& stream) {
  return take_stream(stream, [](const auto& read, const auto& write, const auto& fail) {
    static int runs = 0;
    const auto make = [](const Space&, int) { return std::make_unique<Doubling>(runs); };
    return pipeline::run_pipeline<std::shared_ptr<const int>, int>(Space(), two_slots(), make, read,
                                                                   write, fail);
  });
}

/// The numbers from 0 to n - 1; it fails in the place of those that are named.
EventStream<int, int> numbers(int n, std::vector<int> damaged = {}) {
  EventStream<int, int> stream;
  stream.read = [n, damaged, next = 0]() mutable -> std::shared_ptr<const int> {
    if (next == n) return nullptr;
    const int value = next++;
    if (std::ranges::count(damaged, value) > 0) throw InputError({"list"}, "damaged");
    return std::make_shared<int>(value);
  };
  stream.same = [](int a, int b) { return a == b; };
  return stream;
}

}  // namespace

TEST_CASE("A stream gives results in the order of its events", "[event_stream]") {
  auto stream = numbers(10);
  std::vector<int> written;
  int events = 0;
  stream.write = [&](int event, int result) { written.insert(written.end(), {event, result}); };
  stream.after_event = [&] { ++events; };
  const auto outcome = double_all(stream);
  REQUIRE(outcome.results.size() == 10);
  for (int i = 0; i < 10; ++i) {
    CHECK(outcome.numbers[std::size_t(i)] == std::size_t(i));
    CHECK(*outcome.events[std::size_t(i)] == i);
    CHECK(outcome.results[std::size_t(i)] == 2 * i);
    CHECK(written[std::size_t(2 * i + 1)] == 2 * written[std::size_t(2 * i)]);
  }
  CHECK(written.size() == 20);
  CHECK(events == 10);
  CHECK(outcome.failures.empty());
  REQUIRE(outcome.event_us.size() == 1);
  CHECK(outcome.event_us[0] == 1e6 / outcome.statistics.events_per_second());
}

TEST_CASE("Several passes read once and write once", "[event_stream]") {
  auto stream = numbers(7);
  stream.passes = 5;
  int written = 0, events = 0;
  stream.write = [&](int, int) { ++written; };
  stream.after_event = [&] { ++events; };
  const auto outcome = double_all(stream);
  CHECK(outcome.results.size() == 7);
  CHECK(outcome.statistics.events_written == 35);
  CHECK(written == 7);
  CHECK(events == 35);
}

TEST_CASE("Events that fail are reported once, and the others keep their numbers",
          "[event_stream]") {
  auto stream = numbers(20, {3, 17});
  stream.passes = 3;
  const auto outcome = double_all(stream);
  REQUIRE(outcome.results.size() == 17);
  REQUIRE(outcome.failures.size() == 3);
  CHECK(outcome.failures[0].event == 3);
  CHECK(outcome.failures[0].stage == "read");
  CHECK(outcome.failures[0].message == "list: damaged");
  CHECK(outcome.failures[1].event == 13);
  CHECK(outcome.failures[1].stage == "stage");
  CHECK(outcome.failures[2].event == 17);
  CHECK(outcome.statistics.events_written == 3 * 17);
  // 3 could not be read: 4 is the fourth event that was. 13 was read, but is not finished.
  CHECK(*outcome.events[3] == 4);
  CHECK(outcome.numbers[3] == 3);
  CHECK(*outcome.events[12] == 14);
  CHECK(outcome.numbers[12] == 13);
}

TEST_CASE("Passes with other results are an error", "[event_stream]") {
  auto stream = numbers(3);
  stream.passes = 2;
  stream.same = [](int a, int) { return a != 4; };
  try {
    const auto outcome = double_all(stream);
    FAIL("no exception");
  } catch (const Error& error) {
    CHECK(std::string(error.what()) ==
          "pipeline: event 2 gave other results in pass 2 than in the first pass");
  }
}

TEST_CASE("Several passes without anything to compare with are an error", "[event_stream]") {
  auto stream = numbers(3);
  stream.passes = 2;
  stream.same = nullptr;
  CHECK_THROWS_AS((double_all(stream)), UsageError);
}

TEST_CASE("An empty stream ends at once", "[event_stream]") {
  auto stream = numbers(0);
  stream.passes = 3;
  const auto outcome = double_all(stream);
  CHECK(outcome.results.empty());
  CHECK(outcome.statistics.events_read == 0);
}
