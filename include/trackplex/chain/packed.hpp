// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/chain/block_pool.hpp>
#include <trackplex/core/copy.hpp>
#include <trackplex/core/pinned.hpp>
#include <trackplex/core/scan.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string_view>
#include <type_traits>
#include <utility>

/// @file
/// Results of a batch in one block of host memory, of which the results of events are views: arrays
/// without gaps, written by a kernel. On devices one copy brings them to the host; on hosts the
/// kernel writes to the block itself.

namespace trackplex::chain {

/// Offsets of items of several kinds in arrays of all events of a batch.
/// @tparam Kinds  number of kinds
template <class MemorySpace, int Kinds>
struct EventOffsets {
  /// The chain waits for the instance before it calls a reader.
  static constexpr bool read_by_host = true;

  /// (kind, event), one more at the end: number of items of all kinds and events before.
  Kokkos::View<std::uint32_t*, MemorySpace> values;
  Kokkos::View<std::uint32_t*, Kokkos::HostSpace> on_host;  ///< the same
  int n_events = 0;                                         ///< number of events

  /// Number of items of a kind in all events before this one.
  KOKKOS_FUNCTION std::uint32_t operator()(int kind, int event) const {
    return difference(values.data(), kind, event);
  }
  /// The same on the host.
  std::size_t first(int kind, int event) const { return difference(on_host.data(), kind, event); }
  /// Number of items of a kind in all events, on the host.
  std::size_t total(int kind) const { return first(kind, n_events); }

  /// Place of a count, to be set before enqueue_scan().
  KOKKOS_FUNCTION std::uint32_t& count(int kind, int event) const {
    return values(kind * n_events + event);
  }

  /// Allocates the arrays for n events.
  template <class Memory>
  void allocate(const Memory& memory, int n) {
    n_events = n;
    const auto entries = std::size_t(Kinds) * std::size_t(n) + 1;
    allocate_array(memory, values, "Trackplex::Chain::event_offsets", entries);
    allocate_copy(memory, on_host, values, "Trackplex::Chain::event_offsets", entries);
  }
  /// Enqueues the sums of all counts and their copy to the host.
  template <class ExecutionSpace>
  void enqueue_scan(const ExecutionSpace& exec) const {
    const int entries = Kinds * n_events;
    exclusive_scan(exec, values, values, entries);
    copy_entries(exec, on_host, values, std::size_t(entries) + 1);
  }

 private:
  KOKKOS_FUNCTION std::uint32_t difference(const std::uint32_t* sums, int kind, int event) const {
    return sums[kind * n_events + event] - sums[kind * n_events];
  }
};

/// Structure of arrays on the host whose arrays are in one block.
template <class Arrays>
struct Packed : Arrays {
  char* data = nullptr;                 ///< the block
  std::size_t bytes = 0;                ///< of all arrays
  std::shared_ptr<const void> owner{};  ///< keeps the block, see Block
};

/// The same arrays for kernels: on devices in a block there, on hosts those of Packed.
template <class Arrays>
struct PackedForKernels : Arrays {
  Kokkos::View<char*, typename Arrays::memory_space> block;  ///< empty on hosts
};

namespace detail {

/// Places the arrays one after the other in a block, if there is one; returns their bytes.
template <class Arrays>
std::size_t place_arrays(Arrays& arrays, char* block) {
  constexpr std::size_t alignment = 64;
  std::size_t bytes = 0;
  for_each_array(arrays, arrays, [&](const auto&, auto& array, std::string_view, std::size_t n) {
    using Array = std::remove_cvref_t<decltype(array)>;
    using T = typename Array::value_type;
    if (block != nullptr) array = Array(reinterpret_cast<T*>(block + bytes), n);
    bytes += (n * sizeof(T) + alignment - 1) / alignment * alignment;
  });
  return bytes;
}

}  // namespace detail

/// Pool of the blocks of a packing algorithm.
template <class ExecutionSpace>
class PackedBlocks {
 public:
  /// Takes a block for arrays of the sizes that are set in `packed`. On devices `memory` gives
  /// that of the kernels.
  template <class Memory, class HostArrays, class Arrays>
  void allocate(const Memory& memory, Packed<HostArrays>& packed,
                PackedForKernels<Arrays>& for_kernels) const {
    packed.bytes = detail::place_arrays(packed, nullptr);
    packed.owner = {};  // the same block again, if no result is left
    auto block = pool_.take(packed.bytes);
    packed.data = block.data;
    packed.owner = std::move(block.owner);
    detail::place_arrays(packed, packed.data);
    if constexpr (is_host_space<ExecutionSpace>) {
      static_cast<Arrays&>(for_kernels) = packed;
    } else {
      for_each_array(packed, for_kernels, [](const auto&...) {});  // the sizes
      allocate_array(memory, for_kernels.block, "Trackplex::Chain::packed", packed.bytes);
      detail::place_arrays(for_kernels, for_kernels.block.data());
    }
  }
  /// Enqueues the copy from the kernels' memory.
  template <class HostArrays, class Arrays>
  void enqueue_copy(const ExecutionSpace& exec, const PackedForKernels<Arrays>& from,
                    const Packed<HostArrays>& to) const {
    if constexpr (!is_host_space<ExecutionSpace>)
      copy_entries(exec, Kokkos::View<char*, PinnedSpace<ExecutionSpace>>(to.data, to.bytes),
                   from.block, to.bytes);
  }

 private:
  BlockPool<PinnedSpace<ExecutionSpace>> pool_;
};

}  // namespace trackplex::chain
