// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// @file
/// Cuts that three hits on three cylinders must pass to be a seed, and the search windows that
/// follow from them. Lengths in cm, angles in rad, momenta in GeV, fields in T.

#include <trackplex/core/derived_math.hpp>
#include <trackplex/core/error.hpp>
#include <trackplex/core/shortest.hpp>
#include <trackplex/seeding/triplet_shape.hpp>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <string>

namespace trackplex::seeding {

/// Cuts and capacities of `FindTriplets`. The defaults are for events of 10,000 particles with
/// vertices spread by 0.1 cm across and 1 cm along the beam, and hits with errors of 0.1 mm in
/// r phi and 1 mm in z on cylinders of 4, 8 and 12 cm.
struct FindTripletsParams {
  Kokkos::Array<int, 3> layers{0, 1, 2};  ///< numbers of the layers, from the inside outwards
  /// Smallest transverse momentum, as measured by three hits, GeV. Set it below the desired
  /// threshold: the resolution of three hits is poor.
  double min_pt = 0.6;
  double max_d0 = 0.4;     ///< distance of the circle through the hits from the z axis, cm
  double max_z0 = 4.;      ///< |z0| of the line through the first two hits, cm; see `z0_of_doublet`
  double sigma_d0 = 0.11,  ///< expected spread of d0 (vertices and resolution), cm
      sigma_z0 = 1.02;     ///< expected spread of z0 (vertices and resolution), cm
  Kokkos::Array<double, 3> sigma_z{0.1, 0.1, 0.1};  ///< error of a hit's z on each layer, cm
  double max_chi2 = 12.;                            ///< see `CylinderTripletCuts`
  /// Number of a layer outside the three on which a seed must also have a hit; -1 for none.
  /// chi2 then has two more terms (see `TripletConfirmation`): a `max_chi2` of 16 keeps as many
  /// true seeds as 12 without confirmation. The hit does not become part of the seed.
  int confirm_layer = -1;
  double sigma_r_phi = 0.01;     ///< error of a hit along r phi, for the confirmation, cm
  double confirm_sigma_z = 0.1;  ///< error of a hit's z on the confirming layer, cm
  /// Extra half width of the windows, cm, for hits that are off the nominal radii.
  double margin = 0.02;

  int max_per_middle_hit = 256;  ///< triplets kept per middle hit, with the smallest chi2
  int max_per_event = 1 << 22;   ///< seeds kept per event
  int max_window_hits = 1024;    ///< inner hits examined per middle hit
  int max_pairs = 8192;          ///< pairs of inner and outer hits examined per middle hit
};

/// Cuts on triplets and the windows in which the hits of a seed lie, in the form that kernels use;
/// `cylinder_triplet_cuts` makes them. A triplet of hits a, b, c on cylinders of radii
/// \f$ r_a<r_b<r_c \f$ (cm) in a field B (T) is a seed if
/// \f[ |\kappa|\le\frac{0.003\,B}{p_{T,\min}},\quad |d_0|\le d_{0,\max},\quad
///   |z_0|\le z_{0,\max},\quad
///   \chi^2=\frac{d_0^2}{\sigma_{d_0}^2}+\frac{z_0^2}{\sigma_{z_0}^2}
///     +\frac{\delta^2}{\sigma_\delta^2}\le\chi^2_{\max} \f]
/// with the curvature \f$ \kappa \f$ (1/cm), \f$ z_0 \f$ from `z0_of_doublet`, the residual
/// \f$ \delta \f$ of `TripletShape` and
/// \f[ \sigma_\delta^2=\sigma_{z,b}^2+(1-w)^2\sigma_{z,a}^2+w^2\sigma_{z,c}^2,\qquad
///   w=\frac{r_b-r_a}{r_c-r_a}. \f]
/// The azimuth must change by less than a quarter turn from hit to hit.
///
/// The windows come from the relations
/// \f[ \varphi_c-\varphi_b\approx\rho\,(\varphi_b-\varphi_a)+c\,d_0,\qquad
///   z_c-z_b\approx\rho\,(z_b-z_a),\qquad \rho=\frac{r_c-r_b}{r_b-r_a}, \f]
/// whose errors are bounded by the largest errors for |d0| <= max_d0 and |curvature| <=
/// max_curvature. Lengths in cm, angles in rad.
template <class T>
struct CylinderTripletCuts {
  T max_curvature,     ///< largest |curvature|, 1/cm
      max_d0,          ///< largest |d0|, cm
      max_z0,          ///< largest |z0|, cm
      max_chi2;        ///< largest chi2 of a triplet, the terms of a confirmation included
  T per_d0_2,          ///< 1 / sigma_d0^2, cm^-2
      per_z0_2,        ///< 1 / sigma_z0^2, cm^-2
      per_residual_2;  ///< 1 / (variance of the residual), cm^-2

