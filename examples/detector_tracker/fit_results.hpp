// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "track_fits.hpp"

#include <common/report.hpp>

#include <string>
#include <vector>

namespace detector_tracker {

struct FitResults {
  bool empty;  ///< no track was fitted
  trackplex::program::Json json, plots;
  std::string text;
};

/// Compares fits with the truth at the vertex.
FitResults fit_results(const std::vector<Track>& tracks, const std::vector<FittedTrack>& fits);

}  // namespace detector_tracker
