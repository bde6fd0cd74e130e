// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// @file
/// Functions whose arguments are nearly always small: a short polynomial, and the general formula
/// only if an argument in any lane is not small. The value in a lane depends only on its own
/// argument, so that bits do not depend on lanes.

#include <trackplex/core/math.hpp>

#include <type_traits>

namespace trackplex::beam::detail {

/// Returns sqrt(1 + q) - 1 for q >= 0: the path length that squared slopes q = xp^2 + yp^2 add, in
/// units of the length along the axis; error at most 4 ulp.
template <class Real>
KOKKOS_FORCEINLINE_FUNCTION Real path_excess(const Real& q) {
  using S = ScalarOf<Real>;
  const Real one(1);
  const Real small =
      q * trackplex::detail::polynomial(q, S(0.5), S(-0.125), S(0.0625), S(-0x1.4p-5));
  const auto large = q > Real(S(0x1p-14));
  if (none_of(large)) return small;
  return select(large, q / (one + sqrt(one + q)), small);
}

/// Polynomial of degree 6 by the scheme of G. Estrin, whose chain of operations is shorter than
/// W. G. Horner's.
template <class Real>
KOKKOS_FORCEINLINE_FUNCTION Real short_polynomial(const Real& z, double c0, double c1, double c2,
                                                  double c3, double c4, double c5, double c6) {
  const Real z2 = z * z, z4 = z2 * z2;
  const Real low = fma(z2, fma(Real(c3), z, Real(c2)), fma(Real(c1), z, Real(c0)));
  return fma(z4, fma(z2, Real(c6), fma(Real(c5), z, Real(c4))), low);
}
/// The same of degree 5.
template <class Real>
KOKKOS_FORCEINLINE_FUNCTION Real short_polynomial(const Real& z, double c0, double c1, double c2,
                                                  double c3, double c4, double c5) {
  const Real z2 = z * z, z4 = z2 * z2;
  const Real low = fma(z2, fma(Real(c3), z, Real(c2)), fma(Real(c1), z, Real(c0)));
  return fma(z4, fma(Real(c5), z, Real(c4)), low);
}

/// p and q of sin x = x + x z p(z) and cos x = 1 - z/2 + z^2 q(z), z = x^2, for |x| <= pi/4.
template <class Real>
KOKKOS_FORCEINLINE_FUNCTION SinCos<Real> short_sincos_polynomials(const Real& z) {
  if constexpr (std::is_same_v<ScalarOf<Real>, float>) {
    return trackplex::detail::sincos_polynomials(z);
  } else {
    return {
        short_polynomial(z, -0x1.5555555555545p-3, 0x1.111111110f26dp-7, -0x1.a01a019b4e193p-13,
                         0x1.71de34ccf110ap-19, -0x1.ae5ddfc767276p-26, 0x1.5d6bdde772635p-33),
        short_polynomial(z, 0x1.5555555555548p-5, -0x1.6c16c16c149a5p-10, 0x1.a01a019bef041p-16,
                         -0x1.27e4f77e2c3b6p-22, 0x1.1ee98d7c28b16p-29, -0x1.8f7e01afdddd3p-37)};
  }
}

/// q of atanh(x)/x = 1 + z q(z), z = x^2, for 2 atanh |x| <= log(2)/2.
template <class Real>
KOKKOS_FORCEINLINE_FUNCTION Real short_atanh_polynomial(const Real& z) {
  if constexpr (std::is_same_v<ScalarOf<Real>, float>) {
    return trackplex::detail::polynomial(z, 0x1.555556p-2f, 0x1.99999ap-3f, 0x1.24924ap-3f,
                                         0x1.d5p-4f);
  } else {
    return short_polynomial(z, 0x1.5555555555592p-2, 0x1.999999997ff04p-3, 0x1.24924941e331p-3,
                            0x1.c71c521265a51p-4, 0x1.74663d638055cp-4, 0x1.39a1db6822cfp-4,
                            0x1.2f044e1acc7acp-4);
  }
}

/// Returns sin x and cos x, error at most 1.6 ulp, with shorter chains of operations than `sincos`
/// where |x| is below pi/4.
template <class Real>
KOKKOS_FORCEINLINE_FUNCTION SinCos<Real> sincos_near_zero(const Real& x) {
  using S = ScalarOf<Real>;
  const Real z = x * x;
  const auto p = short_sincos_polynomials(z);
  const SinCos<Real> small{fma(z * p.sin, x, x), fma(z * z, p.cos, fma(z, Real(S(-0.5)), Real(1)))};
  const auto large = !(abs(x) < Real(S(0.785)));
  if (none_of(large)) return small;
  const auto general = sincos(x);
  return {select(large, general.sin, small.sin), select(large, general.cos, small.cos)};
}

/// Returns a cos x + b sin x, rounded a few times, as `sincos_near_zero` but with shorter chains.
template <class Real>
KOKKOS_FORCEINLINE_FUNCTION Real wave_near_zero(const Real& x, const Real& a, const Real& b) {
  using S = ScalarOf<Real>;
  const Real z = x * x, bx = b * x;
  const auto p = short_sincos_polynomials(z);
  const Real low = fma(a, fma(z, Real(S(-0.5)), Real(1)), bx);
  const Real small = fma(bx * z, p.sin, fma(a * (z * z), p.cos, low));
  const auto large = !(abs(x) < Real(S(0.785)));
  if (none_of(large)) return small;
  const auto general = sincos(x);
  return select(large, fma(a, general.cos, b * general.sin), small);
}

/// Returns atanh(x)/x for |x| < 1, error at most 4 ulp; 1 at 0. It is the mean of 1/t between
/// positive numbers a and b without a difference of nearly equal ones:
/// log(b/a)/(b - a) = 2 atanhc((b - a)/(a + b))/(a + b).
template <class Real>
KOKKOS_FORCEINLINE_FUNCTION Real atanhc(const Real& x) {
  using S = ScalarOf<Real>;
  const Real half(S(0.5)), one(1), z = x * x;
  const Real small = fma(z, short_atanh_polynomial(z), one);
  const auto large = abs(x) > Real(S(0.1715));  // about (sqrt(2) - 1)/(sqrt(2) + 1)
  if (none_of(large)) return small;
  return select(large, half * log((one + x) / (one - x)) / x, small);
}

}  // namespace trackplex::beam::detail
