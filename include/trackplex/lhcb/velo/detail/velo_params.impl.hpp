// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/lhcb/velo/triplet_params.hpp>
#include <trackplex/lhcb/velo/velo_params.hpp>

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

}  // namespace trackplex::lhcb
