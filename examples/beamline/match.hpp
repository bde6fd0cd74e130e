// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "beamline.hpp"

#include <common/report.hpp>

#include <string>

namespace beamline {

/// Finds strengths as --vary, --target and --match say, and puts them into the line. Optics that do
/// not repeat themselves begin with those of the bunch.
/// @throws UsageError where they do not go together, or name what is not there
/// @throws InputError where the file does
/// @throws Error if targets are not met
void match_line(const InputOptions& options, Input& input, double p0,
                const simulation::BunchParams& bunch);

program::Json match_json(const beam::MatchResult& result);
/// The same as tables of variables and targets.
std::string match_text(const beam::MatchResult& result);

}  // namespace beamline
