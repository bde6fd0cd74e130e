// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/core/compiled.hpp>
#include <trackplex/lhcb/ut/ut_geometry.hpp>

#include <array>

namespace trackplex::lhcb {

/// Plane of material without hits.
struct LongTrackPlane {
  double z;                  ///< mm
  double radiation_lengths;  ///< thickness along z over the radiation length
};

/// Material that long tracks cross, as thin planes: it scatters them. Thicknesses along z are in
/// radiation lengths. With the defaults, Highland's formula gives the noise of LHCb's parametrised
/// Kalman filter (the files params_*.txt of Allen, 2020; KalmanTables) at each hit, and the two
/// planes of each gap its variance, mean lever arm and spread of lever arms.
struct LongTrackMaterial {
  double velo = 0.0165,  ///< of each hit in the VELO: sensor and RF foil
      ut = 0.0112,       ///< of each layer of the UT
      scifi = 0.0124;    ///< of each layer of the SciFi
  /// Between VELO and UT: vacuum vessel and RICH 1.
  std::array<LongTrackPlane, 2> before_ut = {{{770., 0.0876}, {1720., 0.0876}}};
  /// Between UT and SciFi: mostly air.
  std::array<LongTrackPlane, 2> in_magnet = {{{3738., 0.0243}, {6731., 0.0243}}};
  /// Nominal z of the layers of the UT, for tracks without a hit there, mm.
  std::array<double, ut_layers> ut_z = {2327.5, 2372.5, 2597.5, 2642.5};
};

/// Checks the ranges of all numbers, and that the planes are in their order.
/// @throws UsageError that names the first one out of range
void check(const LongTrackMaterial& material);

}  // namespace trackplex::lhcb

#if !defined(TRACKPLEX_COMPILED)
#include <trackplex/lhcb/fit/detail/long_track_material.impl.hpp>
#endif
