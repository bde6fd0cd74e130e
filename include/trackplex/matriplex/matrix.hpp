// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// @file
/// Small matrices in registers, of scalars or lanes. Elements known from the pattern are not
/// stored, and all loops are unrolled at compile time.

#include <trackplex/core/number.hpp>
#include <trackplex/matriplex/detail/unroll.hpp>

#include <type_traits>

namespace trackplex {

/// Matrix of the algebra: a number type `Real`, a `pattern`, and elements `get<i, j>()`.
template <class M>
concept MatrixOperand = requires(const M& m) {
  typename M::Real;
  requires AnyPattern<std::remove_cvref_t<decltype(M::pattern)>>;
  m.template get<0, 0>();
};

/// Matrix with a single element for (i, j) and (j, i).
template <class M>
concept SymmetricOperand = MatrixOperand<M> && M::pattern.is_symmetric;

namespace detail {
/// Whether a matrix of pattern B can be stored with pattern A, whose known elements are also known
/// in B.
template <AnyPattern A, AnyPattern B>
KOKKOS_FUNCTION constexpr bool can_hold(const A& a, const B& b) {
  if (A::rows != B::rows || A::columns != B::columns) return false;
  if (A::is_symmetric && !B::is_symmetric) return false;
  for (int i = 0; i < A::rows; ++i)
    for (int j = 0; j < A::columns; ++j)
      if (a(i, j) != PatternElement::free && a(i, j) != b(i, j)) return false;
  return true;
}
}  // namespace detail

/// Storage of a matrix of pattern P: its free elements, row by row. `Matrix` and `Symmetric` derive
/// from it.
template <class Number, auto P>
struct FreeElements {
  using Real = Number;                            ///< Number type: a scalar or lanes.
  static constexpr auto pattern = P;              ///< Zeros, ones and free elements.
  static constexpr int rows = P.rows,             ///< Number of rows.
      columns = P.columns;                        ///< Number of columns.
  static constexpr int size = P.free_elements();  ///< Number of elements that are stored.

  /// The free elements, row by row; for a symmetric matrix those of the lower triangle.
  Real elements[size > 0 ? size : 1];

  /// Returns element (I, J), free or known.
  template <int I, int J = 0>
  KOKKOS_FORCEINLINE_FUNCTION Real get() const {
    static_assert(0 <= I && I < rows && 0 <= J && J < columns, "There is no such element.");
    if constexpr (P(I, J) == PatternElement::free) {
      constexpr int place = P.free_before(P.index(I, J));
      return elements[place];
    } else {
      return Real(P(I, J) == PatternElement::one ? 1 : 0);
    }
  }

  /// Sets the free element (I, J).
  template <int I, int J = 0>
  KOKKOS_FORCEINLINE_FUNCTION void set(const Real& value) {
    static_assert(0 <= I && I < rows && 0 <= J && J < columns, "There is no such element.");
    static_assert(P(I, J) == PatternElement::free, "Only a free element can be set.");
    constexpr int place = P.free_before(P.index(I, J));
    elements[place] = value;
  }

  /// Returns element (i, j) of a dense matrix. If the compiler does not know i and j, the matrix
  /// goes to memory: kernels use `get` and `set`.
  KOKKOS_FORCEINLINE_FUNCTION Real& operator()(int i, int j = 0) {
    static_assert(P.is_dense(), "Known elements are not stored: use get<i, j>().");
    return elements[P.index(i, j)];
  }
  /// Returns element (i, j) of a dense matrix, read-only.
  KOKKOS_FORCEINLINE_FUNCTION const Real& operator()(int i, int j = 0) const {
    static_assert(P.is_dense(), "Known elements are not stored: use get<i, j>().");
    return elements[P.index(i, j)];
  }
};

/// Matrix of R x C elements, of scalars or lanes: an aggregate of its free elements, row by row,
/// `Matrix<Real, 2, 2>{a, b, c, d}`.
template <class Real, int R, int C, Pattern<R, C> P = Pattern<R, C>::dense()>
struct Matrix : FreeElements<Real, P> {};

/// Column vector of N elements.
template <class Real, int N>
using Vector = Matrix<Real, N, 1>;

/// Symmetric matrix of N rows. If it is dense, element (i, j), j <= i, is stored at i (i + 1) / 2 +
/// j.
template <class Real, int N, SymmetricPattern<N> P = SymmetricPattern<N>::dense()>
struct Symmetric : FreeElements<Real, P> {};

namespace detail {
template <class Real, auto P>
struct MatrixOf {
  using type = Matrix<Real, P.rows, P.columns, P>;
};
template <class Real, auto P>
requires(P.is_symmetric) struct MatrixOf<Real, P> {
  using type = Symmetric<Real, P.rows, P>;
};
}  // namespace detail

/// Matrix type of a pattern: `Matrix`, or `Symmetric` for a symmetric pattern.
template <class Real, auto P>
using MatrixOf = typename detail::MatrixOf<Real, P>::type;

/// Returns A as another type of matrix, M. All elements known in M must be known in A.
template <MatrixOperand M, MatrixOperand A>
KOKKOS_FORCEINLINE_FUNCTION M as(const A& a) {
  static_assert(detail::can_hold(M::pattern, A::pattern),
                "The type knows elements, or a symmetry, which the matrix lacks.");
  M result;
  detail::for_each_free<M::pattern>([&]<int I, int J>() TRACKPLEX_INLINE_LAMBDA {
    result.template set<I, J>(a.template get<I, J>());
  });
  return result;
}

/// Assigns `from` to `to` in the lanes where the mask is set.
template <class Real, auto P>
KOKKOS_FORCEINLINE_FUNCTION void assign_where(const MaskOf<Real>& mask,
                                              const FreeElements<Real, P>& from,
                                              FreeElements<Real, P>& to) {
  detail::for_each_index<P.free_elements()>([&]<int E>() TRACKPLEX_INLINE_LAMBDA {
    to.elements[E] = select(mask, from.elements[E], to.elements[E]);
  });
}

/// Operand with rows and columns exchanged; it refers to the original, which must outlive it.
template <MatrixOperand A>
struct Transposed {
  using Real = typename A::Real;                           ///< Number type.
  static constexpr auto pattern = transposed(A::pattern);  ///< Zeros, ones and free elements.

  const A& operand;  ///< The original.

  /// Returns element (I, J).
  template <int I, int J = 0>
  KOKKOS_FORCEINLINE_FUNCTION Real get() const {
    return operand.template get<J, I>();
  }
};

/// Returns Aᵀ as an operand of products, without moving elements.
template <MatrixOperand A>
KOKKOS_FORCEINLINE_FUNCTION Transposed<A> transposed(const A& a) {
  return {a};
}

}  // namespace trackplex
