// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// @file
/// Elements that act on a bunch as a whole: what makes their actions, with all their kernels.

#include "space_charge.hpp"

#include <trackplex/beam/detail/line_actions.hpp>

namespace trackplex::kernels {

template <class Space, class T>
using AnyAction = std::unique_ptr<beam::detail::AnyAction<T, Space>>;

}  // namespace trackplex::kernels

#define TRACKPLEX_ACTION(PREFIX, SPACE, T, W, NAME)                                    \
  PREFIX template kernels::AnyAction<SPACE, T> beam::detail::make_action<T, SPACE, W>( \
      const SPACE&, const beam::NAME&, beam::LineState&);
#define TRACKPLEX_ACTIONS(PREFIX, SPACE, T, W)            \
  TRACKPLEX_ACTION(PREFIX, SPACE, T, W, Charge)           \
  TRACKPLEX_ACTION(PREFIX, SPACE, T, W, SpaceChargeDrift) \
  TRACKPLEX_ACTION(PREFIX, SPACE, T, W, BunchMap)         \
  TRACKPLEX_ACTION(PREFIX, SPACE, T, W, Center)           \
  TRACKPLEX_ACTION(PREFIX, SPACE, T, W, SetMomentum)      \
  TRACKPLEX_ACTION(PREFIX, SPACE, T, W, Clean)            \
  TRACKPLEX_ACTION(PREFIX, SPACE, T, W, MomentumFilter)   \
  TRACKPLEX_ACTION(PREFIX, SPACE, T, W, RfCavity)         \
  TRACKPLEX_ACTION(PREFIX, SPACE, T, W, RfDeflector)      \
  TRACKPLEX_ACTION(PREFIX, SPACE, T, W, Wake)             \
  TRACKPLEX_ACTION(PREFIX, SPACE, T, W, TransverseWake)   \
  TRACKPLEX_ACTION(PREFIX, SPACE, T, W, WakeCavity)       \
  TRACKPLEX_ACTION(PREFIX, SPACE, T, W, CoherentBend)     \
  TRACKPLEX_ACTION(PREFIX, SPACE, T, W, CoherentDrift)    \
  TRACKPLEX_ACTION(PREFIX, SPACE, T, W, SynchrotronRadiationEffects)

#if defined(KOKKOS_ENABLE_SERIAL)
#define TRACKPLEX_ACTIONS_SERIAL(PREFIX, T, W) TRACKPLEX_ACTIONS(PREFIX, Kokkos::Serial, T, W)
#else
#define TRACKPLEX_ACTIONS_SERIAL(PREFIX, T, W)
#endif
#if defined(KOKKOS_ENABLE_OPENMP)
#define TRACKPLEX_ACTIONS_OPENMP(PREFIX, T, W) TRACKPLEX_ACTIONS(PREFIX, Kokkos::OpenMP, T, W)
#else
#define TRACKPLEX_ACTIONS_OPENMP(PREFIX, T, W)
#endif
#define TRACKPLEX_ACTIONS_KERNELS(PREFIX, T, W) \
  TRACKPLEX_ACTIONS_SERIAL(PREFIX, T, W)        \
  TRACKPLEX_ACTIONS_OPENMP(PREFIX, T, W)

namespace trackplex {
TRACKPLEX_DECLARE_KERNELS(ACTIONS, beam_tracking, double)
}  // namespace trackplex
