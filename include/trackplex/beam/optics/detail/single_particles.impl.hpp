// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/beam/elements/map_element.hpp>
#include <trackplex/beam/elements/rf_cavity.hpp>
#include <trackplex/beam/optics/line_maps.hpp>
#include <trackplex/beam/optics/single_particles.hpp>
#include <trackplex/core/error.hpp>

namespace trackplex::beam {

TRACKPLEX_INLINE BeamLine for_single_particles(const BeamLine& ring, double p0) {
  BeamLine line;
  for (const Element& element : ring) {
    if (element.kind.momentum_behind(p0) != p0)
      throw UsageError("element '" + element.name + "'", "it changes the reference momentum", {},
                       "particles come back to where they were at one momentum only");
    if (!element.kind.is_collective()) {
      line.push_back(element);
      continue;
    }
    MapElement map(length_of(element), map_of(element, p0));
    map.field.is_transverse = element.kind.as<RfCavity>() != nullptr;  // spins stay
    line.push_back({element.name, map});
  }
  return line;
}

}  // namespace trackplex::beam
