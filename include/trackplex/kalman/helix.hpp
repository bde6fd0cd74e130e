// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// @file
/// Helices about the z axis, and their points as functions of the transverse path length.

#include <trackplex/core/math.hpp>
#include <trackplex/kalman/track_state.hpp>

#include <limits>

namespace trackplex::kalman {

namespace detail {

/// The first coefficients of a power series in x^2.
template <int Terms, class T>
struct PowerSeries {
  T coefficients[Terms];

  /// `coefficient(n)` of x^(2 n), without its sign, which alternates.
  template <class Coefficient>
  KOKKOS_FUNCTION constexpr explicit PowerSeries(Coefficient coefficient) : coefficients{} {
    for (int n = 0; n < Terms; ++n) coefficients[n] = T(n % 2 ? -coefficient(n) : coefficient(n));
  }

  template <class Real>
  KOKKOS_FORCEINLINE_FUNCTION constexpr Real operator()(const Real& x2) const {
    Real sum = Real(coefficients[Terms - 1]);
    for (int n = Terms - 2; n >= 0; --n) sum = fma(sum, x2, Real(coefficients[n]));
    return sum;
  }
};

KOKKOS_FUNCTION constexpr double factorial(int n) { return n < 2 ? 1. : n * factorial(n - 1); }

}  // namespace detail

/// Functions of the turning angle a of an arc that are regular at a = 0.
///
/// Up to half a radian they are power series, within a few ulp; beyond, they are computed from sin
/// and cos of a / 2.
template <class Real>
struct ArcFunctions {
  Real sine,             ///< sin(a) / a
      one_minus_cosine,  ///< (1 - cos(a)) / a^2
      moment;            ///< (sin(a) - a cos(a)) / a^3

  /// Evaluates the functions at `angle` (rad).
  KOKKOS_FORCEINLINE_FUNCTION explicit ArcFunctions(const Real& angle) {
    using T = ScalarOf<Real>;
    constexpr int terms = sizeof(T) == 4 ? 4 : 7;
    constexpr detail::PowerSeries<terms, T> sine_series(
        [](int n) { return 1. / detail::factorial(2 * n + 1); });
    constexpr detail::PowerSeries<terms, T> cosine_series(
        [](int n) { return 1. / detail::factorial(2 * n + 2); });
    constexpr detail::PowerSeries<terms, T> moment_series(
        [](int n) { return (2. * n + 2.) / detail::factorial(2 * n + 3); });
    const Real a2 = angle * angle;
    sine = sine_series(a2);
    one_minus_cosine = cosine_series(a2);
    moment = moment_series(a2);
    const auto large = abs(angle) > Real(T(0.5));
    if (any_of(large)) {
      const Real a = select(large, angle, Real(1)), b2 = a * a;
      const auto half = sincos(Real(T(0.5)) * a);
      const Real large_sine = (half.sin + half.sin) * half.cos / a;
      const Real large_cosine = (half.sin + half.sin) * half.sin / b2;
      sine = select(large, large_sine, sine);
      one_minus_cosine = select(large, large_cosine, one_minus_cosine);
      moment = select(large, (large_sine - fma(-b2, large_cosine, Real(1))) / b2, moment);
    }
  }
};

/// Returns atan(t) / t, which is 1 at t = 0.
template <class Real>
KOKKOS_FORCEINLINE_FUNCTION Real arctangent_ratio(const Real& t) {
  using T = ScalarOf<Real>;
  constexpr detail::PowerSeries<sizeof(T) == 4 ? 6 : 13, T> series(
      [](int n) { return 1. / (2. * n + 1.); });
  const Real ratio = series(t * t);
  const auto large = abs(t) > Real(T(0.25));
  if (none_of(large)) return ratio;
  const Real safe = select(large, t, Real(1));
  return select(large, atan(safe) / safe, ratio);
}

/// Helix with its axis along z, through a point in the direction of a momentum.
///
/// With phi and theta of the momentum at the start, the curvature kappa = dphi/dL and the
/// transverse path length L from the start:
/// \f[ x' = x + S\cos\varphi - V\sin\varphi,\qquad y' = y + S\sin\varphi + V\cos\varphi,\qquad
///     z' = z + L\cot\theta,\qquad \varphi' = \varphi + \kappa L, \f]
/// \f[ S = \frac{\sin\kappa L}{\kappa},\qquad V = \frac{1-\cos\kappa L}{\kappa}, \f]
/// all regular at kappa = 0, a straight line. `HelixPoint` evaluates them.
template <class Number>
class Helix {
 public:
  using Real = Number;  ///< number type of a kernel

