// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// @file
/// Two-filter smoother: combines the state of a fit up to a surface with that of a fit from the
/// other end up to the same surface. Positions on a surface have two dimensions, so states are
/// compared in five coordinates: two on the surface, 1/pT, phi and theta.

#include <trackplex/kalman/surfaces.hpp>
#include <trackplex/kalman/update.hpp>

namespace trackplex::kalman {

/// Returns the derivatives of the five coordinates on a plane of constant z, (x, y, 1/pT, phi,
/// theta), with respect to the six parameters.
template <class Real>
KOKKOS_FORCEINLINE_FUNCTION auto surface_projection(const Parameters<Real>& /*at*/,
                                                    const ZPlane<Real>& /*surface*/) {
  return Matrix<Real, 5, 6,
                Pattern<5, 6>("1 . . . . .", ". 1 . . . .", ". . . 1 . .", ". . . . 1 .",
                              ". . . . . 1")>{};
}
/// Returns the derivatives of the five coordinates on a cylinder, (r phi, z, 1/pT, phi, theta),
/// with respect to the six parameters; r phi is along the tangent at `at`.
template <class Real>
KOKKOS_FORCEINLINE_FUNCTION auto surface_projection(const Parameters<Real>& at,
                                                    const Cylinder<Real>& /*surface*/) {
  Matrix<Real, 5, 6,
         Pattern<5, 6>("x x . . . .", ". . 1 . . .", ". . . 1 . .", ". . . . 1 .", ". . . . . 1")>
      projection;
  const Real per_r = Real(1) / sqrt(fma(at(0), at(0), at(1) * at(1)));
  projection.template set<0, 0>(-at(1) * per_r);
  projection.template set<0, 1>(at(0) * per_r);
  return projection;
}

namespace detail {
/// Derivatives of (u, v, the last three parameters), where u and v are perpendicular to each other
/// and to the normal.
template <class Real>
KOKKOS_FORCEINLINE_FUNCTION auto projection_across(const Real& nx, const Real& ny, const Real& nz) {
  using T = ScalarOf<Real>;
  // u = e x n and v = n x u, with the axis e that is farther from the normal
  const auto steep = abs(nz) < Real(T(0.7));
  const Real ex = select(steep, Real(0), Real(1)), ez = Real(1) - ex;
  const Real ux = -ez * ny, uy = fma(ez, nx, -(ex * nz)), uz = ex * ny;
  const Real scale = Real(1) / sqrt(fma(ux, ux, fma(uy, uy, uz * uz)));
  const Real u[3] = {ux * scale, uy * scale, uz * scale};
  Matrix<Real, 5, 6,
         Pattern<5, 6>("x x x . . .", "x x x . . .", ". . . 1 . .", ". . . . 1 .", ". . . . . 1")>
      projection;
  projection.template set<0, 0>(u[0]);
  projection.template set<0, 1>(u[1]);
  projection.template set<0, 2>(u[2]);
  projection.template set<1, 0>(fma(ny, u[2], -(nz * u[1])));
  projection.template set<1, 1>(fma(nz, u[0], -(nx * u[2])));
  projection.template set<1, 2>(fma(nx, u[1], -(ny * u[0])));
  return projection;
}
}  // namespace detail

/// Returns the derivatives of the five coordinates on a plane, (u, v, 1/pT, phi, theta), with
/// respect to the six parameters; u and v are perpendicular to each other and to the normal.
template <class Real>
KOKKOS_FORCEINLINE_FUNCTION auto surface_projection(const Parameters<Real>& /*at*/,
                                                    const Plane<Real>& surface) {
  return detail::projection_across(surface.nx, surface.ny, surface.nz);
}
/// Returns the derivatives of the five coordinates on a surface with a `gradient`, such as
/// `geometry::Surface`: u, v and the last three parameters, of any model, with respect to the six
/// parameters. u and v are perpendicular to each other and to the normal at `at`.
template <class Real, class Surface>
requires requires(const Surface& surface, const geometry::Vector3<Real>& point) {
  surface.gradient(point);
}
KOKKOS_FORCEINLINE_FUNCTION auto surface_projection(const Parameters<Real>& at,
                                                    const Surface& surface) {
  const auto normal = surface.gradient(geometry::Vector3<Real>{{at(0), at(1), at(2)}});
  return detail::projection_across(normal(0), normal(1), normal(2));
}

/// Returns another state on the same surface as a measurement of this one, of dimension five.
///
/// The two states must come from different measurements: one includes the measurement on the
/// surface, the other only those beyond it. Their
/// azimuths may differ by whole turns.
template <class Real, class Model, class Surface>
KOKKOS_FORCEINLINE_FUNCTION auto measure_state(const TrackState<Real, Model>& other,
                                               const Parameters<Real>& state,
                                               const Surface& surface) {
  const auto projection = surface_projection(state, surface);
  Measurement<Real, 5, projection.pattern> measurement;
  measurement.projection = projection;
  measurement.residual = projection * difference<Model>(other.parameters, state);
  measurement.covariance = similarity(projection, other.covariance);
  return measurement;
}

/// Updates `state` with `other`, a state on the same surface from other measurements. Lanes with
/// a singular sum of the covariances are unchanged.
template <class Real, class Model, class Surface>
KOKKOS_FORCEINLINE_FUNCTION UpdateResult<Real> combine(TrackState<Real, Model>& state,
                                                       const TrackState<Real, Model>& other,
                                                       const Surface& surface) {
  return update(state, measure_state(other, state.parameters, surface));
}

}  // namespace trackplex::kalman
