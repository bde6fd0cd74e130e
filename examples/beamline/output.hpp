// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "input.hpp"
#include "track_bunch.hpp"

#include <string>

namespace beamline {

/// A row for each place.
std::string moments_csv(const Input& input, const std::vector<MomentRow>& rows);

/// By how much a particle's energy changes in the step, eV, where the voltage is this.
inline double energy_change(double voltage) { return -voltage; }

/// A row for each bin.
std::string profile_csv(const Input& input, const Profile& profile);

}  // namespace beamline
