// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/beam/maps/misaligned.hpp>
#include <trackplex/core/compiled.hpp>

/// @file
/// Taylor maps of bending magnets.

namespace trackplex::beam {

/// Bending magnet with a curved axis (sector bend) and its edges. A rectangular magnet has edges of
/// half the angle each. Edges of angle 0 have second-order effects, too.
struct SectorBend {
  double length = 0.;              ///< Length along the axis, m.
  double angle = 0.;               ///< Angle, rad; positive: towards negative x.
  double k1 = 0.;                  ///< Quadrupole strength, 1/m^2.
  double k2 = 0.;                  ///< Sextupole strength, 1/m^3.
  double entrance = 0.;            ///< Entrance edge, rad: positive as in a rectangular magnet.
  double exit = 0.;                ///< Exit edge, rad: positive as in a rectangular magnet.
  double half_gap = 0.;            ///< Half of the gap between the poles, m.
  double fringe = 0.5;             ///< Integral of the fringe field (elegant's FINT).
  bool entrance_edge = true;       ///< Whether the entrance has the effects of an edge.
  bool exit_edge = true;           ///< Whether the exit has the effects of an edge.
  double entrance_curvature = 0.;  ///< Curvature of the entrance pole face, 1/m (elegant's H1).
  double exit_curvature = 0.;      ///< Curvature of the exit pole face, 1/m (elegant's H2).
  double dipole_error = 0.;        ///< Relative field error.
  double error_tilt = 0.;          ///< Rotation around the axis, rad, that the line after does not
                                   ///< follow (elegant's ETILT).
  /// Order of the maps of edges; 0: order of the bend. With order 1, a second-order bend still
  /// has the edge terms that depend on delta.
  int edge_order = 0;
};

namespace detail {

/// Returns the map of an edge of a bend, whose pole face has a curvature, 1/m; side is -1 at the
/// entrance, +1 at the exit.
TransferMap edge_map(const SectorBend& bend, double edge, int side, int order,
                     double curvature = 0.);

}  // namespace detail

/// Returns the reversed bend: entrance and exit are swapped.
SectorBend reversed(SectorBend bend);

/// Returns the map of a sector bend to first or second order: entrance edge, body, exit edge. Edges
/// are those of K. L. Brown, SLAC-75, with the correction psi = 2 h g F (1 + sin^2 E)/cos E for the
/// extent of the fringe field, h curvature, g half gap, F its integral, E angle of the edge.
/// @throws UsageError if the length is not above 0 or the angle 0 (a drift or quadrupole), or the
/// order is not 1 or 2
TransferMap sector_bend_map(const SectorBend& bend, int order);

/// Returns the map of a bend rotated by its error tilt; `map` is the map of the magnet.
TransferMap with_error_tilt(const TransferMap& map, const SectorBend& bend);

/// Returns the map of a bend that is misaligned as a rigid body. The displacement is along
/// the directions at the entrance; at the exit, x and the axis are rotated by the bend angle, rad.
/// As in elegant, they are rotated in the plane of x and the axis even if the bend is tilted.
TransferMap misaligned_bend(const TransferMap& map, const Misalignment& by, double angle);

}  // namespace trackplex::beam

#if !defined(TRACKPLEX_COMPILED)
#include <trackplex/beam/maps/detail/bend_maps.impl.hpp>
#endif
