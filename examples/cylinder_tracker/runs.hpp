// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "program_options.hpp"
#include "track_events.hpp"

#include <trackplex/pipeline/statistics.hpp>
#include <trackplex/program/main.hpp>
#include <trackplex/program/pipeline_scan.hpp>

#include <optional>
#include <string>
#include <vector>

namespace cylinder_tracker {

/// How a strategy's run went through the pipeline.
struct PipelineRun {
  std::string strategy;
  trackplex::pipeline::Statistics statistics;
  std::vector<trackplex::pipeline::Failure> failures;
};

/// A run and what it found.
struct Outcome {
  trackplex::program::RunDescription run;
  Tracking found;
  std::vector<PipelineRun> pipeline;  ///< of each strategy; none of direct calls
};

/// All runs that the options ask for.
struct Runs {
  std::vector<Outcome> outcomes;
  std::optional<trackplex::program::PipelineScan> scan;
  trackplex::program::ExitStatus status = trackplex::program::success;
};

/// Tracks the events on all backends and lane widths that the options name, by direct calls or
/// through the pipeline, one strategy after the other. A sequence file says which strategy and
/// which seeds there are: `settings` are changed to that.
Runs run_all(const ProgramOptions& options, const trackplex::seeding::TrackingEvents& events,
             TrackingSettings& settings);

/// The compiled algorithms, for the first backend.
std::string list_algorithms(const ProgramOptions& options);

}  // namespace cylinder_tracker
