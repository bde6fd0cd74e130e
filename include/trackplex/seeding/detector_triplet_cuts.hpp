// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// @file
/// Cuts that three hits on the modules of a detector must pass to be a seed, and the search windows
/// that follow from them. Lengths in cm, angles in rad, momenta in GeV, fields in T.

#include <trackplex/core/constants.hpp>
#include <trackplex/core/derived_math.hpp>
#include <trackplex/core/error.hpp>
#include <trackplex/core/math.hpp>
#include <trackplex/core/quartet.hpp>
#include <trackplex/core/shortest.hpp>
#include <trackplex/geometry/layer_extents.hpp>
#include <trackplex/seeding/triplet_shape.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <string>
#include <vector>

namespace trackplex::seeding {

/// Numbers of the inner, the middle and the outer layer of a triplet, each a barrel or a disk.
using TripleOfLayers = Kokkos::Array<int, 3>;

/// Cuts and capacities of `FindDetectorTriplets`. The defaults are for particles from the luminous
/// region in a pixel detector.
struct DetectorTripletsParams {
  std::vector<TripleOfLayers> triples;  ///< layers on which to search, see `suggest_triples`
  double min_pt = 0.4;                  ///< min transverse momentum, as measured by three hits, GeV
  double max_d0 = 0.2;     ///< distance of the circle through the hits from the beam, cm
  double max_z0 = 5.;      ///< |z0| of the line through the first two hits, relative to the centre
                           ///< of collisions, cm
  double sigma_d0 = 0.02;  ///< expected spread of d0 of the particles, cm
  double sigma_z0 = 5.;    ///< expected spread of z0 of the particles, cm
  double beam_x = 0.,      ///< centre of collisions, cm: d0 is the distance from a line along z
      beam_y = 0.,         ///< through it, and z0 is relative to it; cm
      beam_z = 0.;         ///< cm
  double max_chi2 = 16.;   ///< of d0, z0 and the residual along z, see `DetectorTripletCuts`
  double n_sigma = 4.;     ///< half width of windows in standard deviations of resolution and
                           ///< scattering
  /// Thickness of each layer for scattering, in radiation lengths; negative: that of the
  /// detector's layers with their modules.
  double radiation_lengths = -1.;
  double mass = constants::pion_mass;  ///< of the particles, for scattering, GeV

  /// Whether a triplet a, b, c is dropped if there is a triplet x, a, b: track building adds c to
  /// that one, and each track has fewer seeds.
  bool drop_continued = false;

