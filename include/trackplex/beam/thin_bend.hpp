// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/beam/bend_edge.hpp>
#include <trackplex/beam/element.hpp>
#include <trackplex/beam/multipole.hpp>

#include <algorithm>
#include <vector>

/// @file
/// Dipoles and edges without a length.

namespace trackplex::beam {

namespace steps {

/// Bend of the axis at one place: q_x grows by angle (1 + delta) less the weak focusing, s by
/// angle x.
struct ThinBend {
  double angle;     ///< Angle, rad.
  double focusing;  ///< Change of q_x over -x, 1/m.

  /// @{ @brief As of all steps, see step.hpp.
  static constexpr bool is_long = true;
  static constexpr unsigned changes = (1u << delta) - 1;
  std::vector<double> coefficients() const { return {angle, focusing}; }
  template <class Real>
  KOKKOS_FORCEINLINE_FUNCTION static MaskOf<Real> pass(const ScalarOf<Real>* c, Particle<Real>& v) {
    detail::to_momenta(v);
    v[xp] = fma(Real(c[0]), Real(1) + v[delta], fma(-Real(c[1]), v[x], v[xp]));
    v[s] = fma(Real(c[0]), v[x], v[s]);
    return detail::to_slopes(v);
  }
  /// @}
};

}  // namespace steps

/// Magnet without a length whose dipole bends the axis (MAD-X' MULTIPOLE with KNL[0]), to first
/// order in the angle.
struct ThinBend {
  double angle = 0.;            ///< Angle of the axis, rad; positive: towards negative x.
  Multipoles field{};           ///< Its field, integrated, with the dipole.
  double field_length = 0.;     ///< Length that the field fills, m, for weak focusing; 0: none.
  Misalignment misalignment{};  ///< Displacement and tilt.

  /// @{ @brief As of all elements, see element.hpp.
  static constexpr const char* family = "bend";
  static constexpr bool is_whole = true;
  double strength() const { return angle; }
  AxisBend axis_bend() const { return {angle, misalignment.tilt}; }
  void check(const ElementCheck& check) const {
    check.finite("angle", angle);
    check.not_negative("length of the field", field_length);
    kick().check(check);
  }
  TransferMap map_to(int order) const {
    order = std::min(order, 2);
    TransferMap map = TransferMap::identity(order);
    map.C(2) = angle;
    map.R(2, 1) = -focusing();
    map.R(5, 1) = angle;
    if (order > 1) map.T(2, 6, 1) = focusing();
    return misaligned(concatenated(map, thin_multipole_map(field, order)), misalignment);
  }
  void add_steps(StepBuilder& to) const {
    to.placed(misalignment, [&] {
      to.add(steps::ThinBend{angle, focusing()});
      kick().add_steps(to);
    });
  }
  /// @}

 private:
  ThickMultipole kick() const { return {.field = field, .slices = 1, .integration_order = 2}; }
  double focusing() const {
    return field_length > 0. ? angle * Multipoles::of(field.normal, 0) / field_length : 0.;
  }
};

/// Edge of a dipole by itself (MAD-X' DIPEDGE): kicks of first order, alike for all momenta.
struct DipoleEdge {
  double curvature = 0.;        ///< Curvature of the axis in the dipole, 1/m.
  double angle = 0.;            ///< Angle of the edge, rad: positive as in a rectangular magnet.
  double half_gap = 0.;         ///< Half of the gap between the poles, m.
  double fringe = 0.;           ///< Integral of the fringe field.
  Misalignment misalignment{};  ///< Displacement and tilt.

  /// @{ @brief As of all elements, see element.hpp.
  static constexpr const char* family = "bend";
  static constexpr bool is_whole = true;
  double strength() const { return angle; }
  void check(const ElementCheck& check) const {
    check.finite("curvature", curvature);
    check.finite("angle", angle);
    check.not_negative("half gap", half_gap);
    check.finite("integral of the fringe field", fringe);
    check.placed(misalignment);
  }
  TransferMap map_to(int order) const {
    const auto c = detail::edge_coefficients(edge());
    TransferMap map = TransferMap::identity(std::min(order, 2));
    map.R(2, 1) = c[detail::edge_h] * c[detail::edge_tangent];
    map.R(4, 3) = -c[detail::edge_h] * c[detail::edge_linear];
    if (map.order > 1) {
      map.T(2, 6, 1) = -map.R(2, 1);
      map.T(4, 6, 3) = -map.R(4, 3);
    }
    return misaligned(map, misalignment);
  }
  void add_steps(StepBuilder& to) const {
    if (curvature == 0.) return;
    to.placed(misalignment, [&] { to.add(steps::Edge{edge()}); });
  }
  /// @}

 private:
  BendEdge edge() const {
    return {.effects = EdgeEffects::linear,
            .angle = angle,
            .radius = 1. / curvature,
            .half_gap = half_gap,
            .fringe = fringe};
  }
};

}  // namespace trackplex::beam
