// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/perfmodel/decision.hpp>
#include <trackplex/program/options.hpp>

#include <string>
#include <vector>

namespace forecast {

/// What the command line says.
struct ProgramOptions {
  trackplex::program::CommonOptions common;
  std::string application;  ///< file
  bool published = false;   ///< the published example instead
  std::string kernel;       ///< a kernel of the library instead
  double items = 0.;        ///< 0: those of the application

  std::vector<std::string> devices;  ///< names; none: all
  std::string device_file;           ///< instead of the library
  trackplex::perfmodel::ForecastParams forecast;
  trackplex::perfmodel::DecisionThresholds thresholds;

  bool measure = false;
  std::string loop_flow, roofline;               ///< files of pictures
  std::string write_application, write_devices;  ///< files

  /// Throws a UsageError where options do not go together.
  void check() const;
};

void add_options(CLI::App& app, ProgramOptions& options);

}  // namespace forecast
