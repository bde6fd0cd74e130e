// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "settings.hpp"

#include <common/program.hpp>

namespace detector_tracker {

/// Fits given tracks of CMS.
void run_fits(trackplex::program::Program& program, const Settings& settings);

/// Finds the tracks of generated events in a telescope with a magnet.
void run_telescope(trackplex::program::Program& program, const Settings& settings);

/// Finds the tracks of events.
void run_finder(trackplex::program::Program& program, const Settings& settings);

}  // namespace detector_tracker
