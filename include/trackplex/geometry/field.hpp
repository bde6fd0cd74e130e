// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// @file
/// Magnetic fields of any direction, as functors: `field(x, y, z)` returns the vector B in T at a
/// point in cm, in the number type of the point. Optional members of a field:
///
///     with_gradient(x, y, z)   the `FieldAt` of the point, for Jacobians; without it, they
///                              neglect the change of the field with the start of a track
///     step_limit()             max length of an integration step, cm, for single precision; else
///                              5 cm. In double precision it is an eighth of that
///     smooth_path(r, t)        path length, cm, from a point along a direction to where the
///                              derivatives of the field jump: in double precision steps end there,
///                              and at half of `step_limit`
///     covers(x, y, z)          mask of the points at which the field is known; without it, all
///     is_uniform               static constexpr bool; true: the same vector at every point
///     rounded_to<T>()          the field with its constants rounded to the scalar T

#include <trackplex/geometry/surface.hpp>

#include <concepts>

namespace trackplex::geometry {

/// Magnetic field in lanes of `Real`: a functor `field(x, y, z)` that returns a `Vector3<Real>`.
template <class Field, class Real>
concept VectorField = requires(const Field& field, const Real& coordinate) {
  { field(coordinate, coordinate, coordinate) } -> std::same_as<Vector3<Real>>;
};

/// Magnetic field at a point, with its derivatives.
/// @tparam P pattern of the derivatives: those that are not 0
template <class Real, Pattern<3, 3> P = Pattern<3, 3>::dense()>
struct FieldAt {
  Vector3<Real> tesla;             ///< B, T
  Matrix<Real, 3, 3, P> gradient;  ///< dB_i/dx_j, T/cm
};

/// Whether the member `is_uniform` declares a field uniform.
template <class Field>
KOKKOS_FUNCTION constexpr bool is_uniform() {
  if constexpr (requires { Field::is_uniform; })
    return Field::is_uniform;
  else
    return false;
}

/// Returns a field at a point (cm) with its gradient; without `with_gradient` that is 0.
template <class Real, VectorField<Real> Field>
KOKKOS_FORCEINLINE_FUNCTION auto field_at(const Field& field, const Vector3<Real>& point) {
  if constexpr (requires { field.with_gradient(point(0), point(1), point(2)); })
    return field.with_gradient(point(0), point(1), point(2));
  else
    return FieldAt<Real, Pattern<3, 3>{}>{field(point(0), point(1), point(2)), {}};
}

/// Returns the max length of an integration step in a field, cm.
template <class T, class Field>
KOKKOS_FORCEINLINE_FUNCTION T step_limit(const Field& field) {
  if constexpr (requires { field.step_limit(); })
    return T(field.step_limit());
  else
    return T(5);
}

/// Returns the lanes in which a field is known at a point (cm).
template <class Real, class Field>
KOKKOS_FORCEINLINE_FUNCTION MaskOf<Real> covers(const Field& field, const Vector3<Real>& point) {
  if constexpr (requires { field.covers(point(0), point(1), point(2)); })
    return field.covers(point(0), point(1), point(2));
  else
    return MaskOf<Real>(true);
}

/// Uniform field of any direction.
/// @tparam T scalar of its constants
template <class T>
struct BasicUniformVectorField {
  static constexpr bool is_uniform = true;  ///< the same vector at every point
  T x,                                      ///< B_x, T
      y,                                    ///< B_y, T
      z;                                    ///< B_z, T

  /// Returns B (T), which is the same at every point.
  template <class Real>
  KOKKOS_FORCEINLINE_FUNCTION Vector3<Real> operator()(const Real&, const Real&,
                                                       const Real&) const {
    using U = ScalarOf<Real>;
    return {{Real(U(x)), Real(U(y)), Real(U(z))}};
  }
  /// Returns the field with its constants rounded to another scalar.
  template <class To>
  KOKKOS_FUNCTION constexpr BasicUniformVectorField<To> rounded_to() const {
    return {To(x), To(y), To(z)};
  }
};
/// Uniform field of any direction in double precision, for users.
using UniformVectorField = BasicUniformVectorField<double>;

/// Vector field of a magnet that is displaced from the origin.
/// @tparam Field vector field about the centre of the magnet
/// @tparam T scalar of the displacement
template <class Field, class T = double>
struct DisplacedField {
  Field field;        ///< of the magnet about its centre
  Vector3<T> centre;  ///< of the magnet, cm

