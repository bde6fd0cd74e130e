// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// @file
/// Extrapolation of a triplet to a fourth cylinder, and the test of a hit there. Lengths in cm.

#include <trackplex/seeding/cylinder_triplet_cuts.hpp>

#include <cmath>

namespace trackplex::seeding {

/// Errors of the prediction of a fourth hit from a triplet, for the two terms of this hit in chi2
/// and for its window. With the radii \f$ r_i \f$ of the three layers, r of the fourth, the
/// Lagrange polynomials \f$ L_i \f$ of the three radii and the weights \f$ M_i \f$ of a straight
/// line, both at r,
/// \f[ \sigma_{r\varphi}^2=\sigma_{r\varphi,\mathrm{hit}}^2\Big(1+\sum_iL_i^2\Big),\qquad
///   \sigma_z^2=\sigma_{z,\mathrm{confirm}}^2+\sum_iM_i^2\sigma_{z,i}^2,\qquad
///   M_i=\frac13+\frac{(r-\bar r)(r_i-\bar r)}{\sum_j(r_j-\bar r)^2}. \f]
template <class T>
struct TripletConfirmation {
  T radius;       ///< of the fourth layer, cm
  T sigma_r_phi,  ///< error of hit minus prediction along r phi, cm
      sigma_z;    ///< error of hit minus prediction along z, cm
  T per_r_phi_2,  ///< 1 / sigma_r_phi^2, cm^-2
      per_z_2;    ///< 1 / sigma_z^2, cm^-2
  T per_cosine,   ///< 1 / cosine of the largest angle of incidence on the cylinder
      tangent;    ///< tangent of the largest angle of incidence on the cylinder
  T margin;       ///< extra half width of the window, cm
};

/// Returns the errors of the prediction on a fourth cylinder of `radius` (cm) from triplets on
/// cylinders of `radii`, for curvatures up to `max_curvature` (1/cm).
/// @throws UsageError if the layer is not outside the three, a particle between the cuts does not
///   reach it, or `sigma_r_phi` is not positive
template <class T>
TripletConfirmation<T> triplet_confirmation(const FindTripletsParams& parameters,
                                            const double (&radii)[3], double radius,
                                            double max_curvature) {
  const double sine = 0.5 * max_curvature * radius + parameters.max_d0 / radius;
  if (!(radius > radii[2]) || sine >= 1. || !(parameters.sigma_r_phi > 0.))
    throw UsageError("triplet_confirmation",
                     "the layer is not outside of the three, or not every particle reaches it, or "
                     "sigma_r_phi is not positive");
  const double mean = (radii[0] + radii[1] + radii[2]) / 3.;
  double sum = 0., r_phi = 1., z = parameters.confirm_sigma_z * parameters.confirm_sigma_z;
  for (const double r : radii) sum += (r - mean) * (r - mean);
  for (int i = 0; i < 3; ++i) {
    double lagrange = 1.;
    for (int j = 0; j < 3; ++j)
      if (j != i) lagrange *= (radius - radii[j]) / (radii[i] - radii[j]);
    r_phi += lagrange * lagrange;
    const double line = 1. / 3. + (radius - mean) * (radii[i] - mean) / sum;
    z += line * line * parameters.sigma_z[i] * parameters.sigma_z[i];
  }
  r_phi *= parameters.sigma_r_phi * parameters.sigma_r_phi;
  const double cosine = std::sqrt(1. - sine * sine);
  return {T(radius), T(std::sqrt(r_phi)), T(std::sqrt(z)),  T(1. / r_phi),
          T(1. / z), T(1. / cosine),      T(sine / cosine), T(parameters.margin)};
}

/// Trajectory through three hits: a circle in x-y and z linear in the path length (a least-squares
/// line).
/// @tparam Number scalar or lanes
template <class Number>
class ExtendedTriplet {
 public:
  using Real = Number;       ///< number type of the kernel
  using T = ScalarOf<Real>;  ///< its scalar

