// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/core/lanes.hpp>
#include <trackplex/core/math_parts.hpp>
#include <trackplex/core/number.hpp>

#include <type_traits>

namespace trackplex::detail {

/// log(normal / 2^bias 2^b), with the bias b of the format, for positive normal numbers.
template <class Real>
KOKKOS_FORCEINLINE_FUNCTION Real log_of_normal(Real normal, Real bias) {
  using S = ScalarOf<Real>;
  using Unsigned = UnsignedOf<Real>;
  using Format = FloatFormat<S>;
  constexpr bool is_float = std::is_same_v<S, float>;
  constexpr int bits = Format::fraction_bits;
  // x = 2^e m with sqrt(1/2) <= m < sqrt(2)
  const Unsigned root(is_float ? ScalarOf<Unsigned>(0x3f3504f3)
                               : static_cast<ScalarOf<Unsigned>>(0x3fe6a09e667f3bcd));
  const Unsigned one(Format::one);
  const Unsigned from_root = bit_cast<Unsigned>(normal) + (one - root);
  const Unsigned biased = from_root >> bits;
  const Unsigned power = biased << bits;
  const Real m = bit_cast<Real>(bit_cast<Unsigned>(normal) + one - power);
  const Real e = small_integer<Real>(biased) - bias;
  const Real f = m - Real(1);
  if constexpr (is_float) {
    const Real z = f * f;
    const Real p = polynomial(f, 0x1.555554p-2f, -0x1.00022ap-2f, 0x1.99a03ap-3f, -0x1.547192p-3f,
                              0x1.22d516p-3f, -0x1.0d86aap-3f, 0x1.057e3cp-3f, -0x1.39034ap-4f);
    const Real rest = fma(z * f, p, z * Real(-0.5f));
    return fma(e, Real(0x1.62e430p-1f), f + fma(e, Real(-0x1.05c610p-29f), rest));
  } else {
    // log(1 + f) = 2 atanh(s) = f - s (f - z q(z)), s = f / (2 + f), z = s^2
    const Real s = f / (f + Real(2));
    const Real z = s * s;
    const Real q = polynomial(z, 0x1.5555555555592p-1, 0x1.999999997ff04p-2, 0x1.24924941e331p-2,
                              0x1.c71c521265a51p-3, 0x1.74663d638055cp-3, 0x1.39a1db6822cfp-3,
                              0x1.2f044e1acc7acp-3);
    const Real rest = s * fma(z, q, -f);
    return fma(e, Real(0x1.62e42fefa39efp-1), f + fma(e, Real(0x1.abc9e3b39803fp-56), rest));
  }
}

}  // namespace trackplex::detail
