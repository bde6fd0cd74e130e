// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/core/math_parts.hpp>
#include <trackplex/matriplex/matrix_products.hpp>

namespace trackplex {

/// Cholesky factorization \f$A = L L^T\f$ of a symmetric positive definite N x N matrix, with the
/// solution of linear equations and the inverse.
///
/// A counts as positive definite if every pivot (the square of a diagonal element of L) is larger
/// than N epsilon times its diagonal element of A: for smaller pivots, rounding may change the
/// sign. Solutions x of A x = b satisfy \f$(A + E) x = b\f$ with elements of E of a few N epsilon
/// times the diagonal of A (N. J. Higham, "Accuracy and Stability of Numerical Algorithms", section
/// 10.1).
template <class Number, int N>
class Cholesky {
 public:
  using Real = Number;  ///< Number type: a scalar or lanes.

  /// Factorizes A; reads only its lower triangle.
  template <SymmetricOperand A>
  KOKKOS_FORCEINLINE_FUNCTION explicit Cholesky(const A& a) {
    static_assert(A::pattern.rows == N, "The factor is as large as the matrix.");
    constexpr auto tolerance = N * detail::FloatFormat<ScalarOf<Real>>::epsilon;
    detail::for_each_index<N>([&]<int J>() TRACKPLEX_INLINE_LAMBDA {
      const Real diagonal = a.template get<J, J>();
      const Real pivot = rest<J, J>(diagonal);
      const auto positive = pivot > Real(tolerance) * diagonal;
      worked_ = worked_ && positive;
      const Real root = sqrt(select(positive, pivot, Real(1)));
      factor_.template set<J, J>(root);
      reciprocal_.template set<J>(Real(1) / root);
      detail::for_each_index<N - 1 - J>([&]<int K>() TRACKPLEX_INLINE_LAMBDA {
        constexpr int i = J + 1 + K;
        factor_.template set<i, J>(rest<i, J>(a.template get<i, J>()) *
                                   reciprocal_.template get<J>());
      });
    });
  }

  /// Returns the mask of the lanes with a positive definite A.
  KOKKOS_FORCEINLINE_FUNCTION MaskOf<Real> worked() const { return worked_; }

  /// Returns L, a lower triangular `Matrix`; valid where `worked()`.
  KOKKOS_FORCEINLINE_FUNCTION const auto& factor() const { return factor_; }

  /// Solves A x = b. Returns `worked()`; in other lanes x is unchanged. x may be b.
  [[nodiscard]] KOKKOS_FORCEINLINE_FUNCTION MaskOf<Real> solve(const Vector<Real, N>& b,
                                                               Vector<Real, N>& x) const {
    Vector<Real, N> y;  // solution of L y = b, then of Lᵀ x = y
    detail::for_each_index<N>([&]<int I>() TRACKPLEX_INLINE_LAMBDA {
      Real sum = b.template get<I>();
      detail::for_each_index<I>([&]<int K>() TRACKPLEX_INLINE_LAMBDA {
        sum = fma(-factor_.template get<I, K>(), y.template get<K>(), sum);
      });
      y.template set<I>(sum * reciprocal_.template get<I>());
    });
    detail::for_each_index<N>([&]<int Up>() TRACKPLEX_INLINE_LAMBDA {
      constexpr int i = N - 1 - Up;
      Real sum = y.template get<i>();
      detail::for_each_index<Up>([&]<int K>() TRACKPLEX_INLINE_LAMBDA {
        sum = fma(-factor_.template get<i + 1 + K, i>(), y.template get<i + 1 + K>(), sum);
      });
      y.template set<i>(sum * reciprocal_.template get<i>());
    });
    assign_where(worked_, y, x);
    return worked_;
  }

  /// Computes the inverse of A. Returns `worked()`; in other lanes `inverse` is unchanged.
  [[nodiscard]] KOKKOS_FORCEINLINE_FUNCTION MaskOf<Real> invert(Symmetric<Real, N>& inverse) const {
    Lower m;  // the inverse of L
    detail::for_each_index<N>([&]<int J>() TRACKPLEX_INLINE_LAMBDA {
      m.template set<J, J>(reciprocal_.template get<J>());
      detail::for_each_index<N - 1 - J>([&]<int Down>() TRACKPLEX_INLINE_LAMBDA {
        constexpr int i = J + 1 + Down;
        Real sum = factor_.template get<i, J>() * m.template get<J, J>();
        detail::for_each_index<Down>([&]<int K>() TRACKPLEX_INLINE_LAMBDA {
          constexpr int k = J + 1 + K;
          sum = fma(factor_.template get<i, k>(), m.template get<k, J>(), sum);
        });
        m.template set<i, J>(-sum * reciprocal_.template get<i>());
      });
    });
    assign_where(worked_, symmetric_product(transposed(m), m), inverse);
    return worked_;
  }

 private:
  using Lower = Matrix<Real, N, N, Pattern<N, N>::lower_triangle()>;

  /// element - sum over k < J of L(I, k) L(J, k)
  template <int I, int J>
  KOKKOS_FORCEINLINE_FUNCTION Real rest(const Real& element) const {
    Real sum = element;
    detail::for_each_index<J>([&]<int K>() TRACKPLEX_INLINE_LAMBDA {
      sum = fma(-factor_.template get<I, K>(), factor_.template get<J, K>(), sum);
    });
    return sum;
  }

  Lower factor_;
  Vector<Real, N> reciprocal_;  ///< of the diagonal of L
  MaskOf<Real> worked_ = true;
};

}  // namespace trackplex
