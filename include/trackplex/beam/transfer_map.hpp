// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/beam/polynomial.hpp>
#include <trackplex/core/error.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <string>

namespace trackplex::beam {

/// Taylor map of the coordinates to order 1, 2 or 3, on the host:
/// \f[ v_i\;\to\;C_i+\sum_jR_{ij}v_j+\sum_{k\le j}T_{ijk}v_jv_k
///     +\sum_{l\le k\le j}Q_{ijkl}v_jv_kv_l. \f]
/// Each product of coordinates has one coefficient, as in elegant: T_ijk is T_ijk + T_ikj of
/// K. L. Brown, SLAC-75, where j and k differ. Coefficients are in the units of `Coordinate`, m and
/// rad.
struct TransferMap {
  using Vector = std::array<double, n_coordinates>;  ///< Coordinates of a particle.

  int order = 1;                                      ///< Order, 1 to 3.
  std::array<Polynomial, n_coordinates> component{};  ///< Polynomial of each coordinate.

  /// Returns the identity as a map of an order.
  /// @throws UsageError if the order is not 1, 2 or 3
  static TransferMap identity(int order) {
    if (order < 1 || order > 3)
      throw UsageError("Taylor map", "there are no maps of order " + std::to_string(order),
                       "allowed: 1 to 3");
    TransferMap map;
    map.order = order;
    for (int i = 0; i < n_coordinates; ++i) map.component[i] = Polynomial::variable(i);
    return map;
  }

  /// Returns the constant C_i, by the number of the coordinate, 1 to 6.
  double& C(int i) { return component[i - 1].c; }
  /// Returns the linear coefficient R_ij, by numbers of coordinates from 1 to 6.
  double& R(int i, int j) { return component[i - 1].r[j - 1]; }
  /// Returns the quadratic coefficient T_ijk, by numbers from 1 to 6, j and k in any order.
  double& T(int i, int j, int k) { return component[i - 1].t[pair_index(j - 1, k - 1)]; }
  /// Returns the cubic coefficient Q_ijkl, by numbers from 1 to 6, j, k and l in any order.
  double& Q(int i, int j, int k, int l) {
    return component[i - 1].q[triple_index(j - 1, k - 1, l - 1)];
  }
  /// Returns the linear coefficient R_ij.
  double R(int i, int j) const { return component[i - 1].r[j - 1]; }

  /// Returns the coordinates behind the map of those before it.
  Vector operator()(const Vector& v) const {
    Vector out;
    for (int i = 0; i < n_coordinates; ++i) out[i] = component[i](v);
    return out;
  }

  /// Memberwise equality.
  friend bool operator==(const TransferMap&, const TransferMap&) = default;
};

/// Returns the map of `second` behind `first`, truncated to the higher of their orders.
inline TransferMap concatenated(const TransferMap& first, const TransferMap& second) {
  const int order = std::max(first.order, second.order);
  std::array<Polynomial, n_pairs> pairs;
  for (int j = 0; j < n_coordinates; ++j)
    for (int k = 0; k <= j; ++k)
      pairs[pair_index(j, k)] = product(first.component[j], first.component[k], order);
  TransferMap map;
  map.order = order;
  for (int i = 0; i < n_coordinates; ++i) {
    const Polynomial& outer = second.component[i];
    Polynomial& p = map.component[i];
    p.c = outer.c;
    for (int j = 0; j < n_coordinates; ++j) {
      if (outer.r[j] != 0.) p.add(outer.r[j], first.component[j]);
      for (int k = 0; k <= j; ++k) {
        const int pair = pair_index(j, k);
        if (outer.t[pair] != 0.) p.add(outer.t[pair], pairs[pair]);
        for (int l = 0; l <= k; ++l)
          if (const double factor = outer.q[triple_index(j, k, l)]; factor != 0.)
            p.add(factor, product(pairs[pair], first.component[l], order));
      }
    }
  }
  return map;
}

/// Returns the linear map about a particle of coordinates `orbit`: of the differences from it
/// before the map. The constants are its coordinates behind the map.
inline TransferMap linear_about(const TransferMap::Vector& orbit, const TransferMap& map) {
  TransferMap linear;
  for (int i = 0; i < n_coordinates; ++i) {
    const Polynomial& p = map.component[i];
    Polynomial& about = linear.component[i];
    about.c = p(orbit);
    about.r = p.r;
    for (int j = 0; j < n_coordinates; ++j)
      for (int k = 0; k <= j; ++k) {
        const double t = p.t[pair_index(j, k)];
        about.r[j] += t * orbit[k];
        about.r[k] += t * orbit[j];
        for (int l = 0; l <= k; ++l) {
          const double q = p.q[triple_index(j, k, l)];
          about.r[j] += q * orbit[k] * orbit[l];
          about.r[k] += q * orbit[j] * orbit[l];
          about.r[l] += q * orbit[j] * orbit[k];
        }
      }
  }
  return linear;
}

/// Tells whether the map depends on s, other than by the term s of s itself.
inline bool depends_on_s(const TransferMap& map) {
  for (int i = 0; i < n_coordinates; ++i) {
    const Polynomial& p = map.component[i];
    if (p.r[s] != (i == s ? 1. : 0.)) return true;
    for (int j = 0; j < n_coordinates; ++j) {
      if (p.t[pair_index(j, s)] != 0.) return true;
      for (int k = 0; k < n_coordinates; ++k)
        if (p.q[triple_index(j, k, s)] != 0.) return true;
    }
  }
  return false;
}

/// Returns the deviation of the linear part from a symplectic one: the largest absolute element of
/// R^T S R - S, where S pairs x with xp, y with yp, and s with delta, the last with the opposite
/// sign, since s is larger for later particles. Slopes are canonical to first order only.
inline double symplecticity(const TransferMap& map) {
  const auto form = [](int i, int j) {
    if (i / 2 != j / 2 || i == j) return 0.;
    return (i < j ? 1. : -1.) * (i / 2 == 2 ? -1. : 1.);
  };
  double largest = 0.;
  for (int i = 0; i < n_coordinates; ++i)
    for (int j = 0; j < n_coordinates; ++j) {
      double sum = -form(i, j);
      for (int k = 0; k < n_coordinates; ++k)
        for (int l = 0; l < n_coordinates; ++l)
          sum += map.component[k].r[i] * form(k, l) * map.component[l].r[j];
      largest = std::max(largest, std::abs(sum));
    }
  return largest;
}

}  // namespace trackplex::beam
