// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <Kokkos_Core.hpp>

namespace trackplex::beam {

/// Status of the field of a step with space charge.
enum class SpaceChargeStatus : int {
  ok,           ///< The bunch has a field.
  no_radius,    ///< None: all particles have the same x and y.
  no_duration,  ///< None: all particles arrive at one time.
  not_finite,   ///< None: a coordinate, or a sum of them, is infinite or NaN.
};

/// Quantities of one step of a drift with space charge. Delays are times the speed of light.
struct SpaceChargeStep {
  double length = 0.;                                ///< Length of the step, m.
  double radius = 0.;                                ///< Radius r_b of the beam, m.
  double peak_current = 0.;                          ///< Largest current of a bin, A.
  double wave_number = 0.;                           ///< Wave number of plasma oscillations, 1/m.
  double first_delay = 0.;                           ///< Delay of the centre of the first bin, m.
  double bin_width = 0.;                             ///< Width of a bin, m.
  double bins_per_metre = 0.;                        ///< Bins per length of delay, 1/m.
  double mean_x = 0.;                                ///< Mean of x before the step, m.
  double mean_y = 0.;                                ///< Mean of y before the step, m.
  SpaceChargeStatus status = SpaceChargeStatus::ok;  ///< Whether there is a field.
};

}  // namespace trackplex::beam
