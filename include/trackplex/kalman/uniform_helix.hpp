// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// @file
/// Helices about any axis, and their points as functions of the path length.

#include <trackplex/core/constants.hpp>
#include <trackplex/kalman/helix.hpp>

namespace trackplex::kalman {

/// Returns c q/p in rad/(cm T), with which dt/ds = c (q/p) t x B for the unit vector t along a
/// track and the path length s (cm); c = 0.00299792458 GeV/(T cm). `q_over_p` is in 1/GeV.
template <class Real>
KOKKOS_FORCEINLINE_FUNCTION Real turn_per_tesla(const Real& q_over_p) {
  return q_over_p * Real(ScalarOf<Real>(constants::momentum_per_tesla_metre / 100.));
}

/// Returns c in rad GeV/(cm T) as above, or 0 for neutral tracks, which no field turns.
template <class Real>
KOKKOS_FORCEINLINE_FUNCTION Real turn_constant(const Real& charge) {
  return select(charge == Real(0), Real(0), turn_per_tesla(Real(1)));
}

/// Point of a track: position and direction.
template <class Real>
struct TrackPoint {
  geometry::Vector3<Real> position,  ///< r, cm
      direction;                     ///< t, unit vector
};

/// Helix of a track in a uniform field of any direction, as a function of the path length s.
///
/// With \f$ \lambda = c\,q/p \f$ (see `turn_per_tesla`), \f$ \Omega = -\lambda B \f$ and
/// \f$ a = |\Omega| s \f$,
/// \f[ r' = r + s\,t + s^2 g\,\Omega\times t + s^3 m\,\Omega\times(\Omega\times t),\qquad
///     t' = t + s\frac{\sin a}a\,\Omega\times t + s^2 g\,\Omega\times(\Omega\times t), \f]
/// \f[ g = \frac{1-\cos a}{a^2},\qquad m = \frac{a-\sin a}{a^3}, \f]
/// all regular at B = 0, a straight line.
template <class Number>
class UniformHelix {
 public:
  using Real = Number;                      ///< number type of a kernel
  using Vector3 = geometry::Vector3<Real>;  ///< vector in space

  /// Helix through a point.
  /// @param start point of the track
  /// @param lambda c q/p, see `turn_per_tesla`
  /// @param tesla B, T
  KOKKOS_FORCEINLINE_FUNCTION UniformHelix(const TrackPoint<Real>& start, const Real& lambda,
                                           const Vector3& tesla)
      : start_(start),
        lambda_(lambda),
        per_lambda_{{-tesla(0), -tesla(1), -tesla(2)}},
        first_(geometry::cross(per_lambda_, start.direction)),
        second_(geometry::cross(per_lambda_, first_)),
        turn_rate_(abs(lambda) * sqrt(geometry::dot(tesla, tesla))) {}

  /// Returns |Omega|, rad/cm.
  KOKKOS_FORCEINLINE_FUNCTION Real turn_rate() const { return turn_rate_; }

  /// Returns the derivative of the direction with respect to s at a direction of the helix, 1/cm.
  KOKKOS_FORCEINLINE_FUNCTION Vector3 bend(const Vector3& direction) const {
    const Vector3 per_lambda = geometry::cross(per_lambda_, direction);
    return {{lambda_ * per_lambda(0), lambda_ * per_lambda(1), lambda_ * per_lambda(2)}};
  }

  /// Returns the point at the path length s (cm).
  KOKKOS_FORCEINLINE_FUNCTION TrackPoint<Real> at(const Real& s) const {
    return at(s, ArcFunctions<Real>(turn_rate_ * s));
  }

  /// Point with its derivatives with respect to the direction at the start, dr'/dt and dt'/dt, and
  /// with respect to lambda, at constant s:
  /// \f[ \frac{\partial r'}{\partial\lambda} = s^2\left(\frac{\sin a}a-g\right)\omega\times t
  ///     + s^3\lambda\,\frac{\sin a-a\cos a}{a^3}\,\omega\times(\omega\times t),\qquad
  ///     \frac{\partial t'}{\partial\lambda} = s\,\omega\times t',\qquad \omega = -B. \f]
  struct Derivatives {
    TrackPoint<Real> point;                    ///< at s
    Matrix<Real, 3, 3> position_of_direction,  ///< dr'/dt, cm
        direction_of_direction;                ///< dt'/dt
    Vector3 position_of_lambda,                ///< dr'/dlambda
        direction_of_lambda;                   ///< dt'/dlambda
  };

  /// Returns the point at the path length s (cm) with its derivatives.
  KOKKOS_FORCEINLINE_FUNCTION Derivatives derivatives_at(const Real& s) const {
    const ArcFunctions<Real> arc(turn_rate_ * s);
    const Real g = arc.one_minus_cosine, m = g - arc.moment, s2 = s * s;
    Derivatives d;
    d.point = at(s, arc);
    const Real turned = lambda_ * s;
    d.position_of_direction = rotation(s, s * turned * g, s * turned * turned * m);
    d.direction_of_direction = rotation(Real(1), turned * arc.sine, turned * turned * g);
    const Real along = s2 * (arc.sine - g), across = s2 * turned * arc.moment;
    const Vector3 change = geometry::cross(per_lambda_, d.point.direction);
    for (int i = 0; i < 3; ++i) {
      d.position_of_lambda(i) = fma(along, first_(i), across * second_(i));
      d.direction_of_lambda(i) = s * change(i);
    }
    return d;
  }

 private:
  KOKKOS_FORCEINLINE_FUNCTION TrackPoint<Real> at(const Real& s,
                                                  const ArcFunctions<Real>& arc) const {
    const Real g = arc.one_minus_cosine, m = g - arc.moment, turned = lambda_ * s;
    const Real r1 = s * turned * g, r2 = s * turned * turned * m;
    const Real t1 = turned * arc.sine, t2 = turned * turned * g;
    const auto& [r, t] = start_;
    TrackPoint<Real> point;
    for (int i = 0; i < 3; ++i) {
      point.position(i) = r(i) + fma(s, t(i), fma(r1, first_(i), r2 * second_(i)));
      point.direction(i) = t(i) + fma(t1, first_(i), t2 * second_(i));
    }
    return point;
  }

  /// one + first [w]x + second [w]x [w]x, w = Omega / lambda.
  KOKKOS_FORCEINLINE_FUNCTION Matrix<Real, 3, 3> rotation(const Real& one, const Real& first,
                                                          const Real& second) const {
    const auto& w = per_lambda_;
    const Real x = second * w(0), y = second * w(1), z = second * w(2);
    const Real xy = x * w(1), xz = x * w(2), yz = y * w(2);
    const Real xx = x * w(0), yy = y * w(1), zz = z * w(2);
    return {one - (yy + zz),       fma(-first, w(2), xy), fma(first, w(1), xz),
            fma(first, w(2), xy),  one - (xx + zz),       fma(-first, w(0), yz),
            fma(-first, w(1), xz), fma(first, w(0), yz),  one - (xx + yy)};
  }

  TrackPoint<Real> start_;
  Real lambda_;
  Vector3 per_lambda_, first_, second_;  // w = -B, w x t, w x (w x t)
  Real turn_rate_;
};

}  // namespace trackplex::kalman
