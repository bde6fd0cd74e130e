// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// @file
/// Modified Bessel function of the second kind \f$K_1\f$, with the same bits on every backend and
/// lane width, like the functions of core/math.hpp. The fits are those of
/// scripts/math_coefficients.py. Errors are in units of the last place (ulp).

#include <trackplex/core/math.hpp>

#include <type_traits>

namespace trackplex {

namespace detail {

/// (1 - x K1(x)) / x^2 for 0 < x <= 1, from the series of K1 with its logarithm, M. Abramowitz and
/// I. A. Stegun, "Handbook of mathematical functions", 9.6.11. No term is negative.
template <class Real>
KOKKOS_FORCEINLINE_FUNCTION Real k1_deficit(Real x) {
  const Real z = x * x;
  Real i1, rest;
  if constexpr (std::is_same_v<ScalarOf<Real>, float>) {
    i1 = polynomial(z, 0x1p-1f, 0x1.00002p-4f, 0x1.553c5cp-9f, 0x1.d208acp-15f);
    rest = polynomial(z, 0x1.3b5b6p-2f, 0x1.5daep-4f, 0x1.301d4ep-8f, 0x1.e4b634p-14f);
  } else {
    i1 = polynomial(z, 0x1p-1, 0x1p-4, 0x1.5555555555537p-9, 0x1.c71c71c722eaap-15,
                    0x1.6c16c163dc3edp-21, 0x1.845c944e34d33p-28, 0x1.27de4125dbb25p-35,
                    0x1.56a00017de281p-43);
    rest = polynomial(z, 0x1.3b5b6028a83d6p-2, 0x1.5dadb01454252p-4, 0x1.303ae729f897p-8,
                      0x1.d802af847b91p-14, 0x1.a2917ac83cef8p-20, 0x1.e2181da6dfa5cp-27,
                      0x1.8427bb654a27fp-34, 0x1.373567ccbe1bfp-41);
  }
  return fma(-log(x), i1, rest);
}

/// x K1(x) for x >= 1, as sqrt(x) exp(-x) q(1/x).
template <class Real>
KOKKOS_FORCEINLINE_FUNCTION Real k1_tail(Real x) {
  using S = ScalarOf<Real>;
  constexpr bool is_float = std::is_same_v<S, float>;
  const Real end(is_float ? S(120) : S(800));  // the result is 0 from below this value on
  const Real a = select(x > end, end, x);      // NaN passes
  const Real t = Real(1) / a;
  Real above, below;
  if constexpr (is_float) {
    above =
        polynomial(t, 0x1.40d932p0f, 0x1.42fa0ep2f, 0x1.753944p2f, 0x1.18d888p1f, 0x1.922d3ap-3f);
    below = polynomial(t, 0x1p0f, 0x1.d3657cp1f, 0x1.b34d84p1f, 0x1.9a1aacp-1f, 0x1.6ddb2ap-6f);
  } else {
    above = polynomial(t, 0x1.40d931ff62706p0, 0x1.773dd4c11ee08p4, 0x1.57af9a82a493bp7,
                       0x1.412349e306f35p9, 0x1.4ed3c1a9e10f8p10, 0x1.90fd4b9539174p10,
                       0x1.11e946c61a88bp10, 0x1.99b58a928a53cp8, 0x1.329b4ec328cb7p6,
                       0x1.7d92c0e387363p2, 0x1.f6c0f1465ef3dp-4);
    below = polynomial(t, 0x1p0, 0x1.2566407c2aa52p4, 0x1.04b3f7403600ap7, 0x1.d1a05dbc1704fp8,
                       0x1.c5c589ff7f091p9, 0x1.eb815711c4e52p9, 0x1.2147a55193d54p9,
                       0x1.5ae6e2d4f3c62p7, 0x1.74169b88c6cfdp4, 0x1.0e947f8e4a968p0,
                       0x1.c22da8cb707c3p-8);
  }
  return exp(-a) * (sqrt(a) * (above / below));
}

/// Both branches: for lanes with x <= 1, and for the others. A branch that no lane needs is
/// skipped.
template <class Real>
struct K1Parts {
  Real deficit;  ///< 1 - x K1(x) for x <= 1
  Real tail;     ///< x K1(x) for x > 1
  MaskOf<Real> small;

  KOKKOS_FORCEINLINE_FUNCTION explicit K1Parts(Real x) : deficit(0), tail(0), small(x <= Real(1)) {
    const Real zero(0);
    if (any_of(small)) {
      const auto positive = x > zero;
      const Real a = select(positive, x, Real(1));
      deficit = select(positive, a * (a * k1_deficit(a)), nan_unless<Real>(x == zero, zero));
    }
    if (!all_of(small)) tail = k1_tail(select(small, Real(1), x));
  }
};

}  // namespace detail

/// Returns \f$x K_1(x)\f$ for x >= 0, which falls from 1 at x = 0; error at most 5 ulp. NaN for
/// x < 0.
///
/// For x <= 1 from the series of \f$K_1\f$ with its logarithm (M. Abramowitz and I. A. Stegun,
/// "Handbook of Mathematical Functions", 9.6.11), beyond as \f$\sqrt{x}\,e^{-x} q(1/x)\f$ with a
/// rational function q.
template <RealNumber Real>
KOKKOS_FORCEINLINE_FUNCTION Real x_bessel_k1(Real x) {
  const detail::K1Parts<Real> parts(x);
  return select(parts.small, Real(1) - parts.deficit, parts.tail);
}

/// Returns \f$1 - x K_1(x)\f$ for x >= 0, accurate also where it is close to 0: error at most 6 ulp
/// of the result. NaN for x < 0.
template <RealNumber Real>
KOKKOS_FORCEINLINE_FUNCTION Real one_minus_x_bessel_k1(Real x) {
  const detail::K1Parts<Real> parts(x);
  return select(parts.small, parts.deficit, Real(1) - parts.tail);
}

/// Returns \f$K_1(x)\f$ for x >= 0, infinite at x = 0; error at most 5 ulp. NaN for x < 0.
template <RealNumber Real>
KOKKOS_FORCEINLINE_FUNCTION Real bessel_k1(Real x) {
  return x_bessel_k1(x) / x;
}

}  // namespace trackplex
