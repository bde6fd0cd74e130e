// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// @file
/// Sums and products of small matrices. The pattern of a result follows from those of its operands
/// at compile time: known zeros and ones cost nothing. Every element is a chain of fma in a fixed
/// order, the same on scalars and lanes.

#include <trackplex/matriplex/detail/dot.hpp>

namespace trackplex {

namespace detail {
/// Pattern of s A.
template <AnyPattern A>
KOKKOS_FUNCTION constexpr A scaled(A a) {
  for (int i = 0; i < A::rows; ++i)
    for (int j = 0; j < A::columns; ++j)
      if (a(i, j) == PatternElement::one) a.set(i, j, PatternElement::free);
  return a;
}

/// The elements of C that change when a matrix of another pattern is added to it.
template <AnyPattern C, AnyPattern A>
KOKKOS_FUNCTION constexpr C changed_by(const C&, const A& added) {
  static_assert(C::rows == A::rows && C::columns == A::columns,
                "Matrices that are added or subtracted have one shape.");
  C changed;
  for (int i = 0; i < C::rows; ++i)
    for (int j = 0; j < (C::is_symmetric ? i + 1 : C::columns); ++j)
      if (added(i, j) != PatternElement::zero) changed.set(i, j, PatternElement::free);
  return changed;
}
}  // namespace detail

/// Returns A B. `transposed(a) * b` and `a * transposed(b)` cost the same.
template <MatrixOperand A, MatrixOperand B>
KOKKOS_FORCEINLINE_FUNCTION auto operator*(const A& a, const B& b) {
  MatrixOf<typename A::Real, product(A::pattern, B::pattern)> result;
  detail::for_each_free<result.pattern>([&]<int I, int J>() TRACKPLEX_INLINE_LAMBDA {
    result.template set<I, J>(detail::Dot<I, J, A, B>::value(a, b));
  });
  return result;
}

/// Product A B whose elements are computed when read. It refers to A and B.
template <MatrixOperand A, MatrixOperand B>
struct DeferredProduct {
  using Real = typename A::Real;                                    ///< Number type.
  static constexpr auto pattern = product(A::pattern, B::pattern);  ///< Zeros, ones, free elements.

  const A& a;  ///< Left factor.
  const B& b;  ///< Right factor.

  /// Returns element (I, J).
  template <int I, int J = 0>
  KOKKOS_FORCEINLINE_FUNCTION Real get() const {
    return detail::Dot<I, J, A, B>::value(a, b);
  }
  /// Returns row I of a product without known elements: faster than its elements one by one.
  template <int I>
  requires(A::pattern.is_dense() && B::pattern.is_dense())
      KOKKOS_FORCEINLINE_FUNCTION Matrix<Real, 1, B::pattern.columns> row()
  const { return detail::dot_row<I>(a, b); }
};
/// Returns A B for a single read, as in `view.store(tile, deferred_product(a, b))`: compilers keep
/// the elements of `a * b` on the stack and copy them from there. Registers do not hold both
/// matrices: take A from `BasicMatriplexView::deferred_load`.
template <MatrixOperand A, MatrixOperand B>
KOKKOS_FORCEINLINE_FUNCTION DeferredProduct<A, B> deferred_product(const A& a, const B& b) {
  return {a, b};
}

/// Returns A B that is known to be symmetric: computes only the lower triangle.
template <MatrixOperand A, MatrixOperand B>
KOKKOS_FORCEINLINE_FUNCTION auto symmetric_product(const A& a, const B& b) {
  MatrixOf<typename A::Real, lower_triangle(product(A::pattern, B::pattern))> result;
  detail::for_each_free<result.pattern>([&]<int I, int J>() TRACKPLEX_INLINE_LAMBDA {
    result.template set<I, J>(detail::Dot<I, J, A, B>::value(a, b));
  });
  return result;
}

/// Adds A B to C. For a symmetric C, A B must be symmetric, and only the lower triangle is
/// computed. C must be neither A nor B.
template <class Real, auto P, MatrixOperand A, MatrixOperand B>
KOKKOS_FORCEINLINE_FUNCTION void add_product(FreeElements<Real, P>& c, const A& a, const B& b) {
  constexpr auto changed = detail::changed_by(P, product(A::pattern, B::pattern));
  detail::for_each_free<changed>([&]<int I, int J>() TRACKPLEX_INLINE_LAMBDA {
    c.template set<I, J>(detail::Dot<I, J, A, B>::added_to(c.template get<I, J>(), a, b));
  });
}

/// Subtracts A B from C, otherwise as `add_product`: P -= K (P Hᵀ)ᵀ is
/// `subtract_product(p, k, transposed(pht))`.
template <class Real, auto P, MatrixOperand A, MatrixOperand B>
KOKKOS_FORCEINLINE_FUNCTION void subtract_product(FreeElements<Real, P>& c, const A& a,
                                                  const B& b) {
  constexpr auto changed = detail::changed_by(P, product(A::pattern, B::pattern));
  detail::for_each_free<changed>([&]<int I, int J>() TRACKPLEX_INLINE_LAMBDA {
    c.template set<I, J>(detail::Dot<I, J, A, B>::subtracted_from(c.template get<I, J>(), a, b));
  });
}

/// Returns A + B, symmetric if both are.
template <MatrixOperand A, MatrixOperand B>
KOKKOS_FORCEINLINE_FUNCTION auto operator+(const A& a, const B& b) {
  MatrixOf<typename A::Real, sum(A::pattern, B::pattern)> result;
  detail::for_each_free<result.pattern>([&]<int I, int J>() TRACKPLEX_INLINE_LAMBDA {
    if constexpr (A::pattern(I, J) == PatternElement::zero)
      result.template set<I, J>(b.template get<I, J>());
    else if constexpr (B::pattern(I, J) == PatternElement::zero)
      result.template set<I, J>(a.template get<I, J>());
    else
      result.template set<I, J>(a.template get<I, J>() + b.template get<I, J>());
  });
  return result;
}

/// Returns A - B, symmetric if both are.
template <MatrixOperand A, MatrixOperand B>
KOKKOS_FORCEINLINE_FUNCTION auto operator-(const A& a, const B& b) {
  MatrixOf<typename A::Real, difference(A::pattern, B::pattern)> result;
  detail::for_each_free<result.pattern>([&]<int I, int J>() TRACKPLEX_INLINE_LAMBDA {
    if constexpr (A::pattern(I, J) == PatternElement::zero)
      result.template set<I, J>(-b.template get<I, J>());
    else if constexpr (B::pattern(I, J) == PatternElement::zero)
      result.template set<I, J>(a.template get<I, J>());
    else
      result.template set<I, J>(a.template get<I, J>() - b.template get<I, J>());
  });
  return result;
}

/// Returns s A.
template <MatrixOperand A>
KOKKOS_FORCEINLINE_FUNCTION auto operator*(const typename A::Real& s, const A& a) {
  MatrixOf<typename A::Real, detail::scaled(A::pattern)> result;
  detail::for_each_free<result.pattern>([&]<int I, int J>() TRACKPLEX_INLINE_LAMBDA {
    if constexpr (A::pattern(I, J) == PatternElement::one)
      result.template set<I, J>(s);
    else
      result.template set<I, J>(s * a.template get<I, J>());
  });
  return result;
}

}  // namespace trackplex
