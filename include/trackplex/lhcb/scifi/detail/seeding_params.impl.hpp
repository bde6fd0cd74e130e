// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/core/error.hpp>
#include <trackplex/core/shortest.hpp>
#include <trackplex/lhcb/scifi/seeding_params.hpp>

#include <string>

namespace trackplex::lhcb {

TRACKPLEX_INLINE void check(const SeedingParams& p) {
  const auto require = [](bool fine, const std::string& quantity, double value, const char* range) {
    if (!fine)
      throw UsageError("search for SciFi tracks", quantity + " cannot be " + shortest(value),
                       range);
  };
  require(9 <= p.min_hits && p.min_hits <= 12, "least number of hits", p.min_hits,
          "allowed: 9 to 12");
  require(1 <= p.candidates && p.candidates <= max_seed_candidates, "number of candidates",
          p.candidates, "allowed: 1 to 16");
  require(p.min_p > 0., "least momentum", p.min_p, "allowed: above 0");
  require(p.max_shared > 0., "largest fraction of shared hits", p.max_shared, "allowed: above 0");
  const auto not_negative = [&](const char* quantity, double value) {
    require(value >= 0., quantity, value, "allowed: 0 and more");
  };
  not_negative("tolerance of the curvature", p.curvature_tolerance);
  not_negative("distance of hits in x layers", p.x_distance2);
  not_negative("distance of hits in stereo layers", p.stereo_distance2);
  not_negative("largest y", p.max_y);
  not_negative("largest quality", p.max_quality);
}

}  // namespace trackplex::lhcb
