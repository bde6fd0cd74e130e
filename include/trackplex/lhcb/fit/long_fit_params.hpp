// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/core/compiled.hpp>
#include <trackplex/lhcb/scifi/scifi_channel.hpp>

#include <array>

namespace trackplex::lhcb {

/// Uncertainties of the fit of long tracks. With the defaults the pulls of tracks from primary
/// vertices of simulated minimum-bias events have widths of 1. long_fit_params() returns the
/// published ones, whose errors of SciFi hits are too small for wide clusters and their parts.
struct LongFitParams {
  double velo_sigma = 0.0125;  ///< standard deviation of x and y of a VELO hit, mm
  /// (pseudo size): standard deviation of a SciFi hit, mm.
  std::array<double, scifi_max_size + 1> scifi_sigma = {0.5,  0.08, 0.11, 0.14, 0.14,
                                                        0.25, 0.32, 0.41, 0.34};
  double initial_slope_sigma = 0.01;  ///< standard deviation of the slopes at the first hit
  double initial_qop_error = 0.3;     ///< relative standard deviation of q/p of the search
  /// The same of a fit in a field, which is linearised around its own q/p: with a larger one, that
  /// of the hits in the SciFi alone, the errors of slow tracks are too small.
  double field_qop_error = 0.05;
  double velo_noise = 1.;  ///< factor of the noise in the VELO
  double noise = 1.1;      ///< factor of the noise downstream of the VELO
  double beam_noise = 1.;  ///< noise from the last hit to the beam, over that of a step in the VELO
  /// Upper limit of chi2/ndf of the tracks that tracks_chain() returns; 0: any.
  double max_chi2_per_ndf = 0.;
};

/// Checks the ranges of all parameters.
/// @throws UsageError that names the first parameter out of range
void check(const LongFitParams& params);

/// Returns the published parameters: those of LHCb's Allen of 2020.
LongFitParams long_fit_params();

}  // namespace trackplex::lhcb

#if !defined(TRACKPLEX_COMPILED)
#include <trackplex/lhcb/fit/detail/long_fit_params.impl.hpp>
#endif
