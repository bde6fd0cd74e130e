// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/beam/elements/element.hpp>
#include <trackplex/core/compiled.hpp>
#include <trackplex/core/derived_math.hpp>

#include <vector>

/// @file
/// Elements that move or turn the bunch.

namespace trackplex::beam {

/// Rotation around the axis (ROTATE).
struct Rotator {
  double tilt = 0.;  ///< Angle, rad, from x towards y.

  /// @{ @brief Element interface, see element.hpp.
  static constexpr const char* family = "other";
  void check(const ElementCheck& check) const { check.finite("tilt", tilt); }
  TransferMap map_to(int order) const { return rotation_map(tilt, order); }
  void add_steps(StepBuilder& to) const { to.rotate(tilt); }
  /// @}
};

/// Rotation of the axis at one place by an angle t, towards positive x or y (MAD-X' YROTATION and
/// XROTATION): x -> x/(cos t (1 + x' tan t)), exactly, with particles on straight lines.
struct PlaneRotation {
  double angle = 0.;         ///< Angle of the axis, rad; not a right angle.
  bool is_vertical = false;  ///< Towards y; else towards x.

  /// @{ @brief Element interface, see element.hpp.
  static constexpr const char* family = "other";
  static constexpr bool is_long = true;
  static constexpr unsigned changes = (1u << delta) - 1;
  AxisBend axis_bend() const;
  void check(const ElementCheck& check) const;
  TransferMap map_to(int order) const;
  std::vector<double> coefficients() const;
  template <class Real>
  KOKKOS_FORCEINLINE_FUNCTION static MaskOf<Real> pass(const ScalarOf<Real>* c, Particle<Real>& v) {
    const Real tangent(c[0]), secant(c[1]), one(1);
    return c[2] != ScalarOf<Real>(0) ? turn(tangent, secant, v[y], v[yp], v[x], v[xp], v[s], one)
                                     : turn(tangent, secant, v[x], v[xp], v[y], v[yp], v[s], one);
  }
  /// @}

 private:
  /// Rotates in the plane of u; w is the other plane.
  template <class Real>
  KOKKOS_FORCEINLINE_FUNCTION static MaskOf<Real> turn(const Real& tangent, const Real& secant,
                                                       Real& u, Real& up, Real& w, Real& wp,
                                                       Real& s, const Real& one) {
    const Real ahead = fma(tangent, up, one), inverse = one / ahead;
    const Real way = -tangent * u * inverse;  // along the old axis
    s = fma(way, sqrt(one + fma(up, up, wp * wp)), s);
    w = fma(way, wp, w);
    u *= secant * inverse;
    up = (up - tangent) * inverse;
    wp *= secant * inverse;
    return ahead > Real(0);
  }
};

/// Displacement of particles in position, direction, time and energy (MALIGN). The order is: a
/// drift along the axis; transverse positions; slopes; momentum and energy, with the time kept;
/// time.
struct Displacement {
  double dx = 0.;    ///< Term of x, m.
  double dxp = 0.;   ///< Term of x'.
  double dy = 0.;    ///< Term of y, m.
  double dyp = 0.;   ///< Term of y'.
  double dz = 0.;    ///< Distance along the axis, m.
  double dt = 0.;    ///< Term of the time, s.
  double dp = 0.;    ///< Term of delta.
  double de = 0.;    ///< Relative change of the energy gamma.
  int on_pass = -1;  ///< Turn in which it acts; below 0: all turns.