  T phi_inner,      ///< largest |phi_b - phi_a|
      phi_outer;    ///< largest |phi_c - phi_b|
  T ratio;          ///< rho = (r_c - r_b) / (r_b - r_a)
  T per_d0,         ///< |c|: change of phi_c - phi_b per d0, rad/cm
      phi_error,    ///< bound on the error of the relation between the azimuths
      ratio_error,  ///< bound on the deviation of the ratio of path lengths from rho
      z_margin;     ///< extra half width of windows in z, `FindTripletsParams::margin`
  T z_scale,        ///< r_a / r_b: z_a lies within z_b z_scale +- z_half
      z_half;       ///< half width of the window of the inner hit in z
  T per_residual;   ///< factor on the residual that bounds the error of the prediction of z_c

  /// Returns the term of chi2 from z0 (cm).
  template <class Real>
  KOKKOS_FORCEINLINE_FUNCTION Real chi2_of_z0(const Real& z0) const {
    return z0 * z0 * Real(per_z0_2);
  }
  /// Returns the chi2 of a triplet: `of_z0`, from `chi2_of_z0`, plus the terms of d0 and of the
  /// residual.
  template <class Real>
  KOKKOS_FORCEINLINE_FUNCTION Real chi2(const Real& of_z0, const TripletShape<Real>& shape) const {
    const Real with_d0 = fma(shape.d0 * shape.d0, Real(per_d0_2), of_z0);
    return fma(shape.residual * shape.residual, Real(per_residual_2), with_d0);
  }
  /// Returns the lanes whose triplets pass the cuts on chi2, curvature and d0.
  template <class Real>
  KOKKOS_FORCEINLINE_FUNCTION MaskOf<Real> pass(const Real& chi2,
                                                const TripletShape<Real>& shape) const {
    return chi2 <= Real(max_chi2) && abs(shape.curvature) <= Real(max_curvature) &&
           abs(shape.d0) <= Real(max_d0);
  }
};

namespace detail {

/// A circle that starts near the z axis, with the curvature c and the distance d from the axis:
/// at radius r,
///   sin(phi - phi_0) = (d + c (r^2 + d^2) / 2) / (r (1 + c d)),
///   s = 2 asin(c / 2 sqrt((r^2 - d^2) / (1 + c d))) / c
struct CircleFromAxis {
  double curvature, distance;

  double azimuth(double r) const {
    const double sine = (distance + 0.5 * curvature * (r * r + distance * distance)) /
                        (r * (1. + curvature * distance));
    return asin(std::clamp(sine, -1., 1.));
  }
  double length(double r) const {
    const double chord =
        std::sqrt(std::max(r * r - distance * distance, 0.) / (1. + curvature * distance));
    if (curvature == 0.) return chord;
    return 2. * asin(std::clamp(0.5 * curvature * chord, -1., 1.)) / curvature;
  }
};

/// Sets the windows of the cuts from circles on a grid of curvatures and distances.
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

/// Returns the cuts for three cylinders of these radii (cm, ascending) in a uniform field along z
/// of `tesla` (T).
/// @throws UsageError if the radii do not ascend, a cut or an error is not positive, a particle of
///   `min_pt` does not reach the third layer or turns by a quarter turn or more between two layers
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
