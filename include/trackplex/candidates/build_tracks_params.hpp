// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/kalman/material.hpp>

namespace trackplex::candidates {

/// Limits of track building. The defaults are mkFit's (2017), but for the window: it allows for
/// the error of the hits, too, and reaches as far as the chi2 does.
struct BuildTracksParams {
  double max_chi2 = 15.;  ///< of a hit, with two degrees of freedom
  int max_holes = 2;      ///< layers without a hit that a candidate is carried over; at the next
                          ///< one it stops. Best hit carries its candidates over any number.

  // The window on a layer: |phi - prediction| and |z - prediction| within `window_sigmas` standard
  // deviations of prediction and hit together, and within the limits
  double window_sigmas = 3.9;
  double max_half_phi = 0.02;     ///< rad
  double max_half_z = 1.;         ///< cm
  double hit_sigma_r_phi = 0.01;  ///< cm, of a typical hit; 0: that of the prediction alone
  double hit_sigma_z = 0.1;       ///< cm

  /// In each layer, for which predictions allow; none if it has no thickness.
  kalman::ThinLayer material{kalman::silicon, 0.};
  double mass = kalman::pion_mass;  ///< GeV, for the material
};

}  // namespace trackplex::candidates
