// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// @file
/// Magnets by symplectic integration: alternating exact drifts and kicks, slice by slice.

#include <trackplex/beam/bunch/particle.hpp>
#include <trackplex/beam/steps/spin_rotation.hpp>
#include <trackplex/core/compiled.hpp>
#include <trackplex/core/derived_math.hpp>
#include <trackplex/core/error.hpp>
#include <trackplex/core/lane_memory.hpp>

#include <vector>

namespace trackplex::beam {

/// Moves particles along straight lines through a drift of a length, m. s grows by length (r - 1),
/// with r = sqrt(1 + xp^2 + yp^2).
template <class Real>
KOKKOS_FORCEINLINE_FUNCTION void drift_exactly(Particle<Real>& v, const Real& length) {
  const Real u = fma(v[xp], v[xp], v[yp] * v[yp]);
  v[x] = fma(length, v[xp], v[x]);
  v[y] = fma(length, v[yp], v[y]);
  v[s] = fma(length, u / (Real(1) + sqrt(Real(1) + u)), v[s]);
}

/// Kick of a multipole at a place for unit strength and length, in q = (1 + delta) times the
/// direction: qx changes by -x, qy by +y.
template <class Real>
struct FieldKick {
  Real x,  ///< Minus the change of qx.
      y;   ///< Change of qy.
};
/// Field of a quadrupole: x and y, m, to be multiplied with k1.
struct QuadrupoleField {
  /// Returns the kick at a place, m.
  template <class Real>
  KOKKOS_FORCEINLINE_FUNCTION static FieldKick<Real> at(const Real& x, const Real& y) {
    return {x, y};
  }
};
/// Field of a sextupole: (x^2 - y^2)/2 and x y, m^2, to be multiplied with k2.
struct SextupoleField {
  /// Returns the kick at a place, m.
  template <class Real>
  KOKKOS_FORCEINLINE_FUNCTION static FieldKick<Real> at(const Real& x, const Real& y) {
    return {Real(ScalarOf<Real>(0.5)) * fma(x, x, -(y * y)), x * y};
  }
};

/// Drifts and kicks of one slice as fractions of its length, a drift first and last.
struct IntegrationScheme {
  std::vector<double> drifts,  ///< Drifts, one more than kicks; their sum is 1.
      kicks;                   ///< Kicks; their sum is 1.
};

/// Returns the scheme of order 2 (leapfrog), 4 or 6: H. Yoshida, Phys. Lett. A 150 (1990) 262, the
/// last one with his solution A.
/// @throws UsageError for other orders
IntegrationScheme integration_scheme(int order);

/// Returns the coefficients of `integrate_magnet` for one slice of a magnet of a length, m, and
/// strength (k1, 1/m^2, or k2, 1/m^3): drifts, m, and integrated strengths of kicks, alternating.
/// @throws UsageError if there are no slices or the order is not 2, 4 or 6
std::vector<double> slice_coefficients(double length, double strength, int slices, int order);

namespace detail {

/// Straight way of particles between two kicks.
template <class Real>
struct StraightWay {
  Real longer;  ///< r - 1, r = sqrt(1 + xp^2 + yp^2): the way beyond the length, per length.

  /// Takes the way from the slopes, and gives the momenta q = (1 + delta) slope / r.
  KOKKOS_FORCEINLINE_FUNCTION StraightWay(const Particle<Real>& v, const Real& momentum, Real& qx,
                                          Real& qy) {
    const Real one(1), square = fma(v[xp], v[xp], v[yp] * v[yp]), r = sqrt(one + square);
    const Real sum = one + r, inverse = one / (r * sum), per_r = momentum * (inverse * sum);
    longer = square * (inverse * r);
    qx = v[xp] * per_r;
    qy = v[yp] * per_r;
  }

  /// Sets slopes and way by the momenta after a kick, with one division for both. Returns pz^2.
  KOKKOS_FORCEINLINE_FUNCTION Real turn(const Real& qx, const Real& qy, const Real& momentum,
                                        Particle<Real>& v) {
    const Real square = fma(qx, qx, qy * qy), pz2 = fma(momentum, momentum, -square);
    const Real pz = sqrt(pz2), sum = momentum + pz, inverse = Real(1) / (pz * sum);
    const Real inverse_pz = inverse * sum;
    v[xp] = qx * inverse_pz;
    v[yp] = qy * inverse_pz;
    longer = square * inverse;
    return pz2;
  }

  /// Moves particles through a drift of a length, m.
  KOKKOS_FORCEINLINE_FUNCTION void drift(const Real& length, Particle<Real>& v) const {
    v[x] = fma(length, v[xp], v[x]);
    v[y] = fma(length, v[yp], v[y]);
    v[s] = fma(length, longer, v[s]);
  }
};

/// Returns the drift after kick `i` of a slice: drifts at the end of a slice and at the start of
/// the next one are one drift.
template <class T>
KOKKOS_FORCEINLINE_FUNCTION T drift_after(const T* slice, int i, int n_kicks, bool is_last_slice) {
  const bool joined = i + 1 == n_kicks && !is_last_slice;
  return joined ? slice[2 * n_kicks] + slice[0] : slice[2 * i + 2];
}

}  // namespace detail

/// Moves particles through a magnet of equal slices with `n_kicks` kicks each; the coefficients are
/// those of `slice_coefficients`. Kicks change only qx = (1 + delta) xp/r and qy = (1 + delta)
/// yp/r, r = sqrt(1 + xp^2 + yp^2), so each step is symplectic. Returns the lanes whose slopes stay
/// finite; in others the particle turns around.
/// Spins turn at the kicks.
/// @tparam Field `QuadrupoleField` or `SextupoleField`
template <class Field, class Real, class Turning = NoSpin>
KOKKOS_FORCEINLINE_FUNCTION MaskOf<Real> integrate_magnet(const ScalarOf<Real>* coefficient,
                                                          int n_kicks, int slices,
                                                          Particle<Real>& v,
                                                          const Turning& turning = {}) {
  const Real momentum = Real(1) + v[delta];
  Real qx, qy;
  detail::StraightWay<Real> way(v, momentum, qx, qy);
  MaskOf<Real> forward = momentum > Real(0);
  way.drift(Real(coefficient[0]), v);
  for (int slice = 0; slice < slices; ++slice)
    for (int i = 0; i < n_kicks; ++i) {
      const Real strength(coefficient[2 * i + 1]);
      const auto field = Field::at(v[x], v[y]);
      qx = fma(-strength, field.x, qx);
      qy = fma(strength, field.y, qy);
      if constexpr (Turning::turns)
        kick_spin(-(strength * field.x), strength * field.y, qx, qy, momentum, turning.spin);
      forward = way.turn(qx, qy, momentum, v) > Real(0) && forward;
      way.drift(Real(detail::drift_after(coefficient, i, n_kicks, slice + 1 == slices)), v);
    }
  return forward;
}

}  // namespace trackplex::beam

#if !defined(TRACKPLEX_COMPILED)
#include <trackplex/beam/steps/detail/canonical_multipole.impl.hpp>
#endif
