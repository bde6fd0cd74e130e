// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// @file
/// Determinants and inverses of 1 x 1, 2 x 2 and 3 x 3 matrices in closed form; cholesky.hpp is
/// for larger ones. Bounds of the errors, with u = epsilon / 2 and without underflow:
/// - 2 x 2: relative error of the determinant at most 2 u, of the elements of the inverse at most
///   4 u, however close to singular the matrix is. A singular matrix has determinant zero.
/// - 3 x 3: absolute error of the determinant at most 5 u s, where s is the sum of the absolute
///   values of its three terms (the elements of the first row times their cofactors); relative
///   error of the elements of the inverse at most (5 s / |determinant| + 4) u.

#include <trackplex/core/math_parts.hpp>
#include <trackplex/matriplex/matrix_products.hpp>

namespace trackplex {

/// Returns a b - c d with a relative error of at most 2 u, and zero exactly where it is zero:
/// Kahan's algorithm (C.-P. Jeannerod, N. Louvet, J.-M. Muller, Math. Comp. 82 (2013) 2245).
template <class Real>
KOKKOS_FORCEINLINE_FUNCTION Real difference_of_products(const Real& a, const Real& b, const Real& c,
                                                        const Real& d) {
  const Real cd = c * d;
  const Real rounding = fma(-c, d, cd);
  return fma(a, b, -cd) + rounding;
}

namespace detail {

/// Cofactor (I, J) of a 3 x 3 matrix, with its sign.
template <int I, int J, MatrixOperand A>
KOKKOS_FORCEINLINE_FUNCTION auto cofactor(const A& a) {
  constexpr int i = (I + 1) % 3, j = (J + 1) % 3, k = (I + 2) % 3, l = (J + 2) % 3;
  return difference_of_products(a.template get<i, j>(), a.template get<k, l>(),
                                a.template get<i, l>(), a.template get<k, j>());
}

/// A determinant, and the absolute value below which it may be zero.
template <class Real>
struct UncertainDeterminant {
  Real value;
  Real uncertainty;
};

template <MatrixOperand A>
KOKKOS_FORCEINLINE_FUNCTION auto uncertain_determinant(const A& a) {
  using Real = typename A::Real;
  constexpr int n = A::pattern.rows;
  static_assert(n == A::pattern.columns && n <= 3, "Determinants are of square matrices up to 3.");
  UncertainDeterminant<Real> result{a.template get<0, 0>(), Real(0)};
  if constexpr (n == 2) {
    result.value = difference_of_products(a.template get<0, 0>(), a.template get<1, 1>(),
                                          a.template get<0, 1>(), a.template get<1, 0>());
  } else if constexpr (n == 3) {
    const Real c0 = cofactor<0, 0>(a), c1 = cofactor<0, 1>(a), c2 = cofactor<0, 2>(a);
    const Real a0 = a.template get<0, 0>(), a1 = a.template get<0, 1>(),
               a2 = a.template get<0, 2>();
    result.value = fma(a2, c2, fma(a1, c1, a0 * c0));
    constexpr auto epsilon = FloatFormat<ScalarOf<Real>>::epsilon;
    result.uncertainty =
        Real(3 * epsilon) * (abs(a0 * c0) + abs(a1 * c1) + abs(a2 * c2));  // 5 u, and a margin
  }
  return result;
}

/// Returns the adjugate of A: its inverse times its determinant. A symmetric Result keeps one
/// triangle.
template <class Result, MatrixOperand A>
KOKKOS_FORCEINLINE_FUNCTION Result adjugate(const A& a) {
  using Real = typename A::Real;
  constexpr int n = A::pattern.rows;
  Result result;
  for_each_free<Result::pattern>([&]<int I, int J>() TRACKPLEX_INLINE_LAMBDA {
    if constexpr (n == 1)
      result.template set<I, J>(Real(1));
    else if constexpr (n == 2 && I == J)
      result.template set<I, J>(a.template get<1 - I, 1 - J>());
    else if constexpr (n == 2)
      result.template set<I, J>(-a.template get<I, J>());
    else
      result.template set<I, J>(cofactor<J, I>(a));
  });
  return result;
}

}  // namespace detail

/// Returns the determinant of a square matrix of 1, 2 or 3 rows.
template <MatrixOperand A>
KOKKOS_FORCEINLINE_FUNCTION auto determinant(const A& a) {
  return detail::uncertain_determinant(a).value;
}

/// Computes the inverse of a symmetric or general matrix of 1, 2 or 3 rows, and returns the mask of
/// the lanes where it exists; in other lanes `inverse` is unchanged.
///
/// There is no inverse if the matrix may be singular within the uncertainty of its determinant, or
/// if the determinant is not a normal number. `inverse` is dense, symmetric if `a` is, and may
/// be the same object as `a`.
template <MatrixOperand A, auto P>
[[nodiscard]] KOKKOS_FORCEINLINE_FUNCTION auto invert(const A& a,
                                                      FreeElements<typename A::Real, P>& inverse) {
  using Real = typename A::Real;
  using Format = detail::FloatFormat<ScalarOf<Real>>;
  static_assert(P.is_dense() && P.rows == A::pattern.rows && P.columns == A::pattern.columns &&
                    P.is_symmetric == SymmetricOperand<A>,
                "The inverse is dense, as large as the matrix, and symmetric if that is.");
  const auto d = detail::uncertain_determinant(a);
  const Real size = abs(d.value);
  const auto exists = size > d.uncertainty && size >= Real(Format::smallest_normal) &&
                      size < Real(Format::infinity);
  const Real factor = Real(1) / select(exists, d.value, Real(1));
  assign_where(exists, factor * detail::adjugate<MatrixOf<Real, P>>(a), inverse);
  return exists;
}

}  // namespace trackplex
