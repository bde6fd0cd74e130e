// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// @file
/// Taylor maps of the elements of a beam line, in the coordinates of beam/bunch/particle.hpp: s
/// is relative to the reference particle, so a drift has no constant. Coefficients are as in the
/// accelerator code elegant (M. Borland); K. L. Brown, "A first- and second-order matrix theory for
/// the design of beam transport systems", SLAC-75.

#include <trackplex/beam/maps/bend_maps.hpp>
#include <trackplex/beam/maps/kicker_map.hpp>
#include <trackplex/beam/maps/misaligned.hpp>
#include <trackplex/beam/maps/multipole_maps.hpp>
#include <trackplex/beam/maps/solenoid_map.hpp>

namespace trackplex::beam {

/// Converts a map in which s is the total path of a particle, as in elegant's EMATRIX and MATR, to
/// a map in which s is relative to a reference particle with a path length, m. elegant applies its
/// map to s relative to the mean of the bunch; the two differ only if the map depends on s other
/// than by R_55 = 1.
inline TransferMap relative_to_path(TransferMap map, double length) {
  map.C(5) -= length;
  return map;
}

}  // namespace trackplex::beam
