// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "setup.hpp"
#include "states.hpp"

#include <trackplex/tracks/tracking_events.hpp>

#include <optional>

namespace detector_tracker {

/// The state of a particle at its vertex, without errors.
State true_state(const tracks::TrueParticle& particle);

/// Takes a track, whose state is that on the module of its first hit, back to the plane of a true
/// vertex: through the material of that module and of passive layers. Nothing if it does not get
/// there.
std::optional<State> state_at_vertex(const Setup& setup, int first_module, const State& state,
                                     const State& truth);

/// Takes it back to the beam in the same way, where it is updated with the region of collisions if
/// it may come from there.
std::optional<State> state_at_beam(const Setup& setup, int first_module, const State& state);

}  // namespace detector_tracker
