// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "program_options.hpp"

#include <trackplex/lhcb/velo_event.hpp>
#include <trackplex/program/report.hpp>

#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace lhcb_velo {

/// The events that the options name: read or generated.
/// @throws UsageError where they name none, or both kinds; InputError where a file is wrong
std::vector<trackplex::lhcb::VeloEvent> input_events(const ProgramOptions& options);

/// The same, one at a time.
struct EventSource {
  using Next = std::function<std::shared_ptr<const trackplex::lhcb::VeloEvent>()>;

  std::size_t events = 0;  ///< or, where some are damaged, fewer
  /// What returns the first event, then the next one, and null at the end. It throws for an event
  /// that is damaged, and goes on after it. Generated events are in memory already.
  std::function<Next()> open;
};
EventSource event_source(const ProgramOptions& options);

/// Writes the events to a folder that input_events takes, one binary file each.
/// @throws UsageError if there is something in the folder, Error where writing fails
void write_input(const std::string& folder,
                 const std::vector<const trackplex::lhcb::VeloEvent*>& events);

/// What the report says of the input.
trackplex::program::Json input_description(const ProgramOptions& options, std::size_t events);

}  // namespace lhcb_velo
