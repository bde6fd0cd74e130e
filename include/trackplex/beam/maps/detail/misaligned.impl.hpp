// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/beam/maps/misaligned.hpp>
#include <trackplex/beam/maps/multipole_maps.hpp>
#include <trackplex/core/math.hpp>

namespace trackplex::beam {

TRACKPLEX_INLINE TransferMap kick_map(double horizontal, double vertical, int order) {
  TransferMap map = TransferMap::identity(order);
  map.C(2) = horizontal;
  map.C(4) = vertical;
  return map;
}

TRACKPLEX_INLINE TransferMap rotation_map(double angle, int order) {
  TransferMap map = TransferMap::identity(order);
  const double c = cos(angle), s = sin(angle);
  for (const int i : {1, 2}) {
    map.R(i, i) = map.R(i + 2, i + 2) = c;
    map.R(i, i + 2) = s;
    map.R(i + 2, i) = -s;
  }
  return map;
}

TRACKPLEX_INLINE TransferMap misaligned(const TransferMap& map, const Misalignment& by) {
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
