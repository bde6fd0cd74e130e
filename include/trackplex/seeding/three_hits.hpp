// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// @file
/// Geometry of three hits of a track in a field along z: a circle in x-y, a straight line of z
/// over the path length, and from both the state at one of the hits. Device functions; lengths in
/// cm, momenta in GeV, fields in T.

#include <trackplex/kalman/field_along_z.hpp>
#include <trackplex/kalman/helix.hpp>
#include <trackplex/kalman/measurement.hpp>

namespace trackplex::seeding {

/// Circle through three points a, b, c in the x-y plane, relative to the middle one. With
/// \f$ u=a-b \f$ and \f$ w=c-b \f$,
/// \f[ G=|u|^2\,(w_y,-w_x)-|w|^2\,(u_y,-u_x),\qquad |G|=|u|\,|w|\,|c-a|,\qquad
///   n=-\frac{G}{|G|},\qquad \kappa=\frac{2\,(w_xu_y-w_yu_x)}{|G|}: \f]
/// n is the unit normal at b, to the left of the direction from a to c, and \f$ \kappa \f$ the
/// signed curvature, positive if the track turns left. Both are regular for points on a straight
/// line. A point p of the circle satisfies \f$ \kappa\,|p-b|^2/2=n\cdot(p-b) \f$.
/// @tparam Number scalar or lanes
template <class Number>
struct CircleOfHits {
  using Real = Number;    ///< number type of the kernel
  Real normal_x,          ///< x of the unit normal n
      normal_y;           ///< y of the unit normal n
  Real curvature;         ///< 1/cm
  MaskOf<Real> distinct;  ///< no two of the points coincide

  /// Computes the circle from u = (ux, uy) and w = (wx, wy), cm. Curvature and normal are 0 if
  /// points coincide.
  KOKKOS_FORCEINLINE_FUNCTION CircleOfHits(const Real& ux, const Real& uy, const Real& wx,
                                           const Real& wy) {
    const Real u2 = fma(ux, ux, uy * uy), w2 = fma(wx, wx, wy * wy);
    const Real gx = fma(u2, wy, -(w2 * uy)), gy = fma(w2, ux, -(u2 * wx));
    const Real g2 = fma(gx, gx, gy * gy);
    distinct = g2 > Real(0);
    const Real per_g = select(distinct, Real(1) / sqrt(select(distinct, g2, Real(1))), Real(0));
    normal_x = -gx * per_g;
    normal_y = -gy * per_g;
    const Real cross = fma(wx, uy, -(wy * ux));
    curvature = (cross + cross) * per_g;
  }

  /// Returns cosine and sine of the direction of flight at the point b + (dx, dy) of the circle.
  KOKKOS_FORCEINLINE_FUNCTION SinCos<Real> direction(const Real& dx, const Real& dy) const {
    return {fma(curvature, dx, -normal_x), fma(-curvature, dy, normal_y)};
  }

  /// Position of the circle relative to the z axis.
  struct Axis {
    Real distance,  ///< signed distance d0 of the circle from the axis, cm
        root;       ///< sqrt(1 + 2 curvature D); see `axis`
  };
  /// Returns the position relative to the z axis, b being at (x, y). With
  /// \f$ D=\kappa|b|^2/2+n\cdot b \f$ the signed distance is
  /// \f[ d_0=\frac{2D}{1+\sqrt{1+2\kappa D}}. \f]
  /// V. Karimaki, Nucl. Instrum. Meth. A305 (1991) 187, doi:10.1016/0168-9002(91)90533-V.
  KOKKOS_FORCEINLINE_FUNCTION Axis axis(const Real& x, const Real& y) const {
    using T = ScalarOf<Real>;
    const Real half = Real(T(0.5)) * curvature;
    const Real d = fma(half, fma(x, x, y * y), fma(normal_x, x, normal_y * y));
    const Real square = fma(curvature + curvature, d, Real(1));
    const Real root = sqrt(max(square, Real(0)));
    return {(d + d) / (Real(1) + root), root};
  }

  /// Returns the length (cm) of the shorter arc over a chord: 2 asin(curvature chord / 2) /
  /// curvature.
  KOKKOS_FORCEINLINE_FUNCTION Real arc(const Real& chord) const {
    using T = ScalarOf<Real>;
    const Real sine = Real(T(0.5)) * curvature * chord;
    // For a diameter, rounding may give a sine above 1.
    const Real cosine = sqrt(max(fma(-sine, sine, Real(1)), Real(T(1e-6))));
    return chord * kalman::arctangent_ratio(sine / cosine) / cosine;
  }
};

/// Parameters of a state from three hits.
struct StartStatesParams {
  double spread = 30.;      ///< factor on the standard deviations from the errors of the hits
  double min_error = 1e-4;  ///< lower limit of the errors of a hit along r phi and z, cm
  int at = 0;               ///< number of the hit, 0 to 2, at which the state is given
  double from_z = 0.;       ///< z on the z axis, cm, near which tracks begin: on modules, a vector
                            ///< field counts as the `kalman::turning_field` of such tracks
};

/// Constants of `state_of_three_hits` in kernels: `StartStatesParams`, which converts to them,
/// computed in double and rounded once to the scalar T of the kernel.
template <class T>
struct StartStatesConstants {
  T spread2,         ///< square of the spread
      min_variance;  ///< lower limit of the variances of a hit along r phi and z, cm^2
  int at;            ///< number of the hit at which the state is given

