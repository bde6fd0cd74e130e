// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <algorithm>
#include <bit>
#include <catch2/catch_template_test_macros.hpp>
#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <cstdint>
#include <limits>
#include <trackplex/core/add_over_ranks.hpp>
#include <trackplex/core/host_executor.hpp>
#include <trackplex/core/reduce.hpp>
#include <trackplex/mpi/communicator.hpp>
#include <vector>

#include "support/spaces.hpp"

using namespace trackplex;

namespace {

/// Numbers of very different size, so that the order of their sum shows.
std::vector<double> some_numbers(std::int64_t n) {
  std::vector<double> x(static_cast<std::size_t>(n));
  std::uint32_t state = 99;
  for (auto& value : x) {
    state = state * 1664525u + 1013904223u;
    value = std::ldexp(double(state >> 9) / (1 << 23) - 0.5, int(state % 41u) - 20);
  }
  return x;
}

/// Sums of powers of a share of x, by lanes.
template <class Space, int Width>
std::vector<std::uint64_t> sums_of(const Share& share, const std::vector<double>& x) {
  const Space exec;
  Workspace<Space> workspace;
  const std::vector<double> own(x.begin() + share.first, x.begin() + share.first + share.n);
  const auto device = to_device<double>(exec, "x", own);
  const Kokkos::View<double*, typename Space::memory_space> result("result", 4);
  sum_powers<Width>(exec, device, share, 0.125, result, workspace);
  const auto host = to_host(exec, result);
  std::vector<std::uint64_t> bits;
  for (int i = 0; i < 4; ++i) bits.push_back(std::bit_cast<std::uint64_t>(host(i)));
  return bits;
}

}  // namespace

TEMPLATE_LIST_TEST_CASE("Reductions over ranks give the bits of one", "[mpi]",
                        test::EnabledSpaces) {
  const mpi::Communicator all;
  for (const std::int64_t n : {0, 1, 4096, 4097, 20000, 100000, 77 * 4096 + 5}) {
    CAPTURE(n);
    const auto x = some_numbers(n);
    const auto expected = sums_of<TestType, 1>(int(n), x);
    CHECK(sums_of<TestType, 1>(Share(n, reduce_block, &all), x) == expected);
    if constexpr (is_host_space<TestType>)
      CHECK(sums_of<TestType, 4>(Share(n, reduce_block, &all), x) == expected);
  }
}

TEST_CASE("Ranks may have any whole blocks", "[mpi]") {
  using Space = HostExecutor;
  const mpi::Communicator all;
  const int blocks = 23, n = blocks * reduce_block - 100;
  const auto x = some_numbers(n);
  const auto expected = sums_of<Space, 4>(n, x);
  for (int first_cut = 0; first_cut <= blocks; first_cut += 3) {
    // rank 0 up to a block, the last rank all behind it, those between them nothing
    const bool is_last = all.rank() + 1 == all.size();
    const int begin = all.rank() == 0 ? 0 : std::min(first_cut * reduce_block, n);
    const int end = is_last ? n : std::min(first_cut * reduce_block, n);
    Share share;
    share.first = begin;
    share.n = end - begin;
    share.all = n;
    share.ranks = &all;
    CHECK(sums_of<Space, 4>(share, x) == expected);
  }
}

TEST_CASE("Counts of ranks are added, and refused where they do not fit", "[mpi]") {
  using Space = HostExecutor;
  const mpi::Communicator all;
  const Space exec;
  const Kokkos::View<int*, MemoryOf<Space>> counts("counts", 3);
  counts(0) = all.rank();
  counts(2) = 7;
  add_over_ranks(exec, &all, counts, 2);
  CHECK(counts(0) == all.size() * (all.size() - 1) / 2);
  CHECK(counts(2) == 7);
  counts(0) = std::numeric_limits<int>::max();
  if (all.size() > 1) CHECK_THROWS_AS(add_over_ranks(exec, &all, counts, 1), CapacityError);
  add_over_ranks(exec, nullptr, counts, 1);
  CHECK(counts(0) == std::numeric_limits<int>::max());
}
