// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// @file
/// Surfaces on which tracks are measured, and the crossings of helices with them.

#include <trackplex/kalman/detail/approach.hpp>
#include <trackplex/kalman/helix.hpp>

namespace trackplex::kalman {

namespace detail {
template <class Real>
KOKKOS_FORCEINLINE_FUNCTION MaskOf<Real> is_finite(const Real& number) {
  return abs(number) < Real(trackplex::detail::FloatFormat<ScalarOf<Real>>::infinity);
}

/// Steps along helices: the last one leaves an error of at most 1e-9 (float) or 1e-15 (double) of
/// the radius.
template <class T>
inline constexpr StepLimits<T> helix_steps{T(1), sizeof(T) == 4 ? T(2e-3) : T(2e-5)};
/// Max number of these steps, for a turn and for its last part.
inline constexpr int max_helix_steps = 16;

/// Transverse path length of a helix to a surface, and the lanes that reach it.
template <class Real, geometry::ImplicitSurface<Real> S>
KOKKOS_FORCEINLINE_FUNCTION geometry::PathToSurface<Real> path_length(const Helix<Real>& helix,
                                                                      const S& surface) {
  using geometry::Vector3;
  const Real cotangent = helix.cos_theta() / helix.sin_theta(), kappa = helix.curvature();
  const auto& start = helix.start();
  Vector3<Real> position{{start(0), start(1), start(2)}};
  Real cosine = helix.cos_phi(), sine = helix.sin_phi(), length(0);
  constexpr auto limits = helix_steps<ScalarOf<Real>>;
  Approach<Real> approach;
  for (int i = 0; i < max_helix_steps; ++i) {
    length += approach.plan(surface, position, Vector3<Real>{{cosine, sine, cotangent}},
                            Vector3<Real>{{-(kappa * sine), kappa * cosine, Real(0)}}, abs(kappa),
                            limits);
    if (!approach.is_busy()) break;
    const HelixPoint<Real> point(helix, length);
    position = {{point.parameters(0), point.parameters(1), point.parameters(2)}};
    cosine = point.cos_phi;
    sine = point.sin_phi;
  }
  return {length + approach.rest, approach.arrived};
}

}  // namespace detail

/// Crossing of a helix with a surface: the point, and the derivatives of the transverse path length
/// L to it with respect to the parameters at the start.
///
/// With F = 0 on the surface, n = grad F at the end, E = dX'/dX at constant L and T = dX'/dL:
/// \f[ \frac{dL}{dX} = -\frac{n^T E}{n^T T}, \f]
/// which is exact and independent of the method by which L was found.
///
/// @tparam P pattern of the derivatives: those that are not 0 for this surface
template <class Real, Pattern<1, 6> P>
struct Crossing {
  HelixPoint<Real> point;                    ///< on the surface
  Matrix<Real, 1, 6, P> length_derivatives;  ///< dL/dX
  MaskOf<Real> reached;                      ///< lanes that have a crossing; others are undefined
};

/// Crossing whose path length depends on all parameters.
template <class Real>
using DenseCrossing = Crossing<Real, Pattern<1, 6>::dense()>;

/// Finds the crossing of a helix with a surface F = 0, such as `geometry::Surface`: from inside a
/// cylinder the first one along the momentum, else the nearer one. The steps to it, of at most a
/// radian, follow the parabolas that osculate the helix; tracks that have not arrived after nearly
/// a turn do not reach the surface, nor do tracks along the z axis.
template <class Real, geometry::ImplicitSurface<Real> S>
KOKKOS_FORCEINLINE_FUNCTION auto cross(const Helix<Real>& helix, const S& surface) {
  const auto path = detail::path_length(helix, surface);
  const HelixPoint<Real> point(helix, path.length);
  const auto& p = point.parameters;
  const auto up = surface.gradient({{p(0), p(1), p(2)}});
  const Real per_sin = Real(1) / helix.sin_theta(), along_z = up(2) * per_sin;
  const Real scale =
      Real(-1) / fma(up(0), point.cos_phi, fma(up(1), point.sin_phi, along_z * helix.cos_theta()));
  const Real x = up(0) * scale, y = up(1) * scale, z = up(2) * scale;
  return DenseCrossing<Real>{
      point,
      {{x, y, z, fma(x, point.dx_dinverse_pt, y * point.dy_dinverse_pt),
        fma(y, point.dx, -(x * point.dy)), -(z * point.length * per_sin * per_sin)}},
      path.reached && detail::is_finite(p(0) + p(1) + p(2))};
}

/// Cylinder about the z axis.
template <class Number>
struct Cylinder {
  using Real = Number;  ///< number type of a kernel
  Real radius;          ///< cm

  /// Returns the cylinder at the fraction `part` of the way from a point to this one.
  KOKKOS_FORCEINLINE_FUNCTION Cylinder between(const Parameters<Real>& start,
                                               const Real& part) const {
    const Real x = start.template get<0>(), y = start.template get<1>();
    const Real r = sqrt(fma(x, x, y * y));
    return {fma(part, radius - r, r)};
  }