  /// Computes the constants.
  KOKKOS_FUNCTION constexpr StartStatesConstants(const StartStatesParams& params)
      : spread2(T(params.spread * params.spread)),
        min_variance(T(params.min_error * params.min_error)),
        at(params.at) {}
};

namespace detail {

/// Variances of the hits along r phi and z: the largest of the three.
template <class Real>
struct HitVariances {
  Real r_phi, z;

  KOKKOS_FORCEINLINE_FUNCTION HitVariances(const kalman::SpacePoint<Real> (&hits)[3],
                                           ScalarOf<Real> min_variance) {
    r_phi = z = Real(min_variance);
    for (const auto& hit : hits) {
      const Real x = hit.position(0), y = hit.position(1);
      const Real r2 = fma(x, x, y * y);
      const Real along =
          fma(y * y, hit.covariance(0, 0),
              fma(x * x, hit.covariance(1, 1), -((x + x) * y * hit.covariance(1, 0))));
      const auto off_axis = r2 > Real(0);
      r_phi = max(r_phi, select(off_axis, along / select(off_axis, r2, Real(1)), Real(0)));
      z = max(z, hit.covariance(2, 2));
    }
  }
};

/// z = mean_z + cotangent (s - mean_s), by least squares over three points with equal errors; s
/// is the path length from the middle point.
template <class Real>
struct LineOfHits {
  Real mean_s, mean_z, cotangent, per_sum_s2;

