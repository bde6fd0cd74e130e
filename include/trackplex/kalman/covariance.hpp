// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/matriplex/matrix.hpp>

namespace trackplex::kalman {

/// Part of the square of a correlation by which rounding may take it beyond 1.
inline constexpr double correlation_tolerance = 1e-2;

/// Returns the smallest of the variances, the diagonal of a covariance; whichever where one is NaN.
template <class Real, int N>
KOKKOS_FORCEINLINE_FUNCTION Real smallest_variance(const Symmetric<Real, N>& covariance) {
  Real smallest = covariance(0, 0);
  for (int i = 1; i < N; ++i) smallest = min(smallest, covariance(i, i));
  return smallest;
}

/// Returns the lanes in which a symmetric matrix can be a covariance: no variance is negative or
/// NaN, and no correlation beyond 1, \f$ c_{ij}^2\le(1+t)\,c_{ii}c_{jj} \f$ with the tolerance t.
template <class Real, int N>
KOKKOS_FORCEINLINE_FUNCTION MaskOf<Real> is_covariance(const Symmetric<Real, N>& c,
                                                       double tolerance = correlation_tolerance) {
  const Real limit(ScalarOf<Real>(1. + tolerance));
  MaskOf<Real> possible = c(0, 0) >= Real(0);
  for (int i = 1; i < N; ++i) {
    possible = possible && c(i, i) >= Real(0);
    for (int j = 0; j < i; ++j)
      possible = possible && c(i, j) * c(i, j) <= limit * c(i, i) * c(j, j);
  }
  return possible;
}

}  // namespace trackplex::kalman
