// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/beam/optics/line_maps.hpp>
#include <trackplex/core/compiled.hpp>

namespace trackplex::beam {

/// Returns a ring for independent particles, at a reference momentum p0 (beta gamma): elements
/// that act on the whole bunch are replaced by their Taylor maps. Cavities then
/// are linear and have the reference particle at their fiducial phase; charges, wakes, space charge
/// and radiation of the whole ring at one place have no effect.
/// @throws UsageError if an element changes the reference momentum, or has no map and acts on the
/// whole bunch
BeamLine for_single_particles(const BeamLine& ring, double p0);

}  // namespace trackplex::beam

#if !defined(TRACKPLEX_COMPILED)
#include <trackplex/beam/optics/detail/single_particles.impl.hpp>
#endif
