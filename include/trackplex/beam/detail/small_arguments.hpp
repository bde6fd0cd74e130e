// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// @file
/// Functions whose arguments are nearly always small: a short polynomial, and the general formula
/// only where an argument in any lane is not small. The value in a lane depends on its own argument
/// only, so that bits do not depend on lanes.

#include <trackplex/core/math.hpp>

namespace trackplex::beam::detail {

/// Returns sqrt(1 + q) - 1 for q >= 0: the path length that squared slopes q = xp^2 + yp^2 add, in
/// units of the length along the axis; error at most 4 ulp.
template <class Real>
KOKKOS_FORCEINLINE_FUNCTION Real path_excess(const Real& q) {
  using S = ScalarOf<Real>;
  const Real one(1);
  Real small;
  if constexpr (std::is_same_v<S, float>) {
    small = q * trackplex::detail::polynomial(q, 0.5f, -0.125f, 0.0625f, -0x1.4p-5f);
  } else {
    small = q * trackplex::detail::polynomial(q, 0.5, -0.125, 0.0625, -0x1.4p-5, 0x1.cp-6,
                                              -0x1.5p-6, 0x1.08p-6);
  }
  const auto large = q > Real(S(0x1p-9));
  if (none_of(large)) return small;
  return select(large, q / (one + sqrt(one + q)), small);
}

/// Returns sin x and cos x, the same bits as `sincos`.
template <class Real>
KOKKOS_FORCEINLINE_FUNCTION SinCos<Real> sincos_near_zero(const Real& x) {
  using S = ScalarOf<Real>;
  if (any_of(!(abs(x) < Real(S(0.785))))) return sincos(x);
  const Real z = x * x;
  const auto p = trackplex::detail::sincos_polynomials(z);
  return {fma(z * p.sin, x, x), fma(z * z, p.cos, fma(z, Real(S(-0.5)), Real(1)))};
}

/// Returns atanh(x)/x for |x| < 1, error at most 4 ulp; 1 at 0. It is the mean of 1/t between
/// positive numbers a and b without a difference of nearly equal ones:
/// log(b/a)/(b - a) = 2 atanhc((b - a)/(a + b))/(a + b).
template <class Real>
KOKKOS_FORCEINLINE_FUNCTION Real atanhc(const Real& x) {
  using S = ScalarOf<Real>;
  const Real half(S(0.5)), one(1), z = x * x;
  const Real small = fma(half * z, trackplex::detail::atanh_polynomial(z), one);
  const auto large = abs(x) > Real(S(0.1715));  // about (sqrt(2) - 1)/(sqrt(2) + 1)
  if (none_of(large)) return small;
  return select(large, half * log((one + x) / (one - x)) / x, small);
}

}  // namespace trackplex::beam::detail
