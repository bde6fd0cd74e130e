// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/beam/elements/element.hpp>
#include <trackplex/beam/elements/multipole.hpp>
#include <trackplex/beam/steps/bend_steps.hpp>
#include <trackplex/beam/steps/sector_field.hpp>
#include <trackplex/core/compiled.hpp>
#include <trackplex/core/derived_math.hpp>

#include <cmath>
#include <cstdlib>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace trackplex::beam {

/// Bending magnet by symplectic integration, or without multipoles by its closed map, exact in the
/// slopes (CSBEND).
struct CanonicalBend {
  double length = 0.;  ///< Length along the axis, m.
  double angle = 0.;   ///< Angle, rad; positive: towards negative x.
  /// Strengths k_n of multipoles, 1/m^(n+1), from the quadrupole (n = 1) on.
  std::vector<double> strengths{};
  double entrance = 0.;        ///< Entrance edge, rad: positive as in a rectangular magnet.
  double exit = 0.;            ///< Exit edge, rad: positive as in a rectangular magnet.
  double entrance_curve = 0.;  ///< Curvature of the pole face at the entrance, 1/m.
  double exit_curve = 0.;      ///< Curvature of the pole face at the exit, 1/m.
  double half_gap = 0.;        ///< Half of the gap between the poles, m.
  double fringe = 0.5;         ///< Integral of the fringe field (elegant's FINT).
  EdgeEffects entrance_effects = EdgeEffects::slopes;  ///< Effects of the entrance.
  EdgeEffects exit_effects = EdgeEffects::slopes;      ///< Effects of the exit.
  int edge_order = 1;                                  ///< Order of the edges, 1 or 2.
  double field_error = 0.;                             ///< Relative error of the whole field (FSE).
  int slices = 4;                                      ///< Number of slices, at least 1.
  int integration_order = 4;                           ///< Order of the integration: 2, 4 or 6.
  bool nonlinear = true;        ///< Whether fields beyond the quadrupole are included.
  int expansion_order = 0;      ///< Order of the field in x and y, 1 to 10; 0: as needed.
  double horizontal_kick = 0.;  ///< Kick of a field in addition, rad, over the magnet.
  double vertical_kick = 0.;    ///< Kick of a field in addition, rad, over the magnet.
  /// Rotation of the magnet but not of the axis (ETILT), rad: exact for all particles if
  /// `is_rigid`, else as in elegant that of the particle on the axis.
  double error_tilt = 0.;
  bool expanded = false;  ///< Whether the Hamiltonian is expanded in the slopes.
  /// Whether the closed map of a uniform field is the body, for magnets of nothing else: without
  /// multipoles, kicks and radiation. `slices` then only places apertures along the line.
  bool closed = false;
  bool is_corrected = false;    ///< Whether the orbit error of the integration is subtracted.
  bool radiates = false;        ///< Whether particles lose energy by synchrotron radiation.
  bool quantum = false;         ///< Whether the loss fluctuates as by photons.
  Misalignment misalignment{};  ///< Displacement as a rigid body, and tilt.
  /// Dipole strength k0, 1/m, if the field does not match the bend of the axis; else the strength
  /// of the axis. With k0, a magnet with a straight axis also has a dipole field and edges.
  std::optional<double> k0{};
  std::optional<double> exit_fringe{};  ///< Integral of the fringe field at the exit, if different.
  /// Mean angle of particles to the axis at both edges, rad, if k0 does not match the axis. It
  /// enters the vertical focusing of linear edges.
  double crossing = 0.;
  /// Whether the displacement is in the system of the axis before the tilt, as in MAD-X: the body
  /// moves as a whole, tilted or not. Else it is one in the plane of x at both ends, as in elegant.
  bool is_rigid = false;

  /// @{ @brief Element interface, see element.hpp.
  static constexpr const char* family = "bend";
  double strength() const { return angle; }
  /// A displaced rigid body cannot be split.
  bool is_whole() const;
  void check(const ElementCheck& check) const;
  AxisBend axis_bend() const;
  /// Map of the corresponding `Bend`, without corrector kicks, with the dipole of the axis.
  TransferMap map_to(int order) const;
  void add_steps(StepBuilder& to) const;
  CanonicalBend part(int i, int n) const;
  CanonicalBend reversed() const;
  /// @}

  /// Returns a part of the closed map.
  steps::SectorField sector(double part) const;
  /// Returns `n` slices of the bend, or all.
  BendBody body(int n) const;
  /// Returns n slices with radiation, at the entrance and at the exit, or inside.
  steps::RadiatingBend radiating_body(int n, bool at_entrance, bool at_exit) const;
  /// Returns the entrance or the exit.
  BendEdge edge(bool is_exit) const;
  /// Adds the steps into the system of the magnet.
  void enter(StepBuilder& to) const;
  /// Adds the steps out of the system of the magnet.
  void leave(StepBuilder& to) const;

 private:
  bool has_canonical_edge() const;
  bool has_closed_map() const;
  bool is_straight() const { return angle == 0. || (!closed && length > 1e6 * std::abs(angle)); }
  double strength_of(std::size_t n) const;
  static double edge_angle(EdgeEffects effects, double angle);
  /// A bend of negative angle is a bend of positive angle rotated by half a turn.
  double turn() const;

  /// Field of a magnet with a straight axis.
  CanonicalMultipole straight_multipole() const;
  Misalignment straight_placement() const;

  void add_straight(StepBuilder& to) const;

  BendField field() const;

  Misalignment displacement() const;

  /// Adds the translation from the end of the rotated axis to the end of the nominal one, as
  /// elegant computes it for the particle on the axis; returns its path.
  double leave_error_tilt(StepBuilder& to) const;

  /// End of the nominal axis relative to that of a rigid body with an error tilt: rotations around
  /// the axis, then of the axis towards y and towards x, rad; and what they add to x, y and z, m.
  struct RotatedExit {
    double roll, pitch, yaw, x, y, z;
  };
  RotatedExit rotated_exit() const;
  /// Adds the steps out of the system of a rigid body with an error tilt, exactly.
  void leave_rotated(StepBuilder& to) const;
  TransferMap rotated_map(SectorBend magnet, int order) const;
};

}  // namespace trackplex::beam

#if !defined(TRACKPLEX_COMPILED)
#include <trackplex/beam/elements/detail/canonical_bend.impl.hpp>
#endif
