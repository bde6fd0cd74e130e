// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/core/unroll.hpp>
#include <trackplex/matriplex/pattern.hpp>

#include <utility>

namespace trackplex::detail {

/// Row and column of each free element of a pattern, in the order in which they are stored.
template <auto P>
struct FreePlaces {
  static constexpr int count = P.free_elements();
  int row[count + 1] = {}, column[count + 1] = {};

  constexpr FreePlaces() {
    int n = 0;
    for (int i = 0; i < P.rows; ++i)
      for (int j = 0; j < (P.is_symmetric ? i + 1 : P.columns); ++j)
        if (P(i, j) == PatternElement::free) {
          row[n] = i;
          column[n++] = j;
        }
  }
};
template <auto P>
inline constexpr FreePlaces<P> free_places{};

template <auto P, class F, int... E>
KOKKOS_FORCEINLINE_FUNCTION void for_each_free(const F& f, std::integer_sequence<int, E...>) {
  (f.template operator()<free_places<P>.row[E], free_places<P>.column[E]>(), ...);
}
/// Calls f.template operator()<i, j>() for each free element (i, j) of P, in the order in which
/// they are stored, unrolled.
template <auto P, class F>
KOKKOS_FORCEINLINE_FUNCTION void for_each_free(const F& f) {
  for_each_free<P>(f, std::make_integer_sequence<int, FreePlaces<P>::count>{});
}

}  // namespace trackplex::detail
