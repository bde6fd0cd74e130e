// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "fit.hpp"

#include <common/report.hpp>

#include <string>
#include <vector>

namespace kalman_fit {

/// Pulls, chi2 and resolution of fitted and smoothed tracks.
struct Results {
  bool empty = true;  ///< no track was fitted on all layers
  trackplex::program::Json json, plots;
  std::string text;
};

Results results_of(const std::vector<FittedTrack>& tracks, const FitSettings& settings);

}  // namespace kalman_fit
