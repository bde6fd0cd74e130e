// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/core/number.hpp>

namespace trackplex::lhcb {

/// Unweighted least-squares line x(z) = x + tx (z - z0), y(z) = y + ty (z - z0) through hits, about
/// their mean point:
/// \f[ t_x=\frac{\sum_i(z_i-\bar z)(x_i-\bar x)}{\sum_i(z_i-\bar z)^2},\qquad x=\bar x,\quad
///   z_0=\bar z, \f]
/// and likewise for y. Centring avoids cancellation in single precision.
///
/// Use: pass all hits to `add_to_mean` and call `finish_mean`; pass all to `add_to_slope` and call
/// `finish_slope`; pass all to `add_to_chi2`. Lanes outside the mask skip a hit. Lengths in any
/// unit.
template <class Real>
struct LineFit {
  using Mask = MaskOf<Real>;  ///< which lanes have the hit

  Real n{},     ///< number of hits
      x{},      ///< mean x
      y{},      ///< mean y
      z0{};     ///< mean z
  Real tx{},    ///< slope dx/dz
      ty{};     ///< slope dy/dz
  Real szz{};   ///< sum of (z - z0)^2
  Real sum2{};  ///< sum of the squared residuals in x and y

  /// First pass: counts a hit and adds it to the sums of the coordinates.
  KOKKOS_FORCEINLINE_FUNCTION void add_to_mean(Real hit_x, Real hit_y, Real hit_z, Mask mask) {
    n = select(mask, n + Real(1), n);
    x = select(mask, x + hit_x, x);
    y = select(mask, y + hit_y, y);
    z0 = select(mask, z0 + hit_z, z0);
  }
  /// Ends the first pass: turns the sums into means.
  KOKKOS_FORCEINLINE_FUNCTION void finish_mean() {
    const Real per_hit = Real(1) / max(n, Real(1));
    x = x * per_hit;
    y = y * per_hit;
    z0 = z0 * per_hit;
  }

  /// Second pass: adds a hit to the sums of the slopes.
  KOKKOS_FORCEINLINE_FUNCTION void add_to_slope(Real hit_x, Real hit_y, Real hit_z, Mask mask) {
    const Real dz = hit_z - z0;
    szz = select(mask, fma(dz, dz, szz), szz);
    tx = select(mask, fma(dz, hit_x - x, tx), tx);
    ty = select(mask, fma(dz, hit_y - y, ty), ty);
  }
  /// Ends the second pass: turns the sums into slopes, 0 where all hits have the same z.
  KOKKOS_FORCEINLINE_FUNCTION void finish_slope() {
    const Real per_szz = Real(1) / select(szz > Real(0), szz, Real(1));
    tx = tx * per_szz;
    ty = ty * per_szz;
  }

  /// Third pass: adds the squared residuals of a hit to `sum2`.
  KOKKOS_FORCEINLINE_FUNCTION void add_to_chi2(Real hit_x, Real hit_y, Real hit_z, Mask mask) {
    const Real dz = hit_z - z0;
    const Real dx = fma(tx, dz, x) - hit_x;
    const Real dy = fma(ty, dz, y) - hit_y;
    sum2 = select(mask, fma(dx, dx, fma(dy, dy, sum2)), sum2);
  }

  /// Returns z of the closest approach to the z axis,
  /// \f$ z_0-(xt_x+yt_y)/(t_x^2+t_y^2) \f$; z0 for a line parallel to the axis.
  KOKKOS_FORCEINLINE_FUNCTION Real z_at_beam() const {
    const Real slope2 = fma(tx, tx, ty * ty);
    const Real dz = fma(x, tx, y * ty) / select(slope2 > Real(0), slope2, Real(1));
    return z0 - dz;
  }
};

}  // namespace trackplex::lhcb
