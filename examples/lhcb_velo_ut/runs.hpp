// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "input.hpp"
#include "program_options.hpp"
#include "reconstruct.hpp"

#include <trackplex/pipeline/statistics.hpp>
#include <trackplex/program/main.hpp>
#include <trackplex/program/pipeline_scan.hpp>

#include <optional>
#include <string>
#include <vector>

namespace lhcb_velo_ut {

/// How a run went through the pipeline.
struct PipelineRun {
  trackplex::pipeline::Statistics statistics;
  std::vector<trackplex::pipeline::Failure> failures;
};

/// A run and what it found.
struct Outcome {
  trackplex::program::RunDescription run;
  Reconstruction found;
  std::optional<PipelineRun> pipeline;

  double events_per_second() const;
};

/// All runs that the options ask for.
struct Runs {
  Input input;  ///< of direct calls; of the pipeline: what its first run has finished
  std::vector<Outcome> outcomes;
  std::optional<trackplex::program::PipelineScan> scan;
  trackplex::program::ExitStatus status = trackplex::program::success;
};

/// Reconstructs the events on all backends and lane widths that the options name, by direct calls
/// or through the pipeline, which also writes the files of results in its first run.
Runs run_all(const ProgramOptions& options);

/// The compiled algorithms, for the first backend.
std::string list_algorithms(const ProgramOptions& options);

}  // namespace lhcb_velo_ut
