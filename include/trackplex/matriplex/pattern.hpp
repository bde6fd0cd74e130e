// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// @file
/// Patterns: which elements of a matrix are known at compile time to be zero or one, and which are
/// free. A pattern is an argument of the types `Matrix` and `Symmetric`; only free
/// elements are stored and computed with.

#include <trackplex/matriplex/detail/element_list.hpp>

#include <concepts>
#include <string_view>
#include <type_traits>

namespace trackplex {

namespace detail {

/// The elements of one row of a pattern: `.` zero, `1` one, `x` free; blanks do not count.
template <class Pattern>
constexpr void read_row(Pattern& pattern, int row, int columns, std::string_view text) {
  int column = 0;
  for (const char letter : text) {
    if (letter == ' ') continue;
    if (letter != '.' && letter != '1' && letter != 'x')
      throw "A row of a pattern is made of the letters . (zero), 1 (one) and x (free).";
    if (column == columns) throw "A row of a pattern has too many elements.";
    pattern.set(row, column++,
                letter == '.'   ? PatternElement::zero
                : letter == '1' ? PatternElement::one
                                : PatternElement::free);
  }
  if (column < columns) throw "A row of a pattern has too few elements.";
}

}  // namespace detail

/// Pattern of an R x C matrix. It is written row by row, with `.` for zero, `1` for one and `x` for
/// a free element: `Pattern<2, 3>("1 . x", ". 1 x")`. R C is at most 128.
template <int R, int C>
struct Pattern : detail::ElementList<R * C> {
  static_assert(R > 0 && C > 0, "A matrix has at least one row and one column.");
  static constexpr int rows = R,               ///< Number of rows.
      columns = C;                             ///< Number of columns.
  static constexpr bool is_symmetric = false;  ///< Whether (i, j) and (j, i) are one element.

  /// All elements are zero.
  constexpr Pattern() = default;
  /// Takes the elements, row by row.
  constexpr Pattern(const detail::ElementList<R * C>& elements)
      : detail::ElementList<R * C>(elements) {}

  /// Reads the rows, one text per row; a wrong text is a compile-time error.
  template <std::convertible_to<std::string_view>... Rows>
  requires(sizeof...(Rows) == R) constexpr explicit Pattern(const Rows&... text) {
    int row = 0;
    (detail::read_row(*this, row++, C, text), ...);
  }

  /// Returns the pattern of a matrix with free elements only.
  static constexpr Pattern dense() {
    Pattern pattern;
    for (int i = 0; i < R * C; ++i) pattern.set_element(i, PatternElement::free);
    return pattern;
  }
  /// Returns the pattern of the identity matrix.
  static constexpr Pattern identity() requires(R == C) {
    Pattern pattern;
    for (int i = 0; i < R; ++i) pattern.set(i, i, PatternElement::one);
    return pattern;
  }
  /// Returns the pattern of a lower triangular matrix: free on and below the diagonal, else zero.
  static constexpr Pattern lower_triangle() requires(R == C) {
    Pattern pattern;
    for (int i = 0; i < R; ++i)
      for (int j = 0; j <= i; ++j) pattern.set(i, j, PatternElement::free);
    return pattern;
  }

  /// Returns the place of element (i, j) in the order of storage.
  KOKKOS_FUNCTION static constexpr int index(int i, int j) { return i * C + j; }
  /// Returns what is known about element (i, j).
  KOKKOS_FUNCTION constexpr PatternElement operator()(int i, int j) const {
    return this->element(index(i, j));
  }
  /// Sets what is known about element (i, j).
  KOKKOS_FUNCTION constexpr void set(int i, int j, PatternElement element) {
    this->set_element(index(i, j), element);
  }
};

/// Pattern of a symmetric N x N matrix: its lower triangle, row by row. (i, j) and (j, i) are one
/// element. It is written as the rows of the triangle: `SymmetricPattern<2>("x", ". x")`.
/// N (N + 1) / 2 is at most 128.
template <int N>
struct SymmetricPattern : detail::ElementList<N*(N + 1) / 2> {
  static_assert(N > 0, "A matrix has at least one row.");
  static constexpr int rows = N,              ///< Number of rows.
      columns = N;                            ///< Number of columns.
  static constexpr bool is_symmetric = true;  ///< Whether (i, j) and (j, i) are one element.

  /// All elements are zero.
  constexpr SymmetricPattern() = default;
  /// Takes the elements of the lower triangle, row by row.
  constexpr SymmetricPattern(const detail::ElementList<N*(N + 1) / 2>& elements)
      : detail::ElementList<N*(N + 1) / 2>(elements) {}

