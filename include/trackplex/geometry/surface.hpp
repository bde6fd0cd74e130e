// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// @file
/// Surfaces of a detector in one form: cylinders about the z axis and planes of any orientation,
/// including disks, so that each lane and layer may have a different surface.

#include <trackplex/core/math.hpp>
#include <trackplex/geometry/vector.hpp>

#include <concepts>

namespace trackplex::geometry {

/// Path length from a point to a surface.
template <class Real>
struct PathToSurface {
  Real length;           ///< cm, along the direction; negative: against it
  MaskOf<Real> reached;  ///< lanes that meet the surface; others are undefined
};

/// Surface F = 0 in lanes of `Real`: `Surface`, or a type with the same three members.
template <class S, class Real>
concept ImplicitSurface = requires(const S& surface, const Vector3<Real>& v) {
  { surface.distance(v) } -> std::same_as<Real>;
  { surface.gradient(v) } -> std::same_as<Vector3<Real>>;
  { surface.path(v, v, v) } -> std::same_as<PathToSurface<Real>>;
};

/// Cylinder about the z axis or plane, which may differ from lane to lane: the points with
/// \f[ F = \frac a2 (x^2+y^2) + n_x x + n_y y + n_z z - d = 0. \f]
/// A plane has a = 0 and a unit normal n; a cylinder of radius R has n = 0, a = 1/R, d = R/2. The
/// gradient of F is a unit vector on the surface, and F is the distance from it, to first order.
template <class Number>
struct Surface {
  using Real = Number;   ///< number type of a kernel
  Real curvature;        ///< a, 1/cm: one over the radius of a cylinder; 0 for a plane
  Vector3<Real> normal;  ///< n: unit normal of a plane; 0 for a cylinder
  Real offset;           ///< d, cm

  /// Returns the cylinder of a radius, cm.
  static KOKKOS_FORCEINLINE_FUNCTION Surface cylinder(const Real& radius) {
    return {Real(1) / radius, {{Real(0), Real(0), Real(0)}}, Real(ScalarOf<Real>(0.5)) * radius};
  }
  /// Returns the plane of constant z, cm.
  static KOKKOS_FORCEINLINE_FUNCTION Surface disk(const Real& z) {
    return {Real(0), {{Real(0), Real(0), Real(1)}}, z};
  }
  /// Returns the plane through a point, cm, with a unit normal.
  static KOKKOS_FORCEINLINE_FUNCTION Surface plane(const Vector3<Real>& point,
                                                   const Vector3<Real>& unit_normal) {
    return {Real(0), unit_normal, dot(point, unit_normal)};
  }

  /// Returns F at a point, cm: the distance from the surface, positive outside a cylinder and on
  /// the side of a plane to which the normal points.
  KOKKOS_FORCEINLINE_FUNCTION Real distance(const Vector3<Real>& point) const {
    const Real half = Real(ScalarOf<Real>(0.5)) * curvature;
    const Real r2 = fma(point(0), point(0), point(1) * point(1));
    return fma(half, r2, dot(point, normal) - offset);
  }
  /// Returns the gradient of F at a point.
  KOKKOS_FORCEINLINE_FUNCTION Vector3<Real> gradient(const Vector3<Real>& point) const {
    return {{fma(curvature, point(0), normal(0)), fma(curvature, point(1), normal(1)), normal(2)}};
  }

  /// Returns the path length s from a point to the surface on the parabola
  /// r(s) = point + s direction + s^2/2 bend: from inside a cylinder to the crossing along the
  /// direction, else to the nearer one. If both are equally near (to 1e-4), the track is parallel
  /// to the surface, and the crossing is along the direction. A straight track that is parallel
  /// within rounding does not reach the surface.
  /// @param point start, cm
  /// @param direction unit vector
  /// @param bend its derivative with respect to the path length, 1/cm; 0: a straight line
  KOKKOS_FORCEINLINE_FUNCTION PathToSurface<Real> path(const Vector3<Real>& point,
                                                       const Vector3<Real>& direction,
                                                       const Vector3<Real>& bend) const {
    using T = ScalarOf<Real>;
    const Vector3<Real> up = gradient(point);
    const Real transverse2 =
        fma(direction(0), direction(0), direction(1) * direction(1)) * curvature;
    const Real a = transverse2 + dot(up, bend);  // F = a/2 s^2 + b s + c
    const Real b = dot(up, direction), c = distance(point);
    const Real square = fma(b, b, -((a + a) * c));
    constexpr T rounding = 4 * trackplex::detail::FloatFormat<T>::epsilon;
    const auto meets = square > Real(rounding * rounding);
    const Real root = sqrt(select(meets, square, Real(1)));
    const auto turned = curvature > Real(0) && b < Real(0) && c < Real(0);
    const Real side = fma(root, copysign(Real(T(1e-4)), -c), b);  // that of b, or ahead
    const Real length =
        select(turned, root - b, -(c + c)) / select(turned, a, b + copysign(root, side));
    return {length, meets};
  }
};

}  // namespace trackplex::geometry
