// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/core/launch.hpp>
#include <trackplex/core/scan.hpp>
#include <trackplex/core/workspace.hpp>

#include <cstddef>

namespace trackplex {

namespace detail {

/// Items are cut into blocks; one thread counts, then places, the items of a block in order. The
/// counts are stored key by key and, within a key, block by block, so that their scan gives each
/// block its place and equal keys keep their order.
template <class Keys, class Counts, class Permutation>
struct CountingSort {
  struct Clear {};
  struct Count {};
  struct Place {};

  Keys keys;
  Counts counts;
  Permutation permutation;
  int n, blocks, block_size;

  KOKKOS_FUNCTION int begin(int block) const {
    return block * block_size < n ? block * block_size : n;
  }

  KOKKOS_FUNCTION void operator()(Clear, int i) const { counts(i) = 0; }
  KOKKOS_FUNCTION void operator()(Count, int block) const {
    for (int i = begin(block); i < begin(block + 1); ++i)
      ++counts(std::size_t(keys(i)) * blocks + block);
  }
  KOKKOS_FUNCTION void operator()(Place, int block) const {
    for (int i = begin(block); i < begin(block + 1); ++i)
      permutation(counts(std::size_t(keys(i)) * blocks + block)++) = i;
  }
};

template <class Counts, class Offsets>
struct KeyOffsets {
  Counts counts;
  Offsets offsets;
  int blocks;
  KOKKOS_FUNCTION void operator()(int key) const {
    offsets(key) = counts(std::size_t(key) * blocks);
  }
};

}  // namespace detail

/// Enqueues a stable counting sort of n items by integer keys, 0 <= keys(i) < n_keys, with n_keys a
/// few thousand at most.
///
/// When the instance has finished, the items permutation(offsets(k)) to
/// permutation(offsets(k + 1) - 1) are those with key k, in their original order.
/// @param exec the instance
/// @param keys View of n integers, or a functor that gives the key of item i
/// @param n number of items
/// @param n_keys number of different keys
/// @param offsets output, View of n_keys + 1 integers
/// @param permutation output, View of n integers
/// @param workspace memory for the counts, which are kept for each key and block of items
template <class ExecutionSpace, class Keys, class Offsets, class Permutation>
void counting_sort(const ExecutionSpace& exec, const Keys& keys, int n, int n_keys,
                   const Offsets& offsets, const Permutation& permutation,
                   Workspace<ExecutionSpace>& workspace) {
  constexpr int min_block = 256;
  const int max_blocks = is_host_space<ExecutionSpace> ? 4 * int(exec.concurrency()) : 16384;
  const int wanted = (n + min_block - 1) / min_block;
  const int blocks = wanted < 1 ? 1 : wanted < max_blocks ? wanted : max_blocks;
  const int cells = n_keys * blocks;

  auto counts = workspace.template get<int>(exec, "Trackplex::Core::counting_sort_counts",
                                            std::size_t(cells) + 1);
  using Sort = detail::CountingSort<Keys, decltype(counts), Permutation>;
  const Sort sort{keys, counts, permutation, n, blocks, (n + blocks - 1) / blocks};
  for_each_item<typename Sort::Clear>(exec, "Trackplex::Core::counting_sort_clear", cells, sort);
  for_each_item<typename Sort::Count>(exec, "Trackplex::Core::counting_sort_count", blocks, sort);
  exclusive_scan(exec, counts, counts, cells);
  for_each_item(exec, "Trackplex::Core::counting_sort_offsets", n_keys + 1,
                detail::KeyOffsets<decltype(counts), Offsets>{counts, offsets, blocks});
  for_each_item<typename Sort::Place>(exec, "Trackplex::Core::counting_sort_place", blocks, sort);
}

}  // namespace trackplex
