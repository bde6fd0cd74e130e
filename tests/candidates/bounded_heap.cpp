// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <algorithm>
#include <array>
#include <catch2/catch_template_test_macros.hpp>
#include <catch2/catch_test_macros.hpp>
#include <random>
#include <trackplex/candidates/bounded_heap.hpp>
#include <trackplex/core/copy.hpp>
#include <trackplex/core/team_launch.hpp>
#include <vector>

#include "support/spaces.hpp"

using namespace trackplex;
using namespace trackplex::candidates;

namespace {

/// More hits are better, then less chi2, then a lower index.
struct Entry {
  int hits = -77;  // what a guard holds
  float chi2 = -77.f;
  int index = -77;

  bool operator==(const Entry&) const = default;
};

struct Better {
  KOKKOS_FUNCTION bool operator()(const Entry& a, const Entry& b) const {
    if (a.hits != b.hits) return a.hits > b.hits;
    if (a.chi2 != b.chi2) return a.chi2 < b.chi2;
    return a.index < b.index;
  }
};

/// Few values, so that there are many ties.
std::vector<Entry> random_entries(int n, std::mt19937& random) {
  std::vector<Entry> entries;
  for (int i = 0; i < n; ++i) entries.push_back({int(random() % 4), float(random() % 5), i});
  std::shuffle(entries.begin(), entries.end(), random);
  return entries;
}

std::vector<Entry> best_of(std::vector<Entry> entries, int n) {
  n = std::min(n, int(entries.size()));
  std::partial_sort(entries.begin(), entries.begin() + n, entries.end(), Better{});
  entries.resize(std::size_t(n));
  return entries;
}

/// Pushes the entries into a heap over every `stride`-th of a row of elements, and checks what it
/// keeps, says and leaves alone.
template <class MakeHeap>
void check_heap(int capacity, int stride, const std::vector<Entry>& entries,
                const MakeHeap& make_heap) {
  constexpr int guards = 3;
  std::vector<Entry> memory(std::size_t(2 * guards + capacity * stride + 1));
  auto heap = make_heap(memory.data() + guards, capacity, stride);
  CHECK(heap.size() == 0);
  CHECK(heap.capacity() == capacity);
  std::vector<Entry> pushed;
  for (const auto& entry : entries) {
    const auto before = best_of(pushed, capacity);
    const bool full = int(before.size()) == capacity;
    REQUIRE(heap.full() == full);
    const bool expected = !full || (capacity > 0 && Better{}(entry, before.back()));
    if (full && capacity > 0) REQUIRE(heap.worst() == before.back());
    REQUIRE(heap.push(entry) == expected);
    pushed.push_back(entry);
    REQUIRE(heap.size() == std::min(capacity, int(pushed.size())));
    if (heap.size() > 0) REQUIRE(heap.worst() == best_of(pushed, capacity).back());
  }
  const auto best = best_of(entries, capacity);
  REQUIRE(heap.sort() == int(best.size()));
  CHECK(heap.size() == 0);
  for (std::size_t i = 0; i < memory.size(); ++i) {
    const int at = int(i) - guards;
    const bool is_entry = at >= 0 && at % stride == 0 && at / stride < int(best.size());
    REQUIRE(memory[i] == (is_entry ? best[std::size_t(at / stride)] : Entry{}));
  }
}

}  // namespace

TEST_CASE("a bounded heap keeps the best and sorts them", "[candidates]") {
  std::mt19937 random(1);
  for (int round = 0; round < 300; ++round) {
    const int capacity = round % 10, n = int(random() % 40);
    const auto entries = random_entries(n, random);
    CAPTURE(round, capacity, n);
    check_heap(capacity, 1, entries, [](Entry* first, int size, int) {
      return BoundedHeap<Entry*, Better>(first, size, {});
    });
    const int stride = 1 + round % 4;
    check_heap(capacity, stride, entries, [](Entry* first, int size, int step) {
      return BoundedHeap<StridedEntries<Entry>, Better>({first, step}, size, {});
    });
  }
}

TEST_CASE("a bounded heap takes over entries that are a heap", "[candidates]") {
  std::mt19937 random(2);
  for (int round = 0; round < 100; ++round) {
    const int first_part = int(random() % 8);
    const auto entries = random_entries(first_part + 10, random);
    std::array<Entry, 8> memory;
    BoundedHeap<Entry*, Better> heap(memory.data(), 8, {});
    for (int i = 0; i < first_part; ++i) heap.push(entries[std::size_t(i)]);
    BoundedHeap<Entry*, Better> same(memory.data(), 8, {}, heap.size());
    REQUIRE(same.size() == first_part);
    for (std::size_t i = std::size_t(first_part); i < entries.size(); ++i) same.push(entries[i]);
    REQUIRE(same.sort() == 8);
    REQUIRE(std::vector<Entry>(memory.begin(), memory.end()) == best_of(entries, 8));
  }
}

TEST_CASE("the worst entry can be replaced by any other", "[candidates]") {
  std::mt19937 random(3);
  for (int round = 0; round < 200; ++round) {
    const int capacity = 1 + round % 7;
    std::vector<Entry> memory(static_cast<std::size_t>(capacity));
    BoundedHeap<Entry*, Better> heap(memory.data(), capacity, {});
    auto held = random_entries(capacity, random);
    for (const auto& entry : held) heap.push(entry);
    for (int i = 0; i < 10; ++i) {
      std::sort(held.begin(), held.end(), Better{});
      REQUIRE(heap.worst() == held.back());
      held.back() = {int(random() % 4), float(random() % 5), 100 + i};  // better or worse
      heap.replace_worst(held.back());
      REQUIRE(heap.size() == capacity);
    }
    std::sort(held.begin(), held.end(), Better{});
    REQUIRE(heap.sort() == capacity);
    REQUIRE(memory == held);
  }
}

