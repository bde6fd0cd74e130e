// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/core/compiled.hpp>
#include <trackplex/lhcb/velo_ut_detector.hpp>

namespace trackplex::simulation {

/// Returns a regular detector with the dimensions of the upgraded LHCb, for use without its
/// geometry files: aligned VELO sensors, UT staves at equal distances, and smooth functions instead
/// of the measured magnet tables. The beam is at x = y = 0, and the magnet points down (polarity
/// -1).
lhcb::Detector ideal_detector();

}  // namespace trackplex::simulation

#if !defined(TRACKPLEX_COMPILED)
#include <trackplex/simulation/detail/ideal_detector.impl.hpp>
#endif
