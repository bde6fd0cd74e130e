// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// @file
/// Spaces: Serial on the host, and Cuda, which is emulated.

#include <emulation/memory.hpp>
#include <emulation/queues.hpp>

#include <cstdint>
#include <memory>
#include <string>
#include <type_traits>
#include <vector>

namespace Kokkos {

class Serial;
class Cuda;
struct LayoutRight {};
struct LayoutLeft {};

struct HostSpace {
  using memory_space = HostSpace;
  using execution_space = Serial;
  static constexpr emulation::Memory memory = emulation::Memory::host;
};
struct CudaSpace {
  using memory_space = CudaSpace;
  using execution_space = Cuda;
  static constexpr emulation::Memory memory = emulation::Memory::device;
};
/// Memory of the host that kernels reach, too.
struct SharedHostPinnedSpace {
  using memory_space = SharedHostPinnedSpace;
  using execution_space = Serial;
  static constexpr emulation::Memory memory = emulation::Memory::pinned;
};

namespace Tools::Experimental {
using KernelCallback = void (*)(const char*, std::uint32_t, std::uint64_t*);
struct Callbacks {
  KernelCallback parallel_for = nullptr, parallel_scan = nullptr, parallel_reduce = nullptr,
                 fence = nullptr;
  void (*allocate)(struct SpaceHandle, const char*, const void*, std::uint64_t) = nullptr;
};
inline Callbacks callbacks;
struct SpaceHandle {
  char name[64];
};

inline void set_begin_parallel_for_callback(KernelCallback f) { callbacks.parallel_for = f; }
inline void set_begin_parallel_scan_callback(KernelCallback f) { callbacks.parallel_scan = f; }
inline void set_begin_parallel_reduce_callback(KernelCallback f) { callbacks.parallel_reduce = f; }
inline void set_begin_fence_callback(KernelCallback f) { callbacks.fence = f; }
inline void set_allocate_data_callback(void (*f)(SpaceHandle, const char*, const void*,
                                                 std::uint64_t)) {
  callbacks.allocate = f;
}
inline void call(KernelCallback callback, const std::string& label, std::uint32_t device) {
  std::uint64_t id = 0;
  if (callback != nullptr) callback(label.c_str(), device, &id);
}
/// The number of an instance among those of all spaces.
template <class ExecutionSpace>
std::uint32_t device_id(const ExecutionSpace& exec) {
  return ExecutionSpace::impl_device_type << 24 | exec.impl_instance_id();
}
}  // namespace Tools::Experimental
namespace Profiling {
using Tools::Experimental::SpaceHandle;
}

class Serial {
 public:
  using execution_space = Serial;
  using memory_space = HostSpace;
  using array_layout = LayoutRight;
  static constexpr std::uint32_t impl_device_type = 0;

  Serial() = default;
  static const char* name() { return "Serial"; }
  static Serial impl_new_instance() {
    static std::uint32_t last = 0;
    Serial instance;
    instance.number_ = ++last;
    return instance;
  }
  int concurrency() const { return 1; }
  std::uint32_t impl_instance_id() const { return number_; }
  void fence(const std::string& label = "Kokkos::Serial::fence") const {
    Tools::Experimental::call(Tools::Experimental::callbacks.fence, label,
                              Tools::Experimental::device_id(*this));
  }
  friend bool operator==(const Serial&, const Serial&) = default;

 private:
  std::uint32_t number_ = 0;
};

/// The emulated device: an instance is a queue.
class Cuda {
 public:
  using execution_space = Cuda;
  using memory_space = CudaSpace;
  using array_layout = LayoutLeft;
  static constexpr std::uint32_t impl_device_type = 2;

  Cuda() : queue_(emulation::Queue::default_queue()) {}
  static const char* name() { return "Cuda"; }
  static Cuda impl_new_instance() {
    Cuda instance;
    instance.queue_ = std::make_shared<emulation::Queue>();
    return instance;
  }
  int concurrency() const { return 1 << 12; }
  std::uint32_t impl_instance_id() const { return queue_->number(); }
  void fence(const std::string& label = "Kokkos::Cuda::fence") const {
    Tools::Experimental::call(Tools::Experimental::callbacks.fence, label,
                              Tools::Experimental::device_id(*this));
    queue_->wait();
  }
  emulation::Queue& impl_queue() const { return *queue_; }
  friend bool operator==(const Cuda&, const Cuda&) = default;

 private:
  std::shared_ptr<emulation::Queue> queue_;
};

using DefaultHostExecutionSpace = Serial;
using DefaultExecutionSpace = Cuda;

template <class T>
struct is_execution_space : std::false_type {};
template <class T>
requires(std::is_same_v<typename T::execution_space, T>) struct is_execution_space<T>
    : std::true_type {
};

template <class Accessing, class Memory>
struct SpaceAccessibility {
  using From = typename Accessing::memory_space;
  using To = typename Memory::memory_space;
  static constexpr bool on_host = !std::is_same_v<From, CudaSpace>;
  static constexpr bool accessible =
      std::is_same_v<To, SharedHostPinnedSpace> || on_host == std::is_same_v<To, HostSpace>;
};

/// Waits for all instances.
inline void fence(const std::string& label = "Kokkos::fence: Unnamed Global Fence") {
  Tools::Experimental::call(Tools::Experimental::callbacks.fence, label, 0);
  emulation::Queue::wait_for_all();
}

namespace Experimental {
template <class Exec>
std::vector<Exec> partition_space(const Exec&, const std::vector<double>& weights) {
  std::vector<Exec> instances;
  for (std::size_t i = 0; i < weights.size(); ++i) instances.push_back(Exec::impl_new_instance());
  return instances;
}
template <class Exec, class... Weights>
requires(std::is_arithmetic_v<Weights>&&...) std::vector<Exec> partition_space(const Exec& exec,
                                                                               Weights... weights) {
  return partition_space(exec, std::vector<double>{double(weights)...});
}
}  // namespace Experimental

class InitializationSettings {
 public:
  InitializationSettings& set_disable_warnings(bool) { return *this; }
  InitializationSettings& set_num_threads(int) { return *this; }
};
namespace Impl {
inline bool initialized = false;
inline bool finalized = false;
}  // namespace Impl
inline bool is_initialized() { return Impl::initialized; }
inline bool is_finalized() { return Impl::finalized; }
inline void initialize(const InitializationSettings& = {}) { Impl::initialized = true; }
inline void finalize() {
  fence();
  Impl::initialized = false;
  Impl::finalized = true;
}

}  // namespace Kokkos
