// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/chain/arena.hpp>
#include <trackplex/core/allocate.hpp>
#include <trackplex/core/pinned.hpp>

#include <cstddef>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace trackplex::chain {

/// Bytes of the arenas of a chain. By default there is none: each array is allocated by itself and
/// grows when a batch needs more than any before it.
struct ArenaSize {
  static constexpr std::size_t none = std::size_t(-1);

  std::size_t device = none;  ///< where kernels reach it
  std::size_t pinned = 0;     ///< on the host; used on devices only

  bool exists() const { return device != none; }
};

/// All memory of a chain: with an arena one allocation where kernels reach it, and one of pinned
/// memory where the host does not reach that. Segments belong to groups, which are released as a
/// whole: group 0 is scratch.
template <class ExecutionSpace>
class ChainMemory {
 public:
  using MemorySpace = typename ExecutionSpace::memory_space;
  static constexpr bool has_pinned = !is_host_space<ExecutionSpace>;

  ChainMemory(const ExecutionSpace& exec, const ArenaSize& size)
      : exec_(exec),
        grows_(!size.exists()),
        device_block_(
            Kokkos::view_alloc(exec, Kokkos::WithoutInitializing, "Trackplex::Chain::arena"),
            size.exists() ? size.device : 0),
        pinned_block_(
            Kokkos::view_alloc(Kokkos::WithoutInitializing, "Trackplex::Chain::pinned_arena"),
            has_pinned ? size.pinned : 0),
        device_(size.exists() ? size.device : 0),
        pinned_(has_pinned ? size.pinned : 0) {}

  ChainMemory(const ChainMemory&) = delete;
  ChainMemory& operator=(const ChainMemory&) = delete;

  /// Whether there is no arena, so that arrays grow and stay.
  bool grows() const { return grows_; }
  const ExecutionSpace& exec() const { return exec_; }

  /// The start of `bytes` for a group, in `Space`.
  /// @throws ArenaError naming the current algorithm
  template <class Space>
  void* take(int group, std::size_t bytes, const std::string& label) {
    constexpr bool pinned =
        has_pinned && Kokkos::SpaceAccessibility<Kokkos::HostSpace, Space>::accessible;
    Arena& arena = pinned ? pinned_ : device_;
    char* const block = pinned ? pinned_block_.data() : device_block_.data();
    const std::size_t offset = arena.take(bytes, label, algorithm_);
    if (groups_.size() <= std::size_t(group)) groups_.resize(std::size_t(group) + 1);
    if (!pinned) groups_[std::size_t(group)].push_back(offset);
    return block + offset;
  }

  /// Takes back what a group has where kernels reach it: later kernels of the instance may have it
  /// at once. Pinned memory, which the host writes without waiting, stays until release_all.
  void release(int group) {
    if (std::size_t(group) >= groups_.size()) return;
    for (const std::size_t offset : groups_[std::size_t(group)]) device_.release(offset);
    groups_[std::size_t(group)].clear();
  }

  /// Takes everything back. The instance has finished.
  void release_all() {
    for (auto& offsets : groups_) offsets.clear();
    device_.release_all();
    pinned_.release_all();
  }

  /// Who asks for memory, for errors.
  void set_algorithm(std::string name) { algorithm_ = std::move(name); }

  const Arena& device() const { return device_; }
  const Arena& pinned() const { return pinned_; }

 private:
  ExecutionSpace exec_;
  bool grows_;
  Kokkos::View<char*, MemorySpace> device_block_;
  Kokkos::View<char*, PinnedSpace<ExecutionSpace>> pinned_block_;
  Arena device_, pinned_;
  std::vector<std::vector<std::size_t>> groups_;
  std::string algorithm_;
};

/// Memory for the arrays of one group. Functions that allocate take it in place of an instance.
template <class ExecutionSpace>
struct GroupMemory {
  using memory_space = typename ExecutionSpace::memory_space;
  using execution_space = ExecutionSpace;

  ChainMemory<ExecutionSpace>* chain;
  int group;
};

/// Gives `view` a capacity of `n` entries in its first dimension, without contents, where it has
/// less; else leaves it alone.
/// @throws ArenaError where the arena has no hole for it
template <class ExecutionSpace, class View>
void allocate_array(const GroupMemory<ExecutionSpace>& memory, View& view, const std::string& label,
                    std::size_t n) {
  using T = typename View::value_type;
  if (view.extent(0) >= n) return;
  if (memory.chain->grows()) {
    trackplex::allocate_array(memory.chain->exec(), view, label, n);
    return;
  }
  const std::size_t bytes = View::required_allocation_size(n);
  view = View(static_cast<T*>(memory.chain->template take<typename View::memory_space>(
                  memory.group, bytes, label)),
              n);
}

/// The memory that an algorithm's allocate() is called with.
template <class ExecutionSpace, class Products>
struct AlgorithmMemory {
  static constexpr int scratch_group = 0;

  ChainMemory<ExecutionSpace>* chain;

  /// For the arrays of a product: until its last reader is enqueued.
  template <class Product>
  GroupMemory<ExecutionSpace> of(const Product&) const {
    static_assert(Products::template contains<Product>,
                  "memory.of() takes a product that the algorithm makes.");
    return {chain, 1 + Products::template index_of<Product>};
  }

  /// For what only this algorithm needs: until it is enqueued.
  GroupMemory<ExecutionSpace> scratch() const { return {chain, scratch_group}; }
};

}  // namespace trackplex::chain
