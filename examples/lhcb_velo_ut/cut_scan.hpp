// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "results.hpp"

#include <common/program.hpp>
#include <trackplex/lhcb/compass_params.hpp>

#include <string>
#include <vector>

namespace lhcb_velo_ut {

/// One setting of Compass, and what it gives.
struct ScanPoint {
  std::string name;
  trackplex::lhcb::CompassParams cuts;
  bool has_published = false;  ///< the paper has such a point, with cuts of its own
  Results results{};
  trackplex::program::Times time_us{};  ///< of windows and tracklets
};

/// 1, 3 and 5 sector groups with 1 to 16 candidates and the other cuts of `base`; then this
/// library's own settings with both kinds of VELO states. Without results.
std::vector<ScanPoint> points_of_scan(const std::string& name,
                                      const trackplex::lhcb::CompassParams& base);

/// Adds results, a table and a plot of efficiencies and ghosts against candidates, with the
/// published numbers beside those that were found.
void report_scan(const std::vector<ScanPoint>& points, trackplex::program::Program& program);

}  // namespace lhcb_velo_ut
