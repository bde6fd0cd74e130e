// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "input.hpp"
#include "track_bunch.hpp"

#include <trackplex/io/table.hpp>

#include <vector>

namespace beamline {

/// A row for each place.
trackplex::io::Table moments_table(const Input& input, const std::vector<MomentRow>& rows);

/// By how much a particle's energy changes in the step, eV, where the voltage is this.
inline double energy_change(double voltage) { return -voltage; }

/// A row for each bin.
trackplex::io::Table profile_table(const Input& input, const Profile& profile);

}  // namespace beamline
