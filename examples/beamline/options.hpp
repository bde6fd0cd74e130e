// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "optics.hpp"

#include <common/program.hpp>

#include <string>
#include <vector>

namespace beamline {

struct Options {
  InputOptions input;
  std::vector<program::Option> of_generator,  ///< those without meaning for a file
      of_bunch,                               ///< those without meaning without a bunch
      of_space_charge;                        ///< those without meaning without space charge
  TrackingSettings tracking;
  double optics_step = 0.;         ///< largest distance of places, m; 0: behind elements only
  int aperture = 0;                ///< starts; 0: a bunch is tracked
  Pair aperture_size{0.02, 0.01};  ///< m
  /// Files have no names in runs of other threads, and on other ranks.
  program::Option moments_option, watch_option, optics_option;
  std::string output, optics_file, aperture_file, moments, moments_every, monitors, profile,
      profile_at, write_input, watch, fingerprints;
};

void add_options(program::Program& p, Options& options);

/// Puts what a run file of elegant says, if it is one, in the place of options that are not given.
/// @throws InputError, UsageError
void apply_run_file(Options& options);

/// @throws UsageError where options do not go together
void check(const Options& options);

}  // namespace beamline
