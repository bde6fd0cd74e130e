// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// @file
/// Measurements of track states: residual, projection and covariance.

#include <trackplex/kalman/track_state.hpp>
#include <trackplex/matriplex/similarity.hpp>

namespace trackplex::kalman {

/// Measurement of a state, linearised about the state: residual, projection and covariance of M
/// measured numbers.
///
/// Lanes may measure fewer numbers: in the missing rows of a lane the residual and the projection
/// are 0 and the covariance is that of an independent number of variance 1, so that these rows have
/// no effect.
/// @tparam M dimension, 1 to 6
/// @tparam P pattern of the projection: its elements that are 0, 1 or stored
template <class Number, int M, Pattern<M, 6> P>
struct Measurement {
  using Real = Number;                 ///< number type of a kernel
  static constexpr int dimension = M;  ///< of the measurement

  Vector<Real, M> residual;          ///< r = m - h(X), measured minus expected
  Matrix<Real, M, 6, P> projection;  ///< H = dh/dX
  Symmetric<Real, M> covariance;     ///< V, of the measured numbers
  IntegerOf<Real> count = M;         ///< numbers that each lane measures
};

namespace detail {
template <int M, int R, int C>
KOKKOS_FUNCTION constexpr Pattern<M, C> first_rows(const Pattern<R, C>& pattern) {
  Pattern<M, C> rows;
  for (int i = 0; i < M; ++i)
    for (int j = 0; j < C; ++j) rows.set(i, j, pattern(i, j));
  return rows;
}
}  // namespace detail

/// Point in space with its error.
template <class Real>
struct SpacePoint {
  Vector<Real, 3> position;       ///< x, y, z, cm
  Symmetric<Real, 3> covariance;  ///< xx, yx, yy, zx, zy, zz, cm^2
};

/// Returns the measurement of all three coordinates of a point.
template <class Real>
KOKKOS_FORCEINLINE_FUNCTION auto measure_in_space(const SpacePoint<Real>& hit,
                                                  const Parameters<Real>& state) {
  Measurement<Real, 3, Pattern<3, 6>("1 . . . . .", ". 1 . . . .", ". . 1 . . .")> m;
  for (int i = 0; i < 3; ++i) m.residual.elements[i] = hit.position(i) - state(i);
  m.covariance = hit.covariance;
  return m;
}

/// Returns the measurement of x and y of a point, for states on a plane of constant z.
template <class Real>
KOKKOS_FORCEINLINE_FUNCTION auto measure_on_disk(const SpacePoint<Real>& hit,
                                                 const Parameters<Real>& state) {
  Measurement<Real, 2, Pattern<2, 6>("1 . . . . .", ". 1 . . . .")> m;
  for (int i = 0; i < 2; ++i) m.residual.elements[i] = hit.position(i) - state(i);
  m.covariance = {{hit.covariance(0, 0), hit.covariance(1, 0), hit.covariance(1, 1)}};
  return m;
}

/// Returns the measurement of r phi and z of a point, for states on the cylinder through it.
///
/// r phi is measured along the tangent at the midpoint between hit and state,
/// t = (-(y_hit + y), x_hit + x) / (2 r_hit), which counts as constant in the projection.
template <class Real>
KOKKOS_FORCEINLINE_FUNCTION auto measure_on_cylinder(const SpacePoint<Real>& hit,
                                                     const Parameters<Real>& state) {
  using T = ScalarOf<Real>;
  const Real x = hit.position(0), y = hit.position(1);
  const Real half_per_r = Real(T(0.5)) / sqrt(fma(x, x, y * y));
  const Real tx = -(y + state(1)) * half_per_r, ty = (x + state(0)) * half_per_r;
  Measurement<Real, 2, Pattern<2, 6>("x x . . . .", ". . 1 . . .")> m;
  m.residual = {{fma(tx, x - state(0), ty * (y - state(1))), hit.position(2) - state(2)}};
  m.projection.template set<0, 0>(tx);
  m.projection.template set<0, 1>(ty);
  Matrix<Real, 2, 3, Pattern<2, 3>("x x .", ". . 1")> rotation;
  rotation.template set<0, 0>(tx);
  rotation.template set<0, 1>(ty);
  m.covariance = similarity(rotation, hit.covariance);
  return m;
}

/// Hit of a module: up to M coordinates, measured along the axes of the module's frame. Point, axes
/// and number of coordinates may differ from lane to lane.
/// @tparam M max number of coordinates that a lane measures: 1 for strips, 2 for pixels and
/// strips, 3 for these and space points
template <class Number, int M = 2>
struct ModuleHit {
  static_assert(M >= 1 && M <= 3, "A hit of a module measures one, two or three coordinates.");
  using Real = Number;            ///< number type of a kernel
  geometry::Vector3<Real> point;  ///< measured point, cm; of a strip, any point on it
  geometry::Vector3<Real> u,      ///< first axis, a unit vector in the plane of the module
      v;                          ///< second axis, perpendicular to the first
  Symmetric<Real, M> covariance;  ///< of the coordinates along u, v and u x v, cm^2
  IntegerOf<Real> dimension;      ///< number of coordinates that were measured, 0 to M; a strip
                                  ///< measures that along u

