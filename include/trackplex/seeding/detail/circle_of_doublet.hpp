// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/seeding/detail/middle_hit_on_module.hpp>

#include <numbers>

namespace trackplex::seeding::detail {

/// |a - b| the short way around.
template <class Real>
KOKKOS_FORCEINLINE_FUNCTION Real angle_between(const Real& a, const Real& b) {
  using T = ScalarOf<Real>;
  constexpr T pi = T(std::numbers::pi), period = T(2. * std::numbers::pi);
  const Real d = abs(a - b);
  return select(d > Real(pi), abs(d - Real(period)), d);
}
/// s(r) of a circle through the axis; `quarter` is a fourth of the square of its curvature.
template <class Real>
KOKKOS_FORCEINLINE_FUNCTION Real path(const Real& r, const Real& quarter) {
  return r * arcsine_ratio(min(quarter * r * r, Real(ScalarOf<Real>(0.8))));
}
/// Error of the linear relation between azimuth and d0 at a radius: third-order terms.
template <class Real>
KOKKOS_FORCEINLINE_FUNCTION Real third_order(const Real& d0, const Real& r, const Real& curvature) {
  using T = ScalarOf<Real>;
  const Real x = d0 / r, y = Real(T(0.5)) * curvature * r;
  return x * fma(x, x + Real(3) * y, Real(3) * y * y) * Real(T(1. / 6.));
}

/// Circle through a doublet and the z axis; d0 and the curvature differ from it within the cuts.
template <class Real>
struct CircleOfDoublet {
  Real curvature;  ///< 1/cm
  Real per_g;      ///< d0 of a circle of curvature kappa is g (kappa - that of the doublet), 1/cm^2
  Real low, high;  ///< limits of d0, cm

  KOKKOS_FORCEINLINE_FUNCTION CircleOfDoublet(const MiddleHitOnModule<Real>& middle, const Real& r,
                                              const Quartet<Real>& hit, ScalarOf<Real> max_d0) {
    const Real dx = hit.x - middle.x, dy = hit.y - middle.y;
    const Real cross = fma(hit.x, middle.y, -(hit.y * middle.x));
    const Real g = Real(ScalarOf<Real>(0.5)) * r * middle.r;
    curvature = cross / (g * sqrt(fma(dx, dx, dy * dy)));
    per_g = Real(1) / g;
    low = max(-Real(max_d0), (-middle.max_curvature - curvature) * g);
    high = min(Real(max_d0), (middle.max_curvature - curvature) * g);
  }
  KOKKOS_FORCEINLINE_FUNCTION MaskOf<Real> exists() const { return low <= high; }
};

}  // namespace trackplex::seeding::detail
