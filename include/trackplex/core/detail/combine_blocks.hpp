// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// @file
/// Combination of the results of blocks by a binary tree over their numbers (see core/reduce.hpp):
/// by kernels in one process, on the hosts of many ranks.

#include <trackplex/core/copy.hpp>
#include <trackplex/core/ranks.hpp>
#include <trackplex/core/reduce_operations.hpp>
#include <trackplex/core/team_launch.hpp>
#include <trackplex/core/workspace.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace trackplex::detail {

inline constexpr int reduce_partials = 32;
inline constexpr int reduce_rows = 128;
static_assert(reduce_block == reduce_partials * reduce_rows);

constexpr int reduce_blocks(int n) {
  return n <= reduce_block ? 1 : (n + reduce_block - 1) / reduce_block;
}

/// Combines the results of blocks by a binary tree over their numbers, in place: one component of
/// `reduce_block` blocks per team, to `to[c * groups + group]`.
template <class Operation, class T, int Components>
struct CombineBlocks {
  T* from;
  T* to;
  int blocks, groups;

  KOKKOS_FUNCTION std::size_t scratch_bytes() const { return 0; }

  template <class Member>
  KOKKOS_FUNCTION void operator()(const Member& member, ScratchCarver) const {
    const int component = member.league_rank() % Components;
    const int group = member.league_rank() / Components;
    for_each_component<Operation, Components>([&](int c, auto operation) {
      if (c == component) combine<decltype(operation)>(member, c, group);
    });
  }

 private:
  template <class ComponentOperation, class Member>
  KOKKOS_FUNCTION void combine(const Member& member, int component, int group) const {
    T* const results = from + component * std::int64_t(blocks) + group * reduce_block;
    const int left = blocks - group * reduce_block;
    const int n = left < reduce_block ? left : reduce_block;
    for (int distance = 1; distance < n; distance *= 2) {
      const int step = 2 * distance;
      for (int i = step * member.team_rank(); i + distance < n; i += step * member.team_size())
        results[i] = ComponentOperation::combine(results[i], results[i + distance]);
      member.team_barrier();
    }
    if (member.team_rank() == 0) to[component * groups + group] = results[0];
  }
};

/// Branch of the binary tree over the numbers of blocks, with its results.
template <class T, int Components>
struct Branch {
  std::int64_t first;  ///< number of its first block, a multiple of `size`
  std::int64_t size;   ///< number of blocks, a power of two
  std::array<T, Components> results;
};

/// to[c] = the combination of a[c] and b[c].
template <class Operation, int Components, class T>
KOKKOS_FUNCTION void combine_results(const T* a, const T* b, T* to) {
  for_each_component<Operation, Components>(
      [&](int c, auto operation) { to[c] = decltype(operation)::combine(a[c], b[c]); });
}
/// The results without items.
template <class Operation, int Components, class T>
KOKKOS_FUNCTION void results_of_nothing(T* to) {
  for_each_component<Operation, Components>(
      [&](int c, auto operation) { to[c] = decltype(operation)::template identity<T>(); });
}

/// Appends a branch, and combines branches that are the two halves of one.
template <class Operation, class T, int Components>
void add_branch(std::vector<Branch<T, Components>>& branches, const Branch<T, Components>& branch) {
  branches.push_back(branch);
  while (branches.size() > 1) {
    auto& left = branches[branches.size() - 2];
    const auto& right = branches.back();
    if (left.size != right.size || left.first % (2 * left.size) != 0) return;
    T* const results = left.results.data();
    combine_results<Operation, Components>(results, right.results.data(), results);
    left.size *= 2;
    branches.pop_back();
  }
}

/// Combines the branches of a whole tree. Without branches: the result without items.
template <class Operation, class T, int Components>
std::array<T, Components> combine_branches(std::vector<Branch<T, Components>> branches) {
  std::array<T, Components> results{};
  if (branches.empty()) {
    results_of_nothing<Operation, Components>(results.data());
    return results;
  }
  results = branches.back().results;
  for (std::size_t i = branches.size() - 1; i-- > 0;)
    combine_results<Operation, Components>(branches[i].results.data(), results.data(),
                                           results.data());
  return results;
}

/// The results of the blocks of all ranks: each rank sends its branches to all. Waits for the
/// instance.
template <class Operation, int Components, class T, class ExecutionSpace, class Result>
void combine_over_ranks(const ExecutionSpace& exec, const Share& items, const T* results,
                        const Result& result) {
  using Unmanaged = Kokkos::MemoryTraits<Kokkos::Unmanaged>;
  using Values = Kokkos::View<T*, typename ExecutionSpace::memory_space, Unmanaged>;
  const int blocks = items.n == 0 ? 0 : reduce_blocks(items.n);
  const auto on_host =
      to_host(exec, Values(const_cast<T*>(results), std::size_t(Components) * std::size_t(blocks)));
  std::vector<Branch<T, Components>> own, all;
  for (int block = 0; block < blocks; ++block) {
    Branch<T, Components> leaf{items.first / reduce_block + block, 1, {}};
    for (int c = 0; c < Components; ++c) leaf.results[c] = on_host(c * std::size_t(blocks) + block);
    add_branch<Operation>(own, leaf);
  }
  for (const auto& branch : gather_all(*items.ranks, std::span<const Branch<T, Components>>(own)))
    add_branch<Operation>(all, branch);
  auto total = combine_branches<Operation>(std::move(all));
  const Kokkos::View<T*, Kokkos::HostSpace, Unmanaged> from(total.data(), Components);
  copy_array(exec, Values(result.data(), Components), from);
  exec.fence();
}

/// Enqueues the combination of the results of the blocks of some items, of which component c of a
/// block is at `results[c * blocks + block]`; they are overwritten.
template <class Operation, int Components, class T, class ExecutionSpace, class Result>
void combine_blocks(const ExecutionSpace& exec, const Share& items, T* results,
                    const Result& result, Workspace<ExecutionSpace>& workspace) {
  if (items.ranks) return combine_over_ranks<Operation, Components>(exec, items, results, result);
  constexpr int team_size = SpaceTraits<ExecutionSpace>::medium_team_size;
  int blocks = reduce_blocks(items.n);
  T* from = results;
  T* to = nullptr;  // two alternating buffers
  for (;;) {
    const int groups = reduce_blocks(blocks);
    if (groups > 1 && !to)
      to = workspace
               .template get<T>(exec, "Trackplex::Core::reduce_groups",
                                std::size_t(Components) * std::size_t(groups))
               .data();
    const CombineBlocks<Operation, T, Components> kernel{from, groups == 1 ? result.data() : to,
                                                         blocks, groups};
    for_each_team(exec, "Trackplex::Core::combine_blocks", Components * groups, kernel, team_size);
    if (groups == 1) return;
    blocks = groups;
    std::swap(from, to);
  }
}

}  // namespace trackplex::detail
