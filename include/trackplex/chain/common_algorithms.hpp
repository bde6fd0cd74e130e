// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/chain/memory.hpp>
#include <trackplex/chain/products.hpp>
#include <trackplex/core/copy.hpp>
#include <trackplex/core/counting_sort.hpp>
#include <trackplex/core/scan.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <tuple>
#include <utility>

/// @file
/// Algorithms that many chains need. To use one, derive from it and give it a name:
///
///     struct CopyHits : CopyArrays<ExecutionSpace, StagedHits, Hits> {
///       static constexpr const char* name = "copy_hits";
///     };

namespace trackplex::chain {

/// Copies a product to the device or back; on hosts both are the same arrays. The products are
/// structures of arrays: see core/copy.hpp for the function that they need.
template <class ExecutionSpace, class From, class To>
struct CopyArrays {
  static constexpr bool aliases_inputs = is_host_space<ExecutionSpace>;

  template <class Memory>
  void allocate(const Memory& memory, const From& from, To& to) const {
    allocate_copies(memory.of(to), to, from);
  }
  void operator()(const ExecutionSpace& exec, const From& from, To& to) const {
    copy_arrays(exec, to, from);
  }
};

/// Copies several products back to the host, to a Fetched. On hosts they are read where they are.
template <class ExecutionSpace, class Product>
struct Fetch;
template <class ExecutionSpace, class... Arrays>
struct Fetch<ExecutionSpace, Fetched<Arrays...>> {
  static constexpr bool aliases_inputs = is_host_space<ExecutionSpace>;

  template <class Memory>
  void allocate(const Memory& memory, const Arrays&... arrays, Fetched<Arrays...>& fetched) const {
    (allocate_copies(memory.of(fetched), std::get<HostOf<Arrays>>(fetched.arrays), arrays), ...);
  }
  void operator()(const ExecutionSpace& exec, const Arrays&... arrays,
                  Fetched<Arrays...>& fetched) const {
    (copy_arrays(exec, std::get<HostOf<Arrays>>(fetched.arrays), arrays), ...);
  }
};

/// Where things of counted sizes begin: offsets(i) = values(0) + ... + values(i - 1). The host
/// knows the total, so that a later step may make room for it.
template <class ExecutionSpace, class T = std::int32_t>
struct Offsets {
  static constexpr bool read_by_host = true;

  Kokkos::View<T*, typename ExecutionSpace::memory_space> values;  ///< one more than counts
  Kokkos::View<T*, Kokkos::HostSpace> total;                       ///< one element
};

/// Offsets from counts: a product with the members `values`, an array of integers, and `size`, how
/// many of them there are. `To` is an Offsets, or derives from one.
template <class ExecutionSpace, class Counts, class To>
struct ScanCounts {
  template <class Memory>
  void allocate(const Memory& memory, const Counts& counts, To& offsets) const {
    const auto n = std::size_t(counts.size);
    allocate_array(memory.of(offsets), offsets.values, "Trackplex::Chain::offsets", n + 1);
    allocate_array(memory.of(offsets), offsets.total, "Trackplex::Chain::total", 1);
  }

  void operator()(const ExecutionSpace& exec, const Counts& counts, To& offsets) const {
    const auto n = std::size_t(counts.size);
    exclusive_scan(exec, counts.values, offsets.values, int(n));
    Kokkos::deep_copy(exec, offsets.total,
                      Kokkos::subview(offsets.values, std::make_pair(n, n + 1)));
  }
};

/// The order of items by their keys: those with key k are permutation(offsets(k)) to
/// permutation(offsets(k + 1) - 1), as they came.
template <class ExecutionSpace>
struct OrderByKey {
  Kokkos::View<int*, typename ExecutionSpace::memory_space> offsets, permutation;
};

/// A stable counting sort. `Keys` is a product with the members `values`, an array of integers from
/// 0 to n_keys - 1, `size`, how many of them there are, and `n_keys`, a few thousand at most. `To`
/// is an OrderByKey, or derives from one.
template <class ExecutionSpace, class Keys, class To>
struct SortByKey {
  using Scratch = Workspace<ExecutionSpace>;

  template <class Memory>
  void allocate(const Memory& memory, const Keys& keys, To& order, Scratch& workspace) const {
    allocate_array(memory.of(order), order.offsets, "Trackplex::Chain::key_offsets",
                   std::size_t(keys.n_keys) + 1);
    allocate_array(memory.of(order), order.permutation, "Trackplex::Chain::permutation",
                   std::size_t(keys.size));
    workspace = Scratch(memory.scratch());
  }
  void operator()(const ExecutionSpace& exec, const Keys& keys, To& order,
                  Scratch& workspace) const {
    counting_sort(exec, keys.values, keys.size, keys.n_keys, order.offsets, order.permutation,
                  workspace);
  }
};

}  // namespace trackplex::chain
