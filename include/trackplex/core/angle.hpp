// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/core/math.hpp>

#include <type_traits>

namespace trackplex {

/// Returns the angle in [-pi, pi] that differs from `angle` by whole turns: a difference of two
/// azimuths, the short way around. Angles within that range stay as they are; for those of n turns
/// the error is that of their own rounding.
template <RealNumber Real>
KOKKOS_FORCEINLINE_FUNCTION Real wrapped_angle(Real angle) {
  using S = ScalarOf<Real>;
  constexpr bool is_float = std::is_same_v<S, float>;
  const Real per_turn(is_float ? S(0x1.45f306p-3f) : S(0x1.45f306dc9c883p-3));
  const Real turn(is_float ? S(-0x1.921fb6p+2f) : S(-0x1.921fb54442d18p+2));
  const Real turn_rest(is_float ? S(0x1.777a5cp-23f) : S(-0x1.1a62633145c07p-52));
  const Real turns = rint(angle * per_turn);
  return fma(turns, turn_rest, fma(turns, turn, angle));
}

}  // namespace trackplex
