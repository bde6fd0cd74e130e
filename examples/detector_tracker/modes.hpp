// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "fits.hpp"
#include "settings.hpp"

#include <common/program.hpp>

#include <string>
#include <vector>

namespace detector_tracker {

/// The programs in this one.
int detectors(int argc, char* argv[]);         ///< detector_tracker
int kalman_fit(int argc, char* argv[]);        ///< fits and smooths tracks in cylinders
int cylinder_tracker(int argc, char* argv[]);  ///< finds tracks in cylinders

/// For the help of a program: how it is called.
std::string is_a_mode(const std::string& name);

/// Fits given tracks of CMS.
void run_fits(program::Program& program, const Settings& settings);

/// Finds the tracks of generated events in a telescope with a magnet.
void run_telescope(program::Program& program, Settings settings);

/// Finds the tracks of events.
void run_finder(program::Program& program, const Settings& settings);

/// Adds pulls, chi2 and resolution of fitted and smoothed tracks to the report.
void write_cylinder_fits(program::Program& program, const std::vector<FittedTrack>& tracks,
                         const FitSettings& settings);

}  // namespace detector_tracker
