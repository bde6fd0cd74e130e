// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// @file
/// Magnetic fields along z, as functors: `field(x, y, z)` returns B_z in T at a point in cm, in the
/// number type of the point. The other components of the field count as 0. A field with constants
/// in double may have a member `rounded_to<T>()`, so that kernels of float compute nothing in
/// double.

#include <trackplex/core/constants.hpp>
#include <trackplex/core/lane_memory.hpp>

#include <utility>

namespace trackplex::kalman {

/// Uniform field along z.
/// @tparam T scalar of its constant
template <class T>
struct BasicUniformField {
  static constexpr bool is_uniform = true;  ///< the same at every point
  T tesla;                                  ///< B_z, T

  /// Returns B_z (T), which is the same at every point.
  template <class Real>
  KOKKOS_FORCEINLINE_FUNCTION Real operator()(const Real&, const Real&, const Real&) const {
    return Real(ScalarOf<Real>(tesla));
  }
  /// Returns the field with its constant rounded to another scalar.
  template <class To>
  KOKKOS_FUNCTION constexpr BasicUniformField<To> rounded_to() const {
    return {To(tesla)};
  }
};
/// Uniform field along z in double precision, for users.
using UniformField = BasicUniformField<double>;

/// Field of a large solenoid, which falls off along z and grows with r:
/// \f[ B_z = (b_0 z^2 + b_1 z + c_1)\,(a r^2 + 1),\qquad r^2 = x^2 + y^2. \f]
/// The defaults fit that of CMS inside its tracker (mkFit's toy simulation, 2017).
/// @tparam T scalar of its constants
template <class T>
struct BasicSolenoidField {
  T c1 = T(3.8114),         ///< field at the origin, T
      b0 = T(-3.94991e-6),  ///< coefficient of z^2, T/cm^2
      b1 = T(7.53701e-6),   ///< coefficient of z, T/cm
      a = T(2.43878e-11);   ///< coefficient of r^2, 1/cm^2

  /// Returns B_z (T) at a point (cm).
  template <class Real>
  KOKKOS_FORCEINLINE_FUNCTION Real operator()(const Real& x, const Real& y, const Real& z) const {
    using U = ScalarOf<Real>;
    const Real along = fma(fma(Real(U(b0)), z, Real(U(b1))), z, Real(U(c1)));
    return along * fma(Real(U(a)), fma(x, x, y * y), Real(1));
  }
  /// Returns the field with its constants rounded to another scalar.
  template <class To>
  KOKKOS_FUNCTION constexpr BasicSolenoidField<To> rounded_to() const {
    return {To(c1), To(b0), To(b1), To(a)};
  }
};
/// Field of a large solenoid in double precision, for users.
using SolenoidField = BasicSolenoidField<double>;

/// Returns a field for kernels of the scalar T: with its constants rounded to T where it has a
/// member `rounded_to`, else as it is.
template <class T, class Field>
auto field_for(const Field& field) {
  if constexpr (requires { field.template rounded_to<T>(); })
    return field.template rounded_to<T>();
  else
    return field;
}
/// Type of a field in kernels of the scalar T, see `field_for`.
template <class T, class Field>
using FieldFor = decltype(field_for<T>(std::declval<const Field&>()));

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
