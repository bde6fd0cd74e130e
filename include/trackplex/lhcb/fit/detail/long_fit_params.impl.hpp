// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/core/error.hpp>
#include <trackplex/core/shortest.hpp>
#include <trackplex/lhcb/fit/long_fit_params.hpp>

#include <cmath>
#include <string>

namespace trackplex::lhcb {

TRACKPLEX_INLINE void check(const LongFitParams& p) {
  const auto require = [](bool fine, const char* quantity, double value, const char* range) {
    if (!fine || !std::isfinite(value))
      throw UsageError("fit of long tracks",
                       std::string(quantity) + " cannot be " + shortest(value), range);
  };
  const auto positive = [&](const char* quantity, double value) {
    require(value > 0., quantity, value, "allowed: above 0");
  };
  const auto not_negative = [&](const char* quantity, double value) {
    require(value >= 0., quantity, value, "allowed: 0 and more");
  };
  positive("error of VELO hits", p.velo_sigma);
  for (const double sigma : p.scifi_sigma) positive("error of SciFi hits", sigma);
  positive("error of the slopes at the first hit", p.initial_slope_sigma);
  positive("relative error of q/p at the first hit", p.initial_qop_error);
  positive("relative error of q/p of the fit in a field", p.field_qop_error);
  not_negative("factor of the noise in the VELO", p.velo_noise);
  not_negative("factor of the noise downstream of the VELO", p.noise);
  not_negative("noise on the way to the beam", p.beam_noise);
  not_negative("upper limit of chi2/ndf", p.max_chi2_per_ndf);
}

TRACKPLEX_INLINE LongFitParams long_fit_params() {
  LongFitParams params;
  params.velo_sigma = 0.015;
  params.scifi_sigma = scifi_sigma;
  params.initial_slope_sigma = 0.1;
  params.velo_noise = params.noise = 1.;
  params.beam_noise = 0.;
  return params;
}

}  // namespace trackplex::lhcb