  /// Returns the plane of the module.
  KOKKOS_FORCEINLINE_FUNCTION geometry::Surface<Real> surface() const {
    return geometry::Surface<Real>::plane(point, geometry::cross(u, v));
  }
};

namespace detail {
inline constexpr Pattern<3, 6> three_of_positions("x x x . . .", "x x x . . .", "x x x . . .");
}

/// Returns the measurement of a hit of a module: the coordinates of its point along u, v and u x v.
template <class Real, int M>
KOKKOS_FORCEINLINE_FUNCTION auto measure_in_module(const ModuleHit<Real, M>& hit,
                                                   const Parameters<Real>& state) {
  using Integer = IntegerOf<Real>;
  Measurement<Real, M, detail::first_rows<M>(detail::three_of_positions)> m;
  const geometry::Vector3<Real> axes[3] = {hit.u, hit.v, geometry::cross(hit.u, hit.v)};
  const geometry::Vector3<Real> off = {
      {hit.point(0) - state(0), hit.point(1) - state(1), hit.point(2) - state(2)}};
  for (int i = 0; i < M; ++i) {
    const auto measured = hit.dimension > Integer(i);
    m.residual.elements[i] = select(measured, geometry::dot(axes[i], off), Real(0));
    for (int j = 0; j < 3; ++j)  // row by row
      m.projection.elements[3 * i + j] = select(measured, axes[i](j), Real(0));
    for (int j = 0; j <= i; ++j)
      m.covariance(i, j) = select(measured, hit.covariance(i, j), Real(i == j ? 1 : 0));
  }
  m.count = hit.dimension;
  return m;
}

/// Returns the measurement of one coordinate u (cm) along an axis, a unit vector in space, as of a
/// strip perpendicular to it. `variance` is that of u, cm^2.
template <class Real>
KOKKOS_FORCEINLINE_FUNCTION auto measure_along(const geometry::Vector3<Real>& axis, const Real& u,
                                               const Real& variance,
                                               const Parameters<Real>& state) {
  Measurement<Real, 1, Pattern<1, 6>("x x x . . .")> m;
  m.residual.elements[0] =
      u - geometry::dot(axis, geometry::Vector3<Real>{{state(0), state(1), state(2)}});
  for (int i = 0; i < 3; ++i) m.projection.elements[i] = axis(i);
  m.covariance.elements[0] = variance;
  return m;
}
/// Returns the measurement of one coordinate u = ux x + uy y (cm), as of a strip perpendicular to
/// (ux, uy), a unit vector. `variance` is that of u, cm^2.
template <class Real>
KOKKOS_FORCEINLINE_FUNCTION auto measure_along(const Real& ux, const Real& uy, const Real& u,
                                               const Real& variance,
                                               const Parameters<Real>& state) {
  Measurement<Real, 1, Pattern<1, 6>("x x . . . .")> m;
  m.residual.elements[0] = u - fma(ux, state(0), uy * state(1));
  m.projection.template set<0, 0>(ux);
  m.projection.template set<0, 1>(uy);
  m.covariance.elements[0] = variance;
  return m;
}

}  // namespace trackplex::kalman
