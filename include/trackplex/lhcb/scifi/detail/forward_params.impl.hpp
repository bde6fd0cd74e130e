// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/core/error.hpp>
#include <trackplex/core/shortest.hpp>
#include <trackplex/lhcb/scifi/forward_params.hpp>

#include <string>

namespace trackplex::lhcb {

TRACKPLEX_INLINE void check(const ForwardParams& p) {
  const auto require = [](bool fine, const std::string& quantity, double value, const char* range) {
    if (!fine)
      throw UsageError("search for long tracks", quantity + " cannot be " + shortest(value), range);
  };
  const auto check_hits = [&](const std::string& of, int window, int least) {
    require(2 <= window && window <= max_forward_window_hits, "number of hits of a window" + of,
            window, "allowed: 2 to 1024");
    require(9 <= least && least <= 12, "least number of hits" + of, least, "allowed: 9 to 12");
  };
  check_hits("", p.max_window_hits, p.min_hits);
  check_hits(" without the UT", p.velo_window_hits, p.velo_min_hits);
  require(1 <= p.candidates && p.candidates <= max_forward_candidates, "number of candidates",
          p.candidates, "allowed: 1 to 64");
  require(p.velo_min_p > 0., "least momentum without the UT", p.velo_min_p, "allowed: above 0");
  require(p.max_tolerance_qop > 0., "q/p of the largest tolerance", p.max_tolerance_qop,
          "allowed: above 0");
  require(p.max_shared > 0., "largest fraction of shared hits", p.max_shared, "allowed: above 0");
  require(p.max_magnet_tolerance >= p.magnet_tolerance, "largest tolerance in the magnet",
          p.max_magnet_tolerance, "allowed: from the tolerance at q/p = 0 on");
  const auto not_negative = [&](const char* quantity, double value) {
    require(value >= 0., quantity, value, "allowed: 0 and more");
  };
  not_negative("half width of windows", p.window);
  not_negative("increase of windows with q/p", p.window_per_qop);
  not_negative("extension of windows", p.window_extension);
  not_negative("tolerance in the magnet", p.magnet_tolerance);
  not_negative("q/p of tracks that bend to the same side", p.same_side_qop);
  not_negative("distance of the middle hit", p.triplet_distance2);
  not_negative("distance of hits in x layers", p.x_distance2);
  not_negative("distance of hits in stereo layers", p.stereo_distance2);
  not_negative("increase of the distance with the slopes", p.stereo_distance2_per_slope);
  not_negative("largest difference of slopes in y", p.max_ty_difference);
  not_negative("largest quality", p.max_quality);
  not_negative("largest difference of q/p", p.max_qop_difference);
  not_negative("tolerance of q/p", p.qop_tolerance);
  not_negative("largest slope in x", p.velo_max_abs_tx);
  not_negative("largest slope in y", p.velo_max_abs_ty);
  not_negative("least transverse momentum without the UT", p.velo_min_pt);
  not_negative("tolerance in the magnet without the UT", p.velo_magnet_tolerance);
  not_negative("largest quality without the UT", p.velo_max_quality);
}

TRACKPLEX_INLINE ForwardParams forward_params() {
  ForwardParams p;
  p.max_window_hits = 32;
  p.candidates = 12;
  p.x_distance2 = 2.;
  p.stereo_distance2_per_slope = 60.;
  p.max_quality = 0.5;
  p.max_qop_difference = 1e6;
  p.max_shared = 2.;
  return p;
}

}  // namespace trackplex::lhcb
