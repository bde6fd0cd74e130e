// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/beam/maps/transfer_map.hpp>
#include <trackplex/core/compiled.hpp>
#include <trackplex/core/lane_memory.hpp>
#include <trackplex/core/unroll.hpp>

#include <vector>

namespace trackplex::beam {

/// Sparsity of a Taylor map, known at compile time: the coefficients that may have any value. The
/// others are those of the identity, and are neither stored nor used.
struct MapPattern {
  bool constant[n_coordinates] = {};               ///< Constants C.
  bool linear[n_coordinates][n_coordinates] = {};  ///< Coefficients R; (i, i) without it: 1.
  bool quadratic[n_coordinates][n_pairs] = {};     ///< Coefficients T, by `pair_index`.
  bool cubic[n_coordinates][n_triples] = {};       ///< Coefficients Q, by `triple_index`.

  /// Returns the pattern with C_i in addition, by the number of the coordinate, 1 to 6.
  constexpr MapPattern C(int i) const {
    MapPattern p = *this;
    p.constant[i - 1] = true;
    return p;
  }
  /// Returns the pattern with R_ij in addition, by numbers of coordinates from 1 to 6.
  constexpr MapPattern R(int i, int j) const {
    MapPattern p = *this;
    p.linear[i - 1][j - 1] = true;
    return p;
  }
  /// Returns the pattern with T_ijk in addition, by numbers of coordinates from 1 to 6.
  constexpr MapPattern T(int i, int j, int k) const {
    MapPattern p = *this;
    p.quadratic[i - 1][pair_index(j - 1, k - 1)] = true;
    return p;
  }
  /// Returns the pattern with Q_ijkl in addition, by numbers of coordinates from 1 to 6.
  constexpr MapPattern Q(int i, int j, int k, int l) const {
    MapPattern p = *this;
    p.cubic[i - 1][triple_index(j - 1, k - 1, l - 1)] = true;
    return p;
  }

  /// Returns the number of coefficients of v_j v_k, j <= k, and of v_j v_k v_l with l >= k, in the
  /// result i.
  KOKKOS_FUNCTION constexpr int count(int i, int j, int k) const {
    int n = quadratic[i][pair_index(k, j)];
    for (int l = k; l < n_coordinates; ++l) n += cubic[i][triple_index(l, k, j)];
    return n;
  }
  /// Returns the number of coefficients of v_j, and of its products with v_k, k >= j, and v_l,
  /// l >= k, in the result i.
  KOKKOS_FUNCTION constexpr int count(int i, int j) const {
    int n = linear[i][j];
    for (int k = j; k < n_coordinates; ++k) n += count(i, j, k);
    return n;
  }

  /// Returns the number of coefficients stored before the first one of v_j in the result i; with
  /// the default j, before the result i; with i = 6, of all. They are stored result by result: the
  /// constant, then for j = 5 to 0 the linear one and, for k = 5 to j, the quadratic one and, for
  /// l = 5 to k, the cubic ones.
  KOKKOS_FUNCTION constexpr int before(int i, int j = n_coordinates) const {
    int n = 0;
    for (int row = 0; row < i; ++row) {
      n += constant[row];
      for (int column = 0; column < n_coordinates; ++column) n += count(row, column);
    }
    if (j == n_coordinates) return n;
    n += constant[i];
    for (int column = n_coordinates - 1; column > j; --column) n += count(i, column);
    return n;
  }
  /// Tells whether v_i, with the coefficient 1, is added to the sum of the other terms of the
  /// result i: a coordinate then waits for one addition in each element. A single term is added to
  /// it.
  KOKKOS_FUNCTION constexpr bool ends_with_itself(int i) const {
    int n = 0;
    for (int j = 0; j < n_coordinates; ++j) n += count(i, j) > 0;
    return !linear[i][i] && n > 1;
  }
  /// Tells whether the terms of v_j begin the sum of the result i.
  KOKKOS_FUNCTION constexpr bool begins(int i, int j) const {
    return (linear[i][i] || ends_with_itself(i)) && before(i, j) == before(i);
  }
  /// Tells whether the term of v_j v_k begins the factor of v_j.
  KOKKOS_FUNCTION constexpr bool begins(int i, int j, int k) const {
    int n = linear[i][j];
    for (int higher = k + 1; higher < n_coordinates; ++higher) n += count(i, j, higher);
    return n == 0;
  }
  /// Returns the number of coefficients.
  KOKKOS_FUNCTION constexpr int size() const { return before(n_coordinates); }

