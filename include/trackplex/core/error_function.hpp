// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/core/math.hpp>

#include <concepts>
#include <numbers>

/// @file
/// Error function in double precision, with the same bits everywhere: for the host, which computes
/// the constants of kernels.

namespace trackplex {

namespace detail {

/// Returns e^(-x^2) without the error from the rounding of x^2.
inline double exp_of_minus_square(double x) {
  const double square = x * x, low = fma(x, x, -square), power = exp(-square);
  return fma(-low, power, power);
}

/// Returns erf x for 0 <= x <= 1: 2 x e^(-x^2) / sqrt(pi) times the sum of (2 x^2)^n / (2 n + 1)!!
/// (M. Abramowitz, I. Stegun, "Handbook of mathematical functions" (1964), eq. 7.1.6).
inline double small_erf(double x) {
  double sum = 1.;
  for (int n = 30; n > 0; --n) sum = fma(2. * x * x / (2 * n + 1), sum, 1.);
  return 2. * std::numbers::inv_sqrtpi * x * exp_of_minus_square(x) * sum;
}

/// Returns erfc x for x >= 0.5, by the continued fraction x + (1/2)/(x + 1/(x + (3/2)/(x + ...
/// (eq. 7.1.14).
inline double large_erfc(double x) {
  if (x > 28.) return 0.;
  double fraction = x;
  for (int n = 2000; n > 0; --n) fraction = x + 0.5 * n / fraction;
  return std::numbers::inv_sqrtpi * exp_of_minus_square(x) / fraction;
}

}  // namespace detail

/// Returns 2 / sqrt(pi) times the integral of e^(-t^2) from 0 to x, error at most 5 ulp.
template <std::same_as<double> Real>
Real erf(Real x) {
  const double a = abs(x);
  return a != a ? x : copysign(a < 1. ? detail::small_erf(a) : 1. - detail::large_erfc(a), x);
}

/// Returns 1 - erf x, error at most 6 ulp, except where the result is below 1e-290.
template <std::same_as<double> Real>
Real erfc(Real x) {
  if (x != x) return x;
  if (x < 0.) return 1. + erf(-x);
  return x < 0.5 ? 1. - detail::small_erf(x) : detail::large_erfc(x);
}

}  // namespace trackplex
