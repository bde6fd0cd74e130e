// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/lhcb/scifi/scifi_geometry.hpp>
#include <trackplex/lhcb/velo_ut_detector.hpp>
#include <trackplex/simulation/detail/ideal_magnet.hpp>
#include <trackplex/simulation/detail/ideal_scifi.hpp>
#include <trackplex/simulation/detail/ideal_ut.hpp>
#include <trackplex/simulation/detail/ideal_velo.hpp>
#include <trackplex/simulation/ideal_detector.hpp>

namespace trackplex::simulation {

TRACKPLEX_INLINE lhcb::Detector ideal_detector() {
  lhcb::Detector detector;
  detector.velo = detail::ideal_velo();
  detector.ut_boards = detail::ideal_ut_boards();
  detector.ut = detail::IdealUt().geometry();
  detector.magnet = detail::ideal_magnet();
  detector.beam_x = detector.beam_y = 0.f;
  detector.polarity = -1.f;
  return detector;
}

TRACKPLEX_INLINE lhcb::ScifiGeometry ideal_scifi() { return detail::IdealScifi().geometry(); }

}  // namespace trackplex::simulation
