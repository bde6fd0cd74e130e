// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/core/allocate.hpp>

#include <algorithm>
#include <cstddef>
#include <memory>
#include <mutex>
#include <type_traits>
#include <utility>
#include <vector>

namespace trackplex::chain {

/// Block of host memory from a BlockPool.
struct Block {
  char* data = nullptr;                 ///< aligned for any type; not initialized
  std::shared_ptr<const void> owner{};  ///< the block is reused once no copy of it is left
};

/// Pool of blocks of host memory. A block returns to the pool when the last copy of its owner is
/// gone, in any thread, also after the pool. There are as many blocks as have been in use at the
/// same time; a free block that is too small is replaced, so that batches of similar sizes allocate
/// nothing in the end. Copies of a pool share its blocks.
/// @tparam MemorySpace  memory of the host: HostSpace, or pinned memory
template <class MemorySpace>
class BlockPool {
 public:
  /// Begins without blocks.
  BlockPool() : pool_(std::make_shared<Pool>()) {}

  /// Returns a block of at least `bytes`.
  /// @throws std::bad_alloc, UsageError if the memory is pinned and Kokkos is not running
  Block take(std::size_t bytes) const {
    auto memory = pool_->take(bytes);
    if (memory->bytes < bytes) memory->allocate(bytes + bytes / 8);
    memory->pool = pool_;
    Memory* const taken = memory.release();
    return {taken->address(), std::shared_ptr<const void>(
                                  taken, [](const void*) {}, CountsInBlock<char>{taken})};
  }

 private:
  /// Plain memory may also be freed after the end of Kokkos.
  static constexpr bool is_plain = std::is_same_v<MemorySpace, Kokkos::HostSpace>;
  using Array =
      std::conditional_t<is_plain, std::unique_ptr<char[]>, Kokkos::View<char*, MemorySpace>>;

  struct Pool;

  struct Memory {
    Array array{};
    std::size_t bytes = 0;
    std::shared_ptr<Pool> pool{};  ///< while the block is in use
    alignas(std::max_align_t) char counts[128];

    char* address() const {
      if constexpr (is_plain)
        return array.get();
      else
        return array.data();
    }
    void allocate(std::size_t n) {
      bytes = 0;
      array = Array{};
      if constexpr (is_plain)
        array.reset(new char[n]);
      else
        array = new_array<Array>("Trackplex::Chain::block", n);
      bytes = n;
    }
  };

  struct Pool {
    std::mutex mutex;
    std::vector<std::unique_ptr<Memory>> free;
    std::size_t n_blocks = 0;

    /// The smallest free block that is large enough, else the largest; or a new one without memory.
    std::unique_ptr<Memory> take(std::size_t bytes) {
      const std::lock_guard lock(mutex);
      if (free.empty()) {
        free.reserve(++n_blocks);  // give_back() does not allocate
        return std::make_unique<Memory>();
      }
      const auto excess = [&](const std::unique_ptr<Memory>& memory) {
        const std::size_t n = memory->bytes;
        return n >= bytes ? n - bytes : std::size_t(-1) - n;
      };
      std::iter_swap(std::min_element(free.rbegin(), free.rend(),  // the last one among equals
                                      [&](const auto& one, const auto& other) {
                                        return excess(one) < excess(other);
                                      }),
                     free.rbegin());
      auto memory = std::move(free.back());
      free.pop_back();
      return memory;
    }
    void give_back(std::unique_ptr<Memory> memory) {
      const std::lock_guard lock(mutex);
      free.push_back(std::move(memory));
    }
  };

  /// Allocator of the reference counts of an owner, in its block. They are what is freed last:
  /// then the block returns to its pool.
  template <class T>
  struct CountsInBlock {
    using value_type = T;

    Memory* memory;

    explicit CountsInBlock(Memory* block) : memory(block) {}
    template <class U>
    CountsInBlock(const CountsInBlock<U>& other) : memory(other.memory) {}

    T* allocate(std::size_t) {
      static_assert(sizeof(T) <= sizeof memory->counts && alignof(T) <= alignof(std::max_align_t));
      return reinterpret_cast<T*>(memory->counts);
    }
    void deallocate(T*, std::size_t) noexcept {
      const auto pool = std::move(memory->pool);
      pool->give_back(std::unique_ptr<Memory>(memory));
    }
    template <class U>
    friend bool operator==(const CountsInBlock& a, const CountsInBlock<U>& b) {
      return a.memory == b.memory;
    }
  };

  std::shared_ptr<Pool> pool_;
};

}  // namespace trackplex::chain
