// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/matriplex/matrix.hpp>

namespace trackplex::kalman {

/// Places of the parameters of a track in vectors and matrices.
struct Parameter {
  static constexpr int x = 0, y = 1, z = 2;  ///< cm
  static constexpr int inverse_pt = 3;       ///< one over the transverse momentum, 1/GeV
  static constexpr int phi = 4;              ///< azimuth of the momentum, rad, not wrapped
  static constexpr int theta = 5;            ///< its angle to the z axis, rad, 0 < theta < pi
  static constexpr int count = 6;
};

template <class Real>
using Parameters = Vector<Real, Parameter::count>;
template <class Real>
using IdentityMatrix = Matrix<Real, Parameter::count, Parameter::count, Pattern<6, 6>::identity()>;
template <class Real>
using Covariance = Symmetric<Real, Parameter::count>;

/// A track at a point of its path. A measurement can turn the sign of 1/pT: then the charge is the
/// opposite of `charge`, and everything goes on as it should.
template <class Number>
struct TrackState {
  using Real = Number;

  Parameters<Real> parameters;
  Covariance<Real> covariance;
  Real charge;  ///< in units of the proton's

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
