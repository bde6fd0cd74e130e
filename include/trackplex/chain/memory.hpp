// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/chain/arena.hpp>
#include <trackplex/chain/step_arrays.hpp>
#include <trackplex/core/allocate.hpp>
#include <trackplex/core/pinned.hpp>

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace trackplex::chain {

/// Sizes of the arenas of a chain, bytes. By default there are none: each array is allocated
/// separately and grows when a batch needs more than all earlier batches.
struct ArenaSize {
  static constexpr std::size_t none = std::size_t(-1);  ///< Value of `device` without arenas.

  std::size_t device = none;  ///< bytes in the memory space of the kernels
  std::size_t pinned = 0;     ///< bytes of pinned memory of the host; used on devices only

  bool exists() const { return device != none; }  ///< Whether there are arenas.
};

/// Memory of a chain: with arenas one allocation in the memory space of the kernels and, on
/// devices, one of pinned memory of the host. Segments belong to groups, which are released as a
/// whole: group 0 is scratch, group 1 + p is product number p.
template <class ExecutionSpace>
class ChainMemory {
 public:
  using MemorySpace = typename ExecutionSpace::memory_space;  ///< Memory space of the kernels.
  /// Whether arrays of the host have their own arena.
  static constexpr bool has_pinned = !is_host_space<ExecutionSpace>;

  /// Allocates the arenas, if any, and does not wait for the instance.
  ChainMemory(const ExecutionSpace& exec, const ArenaSize& size)
      : exec_(exec),
        grows_(!size.exists()),
        device_block_(new_array<decltype(device_block_)>(exec, "Trackplex::Chain::arena",
                                                         size.exists() ? size.device : 0)),
        pinned_block_(new_array<decltype(pinned_block_)>("Trackplex::Chain::pinned_arena",
                                                         has_pinned ? size.pinned : 0)),
        device_(size.exists() ? size.device : 0),
        pinned_(has_pinned ? size.pinned : 0) {}

  ChainMemory(const ChainMemory&) = delete;
  ChainMemory& operator=(const ChainMemory&) = delete;

  /// Whether there is no arena: arrays grow and stay.
  bool grows() const { return grows_; }
  /// The instance of the chain.
  const ExecutionSpace& exec() const { return exec_; }

  /// Adds a segment of `bytes` in `Space` to a group and returns its address.
  /// @throws ArenaError that names the current algorithm, if the segment does not fit
  template <class Space>
  void* take(int group, std::size_t bytes, std::string_view label) {
    constexpr bool pinned = has_pinned && !std::is_same_v<Space, MemorySpace>;
    Arena& arena = pinned ? pinned_ : device_;
    char* const block = pinned ? pinned_block_.data() : device_block_.data();
    const std::size_t offset = arena.take(bytes, label, algorithm_);
    if (groups_.size() <= std::size_t(group)) groups_.resize(std::size_t(group) + 1);
    if (!pinned) groups_[std::size_t(group)].push_back(offset);
    return block + offset;
  }

  /// Releases the device segments of a group: later kernels of the instance may use them at once.
  /// Pinned memory, which the host writes without waiting for kernels, stays until release_all().
  void release(int group) {
    if (std::size_t(group) >= groups_.size()) return;
    for (const std::size_t offset : groups_[std::size_t(group)]) device_.release(offset);
    groups_[std::size_t(group)].clear();
  }

  /// Releases all segments. The instance must have finished.
  void release_all() {
    for (auto& offsets : groups_) offsets.clear();
    device_.release_all();
    pinned_.release_all();
    if (noted_) noted_->clear();
  }

  /// Starts or stops recording the arrays of products for `show_arrays`.
  void note_arrays(bool note) {
    noted_ = note ? std::make_unique<detail::NotedArrays<ExecutionSpace>>() : nullptr;
  }
  /// Records an array that a product has got, and fills it with zeros, if arrays are recorded.
  template <class View>
  void note(int group, const View& view, std::string_view label, const TiledItems& tiles) {
    if (noted_ && group != 0) noted_->add(exec_, view, label, tiles);
  }
  /// Calls `f` with a StepArrays of the current algorithm: the arrays recorded since the last
  /// call, and those recorded earlier that have changed. The instance must have finished.
  template <class F>
  void show_arrays(const F& f) {
    noted_->show(algorithm_, f);
  }

  /// Sets the name of the algorithm that allocates, for errors.
  void set_algorithm(std::string_view name) { algorithm_ = name; }

  const Arena& device() const { return device_; }  ///< Arena of the kernels' memory space.
  const Arena& pinned() const { return pinned_; }  ///< Arena of pinned memory; empty on hosts.

 private:
  ExecutionSpace exec_;
  bool grows_;
  Kokkos::View<char*, MemorySpace> device_block_;
  Kokkos::View<char*, PinnedSpace<ExecutionSpace>> pinned_block_;
  Arena device_, pinned_;
  std::vector<std::vector<std::size_t>> groups_;
  std::string algorithm_;
  std::unique_ptr<detail::NotedArrays<ExecutionSpace>> noted_;  ///< null: arrays are not recorded
};

/// Memory for the arrays of one group, which allocating functions accept instead of an
/// instance.
template <class ExecutionSpace>
struct GroupMemory {
  using memory_space = typename ExecutionSpace::memory_space;  ///< Memory space of the kernels.
  using execution_space = ExecutionSpace;                      ///< Execution space of the chain.

  ChainMemory<ExecutionSpace>* chain;  ///< memory of the chain
  int group;                           ///< number of the group
};

/// Ensures the capacity for items in tiles, as `allocate_array` does for entries.
/// @throws ArenaError if the array does not fit into the arena
template <class ExecutionSpace, class View>
void allocate_tiles(const GroupMemory<ExecutionSpace>& memory, View& view, std::string_view label,
                    const TiledItems& tiles) {
  using T = typename View::value_type;
  const std::size_t n = tiles.entries();
  if (view.extent(0) >= n) return;
  if (memory.chain->grows()) {
    trackplex::allocate_array(memory.chain->exec(), view, label, n);
  } else {
    const std::size_t bytes = View::required_allocation_size(n);
    view = View(static_cast<T*>(memory.chain->template take<typename View::memory_space>(
                    memory.group, bytes, label)),
                n);
  }
  memory.chain->note(memory.group, view, label, tiles);
}

/// Ensures a capacity of at least `n` entries in the first dimension of `view`. A view that is
/// large enough is unchanged; a smaller one is replaced, and its contents are undefined.
/// @throws ArenaError if the array does not fit into the arena
template <class ExecutionSpace, class View>
void allocate_array(const GroupMemory<ExecutionSpace>& memory, View& view, std::string_view label,
                    std::size_t n) {
  allocate_tiles(memory, view, label, TiledItems{.items = n});
}

/// Memory argument of an algorithm's allocate() in a chain.
template <class ExecutionSpace, class Products>
struct AlgorithmMemory {
  static constexpr int scratch_group = 0;  ///< Group of temporary arrays.

  ChainMemory<ExecutionSpace>* chain;  ///< memory of the chain

  /// Memory for the arrays of a product, which live until its last reader is enqueued.
  template <class Product>
  GroupMemory<ExecutionSpace> of(const Product&) const {
    static_assert(Products::template contains<Product>,
                  "memory.of() takes a product that the algorithm makes.");
    return {chain, 1 + Products::template index_of<Product>};
  }

  /// Memory for temporary arrays of this algorithm, which live until it is enqueued.
  GroupMemory<ExecutionSpace> scratch() const { return {chain, scratch_group}; }
};

}  // namespace trackplex::chain