  /// @{ @brief Element interface, see element.hpp.
  static constexpr const char* family = "other";
  static constexpr bool is_long = true;
  void check(const ElementCheck& check) const;
  /// To first order, without changes of time, momentum and energy, and for all turns.
  TransferMap map_to(int order) const;
  void add_steps(StepBuilder& to) const;
  std::vector<double> coefficients(const ElementPass& pass) const;
  template <class Real>
  KOKKOS_FORCEINLINE_FUNCTION static void pass(const ScalarOf<Real>* c, Particle<Real>& v) {
    const Real one(1), dz(c[4]), p0_to_minus_2(c[8]);
    v[s] = fma(dz, sqrt(one + fma(v[xp], v[xp], v[yp] * v[yp])), v[s]);
    v[x] += fma(dz, v[xp], Real(c[0]));
    v[y] += fma(dz, v[yp], Real(c[2]));
    v[xp] += Real(c[1]);
    v[yp] += Real(c[3]);
    const Real u = one + v[delta], u1 = u + Real(c[6]);
    const Real g2 = fma(u, u, p0_to_minus_2), g1_square = fma(u1, u1, p0_to_minus_2);
    const Real more = Real(c[7]) * g1_square;  // of the energy squared, and of u squared
    const Real u2 = sqrt(fma(u1, u1, more)), g3 = sqrt(g1_square + more);
    const Real added = fma(Real(c[6]), u + u1, more);
    const Real way = fma(v[s], p0_to_minus_2, Real(c[9])), cross = u * g3;
    v[s] = fma(way * added, one / (cross * fma(u2, sqrt(g2), cross)), v[s]);
    v[s] = fma(Real(c[5]), u2 / g3, v[s]);
    v[delta] += Real(c[6]) + more / (u1 + u2);
  }
  /// @}
};

/// Kicker that bends particles on circles, exactly (EKICKER, EHKICK, EVKICK).
struct ExactKicker {
  double length = 0.;           ///< Length, m.
  double horizontal = 0.;       ///< Angle in x of the reference particle, rad.
  double vertical = 0.;         ///< Angle in y of the reference particle, rad.
  Misalignment misalignment{};  ///< Displacement and tilt.

  /// @{ @brief Element interface, see element.hpp.
  static constexpr const char* family = "kicker";
  static constexpr bool is_whole = true;
  void check(const ElementCheck& check) const;
  TransferMap map_to(int order) const;
  void add_steps(StepBuilder& to) const;
  /// @}
};

namespace steps {

/// Bend on a circle in the plane of x, from a straight axis.
struct CircularKick {
  double length;  ///< Length along the axis, m.
  double angle;   ///< Angle of the reference particle, rad, towards positive x.

  /// @{ @brief Step interface, see step_type.hpp.
  static constexpr bool is_long = true;
  static constexpr unsigned changes = (1u << delta) - 1;
  std::vector<double> coefficients() const { return {length, angle, sin(angle)}; }
  template <class Real>
  KOKKOS_FORCEINLINE_FUNCTION static MaskOf<Real> pass(const ScalarOf<Real>* c, Particle<Real>& v) {
    const Real one(1), momentum = one + v[delta];
    if (c[0] == ScalarOf<Real>(0)) {
      v[xp] = tan(atan(v[xp]) + Real(c[1]) / momentum);
      return momentum > Real(0);
    }
    // sines and cosines of the angles in the plane before and after
    const Real length(c[0]), cosine = one / sqrt(fma(v[xp], v[xp], one)), sine = v[xp] * cosine;
    const Real bent = Real(c[2]) / momentum;  // length/R
    const Real sine1 = sine + bent, square1 = fma(-sine1, sine1, one), cosine1 = sqrt(square1);
    // R (cos - cos1) = L (sin + sin1)/(cos + cos1); R theta by the angle between them
    const Real theta =
        atan2(fma(sine1, cosine, -cosine1 * sine), fma(cosine1, cosine, sine1 * sine));
    const Real arc = length * theta / bent;
    const Real slope = v[yp] / sqrt(one + fma(v[xp], v[xp], -v[yp] * v[yp]));
    v[x] = fma(length, (sine + sine1) / (cosine + cosine1), v[x]);
    v[y] = fma(slope, arc, v[y]);
    v[s] += fma(arc, sqrt(fma(slope, slope, one)), -length);
    v[xp] = sine1 / cosine1;
    return momentum > Real(0) && square1 > Real(0);
  }
  /// @}
};

}  // namespace steps

}  // namespace trackplex::beam

#if !defined(TRACKPLEX_COMPILED)
#include <trackplex/beam/elements/detail/placement.impl.hpp>
#endif
