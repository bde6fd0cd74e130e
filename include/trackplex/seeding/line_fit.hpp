// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/core/number.hpp>

namespace trackplex::seeding {

/// Unweighted least-squares line x(z) = x + tx (z - z0), y(z) = y + ty (z - z0) through hits, about
/// their mean: with dz = z - mean(z), tx = sum(dz x) / sum(dz^2). Centring keeps single precision
/// exact enough. Feed all hits to `add_to_mean`, then all to `add_to_slope`, then all to
/// `add_to_chi2`, with `finish_*` in between.
template <class Real>
struct LineFit {
  using Mask = MaskOf<Real>;

  Real n{}, x{}, y{}, z0{};  ///< number of hits; then the mean point
  Real tx{}, ty{};
  Real szz{};   ///< sum of dz^2
  Real sum2{};  ///< sum of the squared residuals in x and y

  KOKKOS_FORCEINLINE_FUNCTION void add_to_mean(Real hit_x, Real hit_y, Real hit_z, Mask mask) {
    n = select(mask, n + Real(1), n);
    x = select(mask, x + hit_x, x);
    y = select(mask, y + hit_y, y);
    z0 = select(mask, z0 + hit_z, z0);
  }
  KOKKOS_FORCEINLINE_FUNCTION void finish_mean() {
    const Real per_hit = Real(1) / max(n, Real(1));
    x = x * per_hit;
    y = y * per_hit;
    z0 = z0 * per_hit;
  }

  KOKKOS_FORCEINLINE_FUNCTION void add_to_slope(Real hit_x, Real hit_y, Real hit_z, Mask mask) {
    const Real dz = hit_z - z0;
    szz = select(mask, fma(dz, dz, szz), szz);
    tx = select(mask, fma(dz, hit_x - x, tx), tx);
    ty = select(mask, fma(dz, hit_y - y, ty), ty);
  }
  KOKKOS_FORCEINLINE_FUNCTION void finish_slope() {
    const Real per_szz = Real(1) / select(szz > Real(0), szz, Real(1));
    tx = tx * per_szz;
    ty = ty * per_szz;
  }

  KOKKOS_FORCEINLINE_FUNCTION void add_to_chi2(Real hit_x, Real hit_y, Real hit_z, Mask mask) {
    const Real dz = hit_z - z0;
    const Real dx = fma(tx, dz, x) - hit_x;
    const Real dy = fma(ty, dz, y) - hit_y;
    sum2 = select(mask, fma(dx, dx, fma(dy, dy, sum2)), sum2);
  }

  /// z of the closest approach to the z axis; of the mean point for a line parallel to it.
  KOKKOS_FORCEINLINE_FUNCTION Real z_at_beam() const {
    const Real slope2 = fma(tx, tx, ty * ty);
    const Real dz = fma(x, tx, y * ty) / select(slope2 > Real(0), slope2, Real(1));
    return z0 - dz;
  }
};

}  // namespace trackplex::seeding
