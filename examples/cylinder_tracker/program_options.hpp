// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "track_events.hpp"

#include <trackplex/program/options.hpp>
#include <trackplex/program/pipeline_options.hpp>
#include <trackplex/program/report.hpp>
#include <trackplex/simulation/cylinder_event_params.hpp>

#include <string>

namespace cylinder_tracker {

/// Smaller batches of larger events than those of other programs.
trackplex::program::PipelineRunOptions pipeline_defaults();

/// What the command line says.
struct ProgramOptions {
  trackplex::program::CommonOptions common;
  std::string input;  ///< file of toy events
  int generate = 0;   ///< events to generate instead
  int events = 0;     ///< at most so many of the file; 0: all
  trackplex::simulation::CylinderEventParams generator;
  double material = 0.;  ///< cm of silicon in each layer
  std::string strategy = "clone_engine";
  std::string seeds = "truth";
  double seed_min_pt = trackplex::seeding::FindTripletsParams{}.min_pt;  ///< GeV
  trackplex::candidates::BuildTracksParams building;
  bool keep_shared = false;
  int seeds_per_team = 32;
  trackplex::program::PipelineRunOptions pipeline = pipeline_defaults();
  double min_pt = 0.;        ///< GeV: of the particles that efficiencies are of
  std::string output;        ///< file for the tracks
  std::string write_events;  ///< file for the events
  std::string picture;       ///< file for the efficiencies
  std::string display;       ///< file for the picture of an event
  int display_event = 0;

  /// For these events. Throws a UsageError where options do not go together.
  TrackingSettings settings(const trackplex::seeding::TrackingEvents& events) const;

  /// What the report says of the input.
  trackplex::program::Json description(int events) const;
};

void add_options(CLI::App& app, ProgramOptions& options);

}  // namespace cylinder_tracker
