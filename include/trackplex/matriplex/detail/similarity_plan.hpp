// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/matriplex/pattern.hpp>

namespace trackplex::detail {

/// How S = J P Jᵀ comes from T = J P. Element (i, j) of S is the product of row i of T with row j
/// of J, or, S being symmetric, the other way round: whichever row of J has fewer elements to
/// multiply with. A row of J with a single one then copies from T, and T is computed only where it
/// is used.
template <auto J, auto P>
struct SimilarityPlan {
  static constexpr int n = J.rows;
  static constexpr auto result = similarity(J, P);

  /// Whether (i, j) is row i of T with row j of J.
  KOKKOS_FUNCTION static constexpr bool uses_row(int i, int j) {
    const int cost_i = free_in_row(i), cost_j = free_in_row(j);
    return cost_j < cost_i || (cost_j == cost_i && i >= j);
  }

  /// Row i of T without the elements that are not used.
  KOKKOS_FUNCTION static constexpr auto used_row(int i) {
    const auto all = product(J, P);
    Pattern<1, J.columns> used;
    for (int j = 0; j < n; ++j)
      for (int k = 0; k < J.columns; ++k)
        if (uses_row(i, j) && J(j, k) != PatternElement::zero) used.set(0, k, all(i, k));
    return used;
  }

  /// The elements of S that are computed from row i of T.
  KOKKOS_FUNCTION static constexpr auto from_row(int i) {
    SymmetricPattern<n> elements;
    for (int j = 0; j < n; ++j)
      if (uses_row(i, j) && result(i, j) == PatternElement::free)
        elements.set(i, j, PatternElement::free);
    return elements;
  }

 private:
  KOKKOS_FUNCTION static constexpr int free_in_row(int i) {
    int count = 0;
    for (int k = 0; k < J.columns; ++k) count += J(i, k) == PatternElement::free;
    return count;
  }
};

}  // namespace trackplex::detail
