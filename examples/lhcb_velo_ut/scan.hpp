// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "input.hpp"
#include "program_options.hpp"
#include "results.hpp"

#include <trackplex/program/report.hpp>

#include <string>
#include <vector>

namespace lhcb_velo_ut {

/// One setting of Compass, and what it gives.
struct ScanPoint {
  std::string name;
  trackplex::lhcb::CompassParams cuts;
  Results results;
  double windows_us = 0.;    ///< per event, median
  double tracklets_us = 0.;  ///< likewise
};

/// Reconstructs all events with 1, 3 and 5 sector groups and 1 to 16 candidates, the other cuts as
/// the options say, and with this library's own settings and both kinds of VELO states, on the
/// first backend that the options name.
std::vector<ScanPoint> scan(const ProgramOptions& options, const Input& input);

trackplex::program::Json to_json(const std::vector<ScanPoint>& points);

/// A table, with the published numbers beside those that were found.
std::string scan_table(const std::vector<ScanPoint>& points);

}  // namespace lhcb_velo_ut
