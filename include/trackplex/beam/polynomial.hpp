// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/beam/coordinates.hpp>

#include <array>
#include <cmath>

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
  static Polynomial variable(int i) {
    Polynomial p;
    p.r[i] = 1.;
    return p;
  }

  /// Adds a polynomial.
  Polynomial& operator+=(const Polynomial& other) { return add(1., other); }

  /// Adds a polynomial times a factor.
  Polynomial& add(double factor, const Polynomial& other) {
    c += factor * other.c;
    for (int i = 0; i < n_coordinates; ++i) r[i] += factor * other.r[i];
    for (int i = 0; i < n_pairs; ++i) t[i] += factor * other.t[i];
    for (int i = 0; i < n_triples; ++i) q[i] += factor * other.q[i];
    return *this;
  }

  /// Returns the value at the coordinates v.
  double operator()(const std::array<double, n_coordinates>& v) const {
    double sum = c;
    for (int j = n_coordinates - 1; j >= 0; --j) {
      double factor = r[j];
      for (int k = j; k >= 0; --k) {
        double inner = t[pair_index(j, k)];
        for (int l = k; l >= 0; --l) inner += q[triple_index(j, k, l)] * v[l];
        factor += inner * v[k];
      }
      sum += factor * v[j];
    }
    return sum;
  }

  /// Memberwise equality.
  friend bool operator==(const Polynomial&, const Polynomial&) = default;
};

/// Returns the product of two polynomials, truncated to an order of 1 to 3.
inline Polynomial product(const Polynomial& a, const Polynomial& b, int order) {
  Polynomial p;
  p.add(a.c, b);
  Polynomial rest = a;  // its constant is in there already
  rest.c = 0.;
  p.add(b.c, rest);
  if (order < 2) {
    p.t.fill(0.);
    p.q.fill(0.);
    return p;
  }
  for (int j = 0; j < n_coordinates; ++j)
    for (int k = 0; k < n_coordinates; ++k) p.t[pair_index(j, k)] += a.r[j] * b.r[k];
  if (order < 3) {
    p.q.fill(0.);
    return p;
  }
  for (int j = 0; j < n_coordinates; ++j)
    for (int k = 0; k < n_coordinates; ++k)
      for (int l = 0; l <= k; ++l)
        p.q[triple_index(j, k, l)] +=
            a.r[j] * b.t[pair_index(k, l)] + b.r[j] * a.t[pair_index(k, l)];
  return p;
}

/// Returns p^exponent, truncated to an order of 1 to 3, by the binomial series; the constant of p
/// must be positive, and the exponent a multiple of 1/2.
inline Polynomial power(const Polynomial& p, double exponent, int order) {
  Polynomial u;  // p = p.c (1 + u)
  u.add(1. / p.c, p);
  u.c = 0.;
  const Polynomial u2 = product(u, u, order);
  Polynomial sum;
  sum.c = 1.;
  sum.add(exponent, u);
  sum.add(0.5 * exponent * (exponent - 1.), u2);
  sum.add(exponent * (exponent - 1.) * (exponent - 2.) / 6., product(u2, u, order));
  double of_constant = 1.;  // from operations with one correct result, unlike std::pow
  for (double rest = std::abs(exponent); rest > 0.; rest -= 1.)
    of_constant *= rest < 1. ? std::sqrt(p.c) : p.c;
  Polynomial scaled;
  scaled.add(exponent < 0. ? 1. / of_constant : of_constant, sum);
  return scaled;
}

}  // namespace trackplex::beam