  int max_per_middle_hit = 8;  ///< triplets kept per middle hit and triple, with the smallest chi2
  int max_per_hit = 32;        ///< triplets kept per middle hit with all triples, as the average of
                               ///< up to sixteen neighbours; at least `max_per_middle_hit`
  int max_per_event = 1 << 20;  ///< seeds kept per event
  int max_window_hits = 2048;   ///< inner hits examined per middle hit and triple
  int max_pairs = 8192;  ///< pairs of inner and outer hits examined per middle hit and triple
};

/// Layer of a triplet, for kernels.
template <class T>
struct LayerOfTriplet {
  int number;           ///< of the layer
  bool is_barrel;       ///< false: a disk
  T position,           ///< radius or z, cm
      reach,            ///< largest distance of a module from it, cm
      low,              ///< smallest z or distance from the z axis, cm
      high;             ///< largest z or distance from the z axis, cm
  T variance_first,     ///< of a hit along the azimuth, cm^2
      variance_second;  ///< of a hit along z or away from the z axis, cm^2
  T scattering;         ///< angle of a 1 GeV particle at normal incidence, rad
};

/// Layers of a triplet: inner, middle and outer one.
template <class T>
struct LayersOfTriplet {
  LayerOfTriplet<T> a,  ///< inner layer
      b,                ///< middle layer
      c;                ///< outer layer
};

/// Returns a layer as seen from the region of collisions: its modules are close to a barrel about
/// the beam, or to a disk, at a z that counts from there.
template <class T>
LayerOfTriplet<T> seen_from_beam(LayerOfTriplet<T> layer, const DetectorTripletsParams& p) {
  const T z = T(p.beam_z), aside = T(hypot(p.beam_x, p.beam_y));
  if (layer.is_barrel) {
    layer.low -= z;
    layer.high -= z;
    layer.reach += aside;
  } else {
    layer.position -= z;
    layer.low = std::max(layer.low - aside, T(0));
    layer.high += aside;
  }
  return layer;
}

/// Deflection of a particle by a layer, as a standard deviation: of its azimuth, and of cot(theta).
template <class Real>
struct Deflection {
  Real azimuth,   ///< rad
      cotangent;  ///< without a unit
};

/// Cuts on triplets in the form that kernels use; `detector_triplet_cuts` makes them. A triplet of
/// hits a, b, c in a field \f$ B_z \f$ at b is a seed if
/// \f[ |\kappa|\le\frac{0.003\,|B_z|}{p_{T,\min}},\quad |d_0|\le d_{0,\max},\quad
///   |z_0|\le z_{0,\max},\quad
///   \chi^2=\frac{d_0^2}{\sigma_{d_0}^2}+\frac{z_0^2}{\sigma_{z_0}^2}
///     +\frac{\delta^2}{\sigma_\delta^2}\le\chi^2_{\max}. \f]
/// d0 and z0 are relative to the centre of collisions. The curvature, \f$ d_0 \f$ and the residual
/// \f$ \delta \f$ are those of `TripletShape`. The variances are the sums of those of the
/// particles, the hits and scattering. With the path lengths \f$ s_a<s_b<s_c \f$ from the z axis,
/// \f$ l_1=s_b-s_a \f$, \f$ l_2=s_c-s_b \f$, \f$ w=l_1/(l_1+l_2) \f$, and the deflections
/// \f$ \theta_a,\theta_b \f$ in the layers of a and b,
/// \f[ \sigma_{d_0}^2=\sigma_0^2+\Big(\frac{s_bs_c\sigma_a}{l_1(l_1+l_2)}\Big)^2
///     +\Big(\frac{s_as_c\sigma_b}{l_1l_2}\Big)^2+\Big(\frac{s_as_b\sigma_c}{l_2(l_1+l_2)}\Big)^2
///     +(\theta_as_a)^2+\Big(\theta_b\frac{s_as_b}{l_1+l_2}\Big)^2, \f]
/// \f[ \sigma_\delta^2=\sigma_{z,b}^2+(1-w)^2\sigma_{z,a}^2+w^2\sigma_{z,c}^2
///     +\Big(\sigma_{\cot\theta,b}\frac{l_1l_2}{l_1+l_2}\Big)^2. \f]
/// On a disk \f$ \sigma_z=|\cot\theta|\,\sigma_r \f$.
template <class T>
struct DetectorTripletCuts {
  T curvature_per_tesla,  ///< of the smallest transverse momentum, 1/(cm T)
      min_pt,             ///< smallest transverse momentum, GeV
      max_d0,             ///< largest |d0|, cm
      max_z0,             ///< largest |z0|, cm
      max_chi2,           ///< largest chi2
      variance_d0,        ///< of the particles, cm^2
      variance_z0,        ///< of the particles, cm^2
      n_sigma,            ///< half width of windows in standard deviations
      mass2;              ///< square of the particles' mass, GeV^2
  T beam_x,               ///< centre of the region of collisions, cm
      beam_y,             ///< cm
      beam_z,             ///< cm
      beam_r;             ///< its distance from the z axis, cm
  bool is_displaced;      ///< whether that is not the origin

