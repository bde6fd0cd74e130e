// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/beam/elements/element.hpp>
#include <trackplex/core/compiled.hpp>

namespace trackplex::beam {

/// Returns the line with each element split into equal parts, for optics and sizes inside
/// elements. Kickers, quadrupoles with kicks, bends with an error tilt or coherent radiation, map
/// elements, cavities and elements without length are not split. Edges of bends and fringe fields
/// of quadrupoles stay at the ends. In drifts with space charge and thick magnets the steps, and so
/// the nonlinear part of their action, depend on the number of parts.
BeamLine split(const BeamLine& line, int parts);

}  // namespace trackplex::beam

#if !defined(TRACKPLEX_COMPILED)
#include <trackplex/beam/detail/split_line.impl.hpp>
#endif
