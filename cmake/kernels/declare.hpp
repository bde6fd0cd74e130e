// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// @file
/// The tables of the kernels that this build compiles once: each header of this folder names a
/// group of them, which the library trackplex_kernels holds, in an object for each number type and
/// number of lanes (instantiate.cpp.in). A unit whose precompiled header has a table links to its
/// kernels and compiles only others.

#include "launches.hpp"

#include <trackplex/core/spaces.hpp>

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

#define TRACKPLEX_DECLARE_WIDTH(GROUP, T, W) TRACKPLEX_##GROUP##_KERNELS(extern, T, W)
#define TRACKPLEX_DECLARE_LANES(GROUP, KIND, T) \
  TRACKPLEX_DECLARE_WIDTH(GROUP, T, (default_lane_width<kernels::Memory, T, KernelKind::KIND>))

/// The end of a table: the kind of its kernels, and the number type that its programs have by
/// default. Each is compiled for float and double, with one lane and with the default lanes of its
/// kind, or only with what programs have by default. (CMake reads this line, too.)
#if defined(TRACKPLEX_DEFAULT_KERNELS)
#define TRACKPLEX_DECLARE_KERNELS(GROUP, KIND, DEFAULT) \
  TRACKPLEX_DECLARE_LANES(GROUP, KIND, DEFAULT)
#else
#define TRACKPLEX_DECLARE_KERNELS(GROUP, KIND, DEFAULT) \
  TRACKPLEX_DECLARE_WIDTH(GROUP, float, 1)              \
  TRACKPLEX_DECLARE_WIDTH(GROUP, double, 1)             \
  TRACKPLEX_DECLARE_LANES(GROUP, KIND, float)           \
  TRACKPLEX_DECLARE_LANES(GROUP, KIND, double)
#endif
