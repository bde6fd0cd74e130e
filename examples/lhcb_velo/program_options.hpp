// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/lhcb/velo_params.hpp>
#include <trackplex/program/options.hpp>
#include <trackplex/program/pipeline_options.hpp>

#include <cstddef>
#include <string>
#include <vector>

namespace lhcb_velo {

/// What the command line says.
struct ProgramOptions {
  trackplex::program::CommonOptions common;
  std::vector<std::string> input;  ///< event files and folders of them
  std::size_t generate = 0;        ///< events to generate instead
  std::size_t events = 0;          ///< at most so many; 0: all
  int readers = 2;                 ///< threads that read event files
  trackplex::program::PipelineRunOptions pipeline;
  std::string constants = "2023";
  int hits_per_slot = trackplex::seeding::TripletParams{}.hits_per_slot;
  std::string tracks;       ///< file for the tracks
  std::string write_input;  ///< folder for the events as binary files
  std::string display;      ///< file for the picture
  std::size_t display_event = 0;

  trackplex::seeding::TripletParams parameters() const;
};

void add_options(CLI::App& app, ProgramOptions& options);

}  // namespace lhcb_velo
