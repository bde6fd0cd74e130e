// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// @file
/// State of a track: six parameters, their covariance and the charge.

#include <trackplex/kalman/track_model.hpp>

namespace trackplex::kalman {

/// Indices of the parameters (x, y, z, 1/pT, phi, theta) of a `CentralTrack`, the default model, in
/// vectors and matrices.
struct Parameter : CentralTrack {
  static constexpr int x = 0,      ///< x of the position, cm
      y = 1,                       ///< y of the position, cm
      z = 2;                       ///< z of the position, cm
  static constexpr int count = 6;  ///< number of parameters
};

/// Identity in the space of the parameters; all its elements are known at compile time.
template <class Real>
using IdentityMatrix = Matrix<Real, Parameter::count, Parameter::count, Pattern<6, 6>::identity()>;
/// Covariance of the parameters: 21 numbers, the lower triangle row by row, in products of the
/// units of the parameters.
template <class Real>
using Covariance = Symmetric<Real, Parameter::count>;

/// State of a track at a point of its path: of one track, or of a pack of tracks.
///
/// A measurement can turn the sign of 1/pT. The charge of the particle is then the opposite of
/// `charge`; propagation, updates and covariances remain valid.
///
/// @tparam Number number type of a kernel: a scalar, or a pack of lanes with a track each
/// @tparam TheModel meaning of the last three parameters, see track_model.hpp
template <class Number, TrackModel TheModel = CentralTrack>
struct TrackState {
  using Real = Number;     ///< number type of a kernel
  using Model = TheModel;  ///< meaning of the last three parameters

  Parameters<Real> parameters;  ///< position and momentum
  Covariance<Real> covariance;  ///< of the parameters; of rank five on a surface
  Real charge;                  ///< in units of the proton's

  /// `a` where the mask is set, `b` elsewhere.
  friend KOKKOS_FORCEINLINE_FUNCTION TrackState select(MaskOf<Real> mask, const TrackState& a,
                                                       const TrackState& b) {
    TrackState result;
    for (int i = 0; i < Parameters<Real>::size; ++i)
      result.parameters.elements[i] =
          select(mask, a.parameters.elements[i], b.parameters.elements[i]);
    for (int i = 0; i < Covariance<Real>::size; ++i)
      result.covariance.elements[i] =
          select(mask, a.covariance.elements[i], b.covariance.elements[i]);
    result.charge = select(mask, a.charge, b.charge);
    return result;
  }
};

}  // namespace trackplex::kalman
