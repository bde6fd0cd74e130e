// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// @file
/// Polynomials with constant coefficients, and floating-point numbers as integers: the parts of the
/// elementary functions of core/math.hpp.

#include <trackplex/core/lanes.hpp>
#include <trackplex/core/number.hpp>

#include <bit>
#include <concepts>
#include <cstdint>
#include <limits>

namespace trackplex::detail {

/// The first N terms of c0 + c1 x + c2 x^2 + ..., by Horner's rule. The coefficients have the
/// element type of `Real`.
template <int N, class Real, std::same_as<ScalarOf<Real>>... C>
KOKKOS_FORCEINLINE_FUNCTION Real first_terms(Real x, ScalarOf<Real> c0, C... c) {
  if constexpr (N == 1) {
    return Real(c0);
  } else {
    return fma(first_terms<N - 1>(x, c...), x, Real(c0));
  }
}

/// cN + c(N+1) x + ...
template <int N, class Real, std::same_as<ScalarOf<Real>>... C>
KOKKOS_FORCEINLINE_FUNCTION Real terms_after(Real x, ScalarOf<Real> c0, C... c) {
  if constexpr (N == 0) {
    return first_terms<1 + sizeof...(C)>(x, c0, c...);
  } else {
    return terms_after<N - 1>(x, c...);
  }
}

/// x^N for a power of two N.
template <int N, class Real>
KOKKOS_FORCEINLINE_FUNCTION Real power_of(Real x) {
  if constexpr (N == 1) {
    return x;
  } else {
    return power_of<N / 2>(x * x);
  }
}

/// Number of low terms of a split polynomial with `Count` terms.
template <int Count>
inline constexpr int low_terms = std::bit_floor(unsigned(Count) / 2);

/// c0 + c1 x + c2 x^2 + ...: from nine coefficients on, the low and the high terms separately, for
/// half the latency. (Not the even and the odd terms: with alternating signs these would cancel.)
template <class Real, std::same_as<ScalarOf<Real>>... C>
KOKKOS_FORCEINLINE_FUNCTION Real polynomial(Real x, C... c) {
  constexpr int count = sizeof...(C);
  if constexpr (count < 9) {
    return first_terms<count>(x, c...);
  } else {
    constexpr int low = low_terms<count>;
    return fma(power_of<low>(x), terms_after<low>(x, c...), first_terms<low>(x, c...));
  }
}

/// The format of a floating-point type; constants instead of std::numeric_limits, whose functions
/// device code may not call.
template <class T>
struct FloatFormat;

template <>
struct FloatFormat<float> {
  static constexpr float smallest_normal = std::numeric_limits<float>::min();
  static constexpr float epsilon = std::numeric_limits<float>::epsilon();
  static constexpr float infinity = std::numeric_limits<float>::infinity();
  static constexpr float nan = std::numeric_limits<float>::quiet_NaN();
  static constexpr int fraction_bits = 23;
  static constexpr std::uint32_t one = 0x3f800000;
  static constexpr std::uint32_t sign = 0x80000000;
  /// 1.5 * 2^23: adding it rounds |x| < 2^22 to an integer, in the low bits of the sum.
  static constexpr float rounder = 0x1.8p23f;
  static constexpr std::uint32_t rounder_bits = 0x4b400000;
};

template <>
struct FloatFormat<double> {
  static constexpr double smallest_normal = std::numeric_limits<double>::min();
  static constexpr double epsilon = std::numeric_limits<double>::epsilon();
  static constexpr double infinity = std::numeric_limits<double>::infinity();
  static constexpr double nan = std::numeric_limits<double>::quiet_NaN();
  static constexpr int fraction_bits = 52;
  static constexpr std::uint64_t one = 0x3ff0000000000000;
  static constexpr std::uint64_t sign = 0x8000000000000000;
  static constexpr double rounder = 0x1.8p52;
  static constexpr std::uint64_t rounder_bits = 0x4338000000000000;
};

/// a with the sign bits of `bits` flipped.
template <class Real>
KOKKOS_FORCEINLINE_FUNCTION Real flip_sign(Real a, UnsignedOf<Real> bits) {
  using Unsigned = UnsignedOf<Real>;
  const Unsigned sign_bit(FloatFormat<ScalarOf<Real>>::sign);
  return bit_cast<Real>(bit_cast<Unsigned>(a) ^ (bits & sign_bit));
}

/// x in the lanes of `mask`, NaN in the others.
template <class Real>
KOKKOS_FORCEINLINE_FUNCTION Real nan_unless(MaskOf<Real> mask, Real x) {
  return select(mask, x, Real(FloatFormat<ScalarOf<Real>>::nan));
}

/// Integers 0 <= k < 2^22 as numbers, exactly.
template <class Real>
KOKKOS_FORCEINLINE_FUNCTION Real small_integer(UnsignedOf<Real> k) {
  using S = ScalarOf<Real>;
  const UnsignedOf<Real> rounder_bits(FloatFormat<S>::rounder_bits);
  return bit_cast<Real>(k + rounder_bits) - Real(FloatFormat<S>::rounder);
}

}  // namespace trackplex::detail