  /// Returns the deflection by a layer of a particle with this 1/pT (1/GeV) and cot(theta).
  template <class Real>
  KOKKOS_FORCEINLINE_FUNCTION Deflection<Real> deflection(const LayerOfTriplet<T>& layer,
                                                          const Real& inverse_pt,
                                                          const Real& cotangent) const {
    const Real per_sin2 = fma(cotangent, cotangent, Real(1)), per_sin = sqrt(per_sin2);
    const Real to_normal = layer.is_barrel ? Real(1) : max(abs(cotangent), Real(T(0.01)));
    const Real per_beta2 = fma(inverse_pt * inverse_pt / per_sin2, Real(mass2), Real(1));
    const Real azimuth =
        Real(layer.scattering) * inverse_pt * sqrt(per_sin / to_normal * per_beta2);
    return {azimuth, azimuth * per_sin};
  }
  /// Returns a point (x, y, z; cm) and its azimuth as seen from the region of collisions.
  template <class Real>
  KOKKOS_FORCEINLINE_FUNCTION Quartet<Real> about_beam(const Quartet<Real>& hit) const {
    if (!is_displaced) return hit;
    const Real x = hit.x - Real(beam_x), y = hit.y - Real(beam_y);
    return {x, y, hit.z - Real(beam_z), atan2(y, x)};
  }
  /// Returns the variance (cm^2) of z at a hit of a track with this cot(theta).
  template <class Real>
  static KOKKOS_FORCEINLINE_FUNCTION Real variance_z(const LayerOfTriplet<T>& layer,
                                                     const Real& cotangent) {
    const Real variance(layer.variance_second);
    return layer.is_barrel ? variance : cotangent * cotangent * variance;
  }
};

/// Returns arcsin(x)/x for x^2 of up to 0.8, from a series: relative errors are below 1 %, and
/// below 1e-5 for x^2 of up to 0.2.
template <class Real>
KOKKOS_FORCEINLINE_FUNCTION Real arcsine_ratio(const Real& x2) {
  using T = ScalarOf<Real>;
  Real sum = Real(T(945. / 42240.));
  for (const T c : {T(105. / 3456.), T(15. / 336.), T(3. / 40.), T(1. / 6.), T(1.)})
    sum = fma(sum, x2, Real(c));
  return sum;
}

/// Returns the cuts for kernels.
/// @throws UsageError if a cut or an error is not positive, or the centre of collisions not finite
template <class T>
DetectorTripletCuts<T> detector_triplet_cuts(const DetectorTripletsParams& p) {
  for (const double number :
       {p.min_pt, p.max_d0, p.max_z0, p.sigma_d0, p.sigma_z0, p.max_chi2, p.n_sigma, p.mass})
    if (!(number > 0.) || !std::isfinite(number))
      throw UsageError("find_detector_triplets", "a cut or an error is not positive",
                       shortest(number));
  if (!std::isfinite(p.beam_x + p.beam_y + p.beam_z))
    throw UsageError(
        "find_detector_triplets", "the region of collisions is nowhere",
        shortest(p.beam_x) + ", " + shortest(p.beam_y) + ", " + shortest(p.beam_z) + " cm");
  return {T(constants::momentum_per_tesla_metre / 100. / p.min_pt),
          T(p.min_pt),
          T(p.max_d0),
          T(p.max_z0),
          T(p.max_chi2),
          T(p.sigma_d0 * p.sigma_d0),
          T(p.sigma_z0 * p.sigma_z0),
          T(p.n_sigma),
          T(p.mass * p.mass),
          T(p.beam_x),
          T(p.beam_y),
          T(p.beam_z),
          T(hypot(p.beam_x, p.beam_y)),
          p.beam_x != 0. || p.beam_y != 0. || p.beam_z != 0.};
}

/// Returns a layer of a detector for triplets.
/// @throws UsageError if there is no such layer, or it is neither a barrel nor a disk
template <class T>
LayerOfTriplet<T> layer_of_triplet(const geometry::DetectorDescription& detector, int number,
                                   double radiation_lengths = -1.) {
  if (number < 0 || number >= int(detector.layers.size()))
    throw UsageError("find_detector_triplets", "there is no such layer", std::to_string(number));
  const auto& layer = detector.layers[std::size_t(number)];
  if (layer.kind == geometry::LayerKind::plane || layer.n_modules == 0)
    throw UsageError("find_detector_triplets", "a layer is no barrel or disk with modules",
                     std::to_string(number));
  const auto extents = geometry::extents_of(detector, number);
  const double t = radiation_lengths < 0. ? extents.radiation_lengths : radiation_lengths;
  const double scattering = t > 0. ? 0.0136 * std::sqrt(t) * std::max(1. + 0.038 * log(t), 0.) : 0.;
  return {number,
          layer.kind == geometry::LayerKind::barrel,
          T(layer.position),
          T(extents.reach),
          T(layer.low),
          T(layer.high),
          T(extents.variance_first),
          T(extents.variance_second),
          T(scattering)};
}

}  // namespace trackplex::seeding
