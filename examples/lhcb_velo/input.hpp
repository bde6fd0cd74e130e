// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "program_options.hpp"

#include <trackplex/lhcb/velo_event.hpp>
#include <trackplex/program/report.hpp>

#include <cstddef>
#include <vector>

namespace lhcb_velo {

/// The events that the options name: read or generated.
/// @throws UsageError where they name none, or both kinds
std::vector<trackplex::lhcb::VeloEvent> input_events(const ProgramOptions& options);

/// What the report says of so many events of the input.
trackplex::program::Json input_description(const ProgramOptions& options, std::size_t events);

}  // namespace lhcb_velo
