// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// @file
/// Kernels that are compiled once. Next to an algorithm, `detail/<header>.instances.hpp` lists
/// its kernels, and the header includes that file if TRACKPLEX_INSTANCES is defined: the kernels
/// are then in a library, with one object per number type and number of lanes, and other units
/// compile only the kernels that the library lacks.

#include <trackplex/core/spaces.hpp>
#include <trackplex/core/team_launch.hpp>

#include <type_traits>
#include <utility>

namespace trackplex::kernels {
using Memory = Kokkos::HostSpace;
template <class Owner>
using ViewOf = std::decay_t<decltype(std::declval<Owner&>().view())>;
template <class Owner>
using ConstViewOf = std::decay_t<decltype(std::declval<const Owner&>().const_view())>;
}  // namespace trackplex::kernels

/// Kernels of teams and of tiles; the PREFIX of a declaration is extern, that of a definition
/// empty.
#define TRACKPLEX_TEAMS(PREFIX, GROUP, T, W, NAME)                   \
  PREFIX template void detail::run_team<kernels::GROUP<T, W>::NAME>( \
      const kernels::GROUP<T, W>::NAME&, const HostTeam&, const ScratchCarver&);
#define TRACKPLEX_TILES(PREFIX, GROUP, T, W, NAME)                                                \
  PREFIX template void detail::run_tiles<kernels::GROUP<T, W>::Real, kernels::GROUP<T, W>::NAME>( \
      const void*, int, int, int);

#define TRACKPLEX_DECLARE_WIDTH(NAME, T, W) TRACKPLEX_##NAME##_INSTANCES(extern, T, W)
#define TRACKPLEX_DECLARE_LANES(NAME, KIND, T) \
  TRACKPLEX_DECLARE_WIDTH(NAME, T, (default_lane_width<kernels::Memory, T, KernelKind::KIND>))

/// The end of such a file: the kind of its kernels, and the number type that programs have by
/// default. (CMake reads this line, too.) There are instances for float and double with the
/// default lanes of their kind, with TRACKPLEX_SCALAR_INSTANCES also with one lane; with
/// TRACKPLEX_DEFAULT_INSTANCES only those that programs have by default.
#if defined(TRACKPLEX_DEFAULT_INSTANCES)
#define TRACKPLEX_DECLARE_INSTANCES(NAME, KIND, DEFAULT) \
  TRACKPLEX_DECLARE_LANES(NAME, KIND, DEFAULT)
#elif defined(TRACKPLEX_SCALAR_INSTANCES)
#define TRACKPLEX_DECLARE_INSTANCES(NAME, KIND, DEFAULT) \
  TRACKPLEX_DECLARE_WIDTH(NAME, float, 1)                \
  TRACKPLEX_DECLARE_WIDTH(NAME, double, 1)               \
  TRACKPLEX_DECLARE_LANES(NAME, KIND, float)             \
  TRACKPLEX_DECLARE_LANES(NAME, KIND, double)
#else
#define TRACKPLEX_DECLARE_INSTANCES(NAME, KIND, DEFAULT) \
  TRACKPLEX_DECLARE_LANES(NAME, KIND, float)             \
  TRACKPLEX_DECLARE_LANES(NAME, KIND, double)
#endif
