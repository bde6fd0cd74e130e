// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/core/compiled.hpp>
#include <trackplex/lhcb/scifi/scifi_geometry.hpp>
#include <trackplex/lhcb/velo_ut_detector.hpp>

namespace trackplex::simulation {

/// Returns a regular detector with the dimensions of the upgraded LHCb, for use without its
/// geometry files: aligned VELO sensors, UT staves at equal distances, and smooth functions instead
/// of the measured magnet tables. The beam is at x = y = 0, and the magnet points down (polarity
/// -1). It has no SciFi; `detector.scifi = ideal_scifi()` adds one.
lhcb::Detector ideal_detector();

/// Returns a regular SciFi with the dimensions of LHCb's: layers at their nominal z, modules at
/// equal distances, read by banks of versions 4 to 6.
lhcb::ScifiGeometry ideal_scifi();

}  // namespace trackplex::simulation

#if !defined(TRACKPLEX_COMPILED)
#include <trackplex/simulation/detail/ideal_detector.impl.hpp>
#endif
