// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/core/math.hpp>

#include <type_traits>

namespace trackplex {

/// Returns e^x - 1, error at most 2.1 ulp; -1 for large negative x, overflow to infinity. expm1(-0)
/// is -0.
template <RealNumber Real>
KOKKOS_FORCEINLINE_FUNCTION Real expm1(Real x) {
  using S = ScalarOf<Real>;
  constexpr bool is_float = std::is_same_v<S, float>;
  const Real clamped = max(min(x, Real(is_float ? S(90) : S(711))), Real(S(-45)));
  const auto exponent = detail::reduce_exponent(clamped);
  // e^x - 1 = 2^k ((e^r - 1) + (1 - 2^-k))
  const Real rounder(detail::FloatFormat<S>::rounder);
  const Real down = rounder - min(exponent.k, Real(S(100)));
  const Real rest = Real(1) - detail::power_of_two<Real>(bit_cast<UnsignedOf<Real>>(down));
  return copysign(detail::scaled_by_power(exponent.power_less_1 + rest, exponent), x);
}

}  // namespace trackplex
