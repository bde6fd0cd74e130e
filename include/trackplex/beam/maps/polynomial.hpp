// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/beam/bunch/particle.hpp>
#include <trackplex/core/compiled.hpp>

#include <array>

namespace trackplex::beam {

/// Number of products v_j v_k of coordinates with k <= j.
inline constexpr int n_pairs = n_coordinates * (n_coordinates + 1) / 2;
/// Number of products v_j v_k v_l of coordinates with l <= k <= j.
inline constexpr int n_triples = n_coordinates * (n_coordinates + 1) * (n_coordinates + 2) / 6;

/// Returns the number of the product v_j v_k, 0 to `n_pairs` - 1; j and k may be in any order.
KOKKOS_FORCEINLINE_FUNCTION constexpr int pair_index(int j, int k) {
  return j > k ? j * (j + 1) / 2 + k : k * (k + 1) / 2 + j;
}
/// Returns the number of the product v_j v_k v_l, 0 to `n_triples` - 1, in any order of j, k, l.
KOKKOS_FORCEINLINE_FUNCTION constexpr int triple_index(int j, int k, int l) {
  const int most = j > k ? (j > l ? j : l) : (k > l ? k : l);
  const int least = j < k ? (j < l ? j : l) : (k < l ? k : l);
  const int middle = j + k + l - most - least;
  return most * (most + 1) * (most + 2) / 6 + middle * (middle + 1) / 2 + least;
}

/// Polynomial in the coordinates to third order; coefficients beyond the order that is in use are
/// zero. Each product of coordinates has one coefficient.
struct Polynomial {
  double c = 0.;                          ///< Constant.
  std::array<double, n_coordinates> r{};  ///< Linear coefficients.
  std::array<double, n_pairs> t{};        ///< Quadratic ones, by `pair_index`.
  std::array<double, n_triples> q{};      ///< Cubic ones, by `triple_index`.

  /// Returns the polynomial v_i, the coordinate i itself.
  static Polynomial variable(int i);

  /// Adds a polynomial.
  Polynomial& operator+=(const Polynomial& other) { return add(1., other); }

  /// Adds a polynomial times a factor.
  Polynomial& add(double factor, const Polynomial& other);

  /// Returns the value at the coordinates v.
  double operator()(const std::array<double, n_coordinates>& v) const;

  /// Memberwise equality.
  friend bool operator==(const Polynomial&, const Polynomial&) = default;
};

/// Returns the product of two polynomials, truncated to an order of 1 to 3.
Polynomial product(const Polynomial& a, const Polynomial& b, int order);

/// Returns p^exponent, truncated to an order of 1 to 3, by the binomial series; the constant of p
/// must be positive, and the exponent a multiple of 1/2.
Polynomial power(const Polynomial& p, double exponent, int order);

}  // namespace trackplex::beam

#if !defined(TRACKPLEX_COMPILED)
#include <trackplex/beam/maps/detail/polynomial.impl.hpp>
#endif
