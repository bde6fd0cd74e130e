// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/lhcb/fit/kalman_state.hpp>
#include <trackplex/lhcb/fit/kalman_tables.hpp>

namespace trackplex::lhcb::detail {

/// -1 for negative numbers, else 1.
template <class Real>
KOKKOS_FORCEINLINE_FUNCTION Real side_of(const Real& y) {
  using T = ScalarOf<Real>;
  return select(y < Real(T(0)), Real(T(-1)), Real(T(1)));
}

/// Straight step to z, without noise.
template <class Real>
KOKKOS_FORCEINLINE_FUNCTION KalmanStep<Real> no_bend(const KalmanState<Real>& s, const Real& z) {
  using T = ScalarOf<Real>;
  const Real zero(T(0)), one(T(1)), dz = z - s.z;
  return {{fma(s.tx, dz, s.x), fma(s.ty, dz, s.y), z, s.tx, s.ty, s.qop},
          {{zero, dz, zero, zero},
           {one, zero, dz, zero},
           {zero, one, zero, zero},
           {zero, zero, one, zero}},
          zero,
          zero,
          zero,
          zero,
          zero,
          zero};
}

/// Sets the noise of a step from standard deviations and correlations.
template <class Real>
KOKKOS_FORCEINLINE_FUNCTION void set_noise(KalmanStep<Real>& step, const Real& x, const Real& y,
                                           const Real& tx, const Real& ty,
                                           const Real& correlation_x, const Real& correlation_y) {
  step.noise_xx = x * x;
  step.noise_xtx = correlation_x * x * tx;
  step.noise_txtx = tx * tx;
  step.noise_yy = y * y;
  step.noise_yty = correlation_y * y * ty;
  step.noise_tyty = ty * ty;
}

/// Sets the noise of a step from factors of |q/p|, of the point also of |dz|.
template <class Real, class T>
KOKKOS_FORCEINLINE_FUNCTION void set_noise_of_qop(KalmanStep<Real>& step,
                                                  const KalmanNoise<T>& noise, const Real& abs_qop,
                                                  const Real& abs_dz) {
  const Real path = abs_qop * abs_dz;
  set_noise(step, Real(noise.x) * path, Real(noise.y) * path, Real(noise.tx) * abs_qop,
            Real(noise.ty) * abs_qop, Real(noise.correlation_x), Real(noise.correlation_y));
}

}  // namespace trackplex::lhcb::detail
