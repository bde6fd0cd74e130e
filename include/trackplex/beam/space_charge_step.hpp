// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <Kokkos_Core.hpp>

namespace trackplex::beam {

/// Why a bunch has no field of space charge.
enum class SpaceChargeStatus : int {
  ok,
  no_radius,    ///< all particles are in one place of the transverse plane
  no_duration,  ///< all particles arrive at one time
  not_finite,   ///< a coordinate, or what comes of them, is infinite or not a number
};

/// One step of a drift with space charge, as the device knows it.
struct SpaceChargeStep {
  double length = 0.;          ///< m
  double radius = 0.;          ///< of the beam, m
  double peak_current = 0.;    ///< A
  double wave_number = 0.;     ///< of plasma oscillations, 1/m
  double first_delay = 0.;     ///< of the centre of the first bin, as a way of light, m
  double bin_width = 0.;       ///< as a way of light, m
  double bins_per_metre = 0.;  ///< 1/bin_width
  double mean_x = 0.;          ///< m, before the step
  double mean_y = 0.;
  SpaceChargeStatus status = SpaceChargeStatus::ok;
};

}  // namespace trackplex::beam
