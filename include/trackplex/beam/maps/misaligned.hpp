// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/beam/maps/multipole_maps.hpp>
#include <trackplex/core/compiled.hpp>
#include <trackplex/core/math.hpp>

/// @file
/// Taylor maps of kicks, rotations and misaligned elements.

namespace trackplex::beam {

/// Returns the map that adds a horizontal and a vertical kick, rad, to the slopes at one place.
/// @throws UsageError if the order is not 1, 2 or 3
TransferMap kick_map(double horizontal, double vertical, int order);

/// Returns the map to a system that is turned around the axis by an angle, rad, from x towards y.
/// @throws UsageError if the order is not 1, 2 or 3
TransferMap rotation_map(double angle, int order);

/// Displacement and rotation of an element relative to its nominal place.
struct Misalignment {
  double dx = 0.;    ///< Horizontal displacement, m.
  double dy = 0.;    ///< Vertical displacement, m.
  double tilt = 0.;  ///< Rotation around the axis, rad, from x towards y.
  double dz = 0.;    ///< Displacement along the axis, m.
};

/// Returns the map of a misaligned element with a straight axis. Products are truncated to the
/// order of the map.
TransferMap misaligned(const TransferMap& map, const Misalignment& by);

}  // namespace trackplex::beam

#if !defined(TRACKPLEX_COMPILED)
#include <trackplex/beam/maps/detail/misaligned.impl.hpp>
#endif