  /// Helix from the parameters of a track; `curvature_factor` is kappa per 1/pT, see
  /// `curvature_per_inverse_pt`.
  KOKKOS_FORCEINLINE_FUNCTION Helix(const Parameters<Real>& start, const Real& curvature_factor)
      : start_(start),
        factor_(curvature_factor),
        curvature_(curvature_factor * start.template get<Parameter::inverse_pt>()),
        phi_(sincos(start.template get<Parameter::phi>())),
        theta_(sincos(start.template get<Parameter::theta>())) {}

  /// Returns the parameters at the start.
  KOKKOS_FORCEINLINE_FUNCTION const Parameters<Real>& start() const { return start_; }
  /// Returns kappa = dphi/dL, rad/cm.
  KOKKOS_FORCEINLINE_FUNCTION Real curvature() const { return curvature_; }
  /// Returns kappa per 1/pT, rad/cm per 1/GeV.
  KOKKOS_FORCEINLINE_FUNCTION Real curvature_factor() const { return factor_; }
  /// Returns cos(phi) at the start.
  KOKKOS_FORCEINLINE_FUNCTION Real cos_phi() const { return phi_.cos; }
  /// Returns sin(phi) at the start.
  KOKKOS_FORCEINLINE_FUNCTION Real sin_phi() const { return phi_.sin; }
  /// Returns cos(theta), which is the same all along the helix.
  KOKKOS_FORCEINLINE_FUNCTION Real cos_theta() const { return theta_.cos; }
  /// Returns sin(theta), which is the same all along the helix.
  KOKKOS_FORCEINLINE_FUNCTION Real sin_theta() const { return theta_.sin; }

 private:
  Parameters<Real> start_;
  Real factor_, curvature_;
  SinCos<Real> phi_, theta_;
};

/// Point of a helix at the transverse path length L, with the derivatives at constant L that are
/// neither zero nor one:
/// \f[ \frac{\partial x'}{\partial(1/p_T)} = -f\,(M_c\sin\varphi + M_s\cos\varphi),\qquad
///     \frac{\partial y'}{\partial(1/p_T)} = f\,(M_c\cos\varphi - M_s\sin\varphi), \f]
/// \f[ M_c = \int_0^L s\cos\kappa s\,ds,\qquad M_s = \int_0^L s\sin\kappa s\,ds, \f]
/// \f[ \frac{\partial x'}{\partial\varphi} = -(y'-y),\qquad
///     \frac{\partial y'}{\partial\varphi} = x'-x,\qquad
///     \frac{\partial z'}{\partial\theta} = -\frac{L}{\sin^2\theta},\qquad
///     \frac{\partial\varphi'}{\partial(1/p_T)} = fL, \f]
/// where kappa = f / pT.
template <class Real>
struct HelixPoint {
  Parameters<Real> parameters;  ///< at the point
  Real length;                  ///< L, cm
  Real dx,                      ///< x' - x, cm
      dy;                       ///< y' - y, cm
  Real cos_phi,                 ///< cos(phi')
      sin_phi;                  ///< sin(phi')
  Real dx_dinverse_pt,          ///< dx'/d(1/pT) at constant L, cm GeV
      dy_dinverse_pt;           ///< dy'/d(1/pT) at constant L, cm GeV

  /// Evaluates a helix at the transverse path length L (cm), which may be negative.
  KOKKOS_FORCEINLINE_FUNCTION HelixPoint(const Helix<Real>& helix, const Real& path_length)
      : parameters(helix.start()), length(path_length) {
    using P = Parameter;
    const Real angle = helix.curvature() * length;
    const ArcFunctions<Real> arc(angle);
    const Real along = length * arc.sine, across = length * angle * arc.one_minus_cosine;
    const Real c = helix.cos_phi(), s = helix.sin_phi();
    dx = fma(along, c, -(across * s));
    dy = fma(along, s, across * c);
    const Real sin_angle = angle * arc.sine;
    const Real cos_angle = fma(-(angle * angle), arc.one_minus_cosine, Real(1));
    cos_phi = fma(c, cos_angle, -(s * sin_angle));
    sin_phi = fma(s, cos_angle, c * sin_angle);

    const Real f = helix.curvature_factor() * length * length;
    const Real mc = f * (arc.sine - arc.one_minus_cosine), ms = f * angle * arc.moment;
    dx_dinverse_pt = -fma(s, mc, c * ms);
    dy_dinverse_pt = fma(c, mc, -(s * ms));

    const auto& start = helix.start();
    parameters.template set<P::x>(start.template get<P::x>() + dx);
    parameters.template set<P::y>(start.template get<P::y>() + dy);
    parameters.template set<P::z>(
        fma(length, helix.cos_theta() / helix.sin_theta(), start.template get<P::z>()));
    parameters.template set<P::phi>(start.template get<P::phi>() + angle);
  }
};

}  // namespace trackplex::kalman