  KOKKOS_FORCEINLINE_FUNCTION LineOfHits(const Real (&s)[3], const Real (&z)[3]) {
    const Real third = Real(ScalarOf<Real>(1. / 3.));
    mean_s = (s[0] + s[1] + s[2]) * third;
    // The mean of differences keeps the digits of hits far from the origin.
    mean_z = fma((z[0] - z[1]) + (z[2] - z[1]), third, z[1]);
    Real s2 = Real(0), sz = Real(0);
    for (int i = 0; i < 3; ++i) {
      const Real d = s[i] - mean_s;
      s2 = fma(d, d, s2);
      sz = fma(d, z[i] - mean_z, sz);
    }
    const auto regular = s2 > Real(0);
    per_sum_s2 = select(regular, Real(1) / select(regular, s2, Real(1)), Real(0));
    cotangent = sz * per_sum_s2;
  }
};

/// The diagonal covariance of a state from three hits at distances l1 and l2 along the track:
///   sigma(curvature) = 2 sigma / (l1 + l2) sqrt(1/l1^2 + 1/l2^2 + (1/l1 + 1/l2)^2)
///   sigma(phi) = sqrt(2) sigma / min(l1, l2) + max(l1, l2) sigma(curvature)
///   sigma(cot(theta)) = sigma_z / sqrt(sum (s - mean s)^2)
/// with the errors `sigma` along r phi and `sigma_z` of a hit, times the spread. x and y have the
/// same variance: the component along the track carries no information.
template <class Real>
KOKKOS_FUNCTION kalman::Covariance<Real> start_covariance(const HitVariances<Real>& variances,
                                                          const Real& l1, const Real& l2,
                                                          const LineOfHits<Real>& line,
                                                          const Real& inverse_pt_per_curvature,
                                                          ScalarOf<Real> spread2,
                                                          MaskOf<Real> distinct) {
  using T = ScalarOf<Real>;
  using P = kalman::Parameter;
  const Real a = Real(1) / select(distinct, l1, Real(1)),
             b = Real(1) / select(distinct, l2, Real(1));
  const Real sum = select(distinct, l1 + l2, Real(1));
  const Real sigma = sqrt(variances.r_phi);
  const Real curvature = (sigma + sigma) / sum * sqrt(fma(a, a, fma(b, b, (a + b) * (a + b))));
  const Real phi = fma(Real(T(1.4142135623730951)) * sigma, max(a, b), max(l1, l2) * curvature);
  const Real inverse_pt = curvature * inverse_pt_per_curvature;
  const Real per_sin2 = fma(line.cotangent, line.cotangent, Real(1));

  kalman::Covariance<Real> covariance;
  for (auto& element : covariance.elements) element = Real(0);
  const Real scale = select(distinct, Real(spread2), Real(0));
  covariance(P::x, P::x) = covariance(P::y, P::y) = scale * variances.r_phi;
  covariance(P::z, P::z) = scale * variances.z;
  covariance(P::inverse_pt, P::inverse_pt) = scale * inverse_pt * inverse_pt;
  covariance(P::phi, P::phi) = scale * phi * phi;
  covariance(P::theta, P::theta) = scale * variances.z * line.per_sum_s2 / (per_sin2 * per_sin2);
  return covariance;
}

}  // namespace detail

/// Computes the state of a track at one of three of its hits a, b, c, ordered along the track
/// and less than half a turn apart. Position and direction in x-y are those of the
/// circle through the hits, z and theta those of the least-squares line of z over the path length,
/// and \f$ p_T=0.003\,B/|\kappa| \f$ (GeV, T, 1/cm; 0.00299792458 exactly) with the field B along z
/// at b, which must not be 0. The charge is +-1.
///
/// The covariance is diagonal and inflated, so that a Kalman fit that starts here may use the same
/// hits again: relative to the hits, the start has a weight of 1 / spread^2. With the distances
/// \f$ l_1,l_2 \f$ along the track from the middle hit, path lengths \f$ s_i \f$, and the errors
/// \f$ \sigma \f$ along r phi and \f$ \sigma_z \f$ of the hits (the largest of the three), its
/// standard deviations are `spread` times
/// \f[ \sigma_\kappa=\frac{2\sigma}{l_1+l_2}\sqrt{\frac1{l_1^2}+\frac1{l_2^2}
///     +\Big(\frac1{l_1}+\frac1{l_2}\Big)^2},\quad
///   \sigma_\varphi=\frac{\sqrt2\,\sigma}{\min(l_1,l_2)}+\max(l_1,l_2)\,\sigma_\kappa,\quad
///   \sigma_{\cot\theta}=\frac{\sigma_z}{\sqrt{\sum(s_i-\bar s)^2}}. \f]
/// If hits coincide, the covariance is 0.
/// @param hits positions and covariances, cm and cm^2
/// @param field functor `field(x, y, z)` that returns B_z in T
/// @param constants spread, smallest errors, and the hit at which the state is given: from
///   `StartStatesParams`
template <class Real, class Field>
KOKKOS_FUNCTION kalman::TrackState<Real> state_of_three_hits(
    const kalman::SpacePoint<Real> (&hits)[3], const Field& field,
    const StartStatesConstants<ScalarOf<Real>>& constants = StartStatesParams()) {
  using T = ScalarOf<Real>;
  using P = kalman::Parameter;
  const auto &a = hits[0].position, &b = hits[1].position, &c = hits[2].position;
  const Real ux = a(0) - b(0), uy = a(1) - b(1), wx = c(0) - b(0), wy = c(1) - b(1);
  const CircleOfHits<Real> circle(ux, uy, wx, wy);
  const Real l1 = circle.arc(sqrt(fma(ux, ux, uy * uy))),
             l2 = circle.arc(sqrt(fma(wx, wx, wy * wy)));
  const Real s[3] = {-l1, Real(0), l2}, z[3] = {a(2), b(2), c(2)};
  const detail::LineOfHits<Real> line(s, z);

  // kappa = f q / pT; see curvature_per_inverse_pt
  const Real f = kalman::curvature_per_inverse_pt(Real(1), field(b(0), b(1), b(2)));
  const auto bends = abs(f) > Real(0);
  const Real per_f = select(bends, Real(1) / select(bends, f, Real(1)), Real(0));
  const Real signed_inverse_pt = circle.curvature * per_f;

  const auto at = [&](const Real& of_a, const Real& of_b, const Real& of_c) {
    return constants.at == 0 ? of_a : constants.at == 1 ? of_b : of_c;
  };
  const Real x = at(a(0), b(0), c(0)), y = at(a(1), b(1), c(1));
  const auto direction = circle.direction(x - b(0), y - b(1));
  kalman::TrackState<Real> state;
  state.parameters(P::x) = x;
  state.parameters(P::y) = y;
  state.parameters(P::z) = fma(line.cotangent, at(s[0], s[1], s[2]) - line.mean_s, line.mean_z);
  state.parameters(P::inverse_pt) = abs(signed_inverse_pt);
  state.parameters(P::phi) = atan2(direction.sin, direction.cos);
  state.parameters(P::theta) = atan2(Real(1), line.cotangent);
  state.charge = copysign(Real(T(1)), signed_inverse_pt);
  state.covariance =
      detail::start_covariance(detail::HitVariances<Real>(hits, constants.min_variance), l1, l2,
                               line, abs(per_f), constants.spread2, circle.distinct);
  return state;
}

}  // namespace trackplex::seeding
