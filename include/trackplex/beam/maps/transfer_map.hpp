// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/beam/maps/polynomial.hpp>
#include <trackplex/core/compiled.hpp>

#include <array>

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
  static TransferMap identity(int order);

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

  /// Returns the coordinates after the map, from those before it.
  Vector operator()(const Vector& v) const;

  /// Memberwise equality.
  friend bool operator==(const TransferMap&, const TransferMap&) = default;
};

/// Returns the map of `second` after `first`, truncated to the higher of their orders.
TransferMap concatenated(const TransferMap& first, const TransferMap& second);

/// Returns the linear map about a particle of coordinates `orbit`: of the differences from it
/// before the map. The constants are its coordinates after the map.
TransferMap linear_about(const TransferMap::Vector& orbit, const TransferMap& map);

/// Returns true if the map depends on s, other than through the term s of s itself.
bool depends_on_s(const TransferMap& map);

/// Returns the deviation of the linear part from a symplectic one: the max absolute element of R^T
/// S R - S, where S pairs x with xp, y with yp, and s with delta, the last with the opposite
/// sign, since s is larger for later particles. Slopes are canonical to first order only.
double symplecticity(const TransferMap& map);

/// Returns that deviation in canonical momenta \f$ (1+\delta)(x',y')/\sqrt{1+x'^2+y'^2} \f$ in the
/// place of slopes, of the linear map about the particle that starts at `orbit`. The constants of
/// the map are the coordinates of that particle behind it (`linear_about`).
double symplecticity(const TransferMap& linear, const TransferMap::Vector& orbit);

}  // namespace trackplex::beam

#if !defined(TRACKPLEX_COMPILED)
#include <trackplex/beam/maps/detail/transfer_map.impl.hpp>
#endif
