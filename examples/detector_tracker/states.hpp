// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/kalman/track_state.hpp>

namespace detector_tracker {

using Vector3 = trackplex::Vector<double, 3>;
using State = trackplex::kalman::TrackState<double>;

/// The normal of the plane through a true vertex on which tracks and truth are compared: the true
/// direction in the transverse plane.
Vector3 normal_of(const State& truth);

}  // namespace detector_tracker
