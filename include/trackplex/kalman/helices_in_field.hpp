// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// @file
/// Tracks in fields of any direction, followed along helices instead of by integration, and the
/// field along z in which a helix turns as such a track does.

#include <trackplex/geometry/field.hpp>
#include <trackplex/kalman/field_along_z.hpp>

namespace trackplex::kalman {

/// Vector field in which tracks are followed on a helix from surface to surface: the helix in the
/// field at the midpoint, taken as uniform. Over a path of length L the error of the position is up
/// to
/// \f$ \lambda L^3\,B'/12 \f$, with \f$ \lambda = c\,q/p \f$ and B' the change of the field along
/// the track: where that is less than the effect of multiple scattering, helices are as good
/// as an integration and take a fraction of its time. Jacobians neglect the gradient.
/// @tparam Field vector field, such as a map
template <class Field>
struct HelicesInField {
  static constexpr bool by_helices = true;  ///< read by `transport`
  Field field;                              ///< vector field

  /// Returns B (T) at a point (cm).
  template <class Real>
  KOKKOS_FORCEINLINE_FUNCTION geometry::Vector3<Real> operator()(const Real& x, const Real& y,
                                                                 const Real& z) const {
    return field(x, y, z);
  }
  /// Returns the lanes in which the field is known at a point (cm).
  template <class Real>
  KOKKOS_FORCEINLINE_FUNCTION MaskOf<Real> covers(const Real& x, const Real& y,
                                                  const Real& z) const {
    return geometry::covers(field, geometry::Vector3<Real>{{x, y, z}});
  }
  /// Returns the field with its constants rounded to another scalar.
  template <class T>
  KOKKOS_FUNCTION auto rounded_to() const {
    return HelicesInField<FieldFor<T, Field>>{field_for<T>(field)};
  }
};

/// Whether tracks in a field are followed along helices, see `HelicesInField`.
template <class Field>
KOKKOS_FUNCTION constexpr bool follows_helices() {
  if constexpr (requires { Field::by_helices; })
    return Field::by_helices;
  else
    return false;
}

/// Returns the field (T) at a point (cm) as a vector, from a vector field or a functor that
/// returns B_z.
template <class Real, class Field>
KOKKOS_FORCEINLINE_FUNCTION geometry::Vector3<Real> field_vector(const Field& field, const Real& x,
                                                                 const Real& y, const Real& z) {
  if constexpr (geometry::VectorField<Field, Real>)
    return field(x, y, z);
  else
    return {{Real(0), Real(0), field(x, y, z)}};
}

/// Returns the field along z (T) in which a track from near the z axis at `from_z` (cm) turns about
/// it as it does in a field at a point (cm): \f$ B_z - B_r\,(z-z_0)/r \f$.
template <class Real, class Field>
KOKKOS_FORCEINLINE_FUNCTION Real turning_field(const Field& field, const Real& x, const Real& y,
                                               const Real& z, const Real& from_z = Real(0)) {
  if constexpr (geometry::VectorField<Field, Real>) {
    const auto b = field(x, y, z);
    const Real square = fma(x, x, y * y), radial = fma(x, b(0), y * b(1));
    return b(2) - (z - from_z) * radial / max(square, Real(ScalarOf<Real>(1e-12)));
  } else {
    return field(x, y, z);
  }
}

}  // namespace trackplex::kalman
