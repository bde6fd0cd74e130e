// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/core/fingerprint.hpp>
#include <trackplex/kalman/track_state.hpp>

namespace detector_tracker {

using namespace trackplex;

using Vector3 = Vector<double, 3>;
using State = kalman::TrackState<double>;

/// Number of parameters of a state on a plane or a layer.
inline constexpr int parameters_on_plane = 5;

/// The normal of the plane through a true vertex on which tracks and truth are compared: the true
/// direction in the transverse plane.
Vector3 normal_of(const State& truth);

/// Adds parameters and covariance with the bits of the number type that they were found in.
template <class Real, class Model>
void add_state(Fingerprint& hash, const kalman::TrackState<double, Model>& state) {
  for (const double parameter : state.parameters.elements) hash.add(Real(parameter));
  for (const double element : state.covariance.elements) hash.add(Real(element));
}

}  // namespace detector_tracker
