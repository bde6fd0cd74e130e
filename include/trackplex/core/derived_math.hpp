// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/core/expm1.hpp>
#include <trackplex/core/math.hpp>

#include <numbers>

/// @file
/// Functions derived from those of math.hpp, also with the same bits everywhere: C libraries
/// differ in the last bits. Mainly for the host, which computes the constants of kernels.

namespace trackplex {

/// Returns sqrt(x^2 + y^2), error at most 1 ulp where the squares neither overflow nor underflow.
template <RealNumber Real>
KOKKOS_FORCEINLINE_FUNCTION Real hypot(Real x, Real y) {
  return sqrt(fma(x, x, y * y));
}

/// Returns the arc sine, error at most 3 ulp; NaN beyond -1 and 1.
template <RealNumber Real>
KOKKOS_FORCEINLINE_FUNCTION Real asin(Real x) {
  return atan2(x, sqrt((Real(1) - x) * (Real(1) + x)));
}

/// Returns the arc cosine, error at most 3 ulp; NaN beyond -1 and 1.
template <RealNumber Real>
KOKKOS_FORCEINLINE_FUNCTION Real acos(Real x) {
  return atan2(sqrt((Real(1) - x) * (Real(1) + x)), x);
}

/// Returns log(1 + x), error at most 3 ulp.
template <RealNumber Real>
KOKKOS_FORCEINLINE_FUNCTION Real log1p(Real x) {
  const Real one(1), u = one + x, less = u - one;
  return select(less == Real(0), x, log(u) * (x / select(less == Real(0), one, less)));
}

/// Returns the cube root, error at most 1 ulp except for subnormal numbers.
template <RealNumber Real>
KOKKOS_FORCEINLINE_FUNCTION Real cbrt(Real x) {
  using S = ScalarOf<Real>;
  const Real a = abs(x), zero(0);
  const Real safe = select(a > zero, a, Real(1));
  Real root = exp(log(safe) * Real(S(1) / S(3)));
  for (int i = 0; i < 2; ++i) {  // Newton's method, with the exact residual of the cube
    const Real square = root * root, lost = fma(root, root, -square);
    const Real rest = fma(lost, root, fma(square, root, -safe));
    root = root - rest / (Real(3) * square);
  }
  return select(a > zero, copysign(root, x), x);
}

/// Returns the hyperbolic cosine, error at most 3 ulp.
template <RealNumber Real>
KOKKOS_FORCEINLINE_FUNCTION Real cosh(Real x) {
  using S = ScalarOf<Real>;
  const Real e = exp(abs(x));
  return Real(S(0.5)) * (e + Real(1) / e);
}

/// Returns the hyperbolic sine, error at most 3 ulp.
template <RealNumber Real>
KOKKOS_FORCEINLINE_FUNCTION Real sinh(Real x) {
  const Real e = expm1(abs(x));
  return copysign(Real(ScalarOf<Real>(0.5)) * (e + e / (e + Real(1))), x);
}

/// Returns the hyperbolic tangent, error at most 4 ulp.
template <RealNumber Real>
KOKKOS_FORCEINLINE_FUNCTION Real tanh(Real x) {
  const Real e = expm1(Real(-2) * abs(x));
  return copysign(-e / (e + Real(2)), x);
}

/// Returns the inverse hyperbolic sine, error at most 4 ulp.
template <RealNumber Real>
KOKKOS_FORCEINLINE_FUNCTION Real asinh(Real x) {
  using S = ScalarOf<Real>;
  const Real a = abs(x), one(1), limit(S(1e4));  // the squares of larger ones may overflow
  const Real b = min(a, limit), square = b * b, large = max(a, limit);
  const Real per_large = one / large;
  const Real of_large =
      log(large) + Real(S(std::numbers::ln2)) + Real(S(0.25)) * per_large * per_large;
  return copysign(select(a > limit, of_large, log1p(b + square / (one + sqrt(one + square)))), x);
}

/// Returns the inverse hyperbolic cosine, error at most 4 ulp; NaN below 1.
template <RealNumber Real>
KOKKOS_FORCEINLINE_FUNCTION Real acosh(Real x) {
  using S = ScalarOf<Real>;
  const Real limit(S(1e4)), large = max(x, limit), per_large = Real(1) / large;
  const Real of_large =
      log(large) + Real(S(std::numbers::ln2)) - Real(S(0.25)) * per_large * per_large;
  const Real above = min(x, limit) - Real(1);
  return select(x > limit, of_large, log1p(above + sqrt(above * (above + Real(2)))));
}

/// Returns the inverse hyperbolic tangent, error at most 4 ulp; +-infinity at +-1, NaN beyond.
template <RealNumber Real>
KOKKOS_FORCEINLINE_FUNCTION Real atanh(Real x) {
  const Real a = abs(x);
  return copysign(Real(ScalarOf<Real>(0.5)) * (log1p(a) - log1p(-a)), x);
}

}  // namespace trackplex
