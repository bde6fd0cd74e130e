// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// @file
/// Conditions for three hits on three cylinders to be a seed, and the windows in which the hits of
/// such a seed lie. Lengths in cm, angles in rad, momenta in GeV.

#include <trackplex/core/error.hpp>
#include <trackplex/core/shortest.hpp>
#include <trackplex/seeding/three_hits.hpp>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <string>

namespace trackplex::seeding {

/// Cuts and capacities of seeds on three cylinders. The defaults are for 10,000 particles in an
/// event, with vertices of 0.1 and 1 cm spread across and along the beam, and hits of 0.1 mm along
/// r phi and 1 mm along z on cylinders of 4, 8 and 12 cm.
struct FindTripletsParams {
  Kokkos::Array<int, 3> layers{0, 1, 2};  ///< from the inside to the outside
  double min_pt = 0.6;  ///< as three hits measure it: below that of the particles that are wanted
  double max_d0 = 0.4;  ///< distance of the circle through the hits from the z axis
  double max_z0 = 4.;   ///< |z| where the line through the first two hits meets the axis
  /// Expected spreads of d0 and z0: the vertices, and the resolution of three hits.
  double sigma_d0 = 0.11, sigma_z0 = 1.02;
  Kokkos::Array<double, 3> sigma_z{0.1, 0.1, 0.1};  ///< error of a hit's z on each of the layers
  double max_chi2 = 12.;                            ///< see `CylinderTripletCuts`
  /// A layer outside of the three, on which a seed must have a hit, too, or -1. chi2 has two more
  /// terms then (see `TripletConfirmation`): a `max_chi2` of 16 keeps as many true seeds as one of
  /// 12 does without. The hit is not one of the seed's.
  int confirm_layer = -1;
  double sigma_r_phi = 0.01;     ///< error of a hit along r phi, for the confirmation
  double confirm_sigma_z = 0.1;  ///< error of a hit's z on the layer of the confirmation
  /// Windows are wider than they have to be for hits at the nominal radii, by this.
  double margin = 0.02;

  int max_per_middle_hit = 256;  ///< triplets: those of smallest chi2 are kept
  int max_per_event = 1 << 22;   ///< seeds
  int max_window_hits = 1024;    ///< inner hits that are looked at for a middle one
  int max_pairs = 8192;          ///< inner and outer hits that are looked at for a middle one
};

/// How far a triplet is from what particles do.
template <class Real>
struct TripletShape {
  Real curvature;  ///< 1/cm
  Real d0;         ///< distance of the circle from the z axis, signed
  Real residual;   ///< z of the middle hit, less that of a straight line between the others
};

/// The length of the shorter arc over a chord, 2 asin(c/2 chord) / c with the curvature c, from a
/// series. The error is below 5e-5 for turns up to 0.6 rad.
template <class Real>
KOKKOS_FORCEINLINE_FUNCTION Real short_arc(const Real& curvature, const Real& dx, const Real& dy) {
  using T = ScalarOf<Real>;
  const Real chord2 = fma(dx, dx, dy * dy);
  const Real sine2 = Real(T(0.25)) * curvature * curvature * chord2;
  const Real series = fma(sine2, fma(sine2, Real(T(3. / 40.)), Real(T(1. / 6.))), Real(1));
  return sqrt(chord2) * series;
}

/// The shape of a triplet, from the places of inner and outer hit as seen from the middle one at
/// (x, y). z is linear in the path length.
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

/// z0, where the line in r and z through the first two hits meets the axis: z_a - (z_b - z_a) r_a /
/// (r_b - r_a). The radii differ.
template <class Real>
KOKKOS_FORCEINLINE_FUNCTION Real z0_of_doublet(const Real& inner_r, const Real& inner_z,
                                               const Real& middle_r, const Real& middle_z) {
  return fma(inner_z - middle_z, inner_r / (middle_r - inner_r), inner_z);
}

/// The cuts as kernels use them. A triplet is a seed if
///   |curvature| <= 0.3 B / min_pt,  |d0| <= max_d0,  |z0| <= max_z0,
///   chi2 = (d0 / sigma_d0)^2 + (z0 / sigma_z0)^2 + residual^2 / var <= max_chi2
/// with z0 of the first two hits and var = sigma_z1^2 + (1 - w)^2 sigma_z0^2 + w^2 sigma_z2^2, w =
/// (r1 - r0) / (r2 - r0). The radii of the hits must ascend,
/// and the azimuth turns by less than a quarter from hit to hit.
template <class T>
struct CylinderTripletCuts {
  T max_curvature, max_d0, max_z0, max_chi2;
  T per_d0_2, per_z0_2, per_residual_2;  ///< one over the variances

