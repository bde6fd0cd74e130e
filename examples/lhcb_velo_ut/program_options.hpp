// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/lhcb/velo_ut_chain.hpp>
#include <trackplex/program/options.hpp>
#include <trackplex/program/pipeline_options.hpp>

#include <cstddef>
#include <optional>
#include <string>

namespace lhcb_velo_ut {

/// Bare, --scan is the one over cuts.
trackplex::program::PipelineRunOptions pipeline_defaults();

/// What the command line says.
struct ProgramOptions {
  trackplex::program::CommonOptions common;
  std::string input;         ///< an MDF file, or a folder of bank files
  std::string geometry;      ///< folder; empty: that of the input
  std::string truth;         ///< folder, or "none"; empty: that of the input, if it has one
  int readers = 2;           ///< threads that read bank files
  std::size_t generate = 0;  ///< events to generate instead
  std::size_t events = 0;    ///< at most so many; 0: all
  trackplex::program::PipelineRunOptions pipeline = pipeline_defaults();
  bool skip_bad_events = false;
  std::string velo_constants;  ///< empty: those that belong to `parameters`
  std::string parameters = "best";
  std::optional<int> sectors;     ///< instead of what `parameters` says
  std::optional<int> candidates;  ///< likewise
  int hits_per_slot = trackplex::seeding::TripletParams{}.hits_per_slot;
  std::string write_input;  ///< folder for the events as bank files
  std::string tracks;       ///< file for the tracks
  std::string details;      ///< file for everything that was found
  std::string display;      ///< file for the picture
  std::size_t display_event = 0;

  bool scans_cuts() const { return pipeline.scan == "cuts"; }

  /// The year of the VELO constants.
  std::string velo_year() const;
  trackplex::lhcb::VeloUtParams tracking() const;
};

void add_options(CLI::App& app, ProgramOptions& options);

}  // namespace lhcb_velo_ut
