// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// @file
/// Access of threads to the scratch memory of Kokkos' host backends.

#include <trackplex/core/compatibility.hpp>
#include <trackplex/core/compiled.hpp>
#include <trackplex/core/error.hpp>
#include <trackplex/core/spaces.hpp>

#include <mutex>
#include <string>
#include <type_traits>

namespace trackplex::detail {

/// Whether the calling thread may not launch kernels that use scratch memory: before Kokkos 3.7
/// only the thread that started Kokkos may with OpenMP, outside parallel regions.
template <class ExecutionSpace>
bool has_no_scratch() {
#if defined(KOKKOS_ENABLE_OPENMP) && KOKKOS_VERSION < 30700
  if constexpr (std::is_same_v<ExecutionSpace, Kokkos::OpenMP>)
    return ExecutionSpace::in_parallel();
#endif
  return false;
}

[[noreturn, gnu::cold, gnu::noinline]] inline void refuse_thread(const std::string& label) {
  throw UsageError(label, "the kernel cannot be launched here",
                   "with Kokkos before 3.7 OpenMP launches teams, scans and reductions only from "
                   "the thread that started Kokkos, outside of parallel regions",
                   "launch it there, use Serial, or a newer Kokkos");
}

/// Held while a kernel runs that uses the scratch memory of its space: teams, scans and reductions.
/// Kokkos before 4.5 has one such memory for all Serial instances, so that threads that launch
/// there at the same time wait for each other; otherwise Kokkos itself handles this.
/// @throws UsageError if Kokkos is not running, or this thread may not launch such kernels
template <class ExecutionSpace>
std::unique_lock<std::mutex> lock_scratch(const std::string& label) {
  require_kokkos(label);
  if (has_no_scratch<ExecutionSpace>()) [[unlikely]]
    refuse_thread(label);
  if constexpr (is_serial<ExecutionSpace> && !has_independent_instances<ExecutionSpace>) {
    static std::mutex mutex;
    return std::unique_lock(mutex);
  }
  return {};
}

}  // namespace trackplex::detail
