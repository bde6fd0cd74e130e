// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "fit_and_smooth.hpp"

#include <trackplex/program/options.hpp>
#include <trackplex/program/report.hpp>

#include <limits>
#include <string>

namespace kalman_fit {

/// What the command line says.
struct ProgramOptions {
  trackplex::program::CommonOptions common;
  int tracks = 10000;
  int layers = 10;
  double material = 0.1;  ///< cm of silicon in each layer
  double min_pt = 0.5;    ///< GeV
  double max_pt = 10.;
  double field = 3.8112;                                      ///< T
  double max_chi2 = std::numeric_limits<double>::infinity();  ///< of a hit
  std::string output;                                         ///< file for the tracks
  std::string picture;                                        ///< file for the picture

  /// Throws a UsageError where options do not go together.
  FitSettings settings() const;

  /// What the report says of the input.
  trackplex::program::Json description() const;
};

void add_options(CLI::App& app, ProgramOptions& options);

}  // namespace kalman_fit
