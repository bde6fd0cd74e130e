// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/matriplex/matrix.hpp>

#include <utility>

namespace trackplex::detail {

/// The terms of element (I, J) of a product of patterns A B: the k for which a(I, k) b(k, J) is not
/// zero, by what they cost.
template <auto A, auto B, int I, int J>
struct DotTerms {
  static constexpr int length = A.columns;
  int multiplied[length] = {};  ///< both factors are free
  int added[length] = {};       ///< one factor is one, so that the term is the other
  int n_multiplied = 0, n_added = 0;
  int ones = 0;  ///< terms 1 * 1

  constexpr DotTerms() {
    for (int k = 0; k < length; ++k) {
      if (A(I, k) == PatternElement::zero || B(k, J) == PatternElement::zero) continue;
      if (A(I, k) == PatternElement::free && B(k, J) == PatternElement::free)
        multiplied[n_multiplied++] = k;
      else if (A(I, k) == PatternElement::one && B(k, J) == PatternElement::one)
        ++ones;
      else
        added[n_added++] = k;
    }
  }
};

/// Element (I, J) of the product of two operands. Sums begin with what needs no multiplication, go
/// on with one fma per product, and take k in ascending order.
///
/// A kernel has thousands of terms, and compilers take their time for each function that they
/// inline: sums are folds, without functions of single terms.
template <int I, int J, MatrixOperand A, MatrixOperand B>
struct Dot {
  using Real = typename A::Real;

  KOKKOS_FORCEINLINE_FUNCTION static Real value(const A& a, const B& b) {
    if constexpr (terms.ones > 0)
      return plus<0, 0>(a, b, Real(terms.ones), Added<0>(), Multiplied<0>());
    else if constexpr (terms.n_added > 0)
      return plus<1, 0>(a, b, added<terms.added[0]>(a, b), Added<1>(), Multiplied<0>());
    else if constexpr (terms.n_multiplied > 0)
      return plus<0, 1>(
          a, b, a.template get<I, terms.multiplied[0]>() * b.template get<terms.multiplied[0], J>(),
          Added<0>(), Multiplied<1>());
    else
      return Real(0);
  }

  /// sum + the element
  KOKKOS_FORCEINLINE_FUNCTION static Real added_to(const Real& sum, const A& a, const B& b) {
    if constexpr (terms.ones > 0)
      return plus<0, 0>(a, b, sum + Real(terms.ones), Added<0>(), Multiplied<0>());
    else
      return plus<0, 0>(a, b, sum, Added<0>(), Multiplied<0>());
  }

  /// sum - the element
  KOKKOS_FORCEINLINE_FUNCTION static Real subtracted_from(const Real& sum, const A& a, const B& b) {
    if constexpr (terms.ones > 0)
      return minus(a, b, sum - Real(terms.ones), Added<0>(), Multiplied<0>());
    else
      return minus(a, b, sum, Added<0>(), Multiplied<0>());
  }

 private:
  static constexpr DotTerms<A::pattern, B::pattern, I, J> terms{};
  template <int First>
  using Added = std::make_integer_sequence<int, terms.n_added - First>;
  template <int First>
  using Multiplied = std::make_integer_sequence<int, terms.n_multiplied - First>;

  /// Term k, of which one factor is one
  template <int K>
  KOKKOS_FORCEINLINE_FUNCTION static Real added(const A& a, const B& b) {
    if constexpr (A::pattern(I, K) == PatternElement::one)
      return b.template get<K, J>();
    else
      return a.template get<I, K>();
  }

  /// sum + the terms but the first ones of each kind
  template <int FirstAdded, int FirstMultiplied, int... S, int... M>
  KOKKOS_FORCEINLINE_FUNCTION static Real plus(const A& a, const B& b, Real sum,
                                               std::integer_sequence<int, S...>,
                                               std::integer_sequence<int, M...>) {
    ((sum = sum + added<terms.added[FirstAdded + S]>(a, b)), ...);
    ((sum = fma(a.template get<I, terms.multiplied[FirstMultiplied + M]>(),
                b.template get<terms.multiplied[FirstMultiplied + M], J>(), sum)),
     ...);
    return sum;
  }

  /// sum - all terms
  template <int... S, int... M>
  KOKKOS_FORCEINLINE_FUNCTION static Real minus(const A& a, const B& b, Real sum,
                                                std::integer_sequence<int, S...>,
                                                std::integer_sequence<int, M...>) {
    ((sum = sum - added<terms.added[S]>(a, b)), ...);
    ((sum = fma(-a.template get<I, terms.multiplied[M]>(), b.template get<terms.multiplied[M], J>(),
                sum)),
     ...);
    return sum;
  }
};

/// Row I of the product of two operands without known elements, with the bits of `Dot`. The terms
/// of one k are added to all sums before those of the next: sums do not wait for each other, and an
/// element of A is read once.
template <int I, MatrixOperand A, MatrixOperand B>
KOKKOS_FORCEINLINE_FUNCTION auto dot_row(const A& a, const B& b) {
  using Real = typename A::Real;
  constexpr int n = B::pattern.columns;
  Matrix<Real, 1, n> sums;
  for_each_index<A::pattern.columns>([&]<int K>() TRACKPLEX_INLINE_LAMBDA {
    const Real factor = a.template get<I, K>();
    for_each_index<n>([&]<int J>() TRACKPLEX_INLINE_LAMBDA {
      if constexpr (K == 0)
        sums.elements[J] = factor * b.template get<K, J>();
      else
        sums.elements[J] = fma(factor, b.template get<K, J>(), sums.elements[J]);
    });
  });
  return sums;
}

}  // namespace trackplex::detail
