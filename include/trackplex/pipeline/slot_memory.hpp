// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/core/pinned.hpp>
#include <trackplex/pipeline/arena.hpp>

#include <cstddef>
#include <string>
#include <type_traits>
#include <vector>

namespace trackplex::pipeline {

/// All memory of a slot: one allocation where kernels reach it, and one of pinned memory where the
/// host does not reach that. Pieces belong to groups, which are released as a whole: group 0 is
/// scratch.
template <class ExecutionSpace>
class SlotMemory {
 public:
  using MemorySpace = typename ExecutionSpace::memory_space;
  static constexpr bool has_pinned = !is_host_space<ExecutionSpace>;

  /// `pinned_bytes` is used on devices only.
  SlotMemory(const ExecutionSpace& exec, std::size_t device_bytes, std::size_t pinned_bytes)
      : device_block_(
            Kokkos::view_alloc(exec, Kokkos::WithoutInitializing, "Trackplex::Pipeline::arena"),
            device_bytes),
        pinned_block_(
            Kokkos::view_alloc(Kokkos::WithoutInitializing, "Trackplex::Pipeline::pinned_arena"),
            has_pinned ? pinned_bytes : 0),
        device_(device_bytes),
        pinned_(has_pinned ? pinned_bytes : 0) {}

  SlotMemory(const SlotMemory&) = delete;
  SlotMemory& operator=(const SlotMemory&) = delete;

  /// The start of `bytes` for a group, in `Space`.
  /// @throws ArenaError naming the current algorithm
  template <class Space>
  void* take(int group, std::size_t bytes, const std::string& label) {
    constexpr bool pinned =
        has_pinned && Kokkos::SpaceAccessibility<Kokkos::HostSpace, Space>::accessible;
    Arena& arena = pinned ? pinned_ : device_;
    char* const block = pinned ? pinned_block_.data() : device_block_.data();
    const std::size_t offset = arena.reserve(bytes, label, algorithm_);
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
  Kokkos::View<char*, MemorySpace> device_block_;
  Kokkos::View<char*, PinnedSpace<ExecutionSpace>> pinned_block_;
  Arena device_, pinned_;
  std::vector<std::vector<std::size_t>> groups_;
  std::string algorithm_;
};

/// Where the arrays of one group come from. Functions of the library that make room with
/// `reserve(exec, view, label, n)` take it in place of an instance.
template <class ExecutionSpace>
struct ArenaAllocator {
  using memory_space = typename ExecutionSpace::memory_space;
  using execution_space = ExecutionSpace;

  SlotMemory<ExecutionSpace>* memory;
  int group;
};

/// Gives `view` room for `n` entries in its first dimension, without contents, where it has less;
/// else leaves it alone.
/// @throws ArenaError where the arena has no room
template <class ExecutionSpace, class View>
void reserve(const ArenaAllocator<ExecutionSpace>& allocator, View& view, const std::string& label,
             std::size_t n) {
  using T = typename View::value_type;
  if (view.extent(0) >= n) return;
  const std::size_t bytes = View::required_allocation_size(n);
  view = View(static_cast<T*>(allocator.memory->template take<typename View::memory_space>(
                  allocator.group, bytes, label)),
              n);
}

}  // namespace trackplex::pipeline
