// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/kalman/track_state.hpp>
#include <trackplex/matriplex/similarity.hpp>

namespace trackplex::kalman {

/// A measurement of a state, made linear about it: the residual r = m - h(X), the projection
/// H = dh/dX and the covariance V of the M numbers m. Any M from 1 to 6, and any pattern of H.
template <class Number, int M, Pattern<M, 6> P>
struct Measurement {
  using Real = Number;
  static constexpr int dimension = M;

  Vector<Real, M> residual;
  Matrix<Real, M, 6, P> projection;
  Symmetric<Real, M> covariance;
};

/// A point x, y, z (cm) and its covariance (cm^2).
template <class Real>
struct SpacePoint {
  Vector<Real, 3> position;
  Symmetric<Real, 3> covariance;
};

/// All three coordinates of a point.
template <class Real>
KOKKOS_FORCEINLINE_FUNCTION auto measure_in_space(const SpacePoint<Real>& hit,
                                                  const Parameters<Real>& state) {
  Measurement<Real, 3, Pattern<3, 6>("1 . . . . .", ". 1 . . . .", ". . 1 . . .")> m;
  for (int i = 0; i < 3; ++i) m.residual.elements[i] = hit.position(i) - state(i);
  m.covariance = hit.covariance;
  return m;
}

/// x and y of a point in a plane of constant z.
template <class Real>
KOKKOS_FORCEINLINE_FUNCTION auto measure_on_disk(const SpacePoint<Real>& hit,
                                                 const Parameters<Real>& state) {
  Measurement<Real, 2, Pattern<2, 6>("1 . . . . .", ". 1 . . . .")> m;
  for (int i = 0; i < 2; ++i) m.residual.elements[i] = hit.position(i) - state(i);
  m.covariance = {{hit.covariance(0, 0), hit.covariance(1, 0), hit.covariance(1, 1)}};
  return m;
}

/// Position along a layer of a cylinder: r phi, along the tangent half way between hit and state,
/// t = (-(y_hit + y), x_hit + x) / (2 r_hit), and z.
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

/// One coordinate u = ux x + uy y, as a strip measures it. `variance` in cm^2.
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
