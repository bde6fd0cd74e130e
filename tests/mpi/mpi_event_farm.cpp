// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <algorithm>
#include <atomic>
#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <span>
#include <stdexcept>
#include <thread>
#include <trackplex/core/bytes.hpp>
#include <trackplex/mpi/mpi_event_farm.hpp>
#include <utility>
#include <vector>

using namespace trackplex;
using namespace std::chrono_literals;
using Catch::Matchers::ContainsSubstring;
using mpi::MpiEventFarm;
using Outcome = MpiEventFarm::Outcome;

namespace {

/// What all events of an input of n have given, on rank 0, and how many each rank has worked on.
struct Worked {
  std::vector<std::size_t> events;  ///< in the order of writing
  std::vector<std::int64_t> of_ranks;
  bool same = true;  ///< each with the outcome of its number
};

Outcome outcome_of(std::size_t event) { return Outcome(event % 5 * 1000, std::byte(event)); }

template <class Work>
Worked work_on(const mpi::Communicator& all, std::size_t n, pipeline::EventFarmOptions options,
               const Work& work) {
  Worked worked;
  std::int64_t own = 0;
  MpiEventFarm farm(all, options, [&](std::size_t event, Outcome&& outcome) {
    worked.events.push_back(event);
    worked.same = worked.same && outcome == outcome_of(event);
  });
  while (const auto event = farm.next()) {
    if (*event >= n) break;
    work(*event, farm);
    farm.give(*event, outcome_of(*event));
    ++own;
  }
  ByteWriter report;
  report.add(own);
  for (const auto& of_rank : farm.finish(false, report.take()))
    worked.of_ranks.push_back(ByteReader(of_rank).read<std::int64_t>());
  return worked;
}

std::vector<std::size_t> numbers(std::size_t first, std::size_t end) {
  std::vector<std::size_t> list(end - first);
  std::iota(list.begin(), list.end(), first);
  return list;
}

const auto nothing = [](std::size_t, MpiEventFarm&) {};

}  // namespace

TEST_CASE("Outcomes of all ranks are written once, in the order of events", "[mpi][farm]") {
  const mpi::Communicator all;
  for (const std::size_t batch : {1, 7})
    for (const std::size_t n : {0, 1, 30, 400}) {
      CAPTURE(batch, n);
      const auto worked = work_on(all, n, {.batch = batch}, nothing);
      CHECK(worked.same);
      CHECK(worked.events == numbers(0, all.is_first() ? n : 0));
      CHECK(std::accumulate(worked.of_ranks.begin(), worked.of_ranks.end(), std::int64_t(0)) ==
            (all.is_first() ? std::int64_t(n) : 0));
    }
}

TEST_CASE("A farm begins where rank 0 says", "[mpi][farm]") {
  const mpi::Communicator all;
  const auto worked =
      work_on(all, 50, {.first = all.is_first() ? std::size_t(20) : 0, .batch = 4}, nothing);
  CHECK(worked.events == (all.is_first() ? numbers(20, 50) : numbers(0, 0)));
}

TEST_CASE("A slow rank takes fewer events", "[mpi][farm]") {
  const mpi::Communicator all;
  const int slow = all.size() - 1;
  const auto worked =
      work_on(all, 60, {.batch = 1, .in_flight = 2}, [&](std::size_t, MpiEventFarm&) {
        std::this_thread::sleep_for(all.rank() == slow ? 40ms : 2ms);
      });
  CHECK(worked.events == numbers(0, all.is_first() ? 60 : 0));
  if (all.is_first() && all.size() > 1) {
    CHECK(worked.of_ranks.back() > 0);
    CHECK(worked.of_ranks.back() < worked.of_ranks.front());
  }
}

TEST_CASE("A fast rank waits for a slow one", "[mpi][farm]") {
  const mpi::Communicator all;
  const std::size_t window = 2 * std::size_t(all.size());
  std::atomic<bool> was_slow = false;
  const auto worked =
      work_on(all, 100, {.batch = 1, .window = window}, [&](std::size_t event, MpiEventFarm& farm) {
        if (event == 3) {
          std::this_thread::sleep_for(100ms);
          was_slow = true;
        }
        if (all.is_first()) CHECK(event < farm.written() + window);
      });
  CHECK(worked.events == numbers(0, all.is_first() ? 100 : 0));
  CHECK(all.sum_of(int(was_slow)) == 1);
}

TEST_CASE("A farm with a limit ends once it is closed", "[mpi][farm]") {
  const mpi::Communicator all;
  MpiEventFarm* of_writer = nullptr;
  std::vector<std::size_t> written;
  std::size_t largest = 0;
  MpiEventFarm farm(all, {.batch = 3}, [&](std::size_t event, Outcome&&) {
    written.push_back(event);
    if (event == 9) of_writer->limit(25);
    if (event == 24) of_writer->close();
  });
  of_writer = &farm;
  if (all.is_first()) farm.limit(10);
  all.barrier();
  while (const auto event = farm.next()) {
    largest = std::max(largest, *event);
    farm.give(*event, {});
  }
  farm.finish(false, {});
  CHECK(written == numbers(0, all.is_first() ? 25 : 0));
  CHECK(all.max_of(largest) == 24);
}

TEST_CASE("A rank that stops ends the farm with the events before its own", "[mpi][farm]") {
  const mpi::Communicator all;
  const bool stops = all.rank() == all.size() - 1;
  bool stopped = false;
  std::vector<std::size_t> written;
  MpiEventFarm farm(all, {.batch = 2, .window = 10, .stopped = [&] { return stopped; }},
                    [&](std::size_t event, Outcome&&) { written.push_back(event); });
  bool early = false;
  for (int n = 0; const auto event = farm.next(); ++n) {
    if (stops && n == 4) {
      stopped = early = true;
      break;
    }
    std::this_thread::sleep_for(1ms);
    farm.give(*event, {});
  }
  farm.finish(early, {});
  CHECK(written == numbers(0, written.size()));
  if (all.is_first()) CHECK(written.size() >= 4);
}

TEST_CASE("A writer that fails ends the farm", "[mpi][farm]") {
  const mpi::Communicator all;
  MpiEventFarm farm(all, {.batch = 2}, [&](std::size_t event, Outcome&&) {
    if (event == 5) throw std::runtime_error("the disk is full");
  });
  while (const auto event = farm.next()) farm.give(*event, {});
  if (all.is_first()) {
    CHECK_THROWS_WITH(farm.finish(false, {}), ContainsSubstring("the disk is full"));
    CHECK(farm.written() == 5);
  } else {
    farm.finish(false, {});
  }
}
