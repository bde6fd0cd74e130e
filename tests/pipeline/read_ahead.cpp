// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <trackplex/pipeline/read_ahead.hpp>

#include <catch2/catch_test_macros.hpp>

#include <atomic>
#include <chrono>
#include <latch>
#include <memory>
#include <stdexcept>
#include <thread>
#include <vector>

using namespace trackplex;
using trackplex::pipeline::ReadAhead;

TEST_CASE("items that are read by several threads come in their order", "[pipeline]") {
  for (const int threads : {1, 2, 5}) {
    ReadAhead<std::unique_ptr<std::size_t>> next(500, threads, [](std::size_t item) {
      if (item % 7 == 0) std::this_thread::sleep_for(std::chrono::microseconds(200));
      return std::make_unique<std::size_t>(item);
    });
    std::size_t in_order = 0;
    while (auto item = next()) in_order += **item == in_order;
    CHECK(in_order == 500);
    CHECK_FALSE(next());
  }
}

TEST_CASE("several items are read at the same time", "[pipeline]") {
  std::latch all_inside(3);  // else the test does not end
  ReadAhead<int> next(3, 3, [&](std::size_t item) {
    all_inside.arrive_and_wait();
    return int(item);
  });
  for (int item = 0; item < 3; ++item) CHECK(next() == item);
  CHECK_FALSE(next());
}

TEST_CASE("an item that cannot be read is an error in its place", "[pipeline]") {
  ReadAhead<int> next(100, 3, [](std::size_t item) {
    if (item % 10 == 3) throw InputError({"item " + std::to_string(item)}, "is damaged");
    return int(item);
  });
  for (int item = 0; item < 100; ++item) {
    if (item % 10 == 3) {
      CHECK_THROWS_AS(next(), InputError);
    } else {
      CHECK(next() == item);
    }
  }
  CHECK_FALSE(next());
}

TEST_CASE("no more is read ahead than fits, nor after the end", "[pipeline]") {
  std::atomic<std::size_t> read{0};
  {
    ReadAhead<int> next(100000, 2, [&](std::size_t item) {
      ++read;
      return int(item);
    });
    for (int item = 0; item < 100; ++item) CHECK(next() == item);
    CHECK(read <= 100 + 2 * ReadAhead<int>::items_ahead_per_thread);
  }
  CHECK(read <= 100 + 2 * ReadAhead<int>::items_ahead_per_thread);
  ReadAhead<int> none(0, 2, [](std::size_t) -> int { throw std::runtime_error("called"); });
  CHECK_FALSE(none());
  CHECK_THROWS_AS(ReadAhead<int>(1, 0, [](std::size_t) { return 0; }), UsageError);
}
