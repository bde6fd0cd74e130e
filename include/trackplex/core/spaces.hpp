// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// @file
/// Traits of execution spaces: the only table of tuning constants.

#include <trackplex/core/compatibility.hpp>
#include <trackplex/core/host_executor.hpp>
#include <trackplex/core/lane_memory.hpp>

#include <algorithm>
#include <type_traits>

namespace trackplex {

namespace detail {
template <class ExecutionSpace>
inline constexpr bool is_serial = false;
#ifdef KOKKOS_ENABLE_SERIAL
template <>
inline constexpr bool is_serial<Kokkos::Serial> = true;
#endif

/// Whether any thread can launch on instances of its own: Serial, which works on the calling
/// thread; devices and other hosts where this version of Kokkos has streams, or instances with
/// their own scratch memory and lock.
template <class ExecutionSpace>
inline constexpr bool has_independent_instances =
    is_serial<ExecutionSpace> || KOKKOS_VERSION >= (is_host_space<ExecutionSpace> ? 40500 : 40200);
}  // namespace detail

/// Returns the max number of host threads that run kernels of a space, for any instance.
template <class ExecutionSpace>
int max_concurrency() {
  int threads = 1;
  if constexpr (std::is_same_v<ExecutionSpace, HostExecutor>)
    for (const auto& exec : HostExecutor::all()) threads = std::max(threads, exec.concurrency());
  else
    threads = concurrency_of(ExecutionSpace());
  return threads;
}

/// Memory space of the containers of an execution space. Several may share one, such as Serial and
/// OpenMP.
template <class ExecutionSpace>
using MemoryOf = typename ExecutionSpace::memory_space;

/// Kinds of kernels, which need different numbers of lanes on hosts.
enum class KernelKind {
  general,       ///< One 256-bit register: wider registers do not help code bound by gathers.
  track_states,  ///< One of the widest registers: arithmetic with states and covariances.
  /// Two registers, whose latencies of sums, roots and divisions hide each other: the widest ones
  /// for `double`, 256 bits for `float`.
  beam_tracking,
  space_charge,  ///< Two 256-bit registers, or one of 512 bits: roots and divisions, and sums.
  /// Two of the widest registers: the work on one hides the latencies of the other. With more than
  /// two, compilers split up the operations.
  transport
};

/// Tuning constants of an execution space, or of its memory. Results never depend on them.
template <class ExecutionSpace>
struct SpaceTraits {
  /// Whether kernels run on the host.
  static constexpr bool is_host = is_host_space<ExecutionSpace>;
  /// Number of lanes of a kernel's number type; 1 on a device.
  template <Scalar T, KernelKind kind = KernelKind::general>
  static constexpr int lane_width = [] {
    constexpr int general_bytes = simd_register_bytes < 32 ? simd_register_bytes : 32;
    if (!is_host) return 1;
    switch (kind) {
      case KernelKind::track_states:
        return simd_register_bytes / int(sizeof(T));
      case KernelKind::beam_tracking:
        return 2 * (sizeof(T) == 8 ? simd_register_bytes : general_bytes) / int(sizeof(T));
      case KernelKind::space_charge:
        return 2 * general_bytes / int(sizeof(T));
      case KernelKind::transport:
        return 2 * simd_register_bytes / int(sizeof(T));
      default:
        return general_bytes / int(sizeof(T));
    }
  }();
  /// Number of matrices in a tile of a `Matriplex`: a cache line of each element on a host, with
  /// any registers; the threads of a warp on a device.
  template <Scalar T>
  static constexpr int tile_width = is_host ? 64 / int(sizeof(T)) : 32;
  /// Number of threads of a team: on a host one, whose lanes share the items.
  static constexpr int team_size = is_host ? 1 : 128;
  /// The same for lists of some hundred items, with barriers between the steps.
  static constexpr int medium_team_size = is_host ? 1 : 256;
  /// The same for few teams, even one, with much work each.
  static constexpr int large_team_size = is_host ? 1 : 512;
  /// Number of device threads that have temporary numbers in memory at the same time: enough to
  /// fill large devices at 128 registers per thread.
  static constexpr int max_resident_threads = is_host ? 0 : 1 << 16;
  /// Shared memory (scratch level 0) for a team of a device with this many threads, bytes: the
  /// 48 KiB that every device has, minus what Kokkos uses itself and per thread.
  static constexpr int shared_bytes(int threads) {
    return is_host ? 0 : (48 << 10) - 8 * (threads + 8);
  }
};

/// Default number of lanes of a kernel with elements of type T: `SpaceTraits::lane_width`.
template <class ExecutionSpace, Scalar T, KernelKind kind = KernelKind::general>
inline constexpr int default_lane_width = SpaceTraits<ExecutionSpace>::template lane_width<T, kind>;

}  // namespace trackplex
