// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// @file
/// State of a track: six parameters, their covariance and the charge.

#include <trackplex/matriplex/matrix.hpp>

namespace trackplex::kalman {

/// Indices of the parameters of a track, (x, y, z, 1/pT, phi, theta), in vectors and matrices.
struct Parameter {
  static constexpr int x = 0,           ///< x of the position, cm
      y = 1,                            ///< y of the position, cm
      z = 2;                            ///< z of the position, cm
  static constexpr int inverse_pt = 3;  ///< one over the transverse momentum, 1/GeV
  static constexpr int phi = 4;         ///< azimuth of the momentum, rad, not wrapped
  static constexpr int theta = 5;       ///< polar angle of the momentum, rad, 0 < theta < pi
  static constexpr int count = 6;       ///< number of parameters
};

/// Parameters of a track, indexed by `Parameter`.
template <class Real>
using Parameters = Vector<Real, Parameter::count>;
/// Identity in the space of the parameters; all its elements are known when compiling.
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
template <class Number>
struct TrackState {
  using Real = Number;  ///< number type of a kernel

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
