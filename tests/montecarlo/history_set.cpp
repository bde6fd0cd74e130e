// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <catch2/catch_test_macros.hpp>
#include <cstdint>
#include <random>
#include <set>
#include <support/refusals.hpp>
#include <trackplex/montecarlo/transport_counts.hpp>

using trackplex::UsageError;
using trackplex::test::check_refused;
using namespace trackplex::montecarlo;
using Ranges = std::vector<HistoryRange>;

TEST_CASE("ranges of histories join where they meet", "[montecarlo]") {
  HistorySet set;
  set.add({10, 20});
  set.add({30, 40});
  set.add({5, 5});
  CHECK(set.ranges() == Ranges{{10, 20}, {30, 40}});
  set.add({20, 25});
  CHECK(set.ranges() == Ranges{{10, 25}, {30, 40}});
  set.add({28, 30});
  set.add({25, 28});
  CHECK(set.ranges() == Ranges{{10, 40}});
  set.add({0, 2});
  set.add({100, UINT64_MAX});
  CHECK(set.ranges() == Ranges{{0, 2}, {10, 40}, {100, UINT64_MAX}});
  CHECK(set.size() == 32 + UINT64_MAX - 100);
}

TEST_CASE("no history counts twice", "[montecarlo]") {
  HistorySet set;
  set.add({10, 20});
  set.add({30, 40});
  const HistorySet before = set;
  for (const HistoryRange& range :
       Ranges{{10, 20}, {19, 21}, {5, 11}, {12, 13}, {0, 100}, {39, 50}})
    check_refused<UsageError>([&] { set.add(range); }, "count twice");
  check_refused<UsageError>([&] { set.add({2, 1}); }, "ends before it begins");
  HistorySet other;
  other.add({0, 10});
  other.add({35, 36});
  check_refused<UsageError>([&] { set.add(other); }, "count twice");
  CHECK(set == before);
}

TEST_CASE("what is missing of a range", "[montecarlo]") {
  HistorySet set;
  CHECK(set.missing({3, 7}) == Ranges{{3, 7}});
  CHECK(set.missing({3, 3}) == Ranges{});
  set.add({10, 20});
  set.add({30, 40});
  CHECK(set.missing({0, 50}) == Ranges{{0, 10}, {20, 30}, {40, 50}});
  CHECK(set.missing({10, 40}) == Ranges{{20, 30}});
  CHECK(set.missing({12, 18}) == Ranges{});
  CHECK(set.missing({15, 25}) == Ranges{{20, 25}});
  CHECK(set.missing({40, 41}) == Ranges{{40, 41}});
}

TEST_CASE("sets of ranges are sets of numbers", "[montecarlo]") {
  std::mt19937 random(1);
  for (int trial = 0; trial < 200; ++trial) {
    HistorySet set;
    std::set<std::uint64_t> numbers;
    for (int i = 0; i < 12; ++i) {
      const std::uint64_t begin = random() % 50, end = begin + random() % 8;
      for (const auto& gap : set.missing({begin, end})) set.add(gap);
      for (auto n = begin; n < end; ++n) numbers.insert(n);
      CHECK(set.missing({begin, end}).empty());
    }
    CHECK(set.size() == numbers.size());
    for (std::uint64_t n = 0; n < 60; ++n) CHECK(set.overlaps({n, n + 1}) == numbers.contains(n));
    for (std::size_t i = 1; i < set.ranges().size(); ++i)
      CHECK(set.ranges()[i - 1].end < set.ranges()[i].begin);
  }
}

TEST_CASE("counts of other tallies or the same histories are not added", "[montecarlo]") {
  TransportCounts a, b;
  a.cells = {1, 2};
  a.histories.add({0, 3});
  a.moments.histories = 3;
  b.cells = {4, 5};
  b.histories.add({2, 9});
  b.moments.histories = 7;
  const auto before = a;
  check_refused<UsageError>([&] { a += b; }, "count twice");
  CHECK(a.same_results(before));
  b.histories.clear();
  b.histories.add({3, 10});
  b.cells.push_back(0);
  check_refused<UsageError>([&] { a += b; }, "other tallies");
  CHECK(a.same_results(before));
  b.cells.pop_back();
  a += b;
  CHECK(a.cells == std::vector<std::uint64_t>{5, 7});
  CHECK(a.moments.histories == 10);
  CHECK(a.histories.ranges() == Ranges{{0, 10}});
  TransportCounts sum;  // an empty one takes any
  sum += a;
  CHECK(sum.same_results(a));
}
