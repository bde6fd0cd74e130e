// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <Kokkos_Core.hpp>
#include <cstdint>
#include <mutex>
#include <string>
#include <vector>

namespace trackplex::test {

/// What Kokkos reports while code runs: kernels, allocations and fences that concern a whole
/// device.
struct RecordedEvents {
  struct Kernel {
    std::string label;
    std::uint32_t device;  ///< Kokkos' number of the space and instance
  };
  std::vector<Kernel> kernels;
  std::vector<std::string> allocations;
  std::vector<std::string> global_fences;
};

namespace detail {

/// Kokkos reports from each of its threads.
inline std::mutex& recorder_mutex() {
  static std::mutex mutex;
  return mutex;
}

inline RecordedEvents*& recorder() {
  static RecordedEvents* current = nullptr;
  return current;
}

inline void record_kernel(const char* label, std::uint32_t device, std::uint64_t*) {
  const std::lock_guard lock(recorder_mutex());
  if (recorder()) recorder()->kernels.push_back({label, device});
}

inline void record_allocation(Kokkos::Profiling::SpaceHandle, const char* label, const void*,
                              std::uint64_t) {
  const std::lock_guard lock(recorder_mutex());
  if (recorder()) recorder()->allocations.push_back(label);
}

/// Kokkos numbers the fences of a whole device apart from those of an instance.
inline void record_fence(const char* label, std::uint32_t, std::uint64_t*) {
  const std::lock_guard lock(recorder_mutex());
  const std::string name = label;
  if (recorder() && (name.find("Kokkos::fence") != std::string::npos ||
                     name.find("GlobalDeviceSynchronization") != std::string::npos))
    recorder()->global_fences.push_back(name);
}

}  // namespace detail

/// Runs `f` and returns what Kokkos reported meanwhile.
template <class F>
RecordedEvents record(F&& f) {
  namespace tools = Kokkos::Tools::Experimental;
  tools::set_begin_parallel_for_callback(detail::record_kernel);
  tools::set_begin_parallel_scan_callback(detail::record_kernel);
  tools::set_begin_parallel_reduce_callback(detail::record_kernel);
  tools::set_allocate_data_callback(detail::record_allocation);
  tools::set_begin_fence_callback(detail::record_fence);
  RecordedEvents events;
  detail::recorder() = &events;
  f();
  detail::recorder() = nullptr;
  return events;
}

}  // namespace trackplex::test
