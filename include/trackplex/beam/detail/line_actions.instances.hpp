// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// @file
/// Instances of elements that act on a bunch as a whole, with all their kernels.

#include <trackplex/beam/collective/longitudinal_space_charge.hpp>
#include <trackplex/beam/detail/line_actions.hpp>
#include <trackplex/core/kernel_instances.hpp>

#include <memory>

namespace trackplex::kernels {

template <class Space, class T>
using AnyAction = std::unique_ptr<beam::detail::AnyAction<T, Space>>;

}  // namespace trackplex::kernels

#define TRACKPLEX_ACTION(PREFIX, SPACE, T, W, NAME, CLASS)                             \
  PREFIX template class beam::CLASS<T, SPACE, W>;                                      \
  PREFIX template kernels::AnyAction<SPACE, T> beam::detail::make_action<T, SPACE, W>( \
      const SPACE&, const beam::NAME&, beam::LineState&);
#define TRACKPLEX_ACTIONS(PREFIX, SPACE, T, W)                                     \
  TRACKPLEX_ACTION(PREFIX, SPACE, T, W, Charge, SetCharge)                         \
  TRACKPLEX_ACTION(PREFIX, SPACE, T, W, SpaceChargeDrift, LongitudinalSpaceCharge) \
  TRACKPLEX_ACTION(PREFIX, SPACE, T, W, BunchMap, BunchMapAction)                  \
  TRACKPLEX_ACTION(PREFIX, SPACE, T, W, Center, CenterAction)                      \
  TRACKPLEX_ACTION(PREFIX, SPACE, T, W, SetMomentum, SetMomentumAction)            \
  TRACKPLEX_ACTION(PREFIX, SPACE, T, W, Clean, CleanAction)                        \
  TRACKPLEX_ACTION(PREFIX, SPACE, T, W, MomentumFilter, MomentumFilterAction)      \
  TRACKPLEX_ACTION(PREFIX, SPACE, T, W, RfCavity, RfCavityAction)                  \
  TRACKPLEX_ACTION(PREFIX, SPACE, T, W, RfDeflector, RfDeflectorAction)            \
  TRACKPLEX_ACTION(PREFIX, SPACE, T, W, PulsedKicker, PulsedKickerAction)          \
  TRACKPLEX_ACTION(PREFIX, SPACE, T, W, Wake, LongitudinalWakeKick)                \
  TRACKPLEX_ACTION(PREFIX, SPACE, T, W, TransverseWake, TransverseWakeKick)        \
  TRACKPLEX_ACTION(PREFIX, SPACE, T, W, LongitudinalImpedance, ImpedanceKick)      \
  TRACKPLEX_ACTION(PREFIX, SPACE, T, W, WakeCavity, WakeCavityAction)              \
  TRACKPLEX_ACTION(PREFIX, SPACE, T, W, CoherentBend, CoherentBendAction)          \
  TRACKPLEX_ACTION(PREFIX, SPACE, T, W, CoherentDrift, CoherentDriftAction)        \
  TRACKPLEX_ACTION(PREFIX, SPACE, T, W, FeedbackPickup, FeedbackPickupAction)      \
  TRACKPLEX_ACTION(PREFIX, SPACE, T, W, FeedbackDriver, FeedbackDriverAction)      \
  TRACKPLEX_ACTION(PREFIX, SPACE, T, W, SynchrotronRadiationEffects,               \
                   SynchrotronRadiationEffectsAction)

#define TRACKPLEX_LINE_ACTIONS_INSTANCES(PREFIX, T, W) TRACKPLEX_ACTIONS(PREFIX, HostExecutor, T, W)

namespace trackplex {
TRACKPLEX_DECLARE_INSTANCES(LINE_ACTIONS, beam_tracking, double)
}  // namespace trackplex
