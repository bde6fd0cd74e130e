// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// @file
/// Magnetic fields along z, as functors: `field(x, y, z)` gives B_z in T at a point in cm, as the
/// number type of the point.

#include <trackplex/core/constants.hpp>
#include <trackplex/core/lane_memory.hpp>

namespace trackplex::kalman {

/// The same field everywhere, in T.
struct UniformField {
  double tesla;

  template <class Real>
  KOKKOS_FORCEINLINE_FUNCTION Real operator()(const Real&, const Real&, const Real&) const {
    return Real(ScalarOf<Real>(tesla));
  }
};

/// A field that falls off along z and grows with r as a large solenoid's does, in T:
///   (b0 z^2 + b1 z + c1) (a r^2 + 1)
/// The defaults fit that of CMS inside its tracker (mkFit's toy simulation, 2017).
struct SolenoidField {
  double c1 = 3.8114, b0 = -3.94991e-6, b1 = 7.53701e-6, a = 2.43878e-11;

  template <class Real>
  KOKKOS_FORCEINLINE_FUNCTION Real operator()(const Real& x, const Real& y, const Real& z) const {
    using T = ScalarOf<Real>;
    const Real along = fma(fma(Real(T(b0)), z, Real(T(b1))), z, Real(T(c1)));
    return along * fma(Real(T(a)), fma(x, x, y * y), Real(1));
  }
};

/// Transverse curvature dphi/ds (rad/cm) of a track per 1/pT (1/GeV): -q c B with the field B (T),
/// so that a positive charge turns clockwise about a field along +z.
template <class Real>
KOKKOS_FORCEINLINE_FUNCTION Real curvature_per_inverse_pt(const Real& charge, const Real& field) {
  return charge * field * Real(ScalarOf<Real>(-constants::momentum_per_tesla_metre / 100.));
}

}  // namespace trackplex::kalman
