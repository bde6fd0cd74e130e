// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/core/math.hpp>

#include <cmath>
#include <concepts>
#include <limits>
#include <numbers>

/// @file
/// Powers and decimal logarithms in double precision, with the same bits everywhere: for the
/// host, which computes the constants of kernels. If the exact result is a double-precision number,
/// it is returned: `pow(2., 10.)` is 1024, `pow(4., 1.5)` is 8 and `log10(1000.)` is 3.

namespace trackplex {

namespace detail {

/// An unrounded number, high + low.
struct TwoParts {
  double high,  ///< The number, rounded.
      low;      ///< Rounding error.
};

/// Returns high + low, for |high| >= |low|, in two parts, the first of which is the rounded sum.
inline TwoParts two_parts(double high, double low) {
  const double sum = high + low;
  return {sum, (high - sum) + low};
}

/// Returns log x for a finite x > 0, relative error 2^-64.
///
/// x = 2^e m with sqrt(1/2) <= m < sqrt(2); log m = 2 atanh s = 2 s (1 + z/3 + z^2/5 + ...) with
/// s = (m - 1) / (m + 1) and z = s^2 < 0.03, the first two terms in two parts.
inline TwoParts log_in_two_parts(double x) {
  int exponent;
  double m = std::frexp(x, &exponent);
  if (m < 0x1.6a09e667f3bcdp-1) {
    m *= 2.;
    --exponent;
  }
  const double f = m - 1., sum = 1. + m, sum_low = m - (sum - 1.);
  const double s = f / sum, s_low = (fma(-s, sum, f) - s * sum_low) / sum;
  const double z = s * s, z_low = fma(s, s, -z) + 2. * s * s_low;
  double rest = 0.;  // z/5 + z^2/7 + ...
  for (int k = 31; k >= 5; k -= 2) rest = z * (1. / k + rest);
  const auto [third, third_low] = two_parts(1. / 3., rest);
  const double third_rest = third_low + 0x1.5555555555555p-56;  // of 1/3
  const double t = z * third, t_low = fma(z, third, -t) + (z * third_rest + z_low * third);
  const double u = s * t, u_low = fma(s, t, -u) + (s * t_low + s_low * t);
  const auto [half, half_low] = two_parts(s, u);
  const double half_rest = half_low + (s_low + u_low);
  if (exponent == 0) return two_parts(2. * half, 2. * half_rest);
  const double e = exponent, log_2 = 0x1.62e42fefa39efp-1, log_2_low = 0x1.abc9e3b39803fp-56;
  const auto [high, low] = two_parts(e * log_2, 2. * half);
  return two_parts(high, low + (fma(e, log_2, -(e * log_2)) + (e * log_2_low + 2. * half_rest)));
}

/// Returns x^y for finite x > 0 and y.
inline double positive_power(double x, double y) {
  const TwoParts log_x = log_in_two_parts(x);
  const double high = y * log_x.high;
  if (abs(high) > 750.) return high > 0. ? std::numeric_limits<double>::infinity() : 0.;
  const double low = fma(y, log_x.high, -high) + y * log_x.low;
  const double result = exp(high);
  if (result == std::numeric_limits<double>::infinity()) return result;
  if (result < 0x1p-960) return fma(result, low, result);
  const TwoParts log_result = log_in_two_parts(result);  // a step of Newton's method
  return fma(result, (high - log_result.high) + (low - log_result.low), result);
}

}  // namespace detail

/// Returns x^y, error at most 0.6 ulp, 3 ulp where the result is below 1e-288; special arguments as
/// in C: `pow(x, 0.)` and `pow(1., y)` are 1, NaN for x < 0 unless y is a whole number.
template <std::same_as<double> Real>
Real pow(Real x, Real y) {
  if (y == 0. || x == 1.) return 1.;
  if (x != x || y != y) return x + y;
  constexpr double infinity = std::numeric_limits<double>::infinity();
  const double a = abs(x);
  const bool is_whole = floor(y) == y, is_odd = is_whole && floor(0.5 * y) != 0.5 * y;
  double result;
  if (a == 0. || a == infinity) {
    result = (a == 0.) == (y > 0.) ? 0. : infinity;
  } else if (abs(y) == infinity) {
    result = a == 1. ? 1. : (a > 1.) == (y > 0.) ? infinity : 0.;
  } else if (x < 0. && !is_whole) {
    return std::numeric_limits<double>::quiet_NaN();
  } else {
    result = detail::positive_power(a, y);
  }
  return is_odd ? copysign(result, x) : result;
}

/// Returns the decimal logarithm, error at most 0.6 ulp. log10(+-0) = -inf, NaN for x < 0.
template <std::same_as<double> Real>
Real log10(Real x) {
  if (!(x > 0. && x < std::numeric_limits<double>::infinity())) return log(x);
  const detail::TwoParts log_x = detail::log_in_two_parts(x);
  const double per_decade = std::numbers::log10e, per_decade_low = 0x1.95355baaafad3p-57;
  const double high = log_x.high * per_decade;
  return high + (fma(log_x.high, per_decade, -high) +
                 (log_x.high * per_decade_low + log_x.low * per_decade));
}

}  // namespace trackplex
