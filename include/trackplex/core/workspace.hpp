// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/core/allocate.hpp>

#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <type_traits>

namespace trackplex {

/// Memory that algorithms keep between calls. A buffer is reallocated when a call needs more than
/// all earlier calls; otherwise nothing is allocated. A workspace is used by one instance at a
/// time.
template <class ExecutionSpace>
class Workspace {
 public:
  using MemorySpace = typename ExecutionSpace::memory_space;  ///< Memory space of the buffers.
  /// Buffer of n elements of T, which does not own its memory.
  template <class T>
  using Buffer = Kokkos::View<T*, MemorySpace, Kokkos::MemoryTraits<Kokkos::Unmanaged>>;
  /// Memory of a buffer, bytes.
  using Block = Kokkos::View<char*, MemorySpace>;

  /// Workspace that allocates its own buffers.
  Workspace() = default;
  /// Workspace with buffers from `memory`, by `allocate_array(memory, view, label, n)`; they are
  /// valid as long as that memory.
  template <class Memory>
  requires(!std::is_same_v<Memory, Workspace>) explicit Workspace(const Memory& memory)
      : take_([memory](Block& block, std::string_view label, std::size_t bytes) {
          allocate_array(memory, block, label, bytes);
        }) {}

  /// Returns a buffer of n elements under a label, `Trackplex::Domain::name`, with undefined
  /// contents. It is valid until a larger request for the same label; this waits for the instance
  /// before it replaces the memory.
  template <class T>
  Buffer<T> get(const ExecutionSpace& exec, const std::string& label, std::size_t n) {
    auto& block = blocks_[label];
    const std::size_t bytes = n * sizeof(T);
    if (block.extent(0) < bytes && take_) {
      take_(block, label, bytes);
    } else if (block.extent(0) < bytes) {
      exec.fence();  // enqueued kernels may still use the old block
      block = new_array<Block>(label, bytes);
    }
    return Buffer<T>(reinterpret_cast<T*>(block.data()), n);
  }

  /// Returns the size of all buffers, bytes.
  std::size_t bytes() const {
    std::size_t sum = 0;
    for (const auto& [label, block] : blocks_) sum += block.extent(0);
    return sum;
  }

 private:
  std::function<void(Block&, std::string_view label, std::size_t bytes)> take_;
  std::map<std::string, Block> blocks_;
};

}  // namespace trackplex
