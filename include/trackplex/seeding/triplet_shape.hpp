// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// @file
/// Shape of a track from near the z axis, from three of its hits. Lengths in cm.

#include <trackplex/seeding/three_hits.hpp>

namespace trackplex::seeding {

/// Curvature, impact parameter and z residual of a triplet.
template <class Real>
struct TripletShape {
  Real curvature;  ///< of the circle through the hits, 1/cm
  Real d0;         ///< signed distance of the circle from the z axis, cm
  Real residual;   ///< z of the middle hit minus z of the straight line through the others, cm
};

/// Returns the length (cm) of the shorter arc over the chord (dx, dy),
/// \f$ 2\arcsin(\kappa\ell/2)/\kappa \f$ with the chord's length \f$ \ell \f$, from a series. The
/// relative error is below 5e-5 for turns of up to 0.6 rad.
template <class Real>
KOKKOS_FORCEINLINE_FUNCTION Real short_arc(const Real& curvature, const Real& dx, const Real& dy) {
  using T = ScalarOf<Real>;
  const Real chord2 = fma(dx, dx, dy * dy);
  const Real sine2 = Real(T(0.25)) * curvature * curvature * chord2;
  const Real series = fma(sine2, fma(sine2, Real(T(3. / 40.)), Real(T(1. / 6.))), Real(1));
  return sqrt(chord2) * series;
}

/// Computes the shape of a triplet whose middle hit is at (x, y). `inner` and `outer` are the
/// positions of the other hits relative to it; z is assumed to be linear in the path length.
template <class Real>
KOKKOS_FORCEINLINE_FUNCTION TripletShape<Real> triplet_shape(const Real& x, const Real& y,
                                                             const Vector<Real, 3>& inner,
                                                             const Vector<Real, 3>& outer) {
  const CircleOfHits<Real> circle(inner(0), inner(1), outer(0), outer(1));
  const Real before = short_arc(circle.curvature, inner(0), inner(1)),
             after = short_arc(circle.curvature, outer(0), outer(1));
  const Real both = before + after;
  const Real part = before / select(both > Real(0), both, Real(1));
  return {circle.curvature, circle.axis(x, y).distance, -fma(part, outer(2) - inner(2), inner(2))};
}

/// Returns the z (cm) at which the straight line in (r, z) through the inner and the middle hit
/// reaches r = 0: z0 = z_a - (z_b - z_a) r_a / (r_b - r_a). The radii must differ.
template <class Real>
KOKKOS_FORCEINLINE_FUNCTION Real z0_of_doublet(const Real& inner_r, const Real& inner_z,
                                               const Real& middle_r, const Real& middle_z) {
  return fma(inner_z - middle_z, inner_r / (middle_r - inner_r), inner_z);
}

}  // namespace trackplex::seeding
