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
#include <utility>

/// @file
/// Algorithms for many chains. To use one, derive from it and add a name:
///
///     struct CopyHits : CopyArrays<ExecutionSpace, StagedHits, Hits> {
///       static constexpr const char* name = "copy_hits";
///     };

namespace trackplex::chain {

/// Copy of a product to the device or back; on hosts both share the same arrays. The products are
/// structures of arrays with a function for_each_array (see core/copy.hpp).
template <class ExecutionSpace, class From, class To>
struct CopyArrays {
  /// On hosts nothing is copied.
  static constexpr bool aliases_inputs = is_host_space<ExecutionSpace>;

  /// Allocates the copies, or shares the arrays.
  template <class Memory>
  void allocate(const Memory& memory, const From& from, To& to) const {
    allocate_copies(memory.of(to), to, from);
  }
  /// Enqueues the copies.
  void operator()(const ExecutionSpace& exec, const From& from, To& to) const {
    copy_arrays(exec, to, from);
  }
};

/// Offsets of items with counted sizes: values(i) is the sum of the first i counts. The total is
/// on the host too, so that a later step can allocate arrays of that size.
template <class ExecutionSpace, class T = std::int32_t>
struct Offsets {
  /// The chain waits for the instance before it calls a reader.
  static constexpr bool read_by_host = true;

  Kokkos::View<T*, typename ExecutionSpace::memory_space>
      values;                                 ///< (count), one more than counts
  Kokkos::View<T*, Kokkos::HostSpace> total;  ///< sum of all counts, 1 element
};

/// Exclusive scan of counts to offsets. `Counts` is a product with the members `values`, an array
/// of integers, and `size`, their number; `To` is an Offsets or derives from one.
template <class ExecutionSpace, class Counts, class To>
struct ScanCounts {
  /// Allocates `size` + 1 offsets, and the total.
  template <class Memory>
  void allocate(const Memory& memory, const Counts& counts, To& offsets) const {
    const auto n = std::size_t(counts.size);
    allocate_array(memory.of(offsets), offsets.values, "Trackplex::Chain::offsets", n + 1);
    allocate_array(memory.of(offsets), offsets.total, "Trackplex::Chain::total", 1);
  }

  /// Enqueues the scan and the copy of the total to the host.
  void operator()(const ExecutionSpace& exec, const Counts& counts, To& offsets) const {
    const auto n = std::size_t(counts.size);
    exclusive_scan(exec, counts.values, offsets.values, int(n));
    copy_array(exec, offsets.total, Kokkos::subview(offsets.values, std::make_pair(n, n + 1)));
  }
};

/// Order of items by their keys: the items with key k are permutation(offsets(k)) to
/// permutation(offsets(k + 1) - 1), in their original order.
template <class ExecutionSpace>
struct OrderByKey {
  Kokkos::View<int*, typename ExecutionSpace::memory_space> offsets,  ///< (key), one more than keys
      permutation;                                                    ///< (item): indices of items
};

/// Stable counting sort. `Keys` is a product with the members `values`, an array of integers from 0
/// to n_keys - 1, `size`, their number, and `n_keys`, a few thousand at most. `To` is an OrderByKey
/// or derives from one.
template <class ExecutionSpace, class Keys, class To>
struct SortByKey {
  using Scratch = Workspace<ExecutionSpace>;  ///< temporary arrays of the sort

  /// Allocates offsets and permutation, and a workspace.
  template <class Memory>
  void allocate(const Memory& memory, const Keys& keys, To& order, Scratch& workspace) const {
    allocate_array(memory.of(order), order.offsets, "Trackplex::Chain::key_offsets",
                   std::size_t(keys.n_keys) + 1);
    allocate_array(memory.of(order), order.permutation, "Trackplex::Chain::permutation",
                   std::size_t(keys.size));
    workspace = Scratch(memory.scratch());
  }
  /// Enqueues the sort.
  void operator()(const ExecutionSpace& exec, const Keys& keys, To& order,
                  Scratch& workspace) const {
    counting_sort(exec, keys.values, keys.size, keys.n_keys, order.offsets, order.permutation,
                  workspace);
  }
};

}  // namespace trackplex::chain
