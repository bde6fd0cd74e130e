// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// @file
/// Launches on hosts, which are the same for all kernels: defined in launches.cpp.

#include <trackplex/core/team_launch.hpp>

#define TRACKPLEX_HOST_LAUNCHES(PREFIX, SPACE)                                          \
  PREFIX template void detail::launch_host_tiles(const SPACE&, const std::string&,      \
                                                 const detail::HostTiles&);             \
  PREFIX template void detail::launch_teams(const SPACE&, const std::string&, int, int, \
                                            const detail::HostTeams&);

namespace trackplex {
#if defined(KOKKOS_ENABLE_SERIAL)
TRACKPLEX_HOST_LAUNCHES(extern, Kokkos::Serial)
#endif
#if defined(KOKKOS_ENABLE_OPENMP)
TRACKPLEX_HOST_LAUNCHES(extern, Kokkos::OpenMP)
#endif
}  // namespace trackplex
