// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "telescope.hpp"

namespace detector_tracker {

Telescope::Telescope() {
  const int planes = int(detector.layers.size());
  for (int plane = 0; plane < planes; ++plane) {
    auto& next = graph.successors.emplace_back();
    for (int i = plane + 1; i < planes && i <= plane + 2; ++i) next.push_back(i);
  }
  detector::PassParams<kalman::ForwardTrack> pass;
  pass.seeds = {.layers = {0, 1, 2, 3, 4, 5},
                .sigma_x = 1.5,
                .sigma_y = 1.5,
                .sigma_x_slope = 0.03,
                .sigma_y_slope = 0.02,
                .n_sigma = 3.5,
                .scattering = 4e-4,
                .min_momentum = 2.};
  pass.building = {.max_holes = 3, .max_half_width = 10.};
  pass.shared_hits = {8, 0.6};
  pass.selection = {8, 5.};
  finder.passes = {pass};
  finder.fit.max_chi2 = 15.;
}

}  // namespace detector_tracker
