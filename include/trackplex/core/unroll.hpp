// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <Kokkos_Core.hpp>

#include <utility>

/// @file
/// Unrolled loops of kernels.

/// Specifier of a lambda that must be inlined: a call would spill the registers of a kernel.
#define TRACKPLEX_INLINE_LAMBDA __attribute__((always_inline))

namespace trackplex::detail {

template <class F, int... I>
KOKKOS_FORCEINLINE_FUNCTION void for_each_index(const F& f, std::integer_sequence<int, I...>) {
  (f.template operator()<I>(), ...);
}
/// Calls `f.template operator()<i>()` for i = 0 to N - 1, unrolled.
template <int N, class F>
KOKKOS_FORCEINLINE_FUNCTION void for_each_index(const F& f) {
  for_each_index(f, std::make_integer_sequence<int, N>{});
}

template <class F, int... I>
KOKKOS_FORCEINLINE_FUNCTION bool any_index(const F& f, std::integer_sequence<int, I...>) {
  return (f.template operator()<I>() || ...);
}
/// Calls `f.template operator()<i>()` for i = 0 to N - 1, unrolled, until one returns true. Returns
/// whether one did. Of comparisons of one number with each i, compilers make a jump.
template <int N, class F>
KOKKOS_FORCEINLINE_FUNCTION bool any_index(const F& f) {
  return any_index(f, std::make_integer_sequence<int, N>{});
}

}  // namespace trackplex::detail
