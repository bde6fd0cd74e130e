// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// @file
/// Three hits and where they lead: the test of a hit on one more cylinder. Lengths in cm.

#include <trackplex/seeding/cylinder_triplet_cuts.hpp>

#include <cmath>

namespace trackplex::seeding {

/// The terms of chi2 that one more hit adds, and its window. With the values L_i of Lagrange's
/// polynomials of the radii of the three layers at that of the fourth, and those of a straight
/// line, M_i = 1/3 + (r - mean)(r_i - mean) / sum (r_j - mean)^2,
///   var(r phi) = sigma_r_phi^2 (1 + sum L_i^2),  var(z) = confirm_sigma_z^2 + sum M_i^2 sigma_zi^2
template <class T>
struct TripletConfirmation {
  T radius;
  T sigma_r_phi, sigma_z;  ///< of the differences between hit and prediction
  T per_r_phi_2, per_z_2;  ///< one over their variances
  T per_cosine, tangent;   ///< of the largest angle of incidence on the cylinder
  T margin;
};

/// @throws UsageError for parameters that mean nothing
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

/// A circle in x-y and a straight line of z over path length, through three hits.
template <class Number>
class ExtendedTriplet {
 public:
  using Real = Number;
  using T = ScalarOf<Real>;

  /// Inner and outer hit as seen from the middle one.
  KOKKOS_FUNCTION ExtendedTriplet(const Vector<Real, 3>& middle, const Vector<Real, 3>& inner,
                                  const Vector<Real, 3>& outer)
      : middle_(middle),
        circle_(inner(0), inner(1), outer(0), outer(1)),
        line_(line(inner, outer)) {}

  /// Where the particle meets a cylinder on its way out.
  struct Ahead {
    Real x, y, z;
    MaskOf<Real> reached;
  };

  /// With D and `root` as in `CircleOfHits::axis` and the vector W = curvature b + n, which has the
  /// length `root`, a point p of the circle at radius r has p W = curvature r^2 / 2 + D.
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

  /// Slope of z.
  KOKKOS_FORCEINLINE_FUNCTION Real cotangent() const { return line_.cotangent; }

  /// Contribution of a hit beyond the outer one to chi2: its distances from the circle and from the
  /// line.
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
  /// From the middle hit.
  KOKKOS_FORCEINLINE_FUNCTION Real z_at(const Real& s) const {
    return fma(line_.cotangent, s - line_.mean_s, line_.mean_z);
  }

  Vector<Real, 3> middle_;
  CircleOfHits<Real> circle_;
  detail::LineOfHits<Real> line_;
};

}  // namespace trackplex::seeding
