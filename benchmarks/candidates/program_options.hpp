// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "studies.hpp"

#include <string>
#include <trackplex/program/options.hpp>
#include <vector>

namespace trackplex::benchmarks {

/// What the command line says.
struct TrackingOptions {
  program::CommonOptions common;
  TrackingCase base;
  std::vector<std::string> studies{"steps"};
  int max_tracks = 200000;
};

void add_options(CLI::App& app, TrackingOptions& options);

}  // namespace trackplex::benchmarks