  /// Reads the rows of the lower triangle, one text per row; a wrong text is a compile-time
  /// error.
  template <std::convertible_to<std::string_view>... Rows>
  requires(sizeof...(Rows) == N) constexpr explicit SymmetricPattern(const Rows&... text) {
    int row = 0;
    ((detail::read_row(*this, row, row + 1, text), ++row), ...);
  }

  /// Returns the pattern of a matrix with free elements only.
  static constexpr SymmetricPattern dense() {
    SymmetricPattern pattern;
    for (int i = 0; i < N * (N + 1) / 2; ++i) pattern.set_element(i, PatternElement::free);
    return pattern;
  }
  /// Returns the pattern of the identity matrix.
  static constexpr SymmetricPattern identity() {
    SymmetricPattern pattern;
    for (int i = 0; i < N; ++i) pattern.set(i, i, PatternElement::one);
    return pattern;
  }

  /// Returns the place of element (i, j) in the order of storage.
  KOKKOS_FUNCTION static constexpr int index(int i, int j) {
    return i >= j ? i * (i + 1) / 2 + j : j * (j + 1) / 2 + i;
  }
  /// Returns what is known about element (i, j).
  KOKKOS_FUNCTION constexpr PatternElement operator()(int i, int j) const {
    return this->element(index(i, j));
  }
  /// Sets what is known about elements (i, j) and (j, i).
  KOKKOS_FUNCTION constexpr void set(int i, int j, PatternElement element) {
    this->set_element(index(i, j), element);
  }
};

/// `Pattern` or `SymmetricPattern`.
template <class P>
concept AnyPattern = requires(const P p) {
  { p(0, 0) } -> std::same_as<PatternElement>;
  P::rows;
  P::columns;
};

// Patterns of results
// -----------------------------------------------------------------------------------

/// Returns the pattern of Aᵀ.
template <AnyPattern A>
KOKKOS_FUNCTION constexpr auto transposed(const A& a) {
  Pattern<A::columns, A::rows> result;
  for (int i = 0; i < A::rows; ++i)
    for (int j = 0; j < A::columns; ++j) result.set(j, i, a(i, j));
  return result;
}

/// Returns the pattern of A B.
template <AnyPattern A, AnyPattern B>
KOKKOS_FUNCTION constexpr auto product(const A& a, const B& b) {
  static_assert(A::columns == B::rows, "A product has as many columns left as rows right.");
  Pattern<A::rows, B::columns> result;
  for (int i = 0; i < A::rows; ++i)
    for (int j = 0; j < B::columns; ++j)
      for (int k = 0; k < A::columns; ++k)
        result.set(i, j, detail::sum(result(i, j), detail::product(a(i, k), b(k, j))));
  return result;
}

/// Returns the lower triangle of a square pattern as a symmetric pattern.
template <AnyPattern A>
KOKKOS_FUNCTION constexpr auto lower_triangle(const A& a) {
  static_assert(A::rows == A::columns, "A symmetric matrix is square.");
  SymmetricPattern<A::rows> result;
  for (int i = 0; i < A::rows; ++i)
    for (int j = 0; j <= i; ++j) result.set(i, j, a(i, j));
  return result;
}

/// Returns the pattern of J P Jᵀ for a symmetric P.
template <AnyPattern J, AnyPattern P>
KOKKOS_FUNCTION constexpr auto similarity(const J& j, const P& p) {
  return lower_triangle(product(product(j, p), transposed(j)));
}

namespace detail {
/// Combines two patterns of one shape element by element; symmetric if both are.
template <AnyPattern A, AnyPattern B>
KOKKOS_FUNCTION constexpr auto combined(const A& a, const B& b,
                                        PatternElement (*combine)(PatternElement, PatternElement)) {
  static_assert(A::rows == B::rows && A::columns == B::columns,
                "Matrices that are added or subtracted have one shape.");
  constexpr bool both_symmetric = A::is_symmetric && B::is_symmetric;
  std::conditional_t<both_symmetric, A, Pattern<A::rows, A::columns>> result;
  for (int i = 0; i < A::rows; ++i)
    for (int j = 0; j < A::columns; ++j) result.set(i, j, combine(a(i, j), b(i, j)));
  return result;
}
}  // namespace detail

/// Returns the pattern of A + B.
template <AnyPattern A, AnyPattern B>
KOKKOS_FUNCTION constexpr auto sum(const A& a, const B& b) {
  return detail::combined(a, b, detail::sum);
}

/// Returns the pattern of A - B.
template <AnyPattern A, AnyPattern B>
KOKKOS_FUNCTION constexpr auto difference(const A& a, const B& b) {
  return detail::combined(a, b, detail::difference);
}

}  // namespace trackplex