  /// Takes the position of the middle hit, and the positions of the inner and the outer hit
  /// relative to it (x, y, z; cm).
  KOKKOS_FUNCTION ExtendedTriplet(const Vector<Real, 3>& middle, const Vector<Real, 3>& inner,
                                  const Vector<Real, 3>& outer)
      : middle_(middle),
        circle_(inner(0), inner(1), outer(0), outer(1)),
        line_(line(inner, outer)) {}

  /// Crossing of the trajectory with a cylinder, on the way outwards.
  struct Ahead {
    Real x,                ///< cm
        y,                 ///< cm
        z;                 ///< cm
    MaskOf<Real> reached;  ///< whether the circle reaches the cylinder
  };

  /// Returns the crossing with the cylinder of radius r (cm) around the z axis.
  ///
  /// With D and `root` as in `CircleOfHits::axis` and the vector W = curvature b + n, which has the
  /// length `root`, a point p of the circle at radius r satisfies p W = curvature r^2 / 2 + D.
  KOKKOS_FUNCTION Ahead at_radius(const Real& r) const {
    const Real x = middle_(0), y = middle_(1);
    const auto axis = circle_.axis(x, y);
    const auto exists = axis.root > Real(0);
    const Real half = Real(T(0.5));
    const Real d = half * axis.distance * (Real(1) + axis.root);
    const Real per_root = Real(1) / select(exists, axis.root, Real(1));
    const Real wx = fma(circle_.curvature, x, circle_.normal_x) * per_root,
               wy = fma(circle_.curvature, y, circle_.normal_y) * per_root;
    const Real along = fma(half * circle_.curvature * r, r, d) * per_root;
    const Real square = fma(r, r, -(along * along));
    const Real across = sqrt(max(square, Real(0)));
    const Real px = fma(along, wx, across * wy), py = fma(along, wy, -(across * wx));
    const Real s = short_arc(circle_.curvature, px - x, py - y);
    return {px, py, middle_(2) + z_at(s), exists && square > Real(0)};
  }

  /// Returns the slope of z over the transverse path length, cot(theta).
  KOKKOS_FORCEINLINE_FUNCTION Real cotangent() const { return line_.cotangent; }

  /// Returns the contribution to chi2 of a hit beyond the outer one (x, y, z; cm): the squared
  /// distances from the circle and from the line of z, over their variances.
  KOKKOS_FORCEINLINE_FUNCTION Real chi2(const TripletConfirmation<T>& cuts,
                                        const Vector<Real, 3>& hit) const {
    const Real dx = hit(0) - middle_(0), dy = hit(1) - middle_(1), dz = hit(2) - middle_(2);
    const Real bent = Real(T(0.5)) * circle_.curvature * fma(dx, dx, dy * dy);
    const Real off = bent - fma(circle_.normal_x, dx, circle_.normal_y * dy);
    const Real off_z = dz - z_at(short_arc(circle_.curvature, dx, dy));
    return fma(off * off, Real(cuts.per_r_phi_2), off_z * off_z * Real(cuts.per_z_2));
  }

 private:
  KOKKOS_FORCEINLINE_FUNCTION detail::LineOfHits<Real> line(const Vector<Real, 3>& inner,
                                                            const Vector<Real, 3>& outer) const {
    const Real s[3] = {-short_arc(circle_.curvature, inner(0), inner(1)), Real(0),
                       short_arc(circle_.curvature, outer(0), outer(1))};
    const Real z[3] = {inner(2), Real(0), outer(2)};
    return {s, z};
  }
  /// z at the path length s, both relative to the middle hit.
  KOKKOS_FORCEINLINE_FUNCTION Real z_at(const Real& s) const {
    return fma(line_.cotangent, s - line_.mean_s, line_.mean_z);
  }

  Vector<Real, 3> middle_;
  CircleOfHits<Real> circle_;
  detail::LineOfHits<Real> line_;
};

}  // namespace trackplex::seeding
