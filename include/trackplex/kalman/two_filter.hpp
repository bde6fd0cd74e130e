// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// @file
/// Two-filter smoother: the state of a fit up to a surface is combined with that of a fit from the
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
/// Returns the derivatives of the five coordinates on a plane, (u, v, 1/pT, phi, theta), with
/// respect to the six parameters; u and v are perpendicular to each other and to the normal.
template <class Real>
KOKKOS_FORCEINLINE_FUNCTION auto surface_projection(const Parameters<Real>& /*at*/,
                                                    const Plane<Real>& surface) {
  using T = ScalarOf<Real>;
  // u = e x n and v = n x u, with the axis e that is farther from the normal
  const auto steep = abs(surface.nz) < Real(T(0.7));
  const Real ex = select(steep, Real(0), Real(1)), ez = Real(1) - ex;
  const Real ux = -ez * surface.ny, uy = fma(ez, surface.nx, -(ex * surface.nz)),
             uz = ex * surface.ny;
  const Real scale = Real(1) / sqrt(fma(ux, ux, fma(uy, uy, uz * uz)));
  const Real u[3] = {ux * scale, uy * scale, uz * scale};
  Matrix<Real, 5, 6,
         Pattern<5, 6>("x x x . . .", "x x x . . .", ". . . 1 . .", ". . . . 1 .", ". . . . . 1")>
      projection;
  projection.template set<0, 0>(u[0]);
  projection.template set<0, 1>(u[1]);
  projection.template set<0, 2>(u[2]);
  projection.template set<1, 0>(fma(surface.ny, u[2], -(surface.nz * u[1])));
  projection.template set<1, 1>(fma(surface.nz, u[0], -(surface.nx * u[2])));
  projection.template set<1, 2>(fma(surface.nx, u[1], -(surface.ny * u[0])));
  return projection;
}

/// Returns another state on the same surface as a measurement of this one, of dimension five.
///
/// Both must come from different measurements: one has that of the layer, the other only those
/// behind it.
template <class Real, class Surface>
KOKKOS_FORCEINLINE_FUNCTION auto measure_state(const TrackState<Real>& other,
                                               const Parameters<Real>& state,
                                               const Surface& surface) {
  const auto projection = surface_projection(state, surface);
  Measurement<Real, 5, projection.pattern> measurement;
  measurement.projection = projection;
  Vector<Real, 6> difference;
  for (int i = 0; i < 6; ++i) difference(i) = other.parameters(i) - state(i);
  measurement.residual = projection * difference;
  measurement.covariance = similarity(projection, other.covariance);
  return measurement;
}

/// Updates `state` with `other`, a state on the same surface from other measurements. Lanes whose
/// covariances do not allow it are unchanged.
template <class Real, class Surface>
KOKKOS_FORCEINLINE_FUNCTION UpdateResult<Real> combine(TrackState<Real>& state,
                                                       const TrackState<Real>& other,
                                                       const Surface& surface) {
  return update(state, measure_state(other, state.parameters, surface));
}

}  // namespace trackplex::kalman
