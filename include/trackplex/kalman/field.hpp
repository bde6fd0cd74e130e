// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// @file
/// Magnetic fields along z, as functors: `field(x, y, z)` returns B_z in T at a point in cm, in the
/// number type of the point. The other components of the field count as 0.

#include <trackplex/core/constants.hpp>
#include <trackplex/core/lane_memory.hpp>

namespace trackplex::kalman {

/// Uniform field along z.
struct UniformField {
  double tesla;  ///< B_z, T

  /// Returns B_z (T), which is the same at every point.
  template <class Real>
  KOKKOS_FORCEINLINE_FUNCTION Real operator()(const Real&, const Real&, const Real&) const {
    return Real(ScalarOf<Real>(tesla));
  }
};

/// Field of a large solenoid, which falls off along z and grows with r:
/// \f[ B_z = (b_0 z^2 + b_1 z + c_1)\,(a r^2 + 1),\qquad r^2 = x^2 + y^2. \f]
/// The defaults fit that of CMS inside its tracker (mkFit's toy simulation, 2017).
struct SolenoidField {
  double c1 = 3.8114,    ///< field at the origin, T
      b0 = -3.94991e-6,  ///< coefficient of z^2, T/cm^2
      b1 = 7.53701e-6,   ///< coefficient of z, T/cm
      a = 2.43878e-11;   ///< coefficient of r^2, 1/cm^2

  /// Returns B_z (T) at a point (cm).
  template <class Real>
  KOKKOS_FORCEINLINE_FUNCTION Real operator()(const Real& x, const Real& y, const Real& z) const {
    using T = ScalarOf<Real>;
    const Real along = fma(fma(Real(T(b0)), z, Real(T(b1))), z, Real(T(c1)));
    return along * fma(Real(T(a)), fma(x, x, y * y), Real(1));
  }
};

/// Returns the curvature of a track per 1/pT, in rad/cm per 1/GeV: kappa = f / pT is dphi/dL along
/// the transverse path length L (cm), with f = -q c B and c = 0.00299792458 GeV/(T cm).
///
/// `charge` q is in units of the proton's, `field` B in T. A positive charge turns clockwise about
/// a field along +z.
template <class Real>
KOKKOS_FORCEINLINE_FUNCTION Real curvature_per_inverse_pt(const Real& charge, const Real& field) {
  return charge * field * Real(ScalarOf<Real>(-constants::momentum_per_tesla_metre / 100.));
}

}  // namespace trackplex::kalman
