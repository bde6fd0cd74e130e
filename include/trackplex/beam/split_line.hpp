// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/beam/elements/element.hpp>
#include <trackplex/core/compiled.hpp>

namespace trackplex::beam {

/// Returns the line with each element cut into equal parts, for optics and sizes inside of
/// elements. Kickers, quadrupoles with kicks, bends with an error tilt or coherent radiation, map
/// elements, cavities and elements without length stay whole. Edges of bends and fringe fields of
/// quadrupoles stay at their ends. Drifts with space charge and thick magnets have steps of their
/// own, so that the nonlinear part of their action depends on the number of parts.
BeamLine split(const BeamLine& line, int parts);

}  // namespace trackplex::beam

#if !defined(TRACKPLEX_COMPILED)
#include <trackplex/beam/detail/split_line.impl.hpp>
#endif
