// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/beam/bunch/particle.hpp>
#include <trackplex/core/lane_memory.hpp>
#include <trackplex/core/math.hpp>

/// @file
/// Parts of the exact edge of a dipole, in the canonical momenta q: E. Forest, Beam Dynamics: A New
/// Attitude and Framework (Harwood, 1998).

namespace trackplex::beam::detail {

/// Turns the system around its vertical axis by an angle a, in the uniform field of a curvature b,
/// 1/m, on the way. With the momentum p_t across y and p_z = sqrt(p_t^2 - q_x^2),
///   Q_x = q_x cos a + (p_z - b x) sin a,  P_z = sqrt(p_t^2 - Q_x^2),
///   X = x cos a + [x q_x sin 2a + sin^2 a (2 x p_z - b x^2)]/(P_z + p_z cos a - q_x sin a),
/// and the way is an arc over the chord between the two places.
template <class Real>
KOKKOS_FORCEINLINE_FUNCTION MaskOf<Real> rotate_in_field(const Real& b, const Real& cosine,
                                                         const Real& sine, const Real& momentum,
                                                         Particle<Real>& v) {
  using T = ScalarOf<Real>;
  const Real two(T(2)), pt2 = fma(momentum, momentum, -v[yp] * v[yp]);
  const Real pz2 = fma(-v[xp], v[xp], pt2), pz = sqrt(pz2);
  const Real turned = fma(v[xp], cosine, fma(-b, v[x], pz) * sine);
  const Real turned_z2 = fma(-turned, turned, pt2);
  const Real ahead = sqrt(turned_z2) + fma(pz, cosine, -v[xp] * sine);
  const Real step = v[x] * sine * fma(two * v[xp], cosine, sine * fma(two, pz, -b * v[x])) / ahead;
  const Real place = fma(v[x], cosine, step);
  // from (x, 0) to (X cos a, X sin a)
  const Real along = place * sine, across = fma(step, cosine, -v[x] * sine * sine);
  const Real inverse_pt = Real(1) / sqrt(pt2);
  const Real chord = copysign(sqrt(fma(along, along, across * across)), along);
  const Real half = Real(T(0.5)) * b * chord * inverse_pt, u = half * half;
  // asin(t)/t
  const Real bow =
      fma(u,
          fma(u, fma(u, fma(u, Real(T(35. / 1152.)), Real(T(5. / 112.))), Real(T(3. / 40.))),
              Real(T(1. / 6.))),
          Real(1));
  const Real way = chord * bow * inverse_pt;  // over p_t
  v[y] = fma(v[yp], way, v[y]);
  v[s] = fma(momentum, way, v[s]);
  v[x] = place;
  v[xp] = turned;
  return pt2 > Real(0) && pz2 > Real(0) && turned_z2 > Real(0) && ahead > Real(0);
}

/// Hard edge of a dipole of a curvature b, 1/m, after it less that before, perpendicular to the
/// axis, with a field integral `extent` (FINT times the whole gap, m). With the slopes X and Y,
///   phi = arctan(X/(1 + Y^2)) - b extent (1 + X^2 (2 + Y^2)) p_z,  F = b tan(phi):
/// the generating function x q_x + y q_y - y^2 F(q_x, q_y, delta)/2 of new places and old momenta.
template <class Real>
KOKKOS_FORCEINLINE_FUNCTION MaskOf<Real> pass_fringe(const Real& b, const Real& extent,
                                                     const Real& momentum, Particle<Real>& v) {
  using T = ScalarOf<Real>;
  const Real one(1), two(T(2)), half(T(0.5));
  const Real pz2 = fma(momentum, momentum, -fma(v[xp], v[xp], v[yp] * v[yp]));
  const Real pz = sqrt(pz2), per_pz = one / pz;
  const Real xs = v[xp] * per_pz, ys = v[yp] * per_pz, x2 = xs * xs, y2 = ys * ys;
  const Real per_y = one / (one + y2), u = xs * per_y, c = b * extent;
  const Real w = fma(x2, two + y2, one);
  const Real t = tan(fma(-c * w, pz, atan(u)));
  const Real of_phi = b * fma(t, t, one), of_u = one / fma(u, u, one);
  // derivatives of F by X, Y and p_z
  const Real by_x = of_phi * fma(of_u, per_y, -two * c * xs * (two + y2) * pz);
  const Real by_y = -of_phi * two * ys * xs * fma(of_u, per_y * per_y, c * xs * pz);
  const Real by_z = -of_phi * c * w;
  const Real turn = fma(by_x, xs, by_y * ys);
  const Real by_qx = fma(fma(turn, xs, by_x), per_pz, -by_z * xs);
  const Real by_qy = fma(fma(turn, ys, by_y), per_pz, -by_z * ys);
  const Real by_p = momentum * per_pz * fma(-turn, per_pz, by_z);
  const Real root2 = fma(-two * by_qy, v[y], one);
  v[y] = two * v[y] / (one + sqrt(root2));
  const Real square = half * v[y] * v[y];
  v[x] = fma(square, by_qx, v[x]);
  v[s] = fma(-square, by_p, v[s]);
  v[yp] = fma(-b * t, v[y], v[yp]);
  return pz2 > Real(0) && root2 > Real(0);
}

}  // namespace trackplex::beam::detail
