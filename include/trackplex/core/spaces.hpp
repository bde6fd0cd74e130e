// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// @file
/// What the algorithms need to know of an execution space: the one table of tuning constants.

#include <trackplex/core/lane_memory.hpp>

namespace trackplex {

/// Whether kernels of this space run on the host, with SIMD lanes in their number type.
template <class ExecutionSpace>
inline constexpr bool is_host_space =
    Kokkos::SpaceAccessibility<Kokkos::HostSpace,
                               typename ExecutionSpace::memory_space>::accessible&&
        Kokkos::SpaceAccessibility<ExecutionSpace, Kokkos::HostSpace>::accessible;

/// Tuning constants of an execution space. Results never depend on them.
template <class ExecutionSpace>
struct SpaceTraits {
  static constexpr bool is_host = is_host_space<ExecutionSpace>;
  /// Lanes of a kernel's number type: one 256-bit register on a host (512-bit ones gain nothing in
  /// gather-bound code).
  template <Scalar T>
  static constexpr int lane_width = is_host
                                        ? (simd_register_bytes < 32 ? simd_register_bytes : 32) /
                                              int(sizeof(T))
                                        : 1;
  /// Matrices of a tile of a Matriplex: as many as there are lanes on a host, a warp on a device.
  template <Scalar T>
  static constexpr int tile_width = is_host ? lane_width<T> : 32;
  /// Threads of a team: a host team is one thread, whose lanes share out the items.
  static constexpr int team_size = is_host ? 1 : 128;
  /// Memory that a team of a device may take of what its threads share (level 0).
  static constexpr int shared_bytes = is_host ? 0 : 44 << 10;
};

template <class ExecutionSpace, Scalar T>
inline constexpr int default_lane_width = SpaceTraits<ExecutionSpace>::template lane_width<T>;

}  // namespace trackplex
