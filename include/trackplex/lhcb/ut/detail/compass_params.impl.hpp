// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/core/error.hpp>
#include <trackplex/core/shortest.hpp>
#include <trackplex/lhcb/ut/compass_params.hpp>

#include <string>

namespace trackplex::lhcb {

TRACKPLEX_INLINE void check(const CompassParams& p) {
  const auto require = [](bool fine, const std::string& quantity, double value, const char* range) {
    if (!fine)
      throw UsageError("search of UT tracks", quantity + " cannot be " + shortest(value), range);
  };
  require(p.sector_groups == 1 || p.sector_groups == 3 || p.sector_groups == 5,
          "number of sector groups", p.sector_groups, "allowed: 1, 3 and 5");
  require(1 <= p.candidates && p.candidates <= max_pair_candidates, "number of candidates",
          p.candidates, "allowed: 1 to 16");
  require(p.max_abs_ty >= 0. && p.max_abs_ty <= 1., "largest slope in y", p.max_abs_ty,
          "allowed: 0 to 1");
  require(p.max_abs_tx >= 0. && p.max_abs_tx <= 1., "largest slope in x", p.max_abs_tx,
          "allowed: 0 to 1");
  require(p.min_window_p > 0., "least momentum of windows", p.min_window_p, "allowed: above 0");
  require(p.slope_sigma > 0., "error of slopes", p.slope_sigma, "allowed: above 0");
  const auto not_negative = [&](const char* quantity, double value) {
    require(value >= 0., quantity, value, "allowed: 0 and more");
  };
  not_negative("radius of the hole", p.hole_radius);
  not_negative("least transverse momentum of windows", p.min_window_pt);
  not_negative("tolerance in y", p.y_tolerance);
  not_negative("slope of the tolerance in y", p.y_tolerance_slope);
  not_negative("largest difference of slopes", p.max_slope_difference);
  not_negative("tolerance of hits", p.hit_tolerance);
  not_negative("largest chi2", p.max_chi2);
  not_negative("least momentum", p.min_p);
  not_negative("least transverse momentum", p.min_pt);
}

TRACKPLEX_INLINE CompassParams compass_params(CompassConstants constants) {
  CompassParams p;
  p.sector_groups = 5;
  p.stereo_shift = false;
  p.order = PairOrder::index;
  p.candidates = 16;
  p.end_of_velo_states = constants == CompassConstants::y2023;
  p.outermost_groups = constants == CompassConstants::y2019 || constants == CompassConstants::paper;
  p.final_selection = constants == CompassConstants::y2020 || constants == CompassConstants::y2023;
  switch (constants) {
    case CompassConstants::y2019:
      p.candidates = 6;
      break;
    case CompassConstants::y2020:
      p.min_window_p = 3000.;
      p.min_window_pt = 0.;
      p.min_p = 0.;
      p.min_pt = 0.;
      break;
    case CompassConstants::y2023:
      p.stop_at_candidates = true;
      p.min_p = 2500.;
      p.min_pt = 425.;
      break;
    case CompassConstants::paper:
      break;
  }
  return p;
}

}  // namespace trackplex::lhcb
