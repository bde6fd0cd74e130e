// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/matriplex/detail/similarity_plan.hpp>
#include <trackplex/matriplex/matrix_products.hpp>

namespace trackplex {

namespace detail {

/// Row I of T = J P, and the elements of S = J P Jᵀ computed from it.
template <int I, class J, class P, class S>
KOKKOS_FORCEINLINE_FUNCTION void similarity_row(const J& j, const P& p, S& s) {
  using Plan = SimilarityPlan<J::pattern, P::pattern>;
  using Row = trackplex::MatrixOf<typename J::Real, Plan::used_row(I)>;
  Row t;
  const auto columns = transposed(j);
  for_each_free<Row::pattern>([&]<int Zero, int K>() TRACKPLEX_INLINE_LAMBDA {
    t.template set<Zero, K>(Dot<I, K, J, P>::value(j, p));
  });
  for_each_free<Plan::from_row(I)>([&]<int A, int B>() TRACKPLEX_INLINE_LAMBDA {
    constexpr int other = A == I ? B : A;
    s.template set<A, B>(Dot<0, other, Row, Transposed<J>>::value(t, columns));
  });
}

}  // namespace detail

/// Returns S = J P Jᵀ for a symmetric P, as a symmetric matrix: the covariance of transported
/// parameters. A row of J whose only element is 1 costs no more than J P: its elements of S
/// are elements of J P.
template <MatrixOperand J, SymmetricOperand P>
KOKKOS_FORCEINLINE_FUNCTION auto similarity(const J& j, const P& p) {
  MatrixOf<typename J::Real, similarity(J::pattern, P::pattern)> s;
  detail::for_each_index<J::pattern.rows>(
      [&]<int I>() TRACKPLEX_INLINE_LAMBDA { detail::similarity_row<I>(j, p, s); });
  return s;
}

/// Adds A V Aᵀ with a symmetric V to C: process noise that acts through A.
template <class Real, auto C, MatrixOperand A, SymmetricOperand V>
KOKKOS_FORCEINLINE_FUNCTION void add_similarity(FreeElements<Real, C>& c, const A& a, const V& v) {
  add_product(c, a * v, transposed(a));
}

}  // namespace trackplex