  /// Finds the crossing with a helix: outwards the crossing along the momentum; inwards the nearer
  /// one, along the momentum or against it.
  ///
  /// It is in closed form. With u = (R^2 - x^2 - y^2) / 2, a = x cos(phi) + y sin(phi),
  /// b = y cos(phi) - x sin(phi) and q = 2 + 2 b kappa - u kappa^2,
  /// \f[ h = \frac{u}{a\pm\sqrt{a^2+uq}},\qquad L = \frac{2\arctan\kappa h}{\kappa}. \f]
  /// The cylinder is not reached where the radicand is not positive, or where theta is 0 and z
  /// would be infinite.
  KOKKOS_FORCEINLINE_FUNCTION auto cross(const Helix<Real>& helix) const {
    using T = ScalarOf<Real>;
    const Real x = helix.start().template get<0>(), y = helix.start().template get<1>();
    const Real c = helix.cos_phi(), s = helix.sin_phi(), kappa = helix.curvature();
    const Real u = Real(T(0.5)) * (fma(radius, radius, -(x * x)) - y * y);
    const Real a = fma(x, c, y * s), b = fma(y, c, -(x * s));
    const Real q = fma(kappa, (b + b) - u * kappa, Real(2));
    const Real square = fma(a, a, u * q);
    const auto meets = square > Real(0);
    const Real size = sqrt(select(meets, square, Real(1)));
    // The root is nᵀ T / R at the crossing. Where a + root would cancel, h = (root - a) / q.
    const auto turned = a < Real(0) && u > Real(0);
    const Real root = select(turned, size, copysign(size, a));
    const Real h = select(turned, root - a, u) / select(turned, q, a + root);
    const HelixPoint<Real> point(helix, (h + h) * arctangent_ratio(kappa * h));
    const auto reached = meets && detail::is_finite(point.parameters.template get<2>());

    const Real per_root = Real(-1) / root;
    const Real end_x = point.parameters.template get<0>() * per_root,
               end_y = point.parameters.template get<1>() * per_root;
    Crossing<Real, Pattern<1, 6>("x x . x x .")> crossing{point, {}, reached};
    auto& derivatives = crossing.length_derivatives;
    derivatives.template set<0, Parameter::x>(end_x);
    derivatives.template set<0, Parameter::y>(end_y);
    derivatives.template set<0, Parameter::inverse_pt>(
        fma(end_x, point.dx_dinverse_pt, end_y * point.dy_dinverse_pt));
    derivatives.template set<0, Parameter::phi>(fma(end_y, point.dx, -(end_x * point.dy)));
    return crossing;
  }
};

/// Plane of constant z.
template <class Number>
struct ZPlane {
  using Real = Number;  ///< number type of a kernel
  Real z;               ///< cm

  /// Returns the plane at the fraction `part` of the way from a point to this one.
  KOKKOS_FORCEINLINE_FUNCTION ZPlane between(const Parameters<Real>& start,
                                             const Real& part) const {
    const Real from = start.template get<Parameter::z>();
    return {fma(part, z - from, from)};
  }

  /// Finds the crossing with a helix, L = (z' - z) tan(theta), along the momentum or against it.
  /// Tracks that stay at their z do not reach it: cos(theta) is 0 within the rounding of theta.
  KOKKOS_FORCEINLINE_FUNCTION auto cross(const Helix<Real>& helix) const {
    using T = ScalarOf<Real>;
    const auto moves = abs(helix.cos_theta()) > Real(trackplex::detail::FloatFormat<T>::epsilon);
    const Real per_cos = Real(1) / select(moves, helix.cos_theta(), Real(1));
    const Real tangent = helix.sin_theta() * per_cos;
    const Real dz = select(moves, z - helix.start().template get<Parameter::z>(), Real(0));
    const HelixPoint<Real> point(helix, dz * tangent);
    const auto reached = moves && detail::is_finite(point.parameters.template get<0>() +
                                                    point.parameters.template get<1>());
    Crossing<Real, Pattern<1, 6>(". . x . . x")> crossing{point, {}, reached};
    crossing.point.parameters.template set<Parameter::z>(z);
    crossing.length_derivatives.template set<0, Parameter::z>(-tangent);
    crossing.length_derivatives.template set<0, Parameter::theta>(dz * per_cos * per_cos);
    return crossing;
  }
};

/// Plane of any orientation: the points with nx x + ny y + nz z = offset. The normal (nx, ny, nz)
/// is a unit vector, which the caller ensures.
template <class Number>
struct Plane {
  using Real = Number;  ///< number type of a kernel
  Real nx,              ///< x of the normal
      ny,               ///< y of the normal
      nz;               ///< z of the normal
  Real offset;          ///< signed distance from the origin along the normal, cm

  /// Returns the parallel plane at the fraction `part` of the way from a point to this one.
  KOKKOS_FORCEINLINE_FUNCTION Plane between(const Parameters<Real>& start, const Real& part) const {
    Plane plane = *this;
    const Real from = distance(start) + offset;
    plane.offset = fma(part, offset - from, from);
    return plane;
  }

  /// Finds the crossing with a helix, as for a `geometry::Surface`.
  KOKKOS_FORCEINLINE_FUNCTION auto cross(const Helix<Real>& helix) const {
    return kalman::cross(helix, geometry::Surface<Real>{Real(0), {{nx, ny, nz}}, offset});
  }

  /// Returns the signed distance of a point from the plane, cm.
  KOKKOS_FORCEINLINE_FUNCTION Real distance(const Parameters<Real>& point) const {
    return fma(nx, point.template get<0>(),
               fma(ny, point.template get<1>(), fma(nz, point.template get<2>(), -offset)));
  }
};

}  // namespace trackplex::kalman
