// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "program_options.hpp"
#include "track_events.hpp"

#include <string>
#include <vector>

namespace cylinder_tracker {

/// Writes the tables `tracks`, with the final fits on the first layer, and `hits`, of all
/// strategies one after the other.
/// @throws Error if the file cannot be written
void write_tracks(const ProgramOptions& options, int events,
                  const std::vector<std::string>& strategies, const Tracking& found);

}  // namespace cylinder_tracker
