// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/beam/elements/element.hpp>
#include <trackplex/beam/elements/multipole.hpp>
#include <trackplex/beam/steps/bend_edge.hpp>
#include <trackplex/core/compiled.hpp>

#include <vector>

namespace trackplex::beam {

namespace steps {

/// Bend of the axis at one place: q_x grows by angle (1 + delta) less the weak focusing and
/// gradient (x^2 - y^2/2), q_y by gradient x y, s by angle x.
struct ThinBend {
  double angle;     ///< Angle, rad.
  double focusing;  ///< Change of q_x over -x, 1/m.
  double gradient;  ///< Curvature of the axis times the integrated gradient, 1/m^2.

  /// @{ @brief Step interface, see step_type.hpp.
  static constexpr bool is_long = true;
  static constexpr unsigned changes = (1u << delta) - 1;
  std::vector<double> coefficients() const { return {angle, focusing, gradient}; }
  template <class Real>
  KOKKOS_FORCEINLINE_FUNCTION static MaskOf<Real> pass(const ScalarOf<Real>* c, Particle<Real>& v) {
    detail::to_momenta(v);
    const Real x_gradient = Real(c[2]) * v[x], half_y = Real(ScalarOf<Real>(0.5)) * v[y];
    v[xp] = fma(-x_gradient, v[x], fma(Real(c[2]) * half_y, v[y], v[xp]));
    v[yp] = fma(x_gradient, v[y], v[yp]);
    v[xp] = fma(Real(c[0]), Real(1) + v[delta], fma(-Real(c[1]), v[x], v[xp]));
    v[s] = fma(Real(c[0]), v[x], v[s]);
    return detail::to_slopes(v);
  }
  /// Turns with the axis; the dipole of the field is that of kicks.
  template <class Real>
  KOKKOS_FORCEINLINE_FUNCTION static MaskOf<Real> pass(const ScalarOf<Real>* c, Particle<Real>& v,
                                                       Spin<Real>& spin) {
    Particle<Real> at = v;
    detail::to_momenta(at);
    const Real x_gradient = Real(c[2]) * v[x], half_y = Real(ScalarOf<Real>(0.5)) * v[y];
    const Real curved = fma(Real(c[2]) * half_y, v[y], -x_gradient * v[x]);
    const Real kick_y = x_gradient * v[y];
    kick_spin(fma(-Real(c[1]), v[x], curved), kick_y, fma(-Real(c[1]), v[x], at[xp] + curved),
              at[yp] + kick_y, Real(1) + v[delta], spin);
    rotate_spin(Real(0), Real(c[0]), Real(0), spin);
    return pass(c, v);
  }
  /// @}
};

}  // namespace steps

/// Magnet without a length whose dipole bends the axis (MAD-X' MULTIPOLE with KNL[0]), to first
/// order in the angle.
struct ThinBend {
  double angle = 0.;            ///< Angle of the axis, rad; positive: towards negative x.
  Multipoles field{};           ///< Its field, integrated, with the dipole.
  double field_length = 0.;     ///< Length of the field, m, for weak focusing; 0: none.
  Misalignment misalignment{};  ///< Displacement as a rigid body, and tilt.
  /// Whether the gradient also acts by the curvature angle/field_length of the axis, as in Xsuite;
  /// not in MAD-X.
  bool has_curved_gradient = false;

  /// @{ @brief Element interface, see element.hpp.
  static constexpr const char* family = "bend";
  static constexpr bool is_whole = true;
  double strength() const { return angle; }
  AxisBend axis_bend() const { return {angle, misalignment.tilt}; }
  void check(const ElementCheck& check) const;
  TransferMap map_to(int order) const;
  void add_steps(StepBuilder& to) const;
  /// @}

 private:
  CanonicalMultipole kick() const { return {.field = field, .slices = 1, .integration_order = 2}; }
  double focusing() const;
  double gradient() const;
  Misalignment in_its_plane() const;
};

}  // namespace trackplex::beam

#if !defined(TRACKPLEX_COMPILED)
#include <trackplex/beam/elements/detail/thin_bend.impl.hpp>
#endif
