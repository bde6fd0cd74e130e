// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <vector>

namespace trackplex::seeding {

/// Parameters of `find_line_seeds`. Lengths in cm, momenta in GeV.
struct LineSeedsParams {
  std::vector<int> layers{};    ///< numbers of the layers, in the order in which tracks meet them
  int max_missed = 1;           ///< max number of layers on which a track has no hit
  double z = 0.;                ///< of the positions below
  double sigma_x = 2.,          ///< spread of x of the tracks at z
      sigma_y = 2.;             ///< spread of y of the tracks at z
  double sigma_x_slope = 0.05,  ///< spread of dx/dz
      sigma_y_slope = 0.05;     ///< spread of dy/dz
  double n_sigma = 4.;          ///< half width of windows in standard deviations
  double scattering = 0.;       ///< angle of scattering in a layer, rms of one projection, rad
  double min_momentum = 1.;     ///< 1 / error of q/p of the states
};

}  // namespace trackplex::seeding
