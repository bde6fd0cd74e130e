// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/beam/line_maps.hpp>

namespace trackplex::beam {

/// Returns a ring for particles that do not know of each other, at a reference momentum p0 (beta
/// gamma): elements that act on a bunch as a whole are passed by their Taylor maps. Cavities then
/// are linear and have the reference particle at their fiducial phase; charges, wakes, space charge
/// and radiation of the whole ring at one place have no effect.
/// @throws UsageError if an element changes the reference momentum, or has no map and acts on the
/// bunch as a whole
inline BeamLine for_single_particles(const BeamLine& ring, double p0) {
  BeamLine line;
  for (const Element& element : ring) {
    if (element.kind.momentum_behind(p0) != p0)
      throw UsageError("element '" + element.name + "'", "it changes the reference momentum", {},
                       "particles come back to where they were at one momentum only");
    if (element.kind.is_collective())
      line.push_back({element.name, MapElement(length_of(element), map_of(element, p0))});
    else
      line.push_back(element);
  }
  return line;
}

}  // namespace trackplex::beam