  /// Where the hits of a seed are. With the azimuths of the hits and the distance d of its circle
  /// from the axis,
  ///   phi_c = phi_b + (phi_b - phi_a) ratio + d per_d0,  z_c = z_b + (z_b - z_a) ratio
  /// but for the errors, which are the largest that occur between +-max_d0 and +-max_curvature.
  T phi_inner, phi_outer;  ///< largest |phi_b - phi_a| and |phi_c - phi_b|
  T ratio;                 ///< (r2 - r1) / (r1 - r0)
  T per_d0, phi_error, ratio_error, z_margin;
  T z_scale, z_half;  ///< z_a = z_b z_scale +- z_half
  T per_residual;     ///< z_c is off by the residual times this

  template <class Real>
  KOKKOS_FORCEINLINE_FUNCTION Real chi2_of_z0(const Real& z0) const {
    return z0 * z0 * Real(per_z0_2);
  }
  /// `chi2` as far as it is known, with that of the shape.
  template <class Real>
  KOKKOS_FORCEINLINE_FUNCTION Real chi2(const Real& of_z0, const TripletShape<Real>& shape) const {
    const Real with_d0 = fma(shape.d0 * shape.d0, Real(per_d0_2), of_z0);
    return fma(shape.residual * shape.residual, Real(per_residual_2), with_d0);
  }
  template <class Real>
  KOKKOS_FORCEINLINE_FUNCTION MaskOf<Real> pass(const Real& chi2,
                                                const TripletShape<Real>& shape) const {
    return chi2 <= Real(max_chi2) && abs(shape.curvature) <= Real(max_curvature) &&
           abs(shape.d0) <= Real(max_d0);
  }
};

namespace detail {

/// A circle on its way from the z axis: curvature and distance d from the axis give, at radius r,
///   sin(phi - phi_0) = (d + c (r^2 + d^2) / 2) / (r (1 + c d)),
///   s = 2 asin(c / 2 sqrt((r^2 - d^2) / (1 + c d))) / c
struct CircleFromAxis {
  double curvature, distance;

