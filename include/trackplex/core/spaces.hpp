// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// @file
/// Traits of execution spaces for the algorithms: the one table of tuning constants.

#include <trackplex/core/lane_memory.hpp>

namespace trackplex {

/// Whether kernels of this space run on the host, with SIMD lanes in their number type.
template <class ExecutionSpace>
inline constexpr bool is_host_space =
    Kokkos::SpaceAccessibility<Kokkos::HostSpace,
                               typename ExecutionSpace::memory_space>::accessible&&
        Kokkos::SpaceAccessibility<ExecutionSpace, Kokkos::HostSpace>::accessible;

namespace detail {
/// From which version on Kokkos makes independent instances: streams on devices; on hosts each with
/// scratch memory and a lock of its own, so that any thread can launch on it.
template <class ExecutionSpace>
inline constexpr bool has_independent_instances = KOKKOS_VERSION >=
                                                  (is_host_space<ExecutionSpace> ? 40500 : 40200);

template <class ExecutionSpace>
inline constexpr bool is_serial = false;
#ifdef KOKKOS_ENABLE_SERIAL
template <>
inline constexpr bool is_serial<Kokkos::Serial> = true;
#endif
}  // namespace detail

/// Where the containers of an execution space are: several share one, Serial and OpenMP for
/// example.
template <class ExecutionSpace>
using MemoryOf = typename ExecutionSpace::memory_space;

/// Kinds of kernels that suit different numbers of lanes on hosts.
enum class KernelKind {
  general,        ///< one 256-bit register: 512-bit ones gain nothing in gather-bound code
  beam_tracking,  ///< two of them: there is something to do while sums of the one wait
  /// As many as floats for doubles, too: what they wait for, roots and divisions, leaves room for
  /// two registers.
  space_charge,
  /// Two of the widest registers: one's latencies hide behind the other's work. With more than two,
  /// compilers take operations apart.
  transport
};

/// Tuning constants of an execution space, or of its memory. Results never depend on them.
template <class ExecutionSpace>
struct SpaceTraits {
  static constexpr bool is_host = is_host_space<ExecutionSpace>;
  /// Lanes of a kernel's number type.
  template <Scalar T, KernelKind kind = KernelKind::general>
  static constexpr int lane_width = [] {
    constexpr int general_bytes = simd_register_bytes < 32 ? simd_register_bytes : 32;
    if (!is_host) return 1;
    switch (kind) {
      case KernelKind::beam_tracking:
        return 2 * general_bytes / int(sizeof(T));
      case KernelKind::space_charge:
        return general_bytes / int(sizeof(float));
      case KernelKind::transport:
        return 2 * simd_register_bytes / int(sizeof(T));
      default:
        return general_bytes / int(sizeof(T));
    }
  }();
  /// Matrices of a tile of a Matriplex: as many as there are lanes on a host, a warp on a device.
  template <Scalar T>
  static constexpr int tile_width = is_host ? lane_width<T> : 32;
  /// Threads of a team: a host team is one thread, whose lanes share out the items.
  static constexpr int team_size = is_host ? 1 : 128;
  /// Memory that a team of a device may take of what its threads share (level 0).
  static constexpr int shared_bytes = is_host ? 0 : 44 << 10;
};

template <class ExecutionSpace, Scalar T, KernelKind kind = KernelKind::general>
inline constexpr int default_lane_width = SpaceTraits<ExecutionSpace>::template lane_width<T, kind>;

}  // namespace trackplex
