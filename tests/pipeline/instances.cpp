// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#if defined(__linux__)
#include <sched.h>
#endif

#include <algorithm>
#include <catch2/catch_template_test_macros.hpp>
#include <catch2/catch_test_macros.hpp>
#include <numeric>
#include <string>
#include <thread>
#include <trackplex/core/copy.hpp>
#include <trackplex/core/cores.hpp>
#include <trackplex/core/instances.hpp>
#include <trackplex/core/team_launch.hpp>

#include "../launchers/check_launchers.hpp"
#include "support/spaces.hpp"

using namespace trackplex;
using trackplex::test::number_of;

namespace {

template <class Space>
using Numbers = Kokkos::View<int*, typename Space::memory_space>;

template <class Space>
struct AddIndex {
  Numbers<Space> x;
  KOKKOS_FUNCTION void operator()(int i) const { x(i) += i; }
};

/// Each team counts its items up in scratch memory of its own.
template <class Space>
struct AddInTeams {
  Numbers<Space> x;
  int items;

  KOKKOS_FUNCTION std::size_t scratch_bytes() const {
    ScratchCarver sizes;
    sizes.take<int>(items);
    return sizes.bytes();
  }
  template <class Member>
  KOKKOS_FUNCTION void operator()(const Member& member, ScratchCarver scratch) const {
    int* const sums = scratch.take<int>(items);
    const int team = member.league_rank();
    for (int i = member.team_rank(); i < items; i += member.team_size()) sums[i] = team;
    member.team_barrier();
    if (member.team_rank() == 0)
      for (int i = 0; i < items; ++i) x(team) += sums[i];
  }
};

/// Works a while on an instance of its own; the sum of what came out.
template <class Space>
long work_on(const Space& exec, const Numbers<Space>& x, int repetitions) {
  const int n = int(x.extent(0));
  for (int r = 0; r < repetitions; ++r) {
    for_each_item(exec, "Trackplex::Test::add_index", n, AddIndex<Space>{x});
    for_each_team(exec, "Trackplex::Test::add_in_teams", n, AddInTeams<Space>{x, 100});
  }
  const auto host = to_host(exec, x);
  return std::accumulate(host.data(), host.data() + n, 0L);
}

}  // namespace

TEMPLATE_LIST_TEST_CASE("There are as many instances as asked for, or as there can be",
                        "[pipeline]", test::EnabledSpaces) {
  const TestType exec;
  for (const int n : {1, 2, 3, 5}) {
    const auto shares = concurrent_instances(exec, n);
    const int found = int(shares.instances.size());
    CHECK(found >= 1);
    CHECK(found <= n);
    const bool shares_threads = is_host_space<TestType> && std::string(exec.name()) != "Serial";
    if (!shares.any_thread || n == 1) {
      CHECK(found == 1);
      CHECK(number_of(shares.instances[0]) == number_of(exec));
    } else if (shares_threads) {
      CHECK(found == std::min(n, concurrency_of(exec)));
      int threads = 0;
      for (const auto& instance : shares.instances) threads += concurrency_of(instance);
      CHECK(threads == concurrency_of(exec));
    } else {
      CHECK(found == n);
    }
  }
}

TEMPLATE_LIST_TEST_CASE("A share is shared out further", "[pipeline]", test::EnabledSpaces) {
  const TestType exec;
  for (const auto& share : concurrent_instances(exec, 2).instances) {
    const auto parts = concurrent_instances(share, 2);
    if (is_host_space<TestType> && std::string(share.name()) != "Serial")
      CHECK(int(parts.instances.size()) <= concurrency_of(share));
    for (const auto& part : parts.instances) {
      const Numbers<TestType> x("Trackplex::Test::numbers", 10);
      CHECK(work_on(part, x, 1) == 101L * 45);
    }
  }
}

TEST_CASE("Shares of threads are equal but for one thread, however Kokkos rounds", "[pipeline]") {
  for (int threads = 1; threads <= 130; ++threads) {
    for (int n = 1; n <= threads; ++n) {
      const auto weights = trackplex::detail::thread_weights(threads, n);
      REQUIRE(weights.size() == std::size_t(n));
      const double total = std::accumulate(weights.begin(), weights.end(), 0.);
      int left = threads;
      for (int i = 0; i < n; ++i) {
        REQUIRE(weights[std::size_t(i)] > 0.);
        const int share =
            i + 1 < n ? int(weights[std::size_t(i)] / total * threads) : left;  // as Kokkos does
        REQUIRE(share == threads / n + (i < threads % n ? 1 : 0));
        left -= share;
      }
    }
  }
}

TEMPLATE_LIST_TEST_CASE("Instances work at the same time without disturbing each other",
                        "[pipeline]", test::EnabledSpaces) {
  using Space = TestType;
  constexpr int n = 50, repetitions = 100;
  constexpr long expected = 101L * repetitions * (n * (n - 1) / 2);
  const auto shares = concurrent_instances(Space(), 3);
  std::vector<Numbers<Space>> x;
  for (std::size_t i = 0; i < shares.instances.size(); ++i)
    x.emplace_back("Trackplex::Test::numbers", n);
  std::vector<long> sums(x.size());
  const auto work = [&](std::size_t i) {
    sums[i] = work_on(shares.instances[i], x[i], repetitions);
  };
  if (shares.any_thread) {
    std::vector<std::thread> threads;
    for (std::size_t i = 0; i < x.size(); ++i) threads.emplace_back(work, i);
    for (auto& thread : threads) thread.join();
  } else {
    for (std::size_t i = 0; i < x.size(); ++i) work(i);
  }
  for (const long sum : sums) CHECK(sum == expected);
}

#if defined(__linux__)
TEST_CASE("A thread that is bound to a core can use those of the backend", "[pipeline]") {
  const auto cores_of_thread = [] {
    cpu_set_t set;
    CPU_ZERO(&set);
    ::sched_getaffinity(0, sizeof set, &set);
    return set;
  };
  const cpu_set_t all = cores_of_thread();
  const Cores cores{HostExecutor()};
  int bound = 0, unchanged = 0, freed = 0;
  std::thread([&] {
    cpu_set_t one;
    CPU_ZERO(&one);
    for (std::size_t i = 0; i < CPU_SETSIZE && CPU_COUNT(&one) == 0; ++i)
      if (CPU_ISSET(i, &all)) CPU_SET(i, &one);
    ::sched_setaffinity(0, sizeof one, &one);
    const auto count = [&] {
      const auto set = cores_of_thread();
      return CPU_COUNT(&set);
    };
    bound = count();
    Cores().use();
    unchanged = count();
    cores.use();
    freed = count();
  }).join();
  CHECK(bound == 1);
  CHECK(unchanged == 1);
  CHECK(freed >= CPU_COUNT(&all));
}
#endif
