// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "input.hpp"
#include "track_bunch.hpp"

#include <string>
#include <vector>

namespace beamline {

/// Beam sizes along the line, above it its elements, as SVG. `rows`: the start, and behind each
/// element.
std::string size_plot(const Input& input, const std::vector<MomentRow>& rows);

/// Current along the bunch, below it the energy that a step of space charge changes, as SVG.
std::string profile_plot(const Input& input, const Profile& profile);

}  // namespace beamline
