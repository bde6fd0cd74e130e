// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/beam/maps/polynomial.hpp>
#include <trackplex/beam/maps/transfer_map.hpp>
#include <trackplex/core/error.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <string>

namespace trackplex::beam {

TRACKPLEX_INLINE TransferMap TransferMap::identity(int order) {
  if (order < 1 || order > 3)
    throw UsageError("Taylor map", "there are no maps of order " + std::to_string(order),
                     "allowed: 1 to 3");
  TransferMap map;
  map.order = order;
  for (int i = 0; i < n_coordinates; ++i) map.component[i] = Polynomial::variable(i);
  return map;
}

TRACKPLEX_INLINE TransferMap::Vector TransferMap::operator()(const Vector& v) const {
  Vector out;
  for (int i = 0; i < n_coordinates; ++i) out[i] = component[i](v);
  return out;
}

TRACKPLEX_INLINE TransferMap concatenated(const TransferMap& first, const TransferMap& second) {
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

TRACKPLEX_INLINE TransferMap linear_about(const TransferMap::Vector& orbit,
                                          const TransferMap& map) {
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

TRACKPLEX_INLINE bool depends_on_s(const TransferMap& map) {
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

namespace detail {

using Matrix6 = std::array<std::array<double, n_coordinates>, n_coordinates>;

/// Largest absolute element of m^T S m - S, with S as in `symplecticity`.
TRACKPLEX_INLINE double deviation_from_symplectic(const Matrix6& m) {
  const auto form = [](int i, int j) {
    if (i / 2 != j / 2 || i == j) return 0.;
    return (i < j ? 1. : -1.) * (i / 2 == 2 ? -1. : 1.);
  };
  double largest = 0.;
  for (int i = 0; i < n_coordinates; ++i)
    for (int j = 0; j < n_coordinates; ++j) {
      double sum = -form(i, j);
      for (int k = 0; k < n_coordinates; ++k)
        for (int l = 0; l < n_coordinates; ++l) sum += m[k][i] * form(k, l) * m[l][j];
      largest = std::max(largest, std::abs(sum));
    }
  return largest;
}

TRACKPLEX_INLINE Matrix6 product(const Matrix6& a, const Matrix6& b) {
  Matrix6 c{};
  for (int i = 0; i < n_coordinates; ++i)
    for (int k = 0; k < n_coordinates; ++k)
      for (int j = 0; j < n_coordinates; ++j) c[i][j] += a[i][k] * b[k][j];
  return c;
}

/// Derivatives of the canonical momenta by slopes and delta at a particle; all others are those of
/// the identity.
struct MomentumDerivatives {
  double x_by_xp, by_both, y_by_yp, x_by_delta, y_by_delta;

  explicit MomentumDerivatives(const TransferMap::Vector& v) {
    const double g2 = 1. + v[xp] * v[xp] + v[yp] * v[yp], g = std::sqrt(g2);
    const double scale = (1. + v[delta]) / (g * g2);
    x_by_xp = scale * (1. + v[yp] * v[yp]);
    y_by_yp = scale * (1. + v[xp] * v[xp]);
    by_both = -scale * v[xp] * v[yp];
    x_by_delta = v[xp] / g;
    y_by_delta = v[yp] / g;
  }
  Matrix6 matrix() const {
    Matrix6 m{};
    for (int i = 0; i < n_coordinates; ++i) m[i][i] = 1.;
    m[xp] = {0., x_by_xp, 0., by_both, 0., x_by_delta};
    m[yp] = {0., by_both, 0., y_by_yp, 0., y_by_delta};
    return m;
  }
  MomentumDerivatives inverse() const {
    const double determinant = x_by_xp * y_by_yp - by_both * by_both;
    MomentumDerivatives of = *this;
    of.x_by_xp = y_by_yp / determinant;
    of.y_by_yp = x_by_xp / determinant;
    of.by_both = -by_both / determinant;
    of.x_by_delta = -(of.x_by_xp * x_by_delta + of.by_both * y_by_delta);
    of.y_by_delta = -(of.by_both * x_by_delta + of.y_by_yp * y_by_delta);
    return of;
  }
};

TRACKPLEX_INLINE Matrix6 linear_part(const TransferMap& map) {
  Matrix6 m;
  for (int i = 0; i < n_coordinates; ++i) m[i] = map.component[i].r;
  return m;
}

}  // namespace detail

TRACKPLEX_INLINE double symplecticity(const TransferMap& map) {
  return detail::deviation_from_symplectic(detail::linear_part(map));
}

TRACKPLEX_INLINE double symplecticity(const TransferMap& linear, const TransferMap::Vector& orbit) {
  TransferMap::Vector behind;
  for (int i = 0; i < n_coordinates; ++i) behind[i] = linear.component[i].c;
  const auto to_slopes = detail::MomentumDerivatives(orbit).inverse().matrix(),
             to_momenta = detail::MomentumDerivatives(behind).matrix();
  return detail::deviation_from_symplectic(
      detail::product(to_momenta, detail::product(detail::linear_part(linear), to_slopes)));
}

}  // namespace trackplex::beam
