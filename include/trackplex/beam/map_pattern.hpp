// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/beam/transfer_map.hpp>
#include <trackplex/core/lane_memory.hpp>
#include <trackplex/core/shortest.hpp>
#include <trackplex/core/unroll.hpp>

#include <string>
#include <vector>

namespace trackplex::beam {

/// Which coefficients of a map may be anything: the others are those of the identity, and are
/// neither stored nor multiplied with. A constant of the compiler.
struct MapPattern {
  bool constant[n_coordinates] = {};
  bool linear[n_coordinates][n_coordinates] = {};  ///< of (i, i): else 1
  bool quadratic[n_coordinates][n_pairs] = {};
  bool cubic[n_coordinates][n_triples] = {};

  // The same pattern with a coefficient more, by the usual numbers of the coordinates, 1 to 6.
  constexpr MapPattern C(int i) const {
    MapPattern p = *this;
    p.constant[i - 1] = true;
    return p;
  }
  constexpr MapPattern R(int i, int j) const {
    MapPattern p = *this;
    p.linear[i - 1][j - 1] = true;
    return p;
  }
  constexpr MapPattern T(int i, int j, int k) const {
    MapPattern p = *this;
    p.quadratic[i - 1][pair_index(j - 1, k - 1)] = true;
    return p;
  }
  constexpr MapPattern Q(int i, int j, int k, int l) const {
    MapPattern p = *this;
    p.cubic[i - 1][triple_index(j - 1, k - 1, l - 1)] = true;
    return p;
  }

  /// Coefficients of v_j v_k, and of that times another v_l with l <= k, in the result i.
  KOKKOS_FUNCTION constexpr int count(int i, int j, int k) const {
    int n = quadratic[i][pair_index(j, k)];
    for (int l = 0; l <= k; ++l) n += cubic[i][triple_index(j, k, l)];
    return n;
  }
  /// Coefficients of v_j, and of that times others v_k with k <= j, in the result i.
  KOKKOS_FUNCTION constexpr int count(int i, int j) const {
    int n = linear[i][j];
    for (int k = 0; k <= j; ++k) n += count(i, j, k);
    return n;
  }

  /// Coefficients are stored result by result: the constant, then for j = 5 to 0 the linear one
  /// and, for k = j to 0, the quadratic one and, for l = k to 0, the cubic ones. Number of those
  /// before the first of (i, j); with i = 6, of all.
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
  KOKKOS_FUNCTION constexpr int size() const { return before(n_coordinates); }

  /// 3 where there are coefficients of third order, else 2.
  KOKKOS_FUNCTION constexpr int order() const {
    bool any = false;
    for (const auto& row : cubic)
      for (const bool has_coefficient : row) any = any || has_coefficient;
    return any ? 3 : 2;
  }

  /// Whether the map may change the coordinate i.
  KOKKOS_FUNCTION constexpr bool changes(int i) const { return before(i + 1) > before(i); }

