// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "program_options.hpp"
#include "reconstruct.hpp"

#include <trackplex/io/velo_tracks.hpp>
#include <trackplex/lhcb/velo_event.hpp>
#include <trackplex/pipeline/statistics.hpp>
#include <trackplex/program/main.hpp>
#include <trackplex/program/pipeline_scan.hpp>

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace lhcb_velo {

/// How a run went through the pipeline.
struct PipelineRun {
  trackplex::pipeline::Statistics statistics;
  std::vector<trackplex::pipeline::Failure> failures;
  std::vector<std::shared_ptr<const trackplex::lhcb::VeloEvent>> events;  ///< that were finished
};

/// A run and what it found.
struct Outcome {
  trackplex::program::RunDescription run;
  std::vector<const trackplex::lhcb::VeloEvent*> events;
  Reconstruction found;
  std::optional<PipelineRun> pipeline;

  double events_per_second() const;
};

/// All runs that the options ask for.
struct Runs {
  std::vector<trackplex::lhcb::VeloEvent> events;  ///< of direct calls
  std::vector<Outcome> outcomes;
  std::optional<trackplex::program::PipelineScan> scan;
  trackplex::program::ExitStatus status = trackplex::program::success;
};

/// Reconstructs the events on all backends and lane widths that the options name, by direct calls
/// or through the pipeline, which also writes the file of tracks in its first run.
Runs run_all(const ProgramOptions& options);

/// File for the tracks, which says where they are from.
trackplex::io::VeloTrackFile track_file(const ProgramOptions& options);

/// The compiled algorithms, for the first backend.
std::string list_algorithms(const ProgramOptions& options);

}  // namespace lhcb_velo
