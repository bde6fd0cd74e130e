// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/kalman/track_model.hpp>

namespace trackplex::kalman {

/// Result of the transport of parameters to a surface. Lanes that do not reach it are undefined.
/// @tparam P pattern of the Jacobian: its elements that are 0, 1 or stored
template <class Real, Pattern<6, 6> P>
struct Transport {
  Parameters<Real> parameters;     ///< X' on the surface
  Matrix<Real, 6, 6, P> jacobian;  ///< dX'/dX with respect to the parameters at the start
  MaskOf<Real> reached;            ///< lanes that reach the surface
};

}  // namespace trackplex::kalman
