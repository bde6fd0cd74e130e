// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/kalman/track_state.hpp>

namespace trackplex::kalman {

/// Effects of rounding that a covariance may have.
/// @tparam T its scalar
template <class T>
struct CovarianceTolerance {
  /// Part of the square of a correlation by which a state's may be beyond 1: on a surface two
  /// coordinates depend on each other, and their errors have shrunk by orders of magnitude.
  static constexpr T correlation = sizeof(T) == 4 ? T(0.5) : T(0.01);
  /// The same for the start of a fit, which is the result of another fit or computed from hits.
  static constexpr T start = sizeof(T) == 4 ? T(3) : T(0.01);
  /// Part of the largest variance of the position by which others may be off: the position has none
  /// across the surface of the state.
  static constexpr T position = sizeof(T) == 4 ? T(1e-5) : T(1e-10);
};

/// Returns the lanes in which a symmetric matrix can be a covariance: no variance is negative or
/// NaN, and no correlation beyond 1, \f$ c_{ij}^2\le(1+t)\,c_{ii}c_{jj} \f$ with the tolerance t.
template <class Real, int N>
KOKKOS_FORCEINLINE_FUNCTION MaskOf<Real> is_covariance(const Symmetric<Real, N>& c,
                                                       double tolerance = 0.01) {
  const Real limit(ScalarOf<Real>(1. + tolerance));
  MaskOf<Real> possible = c(0, 0) >= Real(0);
  for (int i = 1; i < N; ++i) {
    possible = possible && c(i, i) >= Real(0);
    for (int j = 0; j < i; ++j)
      possible = possible && c(i, j) * c(i, j) <= limit * c(i, i) * c(j, j);
  }
  return possible;
}

/// Returns the lanes in which no variance of a state is negative, within `CovarianceTolerance`.
template <class Real>
KOKKOS_FORCEINLINE_FUNCTION MaskOf<Real> has_positive_variances(const Covariance<Real>& c) {
  using Tolerance = CovarianceTolerance<ScalarOf<Real>>;
  const Real least = min(c(0, 0), min(c(1, 1), c(2, 2))),
             largest = max(c(0, 0), max(c(1, 1), c(2, 2)));
  return fma(Real(Tolerance::position), largest, least) >= Real(0) &&
         min(c(3, 3), min(c(4, 4), c(5, 5))) >= Real(0);
}

/// Returns the lanes in which a matrix can be the covariance of a state: as `is_covariance`, within
/// `CovarianceTolerance`.
template <class Real>
KOKKOS_FORCEINLINE_FUNCTION MaskOf<Real> is_state_covariance(
    const Covariance<Real>& c,
    ScalarOf<Real> tolerance = CovarianceTolerance<ScalarOf<Real>>::correlation) {
  using T = ScalarOf<Real>;
  using Tolerance = CovarianceTolerance<T>;
  const Real limit(T(1) + tolerance);
  const Real slack = Real(Tolerance::position) * max(c(0, 0), max(c(1, 1), c(2, 2)));
  Real variance[6];
  for (int i = 0; i < 6; ++i) variance[i] = i < 3 ? c(i, i) + slack : c(i, i);
  MaskOf<Real> possible = variance[0] >= Real(0);
  for (int i = 1; i < 6; ++i) {
    possible = possible && variance[i] >= Real(0);
    for (int j = 0; j < i; ++j)
      possible = possible && c(i, j) * c(i, j) <= limit * variance[i] * variance[j];
  }
  return possible;
}

}  // namespace trackplex::kalman