  friend constexpr bool operator==(const MapPattern&, const MapPattern&) = default;
};

/// Patterns of elements, as types with a value: what planes of symmetry leave.
namespace patterns {

struct Drift {
  static constexpr MapPattern value = MapPattern().R(1, 2).R(3, 4).T(5, 2, 2).T(5, 4, 4);
};

struct Quadrupole {
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

/// Pattern that reflection leaves: at y = 0, an even number of y and yp among the factors of the
/// other coordinates, an odd one among those of y and yp; where `both`, the same with x. Nothing
/// depends on s, and nothing changes delta.
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

/// Elements that are symmetric to the plane y = 0: bends, quadrupoles, sextupoles.
struct Midplane {
  static constexpr MapPattern value = of_symmetry(false, 2);
};
struct Midplane3 {
  static constexpr MapPattern value = of_symmetry(false, 3);
};

/// Quadrupoles to third order: symmetric to both planes.
struct Quadrupole3 {
  static constexpr MapPattern value = of_symmetry(true, 3);
};

/// All coefficients.
struct Dense {
  static constexpr MapPattern value = all_coefficients(2);
};
struct Dense3 {
  static constexpr MapPattern value = all_coefficients(3);
};

}  // namespace patterns

/// The coefficients of a map in the order of a pattern.
/// @throws UsageError if the map has a coefficient that the pattern does not have
inline std::vector<double> coefficients_of(const TransferMap& map, const MapPattern& pattern) {
  std::vector<double> coefficients;
  const auto take = [&](double value, bool is_stored, double otherwise, int result) {
    if (is_stored) {
      coefficients.push_back(value);
    } else if (value != otherwise) {
      throw UsageError("coefficients_of",
                       "result " + std::to_string(result + 1) + " of the map has the coefficient " +
                           shortest(value),
                       "the pattern leaves it out", "use a pattern that has it, or the dense one");
    }
  };
  for (int i = 0; i < n_coordinates; ++i) {
    const Polynomial& p = map.component[i];
    take(p.c, pattern.constant[i], 0., i);
    for (int j = n_coordinates - 1; j >= 0; --j) {
      take(p.r[j], pattern.linear[i][j], i == j ? 1. : 0., i);
      for (int k = j; k >= 0; --k) {
        take(p.t[pair_index(j, k)], pattern.quadratic[i][pair_index(j, k)], 0., i);
        for (int l = k; l >= 0; --l)
          take(p.q[triple_index(j, k, l)], pattern.cubic[i][triple_index(j, k, l)], 0., i);
      }
    }
  }
  return coefficients;
}

namespace detail {

/// Factor of v_j in result i: the sum of the coefficient of v_j, of those of v_j v_k
/// times v_k, and so on.
template <class Pattern, int I, int J, class Real>
KOKKOS_FORCEINLINE_FUNCTION Real map_factor(const ScalarOf<Real>* coefficient,
                                            const Particle<Real>& v) {
  const ScalarOf<Real>* next = coefficient + Pattern::value.before(I, J);
  Real factor(0);
  if constexpr (Pattern::value.linear[I][J]) factor = Real(*next++);
  trackplex::detail::for_each_index<J + 1>([&]<int N>() TRACKPLEX_INLINE_LAMBDA {
    constexpr int k = J - N;
    if constexpr (Pattern::value.count(I, J, k) > 0) {
      Real inner(0);
      if constexpr (Pattern::value.quadratic[I][pair_index(J, k)]) inner = Real(*next++);
      trackplex::detail::for_each_index<k + 1>([&]<int M>() TRACKPLEX_INLINE_LAMBDA {
        constexpr int l = k - M;
        if constexpr (Pattern::value.cubic[I][triple_index(J, k, l)])
          inner = fma(Real(*next++), v[l], inner);
      });
      factor = fma(inner, v[k], factor);
    }
  });
  return factor;
}

}  // namespace detail

/// Applies a map of a pattern with its coefficients in the order of `coefficients_of`. The sums
/// run from j = 5 to 0, from k = j to 0 and from l = k to 0.
template <class Pattern, class Real>
KOKKOS_FORCEINLINE_FUNCTION Particle<Real> apply_map(const ScalarOf<Real>* coefficient,
                                                     const Particle<Real>& v) {
  Particle<Real> out;
  trackplex::detail::for_each_index<n_coordinates>([&]<int I>() TRACKPLEX_INLINE_LAMBDA {
    Real sum = Pattern::value.linear[I][I] ? Real(0) : v[I];
    if constexpr (Pattern::value.constant[I]) sum += Real(coefficient[Pattern::value.before(I)]);
    trackplex::detail::for_each_index<n_coordinates>([&]<int N>() TRACKPLEX_INLINE_LAMBDA {
      constexpr int j = n_coordinates - 1 - N;
      if constexpr (Pattern::value.count(I, j) > 0)
        sum = fma(detail::map_factor<Pattern, I, j>(coefficient, v), v[j], sum);
    });
    out[I] = sum;
  });
  return out;
}

/// `apply_map<patterns::Dense3>` as loops: a tenth of the code, and of the time to compile it.
template <class Real>
KOKKOS_FUNCTION Particle<Real> apply_cubic_map(const ScalarOf<Real>* coefficient,
                                               const Particle<Real>& v) {
  Particle<Real> out;
  const ScalarOf<Real>* next = coefficient;
  for (int i = 0; i < n_coordinates; ++i) {
    Real sum(*next++);
    for (int j = n_coordinates - 1; j >= 0; --j) {
      Real factor(*next++);
      for (int k = j; k >= 0; --k) {
        Real inner(*next++);
        for (int l = k; l >= 0; --l) inner = fma(Real(*next++), v[l], inner);
        factor = fma(inner, v[k], factor);
      }
      sum = fma(factor, v[j], sum);
    }
    out[i] = sum;
  }
  return out;
}

}  // namespace trackplex::beam
