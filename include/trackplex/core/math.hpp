// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// @file
/// Elementary functions with the same bits on every backend and lane width: written once on the
/// number type, without branches or tables, from fma, +, -, *, / and integer operations. Scalars
/// and lanes of float and double; every function computes in the precision of its argument.
///
/// Errors are in units of the last place (ulp) of the exact result, the largest found in
/// comparisons with the long double library over all exponents of the stated range. Angles are in
/// radians. Special arguments are treated as in C (ISO/IEC 9899:2018, annex F) unless stated
/// otherwise; the sign and payload of a NaN are not specified. The polynomials are minimax fits of
/// scripts/math_coefficients.py.
///
/// Call them unqualified inside namespace trackplex, or qualified: after a using-directive, a plain
/// `sin(x)` of a scalar would be the C library's.

#include <trackplex/core/detail/logarithm.hpp>
#include <trackplex/core/lanes.hpp>
#include <trackplex/core/math_parts.hpp>
#include <trackplex/core/number.hpp>

#include <concepts>
#include <cstdint>
#include <type_traits>

namespace trackplex {

/// Number type whose elements are `float` or `double`.
template <class T>
concept RealNumber = Number<T> &&
    (std::same_as<ScalarOf<T>, float> || std::same_as<ScalarOf<T>, double>);

// Rounding ----------------------------------------------------------------------------------------

/// Returns the nearest integer, halves to even; exact for all arguments, the sign of zero is kept.
template <RealNumber Real>
KOKKOS_FORCEINLINE_FUNCTION Real rint(Real x) {
  constexpr int bits = detail::FloatFormat<ScalarOf<Real>>::fraction_bits;
  const Real limit(static_cast<ScalarOf<Real>>(std::uint64_t{1} << bits));
  const Real a = abs(x);
  return select(a < limit, copysign((a + limit) - limit, x), x);
}

/// Returns the largest integer that is not above x.
template <RealNumber Real>
KOKKOS_FORCEINLINE_FUNCTION Real floor(Real x) {
  const Real n = rint(x);
  return select(n > x, n - Real(1), n);
}

/// Returns the smallest integer that is not below x.
template <RealNumber Real>
KOKKOS_FORCEINLINE_FUNCTION Real ceil(Real x) {
  const Real n = rint(x);
  return copysign(select(n < x, n + Real(1), n), x);
}

// Trigonometric functions -------------------------------------------------------------------------

/// Sine and cosine of one angle.
template <RealNumber Real>
struct SinCos {
  Real sin,  ///< Sine.
      cos;   ///< Cosine.
};

namespace detail {

/// Largest |x| of sin, cos, sincos and tan.
template <class Scalar>
inline constexpr Scalar trigonometric_limit = Scalar(0x1p30);
template <>
inline constexpr float trigonometric_limit<float> = 0x1p17f;

/// An angle as quadrant * pi/2 + rest, with |rest| <= pi/4 (slightly more for large angles).
template <class Real>
struct ReducedAngle {
  Real rest, rest_low;        ///< rest_low: error of the rounding of rest
  UnsignedOf<Real> quadrant;  ///< in the two lowest bits
};

/// Reduction of 0 <= a <= trigonometric_limit after W. J. Cody and W. Waite, "Software manual for
/// the elementary functions" (1980): pi/2 in three parts. With fma the first difference is exact
/// and the others have a single rounding, so that 72 (159) bits of pi/2 are used.
template <bool WithLow, class Real>
KOKKOS_FORCEINLINE_FUNCTION ReducedAngle<Real> reduce_angle(Real a) {
  using S = ScalarOf<Real>;
  constexpr bool is_float = std::is_same_v<S, float>;
  const Real rounder(FloatFormat<S>::rounder);
  const Real per_quarter(is_float ? S(0x1.45f306p-1f) : S(0x1.45f306dc9c883p-1));
  const Real part1(is_float ? S(-0x1.921fb6p+0f) : S(-0x1.921fb54442d18p+0));
  const Real part2(is_float ? S(0x1.777a5cp-25f) : S(-0x1.1a62633145c07p-54));
  const Real part3(is_float ? S(0x1.ee59dap-50f) : S(0x1.f1976b7ed8fbcp-110));
  const Real shifted = fma(a, per_quarter, rounder);
  const Real k = shifted - rounder;
  const Real rest1 = fma(k, part1, a);
  const auto quadrant = bit_cast<UnsignedOf<Real>>(shifted);
  if constexpr (!WithLow) {
    return {fma(k, part3, fma(k, part2, rest1)), Real(0), quadrant};
  } else {
    const Real product = k * part2;
    const Real sum = rest1 + product;
    const Real added = sum - rest1;
    const Real error = (rest1 - (sum - added)) + (product - added);  // sum + error is exact
    const Real low = fma(k, part3, fma(k, part2, -product) + error);
    const Real rest = sum + low;
    return {rest, (sum - rest) + low, quadrant};
  }
}

/// p and q of sin r = r + r z p(z) and cos r = 1 - z/2 + z^2 q(z), z = r^2, for |r| <= 0.8.
template <class Real>
KOKKOS_FORCEINLINE_FUNCTION SinCos<Real> sincos_polynomials(Real z) {
  Real sine, cosine;
  if constexpr (std::is_same_v<ScalarOf<Real>, float>) {
    sine = polynomial(z, -0x1.555544p-3f, 0x1.1106aep-7f, -0x1.990f92p-13f);
    cosine = polynomial(z, 0x1.555548p-5f, -0x1.6c0af4p-10f, 0x1.99911cp-16f);
  } else {
    sine = polynomial(z, -0x1.5555555555545p-3, 0x1.111111110f26dp-7, -0x1.a01a019b4e193p-13,
                      0x1.71de34ccf110ap-19, -0x1.ae5ddfc767276p-26, 0x1.5d6bdde772635p-33);
    cosine = polynomial(z, 0x1.5555555555548p-5, -0x1.6c16c16c149a5p-10, 0x1.a01a019bef041p-16,
                        -0x1.27e4f77e2c3b6p-22, 0x1.1ee98d7c28b16p-29, -0x1.8f7e01afdddd3p-37);
  }
  return {sine, cosine};
}

/// sin and cos of the angle `quadrant` * pi/2 + r, the sine with the sign bits of `sign` flipped.
template <class Real>
KOKKOS_FORCEINLINE_FUNCTION SinCos<Real> sincos_of(ReducedAngle<Real> angle,
                                                   UnsignedOf<Real> sign) {
  using Unsigned = UnsignedOf<Real>;
  constexpr int to_sign = 8 * sizeof(ScalarOf<Real>) - 2;  // from bit 1
  const Real r = angle.rest, z = r * r;
  const auto p = sincos_polynomials(z);
  const Real sine = fma(z * p.sin, r, r);
  const Real cosine = fma(z * z, p.cos, fma(z, Real(ScalarOf<Real>(-0.5)), Real(1)));
  const Unsigned quadrant = angle.quadrant;
  const auto even = (quadrant & Unsigned(1)) == Unsigned(0);
  return {flip_sign(select(even, sine, cosine), (quadrant << to_sign) ^ sign),
          flip_sign(select(even, cosine, sine), (quadrant + Unsigned(1)) << to_sign)};
}

}  // namespace detail

/// Returns sin x and cos x for |x| <= 2^17 (float) or 2^30 (double), error at most 1.6 ulp; NaN for
/// larger |x|, infinities and NaN. sin(-0) is -0.
template <RealNumber Real>
KOKKOS_FORCEINLINE_FUNCTION SinCos<Real> sincos(Real x) {
  const Real limit(detail::trigonometric_limit<ScalarOf<Real>>);
  Real a = abs(x);
  a = detail::nan_unless(a <= limit, a);
  return detail::sincos_of(detail::reduce_angle<false>(a), bit_cast<UnsignedOf<Real>>(x));
}

/// Returns sin x, the same bits as `sincos`.
template <RealNumber Real>
KOKKOS_FORCEINLINE_FUNCTION Real sin(Real x) {
  return sincos(x).sin;
}

/// Returns cos x, the same bits as `sincos`.
template <RealNumber Real>
KOKKOS_FORCEINLINE_FUNCTION Real cos(Real x) {
  return sincos(x).cos;
}

namespace detail {

/// sin(pi a) and cos(pi a) for 0 <= a <= 2^20 (float) or 2^50 (double), the sine with the sign bits
/// of `sign` flipped.
template <class Real>
KOKKOS_FORCEINLINE_FUNCTION SinCos<Real> sincospi_of(Real a, UnsignedOf<Real> sign) {
  using S = ScalarOf<Real>;
  const Real rounder(FloatFormat<S>::rounder);
  const Real shifted = fma(a, Real(2), rounder);
  const Real rest = fma(shifted - rounder, Real(S(-0.5)), a);
  Real angle;
  if constexpr (std::is_same_v<S, float>) {
    angle = fma(rest, Real(0x1.921fb6p+1f), rest * Real(-0x1.777a5cp-24f));
  } else {
    angle = fma(rest, Real(0x1.921fb54442d18p+1), rest * Real(0x1.1a62633145c07p-53));
  }
  return sincos_of<Real>({angle, Real(0), bit_cast<UnsignedOf<Real>>(shifted)}, sign);
}

}  // namespace detail

/// Returns sin(pi x) and cos(pi x) for |x| <= 2^20 (float) or 2^50 (double), error at most 1.6 ulp:
/// the reduction of the argument is exact. NaN for larger |x|.
template <RealNumber Real>
KOKKOS_FORCEINLINE_FUNCTION SinCos<Real> sincospi(Real x) {
  using S = ScalarOf<Real>;
  Real a = abs(x);
  a = detail::nan_unless(a <= Real(std::is_same_v<S, float> ? S(0x1p20) : S(0x1p50)), a);
  return detail::sincospi_of(a, bit_cast<UnsignedOf<Real>>(x));
}

/// Returns the same bits as `sincospi` for 0 <= x <= 2^20 (float) or 2^50 (double); undefined
/// for other numbers.
template <RealNumber Real>
KOKKOS_FORCEINLINE_FUNCTION SinCos<Real> sincospi_of_positive(Real x) {
  return detail::sincospi_of(x, UnsignedOf<Real>(0));
}

/// Returns tan x in the range of `sincos`, error at most 1 ulp.
template <RealNumber Real>
KOKKOS_FORCEINLINE_FUNCTION Real tan(Real x) {
  using Unsigned = UnsignedOf<Real>;
  using S = ScalarOf<Real>;
  const Real limit(detail::trigonometric_limit<S>);
  Real a = abs(x);
  a = detail::nan_unless(a <= limit, a);
  const auto angle = detail::reduce_angle<true>(a);
  const Real r = angle.rest, z = r * r, one(1), minus_half(S(-0.5));
  const auto p = detail::sincos_polynomials(z);
  const Real sine = fma(z * p.sin, r, r);
  const Real half_way = fma(z, minus_half, one);
  const Real cosine = fma(z * z, p.cos, half_way);
  // errors of the roundings of the angle, of its sine and cosine, and of their quotient
  const Real sine_rest = fma(cosine, angle.rest_low, fma(z * p.sin, r, r - sine));
  const Real cosine_rest = fma(z * z, p.cos, half_way - cosine) +
                           fma(-sine, angle.rest_low, fma(z, minus_half, one - half_way));
  const auto even = (angle.quadrant & Unsigned(1)) == Unsigned(0);
  const Real up = select(even, sine, cosine), up_rest = select(even, sine_rest, cosine_rest);
  const Real down = select(even, cosine, sine), down_rest = select(even, cosine_rest, sine_rest);
  const Real quotient = up / down;
  const Real remainder = fma(-quotient, down, up) + fma(-quotient, down_rest, up_rest);
  const Real corrected = quotient + remainder / down;
  constexpr int to_sign = 8 * sizeof(S) - 1;
  return detail::flip_sign(corrected, (angle.quadrant << to_sign) ^ bit_cast<Unsigned>(x));
}

// Inverse tangent ---------------------------------------------------------------------------------

namespace detail {

/// atan t for 0 <= t <= 1.
template <class Real>
KOKKOS_FORCEINLINE_FUNCTION Real atan_polynomial(Real t) {
  const Real z = t * t;
  Real p;
  if constexpr (std::is_same_v<ScalarOf<Real>, float>) {
    p = polynomial(z, -0x1.55553ep-2f, 0x1.9991e4p-3f, -0x1.242086p-3f, 0x1.c08c46p-4f,
                   -0x1.5808d4p-4f, 0x1.da2824p-5f, -0x1.fd77dep-6f, 0x1.641b18p-7f,
                   -0x1.d3426cp-10f);
  } else {
    p = polynomial(z, -0x1.5555555555526p-2, 0x1.99999999955b4p-3, -0x1.249249237f591p-3,
                   0x1.c71c717fcff67p-4, -0x1.745d11ae7fa15p-4, 0x1.3b13669ab1209p-4,
                   -0x1.110e512b3bd2bp-4, 0x1.e1bba69b33c12p-5, -0x1.ae5e737c291e2p-5,
                   0x1.82dad9beb71bfp-5, -0x1.59a403c33c179p-5, 0x1.2c2e641f4ce7p-5,
                   -0x1.e9fa1e7352391p-6, 0x1.683cd6a81d835p-6, -0x1.c78fd8c94aa83p-7,
                   0x1.d7b926797ca2cp-8, -0x1.7a3988fafea18p-9, 0x1.b3fa9d42ed758p-11,
                   -0x1.3f36143a7f724p-13, 0x1.bbed2bdf2773cp-17);
  }
  return fma(z * p, t, t);
}

/// base * pi/2 + a, for base 0, 1 or 2.
template <class Real>
KOKKOS_FORCEINLINE_FUNCTION Real add_quarters(Real base, Real a) {
  if constexpr (std::is_same_v<ScalarOf<Real>, float>) {
    return fma(base, Real(0x1.921fb6p+0f), fma(base, Real(-0x1.777a5cp-25f), a));
  } else {
    return fma(base, Real(0x1.921fb54442d18p+0), fma(base, Real(0x1.1a62633145c07p-54), a));
  }
}

}  // namespace detail

/// Returns the inverse tangent of x in [-pi/2, pi/2], error at most 1.6 ulp.
template <RealNumber Real>
KOKKOS_FORCEINLINE_FUNCTION Real atan(Real x) {
  const Real one(1), zero(0);
  const Real a = abs(x);
  const auto large = a > one;
  const Real angle = detail::atan_polynomial(select(large, one, a) / select(large, a, one));
  const Real base = select(large, one, zero);
  return copysign(detail::add_quarters(base, select(large, -angle, angle)), x);
}

/// Returns the azimuth of the point (x, y) in [-pi, pi], error at most 1.7 ulp; zeros and
/// infinities as in C: atan2(+-0, -0) = +-pi, atan2(+-inf, -inf) = +-3 pi/4.
template <RealNumber Real>
KOKKOS_FORCEINLINE_FUNCTION Real atan2(Real y, Real x) {
  using Integer = IntegerOf<Real>;
  const Real zero(0), one(1), two(2);
  const Real a = abs(x), b = abs(y);
  const auto steep = b > a;
  const auto left = bit_cast<Integer>(x) < Integer(0);
  const Real small = select(steep, a, b), large = select(steep, b, a);
  Real t = small / large;
  t = select(t == t, t, min(large, one));  // 0/0 is 0, inf/inf is 1
  const Real angle = detail::atan_polynomial(t);
  const Real base = select(steep, one, select(left, two, zero));
  const Real result = detail::add_quarters(base, select(steep ^ left, -angle, angle));
  return copysign(select((x == x) && (y == y), result, x + y), y);
}

// Exponential and logarithm -----------------------------------------------------------------------

namespace detail {

/// An exponent x = k log 2 + r, |r| <= log(2)/2.
template <class Real>
struct ReducedExponent {
  Real shifted, k;    ///< shifted: k plus `FloatFormat::rounder`
  Real power_less_1;  ///< e^r - 1
};

/// Reduces an exponent that the caller has clamped; NaN remains NaN.
template <class Real>
KOKKOS_FORCEINLINE_FUNCTION ReducedExponent<Real> reduce_exponent(Real x) {
  using S = ScalarOf<Real>;
  const Real rounder(FloatFormat<S>::rounder);
  Real shifted, k, r, p;
  if constexpr (std::is_same_v<S, float>) {
    shifted = fma(x, Real(0x1.715476p+0f), rounder);
    k = shifted - rounder;
    r = fma(k, Real(0x1.05c610p-29f), fma(k, Real(-0x1.62e430p-1f), x));
    p = polynomial(r, 0x1.fffffcp-2f, 0x1.55548ap-3f, 0x1.55584ep-5f, 0x1.123f38p-7f,
                   0x1.6ad236p-10f);
  } else {
    shifted = fma(x, Real(0x1.71547652b82fep+0), rounder);
    k = shifted - rounder;
    r = fma(k, Real(-0x1.abc9e3b39803fp-56), fma(k, Real(-0x1.62e42fefa39efp-1), x));
    p = polynomial(r, 0x1.000000000000ap-1, 0x1.55555555555p-3, 0x1.55555555505f3p-5,
                   0x1.1111111125927p-7, 0x1.6c16c184b73fbp-10, 0x1.a01a013a2857bp-13,
                   0x1.a01998ac97ca7p-16, 0x1.71def37dd9b9p-19, 0x1.28aeafed65e2bp-22,
                   0x1.adee647d58c0dp-26);
  }
  return {shifted, k, fma(r * r, p, r)};
}

/// 2^k of `shifted`, k plus `FloatFormat::rounder`, in the range of normal numbers.
template <class Real>
KOKKOS_FORCEINLINE_FUNCTION Real power_of_two(UnsignedOf<Real> shifted) {
  using Format = FloatFormat<ScalarOf<Real>>;
  return bit_cast<Real>((shifted << Format::fraction_bits) + UnsignedOf<Real>(Format::one));
}

/// power * 2^k; 2^k in two factors, so that overflow and underflow happen in the last product.
template <class Real>
KOKKOS_FORCEINLINE_FUNCTION Real scaled_by_power(Real power,
                                                 const ReducedExponent<Real>& exponent) {
  using S = ScalarOf<Real>;
  using Unsigned = UnsignedOf<Real>;
  const Real rounder(FloatFormat<S>::rounder);
  const Unsigned all = bit_cast<Unsigned>(exponent.shifted);
  const Unsigned half = bit_cast<Unsigned>(fma(exponent.k, Real(S(0.5)), rounder));
  return power * power_of_two<Real>(half) * power_of_two<Real>(all - half);
}

}  // namespace detail

/// Returns e^x, error at most 1.1 ulp, also where it underflows gradually (ulp of the subnormal
/// result); overflow to infinity.
template <RealNumber Real>
KOKKOS_FORCEINLINE_FUNCTION Real exp(Real x) {
  using S = ScalarOf<Real>;
  constexpr bool is_float = std::is_same_v<S, float>;
  // beyond the clamps the result is already 0 or infinity (NaN passes)
  x = max(min(x, Real(is_float ? S(90) : S(711))), Real(is_float ? S(-105) : S(-747)));
  const auto exponent = detail::reduce_exponent(x);
  return detail::scaled_by_power(exponent.power_less_1 + Real(1), exponent);
}

/// Returns the natural logarithm, error at most 1 ulp, also for subnormal arguments. log(+-0) =
/// -inf, NaN for x < 0.
template <RealNumber Real>
KOKKOS_FORCEINLINE_FUNCTION Real log(Real x) {
  using S = ScalarOf<Real>;
  using Format = detail::FloatFormat<S>;
  constexpr bool is_float = std::is_same_v<S, float>;
  const auto subnormal = x < Real(Format::smallest_normal);
  const Real normal = select(subnormal, x * Real(is_float ? S(0x1p25) : S(0x1p54)), x);
  const Real bias = select(subnormal, Real(is_float ? S(127 + 25) : S(1023 + 54)),
                           Real(is_float ? S(127) : S(1023)));
  const Real infinity(Format::infinity);
  const Real result = select(x < infinity, detail::log_of_normal(normal, bias), x);
  return select(x > Real(0), result, detail::nan_unless<Real>(x == Real(0), -infinity));
}

/// Returns the same bits as `log` for positive normal numbers; undefined for others.
template <RealNumber Real>
KOKKOS_FORCEINLINE_FUNCTION Real log_of_normal(Real x) {
  using S = ScalarOf<Real>;
  return detail::log_of_normal(x, Real(std::is_same_v<S, float> ? S(127) : S(1023)));
}

}  // namespace trackplex
