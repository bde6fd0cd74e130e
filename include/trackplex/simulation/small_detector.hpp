// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/core/compiled.hpp>
#include <trackplex/geometry/description.hpp>

namespace trackplex::simulation {

/// Returns a detector of 8 barrels and 12 disks with material, for tests and trials without the
/// files of a detector. Sizes and pitches resemble those of the TrackML detector, without its
/// outermost layers; the modules are larger, 2000 in all.
geometry::DetectorDescription small_detector();

}  // namespace trackplex::simulation

#if !defined(TRACKPLEX_COMPILED)
#include <trackplex/simulation/detail/small_detector.impl.hpp>
#endif