namespace {

/// Each team merges `lists` heaps of entries that its threads have filled, into its part of `best`.
template <class Space>
struct MergeHeaps {
  template <class T>
  using Array = Kokkos::View<T*, typename Space::memory_space>;
  Array<Entry> entries;  ///< by team and then by list
  Array<Entry> best;     ///< capacity + 1 for each team
  Array<int> sizes;      ///< what each team has merged
  int lists, per_list, capacity;

  KOKKOS_FUNCTION std::size_t scratch_bytes() const {
    ScratchCarver carver;
    carver.take<Entry>(lists * capacity);
    carver.take<int>(lists);
    return carver.bytes();
  }

  template <class Member>
  KOKKOS_FUNCTION void operator()(const Member& member, ScratchCarver scratch) const {
    const TeamLanes<int, Member> team(member);
    Entry* const heaps = scratch.take<Entry>(lists * capacity);
    int* const heap_sizes = scratch.take<int>(lists);
    const int t = member.league_rank();
    const Entry* const mine = entries.data() + t * lists * per_list;
    // Heap i of the team in every `lists`-th element
    team.for_each(lists, [&](const Tile<int>& list) {
      BoundedHeap<StridedEntries<Entry>, Better> heap({heaps + list.first, lists}, capacity, {});
      for (int i = 0; i < per_list; ++i) heap.push(mine[list.first * per_list + i]);
      heap_sizes[list.first] = heap.size();
    });
    team.barrier();
    const int full = per_list < capacity ? per_list : capacity;  // all heaps are as large
    const int n = merge_best(
        team, lists * full, capacity, [&](int i) { return heaps[i]; }, Better{},
        [&](int place, int i) { best(t * (capacity + 1) + place) = heaps[i]; });
    team.single([&] { sizes(t) = n + 1000 * heap_sizes[lists - 1]; });
  }
};

template <class Space>
void check_merge(int team_size) {
  const Space exec;
  std::mt19937 random(4);
  constexpr int teams = 7;
  for (const int lists : {1, 2, 5, 16}) {
    for (const int per_list : {0, 1, 3, 20}) {
      for (const int capacity : {0, 1, 6, 50}) {
        CAPTURE(team_size, lists, per_list, capacity);
        const auto all = random_entries(teams * lists * per_list, random);
        using Entries = Kokkos::View<Entry*, typename Space::memory_space>;
        using Integers = Kokkos::View<int*, typename Space::memory_space>;
        const MergeHeaps<Space> merge{Entries("entries", all.size()),
                                      Entries("best", std::size_t(teams * (capacity + 1))),
                                      Integers("sizes", teams),
                                      lists,
                                      per_list,
                                      capacity};
        const auto entries = Kokkos::create_mirror_view(merge.entries);
        for (std::size_t i = 0; i < all.size(); ++i) entries(i) = all[i];
        copy_array(exec, merge.entries, entries);
        for_each_team(exec, "Trackplex::Test::merge", teams, merge, team_size);
        exec.fence();
        const auto best = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), merge.best);
        const auto sizes = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), merge.sizes);
        for (int t = 0; t < teams; ++t) {
          const auto begin = all.begin() + t * lists * per_list;
          const auto expected = best_of({begin, begin + lists * per_list}, capacity);
          REQUIRE(sizes(t) == int(expected.size()) + 1000 * std::min(per_list, capacity));
          for (int i = 0; i <= capacity; ++i)
            REQUIRE(best(t * (capacity + 1) + i) ==
                    (i < int(expected.size()) ? expected[std::size_t(i)] : Entry{}));
        }
      }
    }
  }
}

/// Merges numbers by their tens: equals stand in the order of their index.
template <class Space>
struct MergeByTens {
  Kokkos::View<int*, typename Space::memory_space> numbers, merged;

  KOKKOS_FUNCTION std::size_t scratch_bytes() const { return 0; }

  template <class Member>
  KOKKOS_FUNCTION void operator()(const Member& member, const ScratchCarver&) const {
    const TeamLanes<int, Member> team(member);
    merge_best(
        team, int(numbers.extent(0)), int(merged.extent(0)), [&](int i) { return numbers(i); },
        [](int a, int b) { return a / 10 < b / 10; },
        [&](int place, int i) { merged(place) = numbers(i); });
  }
};

template <class Space>
void check_ties(int team_size) {
  const int n = 60, capacity = 40;
  std::mt19937 random(6);
  using Integers = Kokkos::View<int*, typename Space::memory_space>;
  const MergeByTens<Space> merge{Integers("numbers", n), Integers("merged", capacity)};
  const auto numbers = Kokkos::create_mirror_view(merge.numbers);
  std::vector<int> expected;
  for (int i = 0; i < n; ++i) expected.push_back(numbers(i) = int(random() % 60));
  const Space exec;
  copy_array(exec, merge.numbers, numbers);
  std::stable_sort(expected.begin(), expected.end(), [](int a, int b) { return a / 10 < b / 10; });
  for_each_team(exec, "Trackplex::Test::merge_by_tens", 1, merge, team_size);
  exec.fence();
  const auto merged = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), merge.merged);
  for (int i = 0; i < capacity; ++i) REQUIRE(merged(i) == expected[std::size_t(i)]);
}

}  // namespace

TEMPLATE_LIST_TEST_CASE("a team merges heaps into the best of all", "[candidates]",
                        test::EnabledSpaces) {
  check_merge<TestType>(0);
  check_ties<TestType>(0);
  if constexpr (is_host_space<TestType>) {
    const int threads = int(TestType().concurrency());
    check_merge<TestType>(threads);
    check_ties<TestType>(threads);
  }
}