  /// Returns B (T) at a point (cm).
  template <class Real>
  KOKKOS_FORCEINLINE_FUNCTION Vector3<Real> operator()(const Real& x, const Real& y,
                                                       const Real& z) const {
    const auto r = from_centre<Real>({{x, y, z}});
    return field(r(0), r(1), r(2));
  }
  /// Returns B and its derivatives at a point (cm).
  template <class Real>
  KOKKOS_FORCEINLINE_FUNCTION auto with_gradient(const Real& x, const Real& y,
                                                 const Real& z) const {
    return field_at(field, from_centre<Real>({{x, y, z}}));
  }
  /// Returns the lanes in which the field is known at a point (cm).
  template <class Real>
  KOKKOS_FORCEINLINE_FUNCTION MaskOf<Real> covers(const Real& x, const Real& y,
                                                  const Real& z) const {
    return geometry::covers(field, from_centre<Real>({{x, y, z}}));
  }
  /// Returns the max length of an integration step, cm.
  KOKKOS_FORCEINLINE_FUNCTION T step_limit() const { return geometry::step_limit<T>(field); }
  /// Returns the path length (cm) from a point along a direction to where the derivatives jump.
  template <class Real>
  KOKKOS_FORCEINLINE_FUNCTION Real
  smooth_path(const Vector3<Real>& point, const Vector3<Real>& direction) const requires requires {
    field.smooth_path(point, direction);
  }
  { return field.smooth_path(from_centre(point), direction); }

 private:
  template <class Real>
  KOKKOS_FORCEINLINE_FUNCTION Vector3<Real> from_centre(const Vector3<Real>& r) const {
    using U = ScalarOf<Real>;
    return {{r(0) - Real(U(centre(0))), r(1) - Real(U(centre(1))), r(2) - Real(U(centre(2)))}};
  }
};

/// Field of a dipole magnet that bends in the xz plane: B_y in a gap along z, with fringe fields
/// at its ends.
///
/// With the profile on the axis between z_1 and z_2, with the fringe length l,
/// \f[ f(z) = \frac{B_0}2\left(\tanh\frac{z-z_1}l-\tanh\frac{z-z_2}l\right),\qquad
///     B_y = \mathrm{Re} f(z+iy),\qquad B_z = \mathrm{Im} f(z+iy),\qquad B_x = 0, \f]
/// which obeys Maxwell's equations exactly for |y| < pi l / 2, where it is singular: the fringe
/// length of a magnet is about half the height of its gap. The field does not depend on x: the
/// poles are infinitely wide.
/// @tparam T scalar of its constants
template <class T>
struct BasicDipoleField {
  T tesla;          ///< B_0: B_y inside a long magnet, T
  T begin,          ///< z_1 of the upstream edge, where the field is B_0 / 2, cm
      end;          ///< z_2 of the downstream edge, cm
  T fringe_length;  ///< l, cm

  /// Returns B (T) at a point (cm).
  template <class Real>
  KOKKOS_FORCEINLINE_FUNCTION Vector3<Real> operator()(const Real& x, const Real& y,
                                                       const Real& z) const {
    return with_gradient(x, y, z).tesla;
  }
  /// Returns B and its derivatives at a point (cm).
  template <class Real>
  KOKKOS_FORCEINLINE_FUNCTION auto with_gradient(const Real& /*x*/, const Real& y,
                                                 const Real& z) const {
    using U = ScalarOf<Real>;
    const Real per_length(U(1) / U(fringe_length));
    const Real half(U(0.5) * U(tesla));
    const auto angle = sincos((y + y) * per_length);
    const auto rise = Edge<Real>((z - Real(U(begin))) * per_length, angle);
    const auto fall = Edge<Real>((z - Real(U(end))) * per_length, angle);
    FieldAt<Real, Pattern<3, 3>(". . .", ". x x", ". x x")> at{
        {{Real(0), half * (rise.real - fall.real), half * (rise.imaginary - fall.imaginary)}}, {}};
    const Real slope = half * per_length;  // f' = slope ((1 - rise^2) - (1 - fall^2))
    const Real along = slope * (fall.square_real() - rise.square_real());
    const Real across = slope * (fall.square_imaginary() - rise.square_imaginary());
    at.gradient.template set<1, 1>(-across);
    at.gradient.template set<1, 2>(along);
    at.gradient.template set<2, 1>(along);
    at.gradient.template set<2, 2>(across);
    return at;
  }
  /// Returns the max length of an integration step, a third of the fringe length, cm.
  KOKKOS_FUNCTION T step_limit() const { return fringe_length / T(3); }
  /// Returns the field with its constants rounded to another scalar.
  template <class To>
  KOKKOS_FUNCTION constexpr BasicDipoleField<To> rounded_to() const {
    return {To(tesla), To(begin), To(end), To(fringe_length)};
  }

 private:
  /// tanh(a + i b) = (sinh 2a + i sin 2b) / (cosh 2a + cos 2b).
  template <class Real>
  struct Edge {
    Real real, imaginary;

    KOKKOS_FORCEINLINE_FUNCTION Edge(const Real& a, const SinCos<Real>& twice_b) {
      const Real e = exp(-(abs(a) + abs(a)));
      const Real per_sum = Real(1) / fma(e, e + (twice_b.cos + twice_b.cos), Real(1));
      real = copysign(fma(-e, e, Real(1)) * per_sum, a);
      imaginary = (e + e) * twice_b.sin * per_sum;
    }
    KOKKOS_FORCEINLINE_FUNCTION Real square_real() const {
      return fma(real, real, -(imaginary * imaginary));
    }
    KOKKOS_FORCEINLINE_FUNCTION Real square_imaginary() const { return (real + real) * imaginary; }
  };
};
/// Field of a dipole magnet in double precision, for users.
using DipoleField = BasicDipoleField<double>;

}  // namespace trackplex::geometry
