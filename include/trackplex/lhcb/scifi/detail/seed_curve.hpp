// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/lhcb/scifi/detail/forward_candidates.hpp>
#include <trackplex/lhcb/scifi/seeding_params.hpp>

namespace trackplex::lhcb::detail {

/// Number of x layers, and which they are: those of triplets of both types in turn.
inline constexpr int seed_x_layers = triplet_types * stations;
KOKKOS_FORCEINLINE_FUNCTION constexpr int seed_x_layer(int i) {
  return triplet_layer(i % triplet_types, i / triplet_types);
}

/// Sums of a fit of three numbers, in units of metres.
template <class Real>
struct CurveSums {
  Real n = Real(0), u = n, v = n, uu = n, uv = n, vv = n;  ///< of products of 1, u and v
  Real r = n, ru = n, rv = n;                              ///< of products with the residuals

  /// Adds a residual, with u = dz and v = dz^2 (1 + cubic dz).
  KOKKOS_FORCEINLINE_FUNCTION void add(const Real& residual, const Real& at_u, const Real& at_v,
                                       const MaskOf<Real>& mask) {
    const Real weight = select(mask, Real(1), Real(0)), wu = weight * at_u, wv = weight * at_v;
    n += weight;
    u += wu;
    v += wv;
    uu = fma(wu, at_u, uu);
    uv = fma(wu, at_v, uv);
    vv = fma(wv, at_v, vv);
    const Real wr = weight * residual;
    r += wr;
    ru = fma(wr, at_u, ru);
    rv = fma(wr, at_v, rv);
  }
};

/// Moves a curve to the least squares of the x hits, and returns the sum of their squared
/// residuals, mm^2. `x` are those of the hits that are `there`, by seed_x_layer.
template <class Real>
KOKKOS_FUNCTION Real fit_curve(const Real (&x)[seed_x_layers],
                               const MaskOf<Real> (&there)[seed_x_layers],
                               ForwardCurve<Real>& curve) {
  using T = ScalarOf<Real>;
  const auto dz = [](int i) {
    return T(0.001) * (scifi_layer_z<T>(seed_x_layer(i)) - T(forward_z_middle));
  };
  const auto v_of = [](T u) { return u * u * (T(1) + T(1000. * seed_cubic) * u); };
  CurveSums<Real> s;
  Real residuals[seed_x_layers];
  for (int i = 0; i < seed_x_layers; ++i) {
    residuals[i] =
        select(there[i], x[i] - curve.at(Real(scifi_layer_z<T>(seed_x_layer(i)))), Real(T(0)));
    s.add(residuals[i], Real(dz(i)), Real(v_of(dz(i))), there[i]);
  }
  // relative to the means
  const Real per_n = Real(T(1)) / s.n, u = s.u * per_n, v = s.v * per_n, r = s.r * per_n;
  const Real uu = fma(-s.u, u, s.uu), uv = fma(-s.u, v, s.uv), vv = fma(-s.v, v, s.vv);
  const Real ru = fma(-s.r, u, s.ru), rv = fma(-s.r, v, s.rv);
  const Real per_determinant = Real(T(1)) / fma(uu, vv, -(uv * uv));
  const Real slope = fma(ru, vv, -(rv * uv)) * per_determinant;
  const Real bend = fma(rv, uu, -(ru * uv)) * per_determinant;
  const Real offset = fma(-slope, u, fma(-bend, v, r));
  curve.x += offset;
  curve.slope = fma(slope, Real(T(0.001)), curve.slope);
  curve.bend = fma(bend, Real(T(1e-6)), curve.bend);
  Real sum(T(0));
  for (int i = 0; i < seed_x_layers; ++i) {
    const Real left = residuals[i] - fma(slope, Real(dz(i)), fma(bend, Real(v_of(dz(i))), offset));
    sum = select(there[i], fma(left, left, sum), sum);
  }
  return sum;
}

}  // namespace trackplex::lhcb::detail
