// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// @file
/// Precession of spins in magnetic fields: L. H. Thomas, Phil. Mag. 3 (1927) 1; V. Bargmann,
/// L. Michel and V. L. Telegdi, Phys. Rev. Lett. 2 (1959) 435. With the field b over the rigidity
/// of the reference particle, 1/m, and momenta q = (1 + delta) u in units of p0, a spin turns per
/// length along a straight axis by
///   Omega = -[(1 + a gamma) b - a (gamma - 1) (u.b) u]/q_z,
/// right-handed around Omega. Rotations are those of quaternions, without a division, and spins
/// are never normalised.

#include <trackplex/beam/bunch/particle.hpp>
#include <trackplex/beam/bunch/spin.hpp>
#include <trackplex/core/math.hpp>
#include <trackplex/core/math_parts.hpp>

namespace trackplex::beam {

namespace detail {

/// cos(f) and sin(f)/f of half an angle, f^2 = z >= 0.
template <class Real>
struct HalfAngle {
  Real cosine, sinc;
};

/// The value in a lane depends only on its own argument.
template <class Real>
KOKKOS_FORCEINLINE_FUNCTION HalfAngle<Real> half_angle(const Real& z) {
  using T = ScalarOf<Real>;
  using trackplex::detail::polynomial;
  const HalfAngle<Real> small{polynomial(z, T(1), T(-1. / 2), T(1. / 24), T(-1. / 720),
                                         T(1. / 40320), T(-1. / 3628800), T(1. / 479001600)),
                              polynomial(z, T(1), T(-1. / 6), T(1. / 120), T(-1. / 5040),
                                         T(1. / 362880), T(-1. / 39916800))};
  const auto large = !(z < Real(T(0.0625)));
  if (none_of(large)) return small;
  const Real f = sqrt(z);
  const auto wave = sincos(f);
  return {select(large, wave.cos, small.cosine), select(large, wave.sin / f, small.sinc)};
}

}  // namespace detail

/// Rotates a spin by the length of a vector, rad, around the vector, right-handed.
template <class Real>
KOKKOS_FORCEINLINE_FUNCTION void rotate_spin(const Real& x, const Real& y, const Real& z,
                                             Spin<Real>& spin) {
  using T = ScalarOf<Real>;
  const Real quarter(T(0.25)), half(T(0.5));
  const auto by = detail::half_angle(quarter * fma(x, x, fma(y, y, z * z)));
  // quaternion (w, q): s + w t + q x t with t = 2 q x s
  const Real factor = half * by.sinc, qx = x * factor, qy = y * factor, qz = z * factor;
  const Real cx = fma(qy, spin.z, -(qz * spin.y)), cy = fma(qz, spin.x, -(qx * spin.z)),
             cz = fma(qx, spin.y, -(qy * spin.x));
  const Real tx = cx + cx, ty = cy + cy, tz = cz + cz;
  spin.x += fma(by.cosine, tx, fma(qy, tz, -(qz * ty)));
  spin.y += fma(by.cosine, ty, fma(qz, tx, -(qx * tz)));
  spin.z += fma(by.cosine, tz, fma(qx, ty, -(qy * tx)));
}

/// Rotates a spin in a field across the axis that changes the direction of a particle by (dx, dy):
/// by 1 + a gamma times the angle, with velocities along the axis.
template <class Real>
KOKKOS_FORCEINLINE_FUNCTION void deflect_spin(const Real& dx, const Real& dy, Spin<Real>& spin) {
  const Real faster = fma(spin.anomaly, spin.gamma, Real(1));
  rotate_spin(-(faster * dy), faster * dx, Real(0), spin);
}

/// Rotates a spin in a thin field across the axis that changes the momenta by (dqx, dqy) to q, in
/// units of p0, with the mean of q before and after; and around the axis by `turn`.
template <class Real>
KOKKOS_FORCEINLINE_FUNCTION void kick_spin(const Real& dqx, const Real& dqy, const Real& qx1,
                                           const Real& qy1, const Real& momentum, Spin<Real>& spin,
                                           const Real& turn = Real(0)) {
  const Real one(1), half(ScalarOf<Real>(0.5));
  const Real qx = fma(-half, dqx, qx1), qy = fma(-half, dqy, qy1);
  const Real qz = sqrt(fma(momentum, momentum, -fma(qx, qx, qy * qy)));
  const Real per_z = one / qz, across = fma(spin.anomaly, spin.gamma, one) * per_z;
  // b = (dqy, -dqx, 0)
  const Real along =
      spin.anomaly * (spin.gamma - one) * fma(qx, dqy, -(qy * dqx)) * per_z / (momentum * momentum);
  rotate_spin(fma(along, qx, -(across * dqy)), fma(along, qy, across * dqx), fma(along, qz, turn),
              spin);
}

/// Rotates a spin in a uniform field along y, in which the direction (ux, uy, uz) of a particle at
/// the entrance turns by an angle from x towards z; then by `frame`, the same angle less that of
/// the axis, back: the axis turns with the particle on it.
template <class Real>
KOKKOS_FORCEINLINE_FUNCTION void turn_spin(const Real& angle, const Real& frame, const Real& ux,
                                           const Real& uy, const Real& uz, Spin<Real>& spin) {
  const Real slower = spin.gamma - Real(1), by = spin.anomaly * angle, across = slower * uy * by;
  rotate_spin(across * ux, fma(across, uy, -(by * spin.gamma)), across * uz, spin);
  rotate_spin(Real(0), frame, Real(0), spin);
}

/// Components of a spin relative to an axis that turns towards -x by an angle, from sine and
/// 1 - cosine.
template <class Real>
KOKKOS_FORCEINLINE_FUNCTION void turn_with_axis(const Real& sine, const Real& versine,
                                                Spin<Real>& spin) {
  const Real x = spin.x;
  spin.x += fma(sine, spin.z, -(versine * x));
  spin.z -= fma(sine, x, versine * spin.z);
}

/// Rotations of spins in slices of magnets: none.
struct NoSpin {
  static constexpr bool turns = false;  ///< Whether spins turn.
};

/// Rotations of spins in slices of magnets.
template <class Real>
struct TurningSpin {
  static constexpr bool turns = true;  ///< Whether spins turn.
  Spin<Real>& spin;                    ///< The spin.
};

}  // namespace trackplex::beam
