// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "program_options.hpp"

#include <trackplex/seeding/tracking_events.hpp>

namespace cylinder_tracker {

/// The events that the options name: read or generated.
/// @throws UsageError where they name none, or both kinds; InputError where a file is wrong
trackplex::seeding::TrackingEvents input_events(const ProgramOptions& options);

}  // namespace cylinder_tracker
