// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// @file
/// Kernels with scratch memory on Kokkos' host backends: teams, scans and reductions.

#include <trackplex/core/compatibility.hpp>
#include <trackplex/core/compiled.hpp>
#include <trackplex/core/error.hpp>
#include <trackplex/core/spaces.hpp>

#include <cstddef>
#include <memory>
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

/// @throws UsageError if Kokkos is not running, or this thread may not launch such kernels
template <class ExecutionSpace>
void check_thread(const std::string& label) {
  require_kokkos(label);
  if (has_no_scratch<ExecutionSpace>()) [[unlikely]]
    refuse_thread(label);
}

/// Does all the work of a kernel on the calling thread, as one item of Serial. Unlike Kokkos' own
/// teams, scans and reductions it needs no scratch memory of Kokkos, which all Serial instances
/// share before Kokkos 4.5: any number of threads may call it at the same time.
template <class Serial, class Work>
void run_on_this_thread(const Serial& instance, const std::string& label, const Work& work) {
  require_kokkos(label);
  Kokkos::parallel_for(label, Kokkos::RangePolicy<Serial>(instance, 0, 1),
                       [&work](int) { work(); });
}

/// Scratch memory of the calling thread, which lasts until it asks for more.
inline char* scratch_of_this_thread(std::size_t bytes) {
  thread_local std::unique_ptr<char[]> memory;
  thread_local std::size_t size = 0;
  if (bytes > size) {
    memory.reset(new char[bytes]);
    size = bytes;
  }
  return memory.get();
}

/// Handle of a team of one thread on a host, with the functions of Kokkos' handles that HostTeam
/// needs. nvcc wants them on devices, too, since templates for both call them.
class TeamOfOne {
 public:
  KOKKOS_FUNCTION TeamOfOne(int league_rank, char* scratch)
      : league_rank_(league_rank), scratch_(scratch) {}

  KOKKOS_FUNCTION int league_rank() const { return league_rank_; }
  KOKKOS_FUNCTION int team_size() const { return 1; }
  KOKKOS_FUNCTION int team_rank() const { return 0; }
  KOKKOS_FUNCTION void team_barrier() const {}
  template <class T>
  KOKKOS_FUNCTION T team_scan(T) const {
    return 0;
  }
  template <class T>
  KOKKOS_FUNCTION void team_broadcast(T&, int) const {}
  KOKKOS_FUNCTION const TeamOfOne& team_scratch(int) const { return *this; }
  KOKKOS_FUNCTION const void* get_shmem(int) const { return scratch_; }

 private:
  int league_rank_;
  char* scratch_;
};

}  // namespace trackplex::detail
