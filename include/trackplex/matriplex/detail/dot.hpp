// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/matriplex/matrix.hpp>

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
template <int I, int J, MatrixOperand A, MatrixOperand B>
class Dot {
  static constexpr DotTerms<A::pattern, B::pattern, I, J> terms{};
  static constexpr int ones = terms.ones;

 public:
  using Real = typename A::Real;

  KOKKOS_FORCEINLINE_FUNCTION Dot(const A& a, const B& b) : a_(a), b_(b) {}

  KOKKOS_FORCEINLINE_FUNCTION Real value() const {
    if constexpr (ones > 0)
      return plus<0, 0>(Real(ones));
    else if constexpr (terms.n_added > 0)
      return plus<1, 0>(added<terms.added[0]>());
    else if constexpr (terms.n_multiplied > 0)
      return plus<0, 1>(left<terms.multiplied[0]>() * right<terms.multiplied[0]>());
    else
      return Real(0);
  }

  /// sum + the element
  KOKKOS_FORCEINLINE_FUNCTION Real added_to(const Real& sum) const {
    if constexpr (ones > 0)
      return plus<0, 0>(sum + Real(ones));
    else
      return plus<0, 0>(sum);
  }

  /// sum - the element
  KOKKOS_FORCEINLINE_FUNCTION Real subtracted_from(const Real& sum) const {
    if constexpr (ones > 0)
      return minus(sum - Real(ones));
    else
      return minus(sum);
  }

 private:
  template <int K>
  KOKKOS_FORCEINLINE_FUNCTION Real left() const {
    return a_.template get<I, K>();
  }
  template <int K>
  KOKKOS_FORCEINLINE_FUNCTION Real right() const {
    return b_.template get<K, J>();
  }
  template <int K>
  KOKKOS_FORCEINLINE_FUNCTION Real added() const {
    if constexpr (A::pattern(I, K) == PatternElement::one)
      return right<K>();
    else
      return left<K>();
  }

  /// sum + the terms but the first ones of each kind
  template <int FirstAdded, int FirstMultiplied>
  KOKKOS_FORCEINLINE_FUNCTION Real plus(Real sum) const {
    for_each_index<terms.n_added - FirstAdded>(
        [&]<int S>() TRACKPLEX_INLINE_LAMBDA { sum = sum + added<terms.added[FirstAdded + S]>(); });
    for_each_index<terms.n_multiplied - FirstMultiplied>([&]<int M>() TRACKPLEX_INLINE_LAMBDA {
      constexpr int k = terms.multiplied[FirstMultiplied + M];
      sum = fma(left<k>(), right<k>(), sum);
    });
    return sum;
  }

  KOKKOS_FORCEINLINE_FUNCTION Real minus(Real sum) const {
    for_each_index<terms.n_added>(
        [&]<int S>() TRACKPLEX_INLINE_LAMBDA { sum = sum - added<terms.added[S]>(); });
    for_each_index<terms.n_multiplied>([&]<int M>() TRACKPLEX_INLINE_LAMBDA {
      constexpr int k = terms.multiplied[M];
      sum = fma(-left<k>(), right<k>(), sum);
    });
    return sum;
  }

  const A& a_;
  const B& b_;
};

template <int I, int J, MatrixOperand A, MatrixOperand B>
KOKKOS_FORCEINLINE_FUNCTION Dot<I, J, A, B> dot(const A& a, const B& b) {
  return {a, b};
}

}  // namespace trackplex::detail