  /// Returns 3 if there are third-order coefficients, else 2.
  KOKKOS_FUNCTION constexpr int order() const {
    bool any = false;
    for (const auto& row : cubic)
      for (const bool has_coefficient : row) any = any || has_coefficient;
    return any ? 3 : 2;
  }

  /// Returns true if the map may change the coordinate i.
  KOKKOS_FUNCTION constexpr bool changes(int i) const { return before(i + 1) > before(i); }

  /// Memberwise equality.
  friend constexpr bool operator==(const MapPattern&, const MapPattern&) = default;
};

/// Patterns of elements, as types with a value.
namespace patterns {

/// Pattern of drifts.
struct Drift {
  /// R_12, R_34, T_522 and T_544.
  static constexpr MapPattern value = MapPattern().R(1, 2).R(3, 4).T(5, 2, 2).T(5, 4, 4);
};

/// Pattern of quadrupoles to second order.
struct Quadrupole {
  /// The coefficients of `quadrupole_map`.
  static constexpr MapPattern value = [] {
    MapPattern p;
    for (const int a : {1, 3}) {
      const int b = a + 1;
      p = p.R(a, a).R(a, b).R(b, a).R(b, b);
      p = p.T(a, a, 6).T(a, b, 6).T(b, a, 6).T(b, b, 6);
      p = p.T(5, a, a).T(5, a, b).T(5, b, b);
    }
    return p;
  }();
};

/// Returns the pattern of maps with mirror symmetry in the plane y = 0, to order 1, 2 or 3: terms
/// of y and yp have an odd number of factors y and yp, those of the other coordinates an even one;
/// where `both`, the same holds for x. Nothing depends on s, and delta is not changed.
constexpr MapPattern of_symmetry(bool both, int order) {
  const auto fits = [&](int i, int j, int k = 6, int l = 6) {
    if (j == 5 || k == 5 || l == 5) return false;
    const auto odd = [&](int a) {
      return (i == a || i == a + 1) ^ (j == a || j == a + 1) ^ (k == a || k == a + 1) ^
             (l == a || l == a + 1);
    };
    return !odd(3) && !(both && odd(1));
  };
  MapPattern p;
  for (int i = 1; i <= 5; ++i)
    for (int j = 1; j <= 6; ++j) {
      if (fits(i, j)) p = p.R(i, j);
      for (int k = 1; k <= j && order >= 2; ++k) {
        if (fits(i, j, k)) p = p.T(i, j, k);
        for (int l = 1; l <= k && order >= 3; ++l)
          if (fits(i, j, k, l)) p = p.Q(i, j, k, l);
      }
    }
  return p;
}

/// Returns the pattern with all coefficients to second or third order.
constexpr MapPattern all_coefficients(int order) {
  MapPattern p;
  for (int i = 1; i <= n_coordinates; ++i) {
    p = p.C(i);
    for (int j = 1; j <= n_coordinates; ++j) {
      p = p.R(i, j);
      for (int k = 1; k <= j; ++k) {
        p = p.T(i, j, k);
        for (int l = 1; l <= k && order >= 3; ++l) p = p.Q(i, j, k, l);
      }
    }
  }
  return p;
}

/// Pattern of elements that are symmetric to the plane y = 0, to second order: bends, sextupoles.
struct Midplane {
  static constexpr MapPattern value = of_symmetry(false, 2);  ///< The pattern.
};
/// Pattern of elements that are symmetric to the plane y = 0, to third order.
struct Midplane3 {
  static constexpr MapPattern value = of_symmetry(false, 3);  ///< The pattern.
};

/// Pattern of quadrupoles to third order, which are symmetric to both planes.
struct Quadrupole3 {
  /// The pattern.
  static constexpr MapPattern value = of_symmetry(true, 3);
};

/// Pattern with all coefficients to second order.
struct Dense {
  static constexpr MapPattern value = all_coefficients(2);  ///< The pattern.
};
/// Pattern with all coefficients to third order.
struct Dense3 {
  static constexpr MapPattern value = all_coefficients(3);  ///< The pattern.
};

}  // namespace patterns

/// Returns the coefficients of a map that are in a pattern, in the order of `MapPattern::before`.
/// @throws UsageError if another coefficient of the map is not that of the identity
std::vector<double> coefficients_of(const TransferMap& map, const MapPattern& pattern);

namespace detail {

/// Returns the factor of v_j v_k in the result i: the coefficient, plus those of v_j v_k v_l times
/// v_l.
template <class Pattern, int I, int J, int K, class Real>
KOKKOS_FORCEINLINE_FUNCTION Real pair_factor(const ScalarOf<Real>*& next, const Particle<Real>& v) {
  Real factor(0);
  if constexpr (Pattern::value.quadratic[I][pair_index(K, J)]) factor = Real(*next++);
  trackplex::detail::for_each_index<n_coordinates - K>([&]<int N>() TRACKPLEX_INLINE_LAMBDA {
    constexpr int l = n_coordinates - 1 - N;
    if constexpr (Pattern::value.cubic[I][triple_index(l, K, J)])
      factor = fma(Real(*next++), v[l], factor);
  });
  return factor;
}

/// Returns the factor of v_j in the result i: the coefficient, plus the factors of v_j v_k times
/// v_k.
template <class Pattern, int I, int J, class Real>
KOKKOS_FORCEINLINE_FUNCTION Real map_factor(const ScalarOf<Real>* coefficient,
                                            const Particle<Real>& v) {
  const ScalarOf<Real>* next = coefficient + Pattern::value.before(I, J);
  Real factor(0);
  if constexpr (Pattern::value.linear[I][J]) factor = Real(*next++);
  trackplex::detail::for_each_index<n_coordinates - J>([&]<int N>() TRACKPLEX_INLINE_LAMBDA {
    constexpr int k = n_coordinates - 1 - N;
    if constexpr (Pattern::value.count(I, J, k) > 0) {
      const Real inner = pair_factor<Pattern, I, J, k>(next, v);
      factor = Pattern::value.begins(I, J, k) ? inner * v[k] : fma(inner, v[k], factor);
    }
  });
  return factor;
}

}  // namespace detail

/// Applies a map of a pattern to particles and returns them; coefficients in the order of
/// `coefficients_of`. The sums run from j = 5 to 0, from k = 5 to j and from l = 5 to k, with one
/// `fma` for each coefficient: factors of a coordinate that depend on later ones only, such as
/// delta, are ready before it, and what follows an element waits for few operations.
template <class Pattern, class Real>
KOKKOS_FORCEINLINE_FUNCTION Particle<Real> apply_map(const ScalarOf<Real>* coefficient,
                                                     const Particle<Real>& v) {
  Particle<Real> out;
  trackplex::detail::for_each_index<n_coordinates>([&]<int I>() TRACKPLEX_INLINE_LAMBDA {
    constexpr bool ends_with_itself = Pattern::value.ends_with_itself(I);
    Real sum = Pattern::value.linear[I][I] || ends_with_itself ? Real(0) : v[I];
    if constexpr (Pattern::value.constant[I]) sum += Real(coefficient[Pattern::value.before(I)]);
    trackplex::detail::for_each_index<n_coordinates>([&]<int N>() TRACKPLEX_INLINE_LAMBDA {
      constexpr int j = n_coordinates - 1 - N;
      if constexpr (Pattern::value.count(I, j) > 0) {
        const Real factor = detail::map_factor<Pattern, I, j>(coefficient, v);
        sum = Pattern::value.begins(I, j) ? factor * v[j] : fma(factor, v[j], sum);
      }
    });
    out[I] = ends_with_itself ? v[I] + sum : sum;
  });
  return out;
}

/// Applies a map of third order with all coefficients, as loops: the bits of
/// `apply_map<patterns::Dense3>` with a tenth of the code, and of the time to compile it.
template <class Real>
KOKKOS_FUNCTION Particle<Real> apply_cubic_map(const ScalarOf<Real>* coefficient,
                                               const Particle<Real>& v) {
  Particle<Real> out;
  const ScalarOf<Real>* next = coefficient;
  for (int i = 0; i < n_coordinates; ++i) {
    Real sum(*next++);
    for (int j = n_coordinates - 1; j >= 0; --j) {
      Real factor(*next++);
      for (int k = n_coordinates - 1; k >= j; --k) {
        Real inner(*next++);
        for (int l = n_coordinates - 1; l >= k; --l) inner = fma(Real(*next++), v[l], inner);
        factor = fma(inner, v[k], factor);
      }
      sum = fma(factor, v[j], sum);
    }
    out[i] = sum;
  }
  return out;
}

}  // namespace trackplex::beam

#if !defined(TRACKPLEX_COMPILED)
#include <trackplex/beam/maps/detail/map_pattern.impl.hpp>
#endif
