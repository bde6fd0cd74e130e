// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>
#include <chrono>
#include <cstddef>
#include <stdexcept>
#include <thread>
#include <trackplex/core/error.hpp>
#include <trackplex/pipeline/event_farm.hpp>
#include <vector>

using namespace trackplex;
using namespace std::chrono_literals;
using Catch::Matchers::ContainsSubstring;
using pipeline::EventFarm;
using FarmOutcome = EventFarm::Outcome;

TEST_CASE("A farm of one process writes in the order of events", "[farm]") {
  std::vector<std::size_t> written, sizes;
  EventFarm farm({.first = 3, .batch = 2, .in_flight = 6},
                 [&](std::size_t event, FarmOutcome&& of) {
                   written.push_back(event);
                   sizes.push_back(of.size());
                 });
  std::vector<std::size_t> begun;
  for (int i = 0; i < 6; ++i) begun.push_back(*farm.next());
  CHECK(begun == std::vector<std::size_t>{3, 4, 5, 6, 7, 8});
  for (const std::size_t event : {5, 3, 8, 4, 7}) farm.give(event, FarmOutcome(event));
  CHECK(written == std::vector<std::size_t>{3, 4, 5});
  CHECK(farm.written() == 6);
  farm.give(6, FarmOutcome(6));
  CHECK(written == std::vector<std::size_t>{3, 4, 5, 6, 7, 8});
  CHECK(sizes == written);
  farm.finish();
}

TEST_CASE("A farm waits for events that are under way", "[farm]") {
  std::vector<std::size_t> written;
  EventFarm farm({.batch = 2, .in_flight = 4},
                 [&](std::size_t event, FarmOutcome&&) { written.push_back(event); });
  for (int i = 0; i < 4; ++i) CHECK(farm.next().has_value());
  {
    const std::jthread other([&] {
      std::this_thread::sleep_for(20ms);
      farm.give(0, {});
      farm.give(1, {});
    });
    CHECK(farm.next() == 4u);
  }
  CHECK(written.size() == 2);
}

TEST_CASE("A farm ends when it is closed, stopped, or its writer fails", "[farm]") {
  bool stopped = false;
  EventFarm stops({.stopped = [&] { return stopped; }}, [](std::size_t, FarmOutcome&&) {});
  CHECK(stops.next() == 0u);
  stopped = true;
  CHECK_FALSE(stops.next());

  EventFarm closes({}, [](std::size_t, FarmOutcome&&) {});
  closes.limit(1);
  CHECK(closes.next() == 0u);
  closes.close();
  CHECK_FALSE(closes.next());

  EventFarm fails({},
                  [](std::size_t, FarmOutcome&&) { throw std::runtime_error("no more space"); });
  CHECK(fails.next() == 0u);
  fails.give(0, {});
  CHECK_FALSE(fails.next());
  CHECK_THROWS_WITH(fails.finish(), ContainsSubstring("no more space"));
}

TEST_CASE("Options of a farm are checked", "[farm]") {
  CHECK_THROWS_AS(EventFarm({.batch = 0}, {}), UsageError);
  CHECK_THROWS_AS(EventFarm({.batch = 10, .in_flight = 19}, {}), UsageError);
}
