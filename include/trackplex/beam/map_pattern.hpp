// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/beam/transfer_map.hpp>
#include <trackplex/core/lane_memory.hpp>
#include <trackplex/matriplex/detail/unroll.hpp>

#include <string>
#include <vector>

namespace trackplex::beam {

/// Which coefficients of a map to second order may be anything: the others are those of the
/// identity, and are neither stored nor multiplied with. A constant of the compiler.
struct MapPattern {
  bool constant[n_coordinates] = {};
  bool linear[n_coordinates][n_coordinates] = {};  ///< of (i, i): else 1
  bool quadratic[n_coordinates][n_pairs] = {};

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

  /// Whether the factor of v_j in the result i has a coefficient.
  KOKKOS_FUNCTION constexpr bool has_factor(int i, int j) const {
    bool any = linear[i][j];
    for (int k = 0; k <= j; ++k) any = any || quadratic[i][pair_index(j, k)];
    return any;
  }

  /// Coefficients are stored result by result: the constant, then for j = 5 to 0 the linear one
  /// and, for k = j to 0, the quadratic ones. Number of those before the first of (i, j); with
  /// i = 6, of all.
  KOKKOS_FUNCTION constexpr int before(int i, int j = n_coordinates) const {
    int n = 0;
    for (int row = 0; row <= i && row < n_coordinates; ++row) {
      if (row == i && j == n_coordinates) break;
      n += constant[row];
      for (int column = n_coordinates - 1; column >= 0; --column) {
        if (row == i && column == j) return n;
        n += linear[row][column];
        for (int k = 0; k <= column; ++k) n += quadratic[row][pair_index(column, k)];
      }
    }
    return n;
  }
  KOKKOS_FUNCTION constexpr int size() const { return before(n_coordinates); }

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

/// Elements that are symmetric to the plane y = 0: bends, quadrupoles, sextupoles.
struct Midplane {
  static constexpr MapPattern value = [] {
    MapPattern p;
    const auto is_vertical = [](int i) { return i == 3 || i == 4; };
    for (int i = 1; i <= 5; ++i)
      for (int j = 1; j <= 6; ++j) {
        if (j == 5) continue;  // nothing depends on s
        if (is_vertical(i) == is_vertical(j) && !(i == 5 && is_vertical(j))) p = p.R(i, j);
        for (int k = 1; k <= j; ++k)
          if (k != 5 && (is_vertical(j) != is_vertical(k)) == is_vertical(i)) p = p.T(i, j, k);
      }
    return p;
  }();
};

/// All coefficients.
struct Dense {
  static constexpr MapPattern value = [] {
    MapPattern p;
    for (int i = 1; i <= n_coordinates; ++i) {
      p = p.C(i);
      for (int j = 1; j <= n_coordinates; ++j) {
        p = p.R(i, j);
        for (int k = 1; k <= j; ++k) p = p.T(i, j, k);
      }
    }
    return p;
  }();
};

}  // namespace patterns

/// The coefficients of a map in the order of a pattern; of order 3, those of the third are left
/// out.
/// @throws UsageError if the map has a coefficient that the pattern does not have
inline std::vector<double> coefficients_of(const TransferMap& map, const MapPattern& pattern) {
  std::vector<double> coefficients;
  const auto take = [&](double value, bool is_stored, double otherwise, int result) {
    if (is_stored) {
      coefficients.push_back(value);
    } else if (value != otherwise) {
      throw UsageError("coefficients_of",
                       "result " + std::to_string(result + 1) + " of the map has the coefficient " +
                           std::to_string(value),
                       "the pattern leaves it out", "use a pattern that has it, or the dense one");
    }
  };
  for (int i = 0; i < n_coordinates; ++i) {
    const Polynomial& p = map.component[i];
    take(p.c, pattern.constant[i], 0., i);
    for (int j = n_coordinates - 1; j >= 0; --j) {
      take(p.r[j], pattern.linear[i][j], i == j ? 1. : 0., i);
      for (int k = j; k >= 0; --k)
        take(p.t[pair_index(j, k)], pattern.quadratic[i][pair_index(j, k)], 0., i);
    }
  }
  return coefficients;
}

namespace detail {

/// What v_j is multiplied with in result i: the coefficient of v_j and those of v_j v_k times v_k.
template <class Pattern, int I, int J, class Real>
KOKKOS_FORCEINLINE_FUNCTION Real map_factor(const ScalarOf<Real>* coefficient,
                                            const Particle<Real>& v) {
  const ScalarOf<Real>* next = coefficient + Pattern::value.before(I, J);
  Real factor(0);
  if constexpr (Pattern::value.linear[I][J]) factor = Real(*next++);
  trackplex::detail::for_each_index<J + 1>([&]<int N>() TRACKPLEX_INLINE_LAMBDA {
    constexpr int k = J - N;
    if constexpr (Pattern::value.quadratic[I][pair_index(J, k)])
      factor = fma(Real(*next++), v[k], factor);
  });
  return factor;
}

}  // namespace detail

/// Applies a map of a pattern with its coefficients in the order of `coefficients_of`. The sums
/// run from j = 5 to 0 and from k = j to 0.
template <class Pattern, class Real>
KOKKOS_FORCEINLINE_FUNCTION Particle<Real> apply_map(const ScalarOf<Real>* coefficient,
                                                     const Particle<Real>& v) {
  Particle<Real> out;
  trackplex::detail::for_each_index<n_coordinates>([&]<int I>() TRACKPLEX_INLINE_LAMBDA {
    Real sum = Pattern::value.linear[I][I] ? Real(0) : v[I];
    if constexpr (Pattern::value.constant[I]) sum += Real(coefficient[Pattern::value.before(I)]);
    trackplex::detail::for_each_index<n_coordinates>([&]<int N>() TRACKPLEX_INLINE_LAMBDA {
      constexpr int j = n_coordinates - 1 - N;
      if constexpr (Pattern::value.has_factor(I, j))
        sum = fma(detail::map_factor<Pattern, I, j>(coefficient, v), v[j], sum);
    });
    out[I] = sum;
  });
  return out;
}

}  // namespace trackplex::beam
