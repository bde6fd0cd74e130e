// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/core/number.hpp>

namespace trackplex::lhcb {

/// State of a track at z. Lengths in mm, q/p in 1/MeV.
template <class Real>
struct KalmanState {
  Real x, y, z;  ///< point, mm
  Real tx, ty;   ///< slopes dx/dz and dy/dz
  Real qop;      ///< charge over momentum, 1/MeV
};

/// Step of the parametrised Kalman filter: the state after it, its derivatives by the state before
/// it, and the covariance of its noise.
template <class Real>
struct KalmanStep {
  KalmanState<Real> state;  ///< state after the step
  /// Derivatives of x, y, tx, ty by y, tx, ty, q/p before the step. That of x by x is 1, those of
  /// the others by x and of q/p by the others are 0.
  Real d[4][4];
  Real noise_xx, noise_xtx, noise_txtx;  ///< noise of x and tx
  Real noise_yy, noise_yty, noise_tyty;  ///< noise of y and ty
};

/// Covariance of (x, y, tx, ty, q/p): its lower triangle, row by row.
template <class Real>
struct KalmanCovariance {
  static constexpr int size = 5;      ///< rows
  static constexpr int entries = 15;  ///< entries of the lower triangle
  Real c[entries];                    ///< xx, yx, yy, txx, txy, txtx, ...

  /// Index in `c` of an entry.
  KOKKOS_FORCEINLINE_FUNCTION static constexpr int index(int i, int j) {
    return i < j ? j * (j + 1) / 2 + i : i * (i + 1) / 2 + j;
  }
  /// Entry of a row and column.
  KOKKOS_FORCEINLINE_FUNCTION Real& operator()(int i, int j) { return c[index(i, j)]; }
  KOKKOS_FORCEINLINE_FUNCTION const Real& operator()(int i, int j) const { return c[index(i, j)]; }
};

/// Kalman filter of (x, y, tx, ty, q/p): a state and its covariance.
template <class Real>
struct KalmanFilter {
  using T = ScalarOf<Real>;  ///< Scalar of the lanes.

  KalmanState<Real> state;            ///< state after the last step or update
  KalmanCovariance<Real> covariance;  ///< its covariance
  Real chi2;                          ///< sum over all updates
  Real n;                             ///< number of updates

  /// Moves the state: \f$ C' = F C F^T + Q \f$.
  KOKKOS_FUNCTION void move(const KalmanStep<Real>& step) {
    constexpr int n_rows = 4;
    Real m[5][5];  // F C
    for (int i = 0; i < n_rows; ++i)
      for (int j = 0; j < 5; ++j) {
        Real sum = i == 0 ? covariance(0, j) : Real(T(0));
        for (int k = 0; k < n_rows; ++k) sum = fma(step.d[i][k], covariance(k + 1, j), sum);
        m[i][j] = sum;
      }
    for (int i = 0; i < n_rows; ++i) {
      for (int j = 0; j <= i; ++j) {
        Real sum = j == 0 ? m[i][0] : Real(T(0));
        for (int k = 0; k < n_rows; ++k) sum = fma(step.d[j][k], m[i][k + 1], sum);
        covariance(i, j) = sum;
      }
      covariance(4, i) = m[i][4];
    }
    covariance(0, 0) += step.noise_xx;
    covariance(2, 0) += step.noise_xtx;
    covariance(2, 2) += step.noise_txtx;
    covariance(1, 1) += step.noise_yy;
    covariance(3, 1) += step.noise_yty;
    covariance(3, 3) += step.noise_tyty;
    state = step.state;
  }

  /// Updates the lanes of the mask with a measurement of hx x + hy y. The covariance is
  /// \f$ (1-KH)\,C\,(1-KH)^T+K V K^T \f$ (Joseph), which stays precise in single precision where
  /// the measurement is much more precise than the prediction.
  KOKKOS_FUNCTION void update(const Real& hx, const Real& hy, const Real& measured,
                              const Real& variance, const MaskOf<Real>& mask) {
    const Real zero(T(0)), one(T(1));
    Real g[5];  // H C
    for (int i = 0; i < 5; ++i) g[i] = fma(hx, covariance(0, i), hy * covariance(1, i));
    const Real v = select(mask, variance, one);
    const Real per_variance = one / (fma(hx, g[0], hy * g[1]) + v);
    const Real residual = measured - fma(hx, state.x, hy * state.y);
    Real gain[5];
    for (int i = 0; i < 5; ++i) gain[i] = select(mask, g[i] * per_variance, zero);
    Real kept[5][5];  // (1 - K H) C
    for (int i = 0; i < 5; ++i)
      for (int j = 0; j < 5; ++j) kept[i][j] = covariance(i, j) - gain[i] * g[j];
    for (int i = 0; i < 5; ++i) {
      const Real along = fma(hx, kept[i][0], hy * kept[i][1]) - v * gain[i];
      for (int j = 0; j <= i; ++j) covariance(i, j) = kept[i][j] - along * gain[j];
    }
    add_gain(gain, select(mask, residual, zero));
    chi2 += select(mask, residual * residual * per_variance, zero);
    n += select(mask, one, zero);
  }

 private:
  KOKKOS_FORCEINLINE_FUNCTION void add_gain(const Real (&gain)[5], const Real& residual) {
    state.x = fma(gain[0], residual, state.x);
    state.y = fma(gain[1], residual, state.y);
    state.tx = fma(gain[2], residual, state.tx);
    state.ty = fma(gain[3], residual, state.ty);
    state.qop = fma(gain[4], residual, state.qop);
  }
};

/// Filter `a` in the lanes of the mask, `b` in the others.
template <class Real>
KOKKOS_FUNCTION KalmanFilter<Real> select_filter(const MaskOf<Real>& mask,
                                                 const KalmanFilter<Real>& a,
                                                 const KalmanFilter<Real>& b) {
  KalmanFilter<Real> result;
  result.state = {select(mask, a.state.x, b.state.x),   select(mask, a.state.y, b.state.y),
                  select(mask, a.state.z, b.state.z),   select(mask, a.state.tx, b.state.tx),
                  select(mask, a.state.ty, b.state.ty), select(mask, a.state.qop, b.state.qop)};
  for (int i = 0; i < KalmanCovariance<Real>::entries; ++i)
    result.covariance.c[i] = select(mask, a.covariance.c[i], b.covariance.c[i]);
  result.chi2 = select(mask, a.chi2, b.chi2);
  result.n = select(mask, a.n, b.n);
  return result;
}

}  // namespace trackplex::lhcb
