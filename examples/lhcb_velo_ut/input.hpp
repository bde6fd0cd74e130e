// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <common/event_source.hpp>
#include <trackplex/lhcb/mc_event.hpp>
#include <trackplex/lhcb/raw_banks.hpp>
#include <trackplex/lhcb/velo_ut_detector.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>

namespace lhcb_velo_ut {

using trackplex::lhcb::RawEvent;

/// Where events come from.
struct InputOptions {
  std::string input;         ///< an MDF file, or a folder of bank files
  std::string geometry;      ///< folder; empty: that of the input
  std::string truth;         ///< folder, or "none"; empty: that of the input, if it has one
  std::size_t generate = 0;  ///< events to generate instead
  std::size_t events = 0;    ///< at most so many; 0: all
  int readers = 2;           ///< threads that read bank files
};

/// A detector, and its events, of which truth_of() tells the truth.
struct Input {
  trackplex::lhcb::Detector detector;
  trackplex::program::EventSource<RawEvent> source;
};

/// @throws UsageError where options contradict each other
/// @throws InputError where a file is missing
Input input_of(const InputOptions& options, std::uint64_t seed);

/// The truth of an event of an input, where it has one.
const std::optional<trackplex::lhcb::McEvent>& truth_of(const RawEvent& event);

/// Writes the events, their truth and the detector to a folder that can be read as input. Events
/// get the names RUN_NUMBER, in the order of which they are read back.
/// @throws UsageError if two events would have the same name, or banks are of a version that such
/// files are not read as
void write_input(const std::string& folder, const trackplex::lhcb::Detector& detector,
                 std::span<const std::shared_ptr<const RawEvent>> events);

}  // namespace lhcb_velo_ut
