// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// @file
/// Queues of the emulated device: what is enqueued runs when its queue is waited for, and not
/// before. Queues know nothing of each other.

#include "memory.hpp"

#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <string>

namespace emulation {

/// Memory of the host that a copy reads or writes.
struct HostRange {
  const char* begin = nullptr;
  std::size_t bytes = 0;
};

struct Task {
  std::string label;
  Access access;
  std::function<void()> run;
  HostRange host = {};
  std::uint64_t number = 0;  ///< tasks and releases of memory are counted together
};

class Queue {
 public:
  Queue();
  ~Queue();
  Queue(const Queue&) = delete;
  Queue& operator=(const Queue&) = delete;

  /// Kokkos' number of the instance.
  std::uint32_t number() const { return number_; }
  void enqueue(Task task);
  /// Runs what was enqueued, in its order.
  void wait();

  static std::shared_ptr<Queue> default_queue();
  /// Waits for all queues, one after the other.
  static void wait_for_all();

 private:
  friend void release_later(Memory memory, void* address, std::size_t bytes);
  static void free_what_is_over(std::uint64_t number);

  std::uint32_t number_;
  std::deque<Task> tasks_;
};

/// Frees an array once all that was enqueued before has run, as Kokkos does by waiting for it.
/// Fails if the array is one of the host that a copy has still to read or write.
void release_later(Memory memory, void* address, std::size_t bytes);

/// Calls `f` while this thread may touch all memory.
void with_all_memory(const std::function<void()>& f);

}  // namespace emulation
