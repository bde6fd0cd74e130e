// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "program_options.hpp"

#include <trackplex/lhcb/detector.hpp>
#include <trackplex/lhcb/mc_event.hpp>
#include <trackplex/lhcb/raw_banks.hpp>
#include <trackplex/program/report.hpp>

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace lhcb_velo_ut {

/// What is reconstructed.
struct Input {
  trackplex::lhcb::Detector detector;
  std::vector<trackplex::lhcb::RawEvent> events;
  std::vector<std::optional<trackplex::lhcb::McEvent>> truth;  ///< of each event
  std::size_t bad_events = 0;                                  ///< that were skipped
};

struct InputEvent {
  trackplex::lhcb::RawEvent raw;
  std::optional<trackplex::lhcb::McEvent> truth;
};

/// The events that the options name, one at a time, and their detector.
struct EventSource {
  using Next = std::function<std::optional<InputEvent>()>;

  trackplex::lhcb::Detector detector;
  std::size_t events = 0;  ///< at most; 0: not known
  /// What returns the first event, then the next one, and nothing at the end. It throws for an
  /// event that is damaged, and goes on after it.
  std::function<Next()> open;
};

/// @throws UsageError where the options name no input, or both kinds
/// @throws InputError where a file is missing
EventSource event_source(const ProgramOptions& options);

/// The events that the options name, read or generated, and their detector. Damaged events are
/// skipped, with a warning each, if the options say so.
/// @throws UsageError where the options name no input, or both kinds
/// @throws InputError where a file is missing or damaged
Input read_input(const ProgramOptions& options);

/// @throws InputError if there is no event
void check_not_empty(const ProgramOptions& options, const Input& input);

/// Writes the events, their truth and the detector to a folder that read_input takes. Events get
/// the names RUN_NUMBER, in the order of which they are read back.
/// @throws UsageError if there is something in the folder, two events would have the same name, or
/// banks are of a version that such files are not read as
void write_input(const std::string& folder, const Input& input);

/// What the report says of the input.
trackplex::program::Json describe(const ProgramOptions& options, const Input& input);

}  // namespace lhcb_velo_ut
