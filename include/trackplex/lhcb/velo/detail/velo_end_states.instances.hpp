// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// @file
/// Instances of the states at the ends of VELO tracks.

#include <trackplex/core/kernel_instances.hpp>
#include <trackplex/lhcb/velo/fit_lines.hpp>
#include <trackplex/lhcb/velo/velo_end_states.hpp>

namespace trackplex::kernels {

template <class T, int Width>
struct VeloEndStates {
  using Real = LanesOf<T, Width>;
  using EndStates =
      lhcb::detail::VeloEndStates<Real, lhcb::VeloHits<T, Memory>, lhcb::VeloTracks<Memory>,
                                  lhcb::LineStates<T, Memory>>;
};

}  // namespace trackplex::kernels

#define TRACKPLEX_VELO_END_STATES_INSTANCES(PREFIX, T, W) \
  TRACKPLEX_TEAMS(PREFIX, VeloEndStates, T, W, EndStates)

namespace trackplex {
TRACKPLEX_DECLARE_INSTANCES(VELO_END_STATES, general, float)
}  // namespace trackplex
