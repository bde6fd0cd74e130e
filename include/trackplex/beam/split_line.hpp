// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/beam/element.hpp>

namespace trackplex::beam {

/// Returns the line with each element cut into equal parts, for optics and sizes inside of
/// elements. Kickers, quadrupoles with kicks, bends with an error tilt or coherent radiation, map
/// elements, cavities and elements without length stay whole. Edges of bends and fringe fields of
/// quadrupoles stay at their ends. Drifts with space charge and thick magnets have steps of their
/// own, so that the nonlinear part of their action depends on the number of parts.
inline BeamLine split(const BeamLine& line, int parts) {
  BeamLine result;
  for (const auto& [name, kind] : line) {
    const int n = kind.is_whole() || !(kind.length() > 0.) ? 1 : parts;
    for (int i = 0; i < n; ++i) result.push_back({name, kind.part(i, n)});
  }
  return result;
}

}  // namespace trackplex::beam
