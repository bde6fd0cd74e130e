// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/beam/multipole_maps.hpp>
#include <trackplex/core/math.hpp>

/// @file
/// Taylor maps of kicks, rotations and misaligned elements.

namespace trackplex::beam {

/// Returns the map that adds a horizontal and a vertical kick, rad, to the slopes at one place.
/// @throws UsageError if the order is not 1, 2 or 3
inline TransferMap kick_map(double horizontal, double vertical, int order) {
  TransferMap map = TransferMap::identity(order);
  map.C(2) = horizontal;
  map.C(4) = vertical;
  return map;
}

/// Returns the map to a system that is turned around the axis by an angle, rad, from x towards y.
/// @throws UsageError if the order is not 1, 2 or 3
inline TransferMap rotation_map(double angle, int order) {
  TransferMap map = TransferMap::identity(order);
  const double c = cos(angle), s = sin(angle);
  for (const int i : {1, 2}) {
    map.R(i, i) = map.R(i + 2, i + 2) = c;
    map.R(i, i + 2) = s;
    map.R(i + 2, i) = -s;
  }
  return map;
}

/// Displacement and rotation of an element relative to its nominal place.
struct Misalignment {
  double dx = 0.;    ///< Horizontal displacement, m.
  double dy = 0.;    ///< Vertical displacement, m.
  double tilt = 0.;  ///< Rotation around the axis, rad, from x towards y.
  double dz = 0.;    ///< Displacement along the axis, m.
};

/// Returns the map of a misaligned element with a straight axis. Products are truncated to the
/// order of the map.
inline TransferMap misaligned(const TransferMap& map, const Misalignment& by) {
  TransferMap in = drift_map(by.dz, map.order), out = drift_map(-by.dz, map.order);
  in.C(1) = -by.dx;
  in.C(3) = -by.dy;
  out.C(1) = by.dx;
  out.C(3) = by.dy;
  const TransferMap turned = concatenated(concatenated(rotation_map(by.tilt, map.order), map),
                                          rotation_map(-by.tilt, map.order));
  return concatenated(concatenated(in, turned), out);
}

}  // namespace trackplex::beam
