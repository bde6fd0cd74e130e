// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <cstdint>
#include <functional>
#include <span>
#include <thread>
#include <trackplex/mpi/shared_counter.hpp>
#include <vector>

using namespace trackplex;

TEST_CASE("Ranks and threads draw each number once", "[mpi][counter]") {
  const mpi::Communicator all;
  constexpr int draws = 200, n_threads = 2;
  mpi::SharedCounter counter(all, 17);
  std::vector<std::vector<std::int64_t>> drawn(n_threads);
  {
    std::vector<std::jthread> threads;
    for (auto& of_thread : drawn)
      threads.emplace_back([&] {
        for (int i = 0; i < draws; ++i) of_thread.push_back(counter.next(3));
      });
  }
  for (const auto& of_thread : drawn)
    CHECK(std::ranges::adjacent_find(of_thread, std::ranges::greater_equal{}) == of_thread.end());
  drawn[0].insert(drawn[0].end(), drawn[1].begin(), drawn[1].end());
  auto together = gather_all(all, std::span<const std::int64_t>(drawn[0]));
  std::ranges::sort(together);
  std::vector<std::int64_t> expected;
  for (int i = 0; i < draws * n_threads * all.size(); ++i) expected.push_back(17 + 3 * i);
  CHECK(together == expected);
}

TEST_CASE("Ranks see what another one stores", "[mpi][counter]") {
  const mpi::Communicator all;
  mpi::SharedCounter counter(all, 5);
  CHECK(counter.load() == 5);
  all.barrier();
  if (all.rank() == all.size() - 1) CHECK(counter.store(-1) == 5);
  all.barrier();
  CHECK(counter.load() == -1);
}
