// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/core/compiled.hpp>
#include <trackplex/geometry/description.hpp>

namespace trackplex::simulation {

/// Returns a detector of 8 barrels and 12 disks with material, for tests and trials without the
/// files of a detector. Sizes and pitches resemble those of the detector of the TrackML challenge,
/// whose outermost layers are left out; its modules are larger, so that there are 2000 of them.
geometry::DetectorDescription small_detector();

}  // namespace trackplex::simulation

#if !defined(TRACKPLEX_COMPILED)
#include <trackplex/simulation/detail/small_detector.impl.hpp>
#endif
