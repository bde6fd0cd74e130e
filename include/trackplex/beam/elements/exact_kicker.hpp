// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/beam/elements/element.hpp>
#include <trackplex/beam/steps/spin_rotation.hpp>
#include <trackplex/core/compiled.hpp>
#include <trackplex/core/derived_math.hpp>

#include <vector>

namespace trackplex::beam {

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
  /// Rotates as in a uniform field, by the change of the angle in the plane.
  template <class Real>
  KOKKOS_FORCEINLINE_FUNCTION static MaskOf<Real> pass(const ScalarOf<Real>* c, Particle<Real>& v,
                                                       Spin<Real>& spin) {
    const Real one(1), factor = one / sqrt(one + fma(v[xp], v[xp], v[yp] * v[yp]));
    const Real ux = v[xp] * factor, uy = v[yp] * factor, slope = v[xp];
    const MaskOf<Real> passes = pass(c, v);
    const Real angle = atan((v[xp] - slope) / fma(v[xp], slope, one));
    turn_spin(-angle, angle, ux, uy, factor, spin);
    return passes;
  }
  /// @}
};

}  // namespace steps

}  // namespace trackplex::beam

#if !defined(TRACKPLEX_COMPILED)
#include <trackplex/beam/elements/detail/exact_kicker.impl.hpp>
#endif
