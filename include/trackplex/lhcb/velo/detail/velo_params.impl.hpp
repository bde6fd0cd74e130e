// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/core/error.hpp>
#include <trackplex/core/shortest.hpp>
#include <trackplex/lhcb/velo/triplet_params.hpp>
#include <trackplex/lhcb/velo/velo_params.hpp>

#include <string>

namespace trackplex::lhcb {

TRACKPLEX_INLINE TripletParams velo_params(VeloConstants constants) {
  TripletParams p;  // 2023 is the default
  if (constants == VeloConstants::y2023) return p;
  p.merge_sides = false;
  p.phi_window = 0.052;
  p.inverse_variance = 3966.94;
  if (constants == VeloConstants::y2020) {
    p.seed_phi_window = 0.03;
    p.seed_phi_window_per_z = 0.0002;
    p.max_scatter = 0.1;
  } else {
    p.seed_phi_window = 0.062;
    p.seed_max_slope = 0.4;
    p.tolerance = 0.6;
    p.max_scatter = 0.004;
    p.scatter_per_dz2 = true;
  }
  return p;
}

TRACKPLEX_INLINE void check(const TripletParams& p) {
  const auto require = [](bool fine, const char* quantity, double value, const char* range) {
    if (!fine)
      throw UsageError("search by triplet", std::string(quantity) + " cannot be " + shortest(value),
                       range);
  };
  const auto positive = [&](const char* quantity, double value) {
    require(value > 0., quantity, value, "allowed: above 0");
  };
  const auto not_negative = [&](const char* quantity, double value) {
    require(value >= 0., quantity, value, "allowed: 0 and more");
  };
  for (const int n : {p.nearest_first, p.nearest_next})
    require(n >= 1, "number of candidates for the first hit", n, "allowed: 1 and more");
  require(p.hits_per_slot >= 1, "number of hits per slot", p.hits_per_slot, "allowed: 1 and more");
  positive("largest scatter", p.max_scatter);
  positive("tolerance", p.tolerance);
  positive("largest slope of a seed", p.seed_max_slope);
  positive("inverse variance", p.inverse_variance);
  positive("largest chi2", p.max_chi2_per_ndf);
  not_negative("window in phi of a seed", p.seed_phi_window);
  not_negative("increase of this window with z", p.seed_phi_window_per_z);
  not_negative("window in phi", p.phi_window);
  not_negative("number of layers without a hit", p.max_skipped);
}

}  // namespace trackplex::lhcb
