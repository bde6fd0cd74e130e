// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "beamline.hpp"

#include <common/report.hpp>
#include <trackplex/io/table.hpp>

#include <string>
#include <vector>

namespace beamline {

/// What a run found, in the terms of its line.
program::Json results_of(const Input& input, const Tracked& tracked);

/// The same as tables of line, bunch, space charge and losses.
std::string text_of(const Input& input, const Tracked& tracked);

/// Elements that do something: all but markers and charges.
int active_elements(const beam::BeamLine& line);

/// A row for each place where moments were recorded.
io::Table moments_table(const Input& input, const std::vector<MomentRow>& rows);

/// A row for each bin.
io::Table profile_table(const Input& input, const beam::SpaceChargeProfile& profile);

/// Elements in parts, so that curves are smooth.
beam::BeamLine plotted_line(const beam::BeamLine& line);

/// Sizes of the bunch and optics along the first turn, phase space at start and end, and the last
/// step of space charge, for scripts/plot.
program::Json plots_of(const Input& input, const TrackingSettings& settings,
                       const Tracked& tracked);

}  // namespace beamline
