// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// @file
/// Magnets by symplectic integration: exact drifts and kicks in turn, slice by slice.

#include <trackplex/beam/coordinates.hpp>
#include <trackplex/core/error.hpp>
#include <trackplex/core/lane_memory.hpp>

#include <cmath>
#include <string>
#include <vector>

namespace trackplex::beam {

/// A drift of straight lines. The way beyond the reference particle's is length (r - 1), with
/// r = sqrt(1 + xp^2 + yp^2).
template <class Real>
KOKKOS_FORCEINLINE_FUNCTION void drift_exactly(Particle<Real>& v, const Real& length) {
  const Real u = fma(v[xp], v[xp], v[yp] * v[yp]);
  v[x] = fma(length, v[xp], v[x]);
  v[y] = fma(length, v[yp], v[y]);
  v[s] = fma(length, u / (Real(1) + sqrt(Real(1) + u)), v[s]);
}

/// Kicks on the slopes of a magnet that is integrated: minus the kick of qx, and that of qy, for
/// unit strength.
template <class Real>
struct FieldKick {
  Real x, y;
};
struct QuadrupoleField {
  template <class Real>
  KOKKOS_FORCEINLINE_FUNCTION static FieldKick<Real> at(const Real& x, const Real& y) {
    return {x, y};
  }
};
struct SextupoleField {
  template <class Real>
  KOKKOS_FORCEINLINE_FUNCTION static FieldKick<Real> at(const Real& x, const Real& y) {
    return {Real(ScalarOf<Real>(0.5)) * fma(x, x, -(y * y)), x * y};
  }
};

/// Drifts and kicks of one slice: fractions of its length, a drift first and last.
struct IntegrationScheme {
  std::vector<double> drifts, kicks;
};

/// Schemes of order 2 (leapfrog), 4 and 6: H. Yoshida, Phys. Lett. A 150 (1990) 262, the last with
/// his solution A.
/// @throws UsageError for other orders
inline IntegrationScheme integration_scheme(int order) {
  std::vector<double> weights;
  if (order == 2) {
    weights = {1.};
  } else if (order == 4) {
    const double b = std::cbrt(2.), outer = 1. / (2. - b);
    weights = {outer, -b * outer, outer};
  } else if (order == 6) {
    const double w1 = -1.17767998417887100694641568, w2 = 0.235573213359358133684793183,
                 w3 = 0.784513610477557263819497634;
    weights = {w3, w2, w1, 1. - 2. * (w1 + w2 + w3), w1, w2, w3};
  } else {
    throw UsageError("thick magnet", "there is no integration of order " + std::to_string(order),
                     "allowed: 2, 4, 6");
  }
  IntegrationScheme scheme{{0.5 * weights.front()}, weights};
  for (std::size_t i = 1; i < weights.size(); ++i)
    scheme.drifts.push_back(0.5 * (weights[i - 1] + weights[i]));
  scheme.drifts.push_back(0.5 * weights.back());
  return scheme;
}

/// The coefficients of `integrate_magnet`: drifts (m) and kicks of a slice in turn.
/// @throws UsageError if there are no slices or no such order
inline std::vector<double> slice_coefficients(double length, double strength, int slices,
                                              int order) {
  if (slices < 1) throw UsageError("thick magnet", "it needs slices", std::to_string(slices));
  const IntegrationScheme scheme = integration_scheme(order);
  const double slice = length / slices;
  std::vector<double> coefficients;
  for (std::size_t i = 0; i < scheme.kicks.size(); ++i) {
    coefficients.push_back(scheme.drifts[i] * slice);
    coefficients.push_back(scheme.kicks[i] * strength * slice);
  }
  coefficients.push_back(scheme.drifts.back() * slice);
  return coefficients;
}

/// A magnet of several equal slices with `n_kicks` kicks each, in qx = (1 + delta) xp/r and qy,
/// which kicks change by themselves. Returns where the slopes stayed finite; elsewhere, the
/// particle turned around.
template <class Field, class Real>
KOKKOS_FORCEINLINE_FUNCTION MaskOf<Real> integrate_magnet(const ScalarOf<Real>* coefficient,
                                                          int n_kicks, int slices,
                                                          Particle<Real>& v) {
  const Real one(1), momentum = one + v[delta];
  const Real p2 = momentum * momentum;
  Real ratio = sqrt(one + fma(v[xp], v[xp], v[yp] * v[yp]));
  Real qx = momentum * v[xp] / ratio, qy = momentum * v[yp] / ratio;
  MaskOf<Real> forward = momentum > Real(0);
  const auto drift = [&](const Real& length) {
    const Real u = fma(v[xp], v[xp], v[yp] * v[yp]);
    v[x] = fma(length, v[xp], v[x]);
    v[y] = fma(length, v[yp], v[y]);
    v[s] = fma(length, u / (one + ratio), v[s]);
  };
  for (int slice = 0; slice < slices; ++slice) {
    for (int i = 0; i < n_kicks; ++i) {
      drift(Real(coefficient[2 * i]));
      const Real strength(coefficient[2 * i + 1]);
      const auto field = Field::at(v[x], v[y]);
      qx = fma(-strength, field.x, qx);
      qy = fma(strength, field.y, qy);
      const Real pz2 = p2 - fma(qx, qx, qy * qy);
      forward = forward && pz2 > Real(0);
      const Real inverse_pz = one / sqrt(pz2);
      v[xp] = qx * inverse_pz;
      v[yp] = qy * inverse_pz;
      ratio = momentum * inverse_pz;
    }
    drift(Real(coefficient[2 * n_kicks]));
  }
  return forward;
}

}  // namespace trackplex::beam
