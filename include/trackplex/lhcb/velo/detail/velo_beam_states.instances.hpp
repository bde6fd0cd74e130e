// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// @file
/// Instances of the states of VELO tracks at the beam.

#include <trackplex/core/kernel_instances.hpp>
#include <trackplex/lhcb/velo/fit_lines.hpp>
#include <trackplex/lhcb/velo/velo_beam_states.hpp>

namespace trackplex::kernels {

template <class T, int Width>
struct VeloBeamStates {
  using Real = LanesOf<T, Width>;
  using BeamStates =
      lhcb::detail::VeloBeamStates<Real, lhcb::VeloHits<T, Memory>, lhcb::VeloTracks<Memory>,
                                   lhcb::LineStates<T, Memory>, vertexing::TracksAtBeam<T, Memory>>;
};

}  // namespace trackplex::kernels

#define TRACKPLEX_VELO_BEAM_STATES_INSTANCES(PREFIX, T, W) \
  TRACKPLEX_TEAMS(PREFIX, VeloBeamStates, T, W, BeamStates)

namespace trackplex {
TRACKPLEX_DECLARE_INSTANCES(VELO_BEAM_STATES, general, float)
}  // namespace trackplex
