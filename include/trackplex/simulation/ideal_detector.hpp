// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/lhcb/detector.hpp>
#include <trackplex/simulation/detail/ideal_magnet.hpp>
#include <trackplex/simulation/detail/ideal_ut.hpp>
#include <trackplex/simulation/detail/ideal_velo.hpp>

namespace trackplex::simulation {

/// Returns a regular detector with the dimensions of the upgraded LHCb, for use without its
/// geometry files: aligned VELO sensors, UT staves at equal distances, and smooth functions instead
/// of the measured magnet tables. The beam is at x = y = 0, and the magnet points down (polarity
/// -1).
inline lhcb::Detector ideal_detector() {
  lhcb::Detector detector;
  detector.velo = detail::ideal_velo();
  detector.ut_boards = detail::ideal_ut_boards();
  detector.ut = detail::IdealUt().geometry();
  detector.magnet = detail::ideal_magnet();
  detector.beam_x = detector.beam_y = 0.f;
  detector.polarity = -1.f;
  return detector;
}

}  // namespace trackplex::simulation
