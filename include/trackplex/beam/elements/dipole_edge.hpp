// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/beam/elements/element.hpp>
#include <trackplex/beam/steps/bend_edge.hpp>
#include <trackplex/core/compiled.hpp>

namespace trackplex::beam {

/// Separate edge of a dipole (MAD-X' DIPEDGE): kicks of first order, the same for all momenta.
struct DipoleEdge {
  double curvature = 0.;        ///< Curvature of the axis in the dipole, 1/m.
  double angle = 0.;            ///< Angle of the edge, rad: positive as in a rectangular magnet.
  double half_gap = 0.;         ///< Half of the gap between the poles, m.
  double fringe = 0.;           ///< Integral of the fringe field.
  Misalignment misalignment{};  ///< Displacement and tilt.

  /// @{ @brief Element interface, see element.hpp.
  static constexpr const char* family = "bend";
  static constexpr bool is_whole = true;
  double strength() const { return angle; }
  void check(const ElementCheck& check) const;
  TransferMap map_to(int order) const;
  void add_steps(StepBuilder& to) const;
  /// @}

 private:
  BendEdge edge() const;
};

}  // namespace trackplex::beam

#if !defined(TRACKPLEX_COMPILED)
#include <trackplex/beam/elements/detail/dipole_edge.impl.hpp>
#endif