  double azimuth(double r) const {
    const double sine = (distance + 0.5 * curvature * (r * r + distance * distance)) /
                        (r * (1. + curvature * distance));
    return std::asin(std::clamp(sine, -1., 1.));
  }
  double length(double r) const {
    const double chord =
        std::sqrt(std::max(r * r - distance * distance, 0.) / (1. + curvature * distance));
    if (curvature == 0.) return chord;
    return 2. * std::asin(std::clamp(0.5 * curvature * chord, -1., 1.)) / curvature;
  }
};

/// The windows of the cuts, from circles on a grid of curvatures and distances.
template <class T>
void set_triplet_windows(CylinderTripletCuts<T>& cuts, const double (&r)[3], double margin) {
  const double ratio = (r[2] - r[1]) / (r[1] - r[0]);
  const double per_d0 = 1. / r[2] - 1. / r[1] - ratio * (1. / r[1] - 1. / r[0]);
  double inner = 0., outer = 0., phi_error = 0., ratio_error = 0.;
  constexpr int steps = 4;
  for (int i = -steps; i <= steps; ++i)
    for (int j = -steps; j <= steps; ++j) {
      const CircleFromAxis circle{double(cuts.max_curvature) * i / steps,
                                  double(cuts.max_d0) * j / steps};
      const double a = circle.azimuth(r[0]), b = circle.azimuth(r[1]), c = circle.azimuth(r[2]);
      const double before = circle.length(r[1]) - circle.length(r[0]);
      const double after = circle.length(r[2]) - circle.length(r[1]);
      inner = std::max(inner, std::fabs(b - a));
      outer = std::max(outer, std::fabs(c - b));
      phi_error =
          std::max(phi_error, std::fabs(c - b - (b - a) * ratio - circle.distance * per_d0));
      if (before > 0.) ratio_error = std::max(ratio_error, std::fabs(after / before - ratio));
    }
  cuts.phi_inner = T(inner + margin / r[0]);
  cuts.phi_outer = T(outer + margin / r[1]);
  cuts.ratio = T(ratio);
  cuts.per_d0 = T(std::fabs(per_d0));
  cuts.phi_error = T(1.1 * phi_error + margin / r[1]);
  cuts.ratio_error = T(1.1 * ratio_error);
  cuts.per_residual = T(1. + ratio + 1.1 * ratio_error);
  cuts.z_margin = T(margin);
}

}  // namespace detail

/// The cuts on cylinders of these radii in a field of `tesla`.
/// @throws UsageError for parameters that mean nothing
template <class T>
CylinderTripletCuts<T> cylinder_triplet_cuts(const FindTripletsParams& parameters,
                                             const double (&radii)[3], double tesla) {
  const auto& p = parameters;
  const char* const where = "cylinder_triplet_cuts";
  if (!(0. < radii[0] && radii[0] < radii[1] && radii[1] < radii[2]))
    throw UsageError(where, "the radii of the layers do not ascend");
  if (!(p.min_pt > 0. && p.max_d0 > 0. && p.max_z0 > 0. && p.sigma_d0 > 0. && p.sigma_z0 > 0. &&
        p.max_chi2 > 0. && p.margin >= 0.))
    throw UsageError(where, "a cut is not positive");
  const double max_curvature = std::fabs(kalman::curvature_per_inverse_pt(1., tesla)) / p.min_pt;
  if (max_curvature * (radii[2] + p.max_d0) >= 2. || p.max_d0 >= radii[0])
    throw UsageError(where, "not every particle reaches the third layer",
                     "min_pt = " + shortest(p.min_pt), "ask for a larger min_pt");
  const double w = (radii[1] - radii[0]) / (radii[2] - radii[0]);
  const double variance = p.sigma_z[1] * p.sigma_z[1] +
                          (1. - w) * (1. - w) * p.sigma_z[0] * p.sigma_z[0] +
                          w * w * p.sigma_z[2] * p.sigma_z[2];
  if (!(variance > 0.)) throw UsageError(where, "the errors along z are zero");

  CylinderTripletCuts<T> cuts{};
  cuts.max_curvature = T(max_curvature);
  cuts.max_d0 = T(p.max_d0);
  cuts.max_z0 = T(p.max_z0);
  cuts.max_chi2 = T(p.max_chi2);
  cuts.per_d0_2 = T(1. / (p.sigma_d0 * p.sigma_d0));
  cuts.per_z0_2 = T(1. / (p.sigma_z0 * p.sigma_z0));
  cuts.per_residual_2 = T(1. / variance);
  detail::set_triplet_windows(cuts, radii, p.margin);
  if (std::max(cuts.phi_inner, cuts.phi_outer) >= T(std::numbers::pi / 2.))
    throw UsageError(where, "a particle turns by more than a quarter from hit to hit",
                     "min_pt = " + shortest(p.min_pt), "ask for a larger min_pt");
  const double z0 = std::min(p.max_z0, p.sigma_z0 * std::sqrt(p.max_chi2));
  cuts.z_scale = T(radii[0] / radii[1]);
  cuts.z_half = T(z0 * (1. - radii[0] / radii[1]) + p.margin);
  return cuts;
}

}  // namespace trackplex::seeding
