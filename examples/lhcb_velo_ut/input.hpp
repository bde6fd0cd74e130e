// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "options.hpp"

#include <common/event_source.hpp>
#include <trackplex/lhcb/mc_event.hpp>
#include <trackplex/lhcb/raw_banks.hpp>
#include <trackplex/lhcb/velo/velo_event.hpp>
#include <trackplex/lhcb/velo_ut_detector.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>

namespace lhcb_velo_ut {

/// Events, and the detector if they are raw banks.
template <class Event>
struct Input {
  lhcb::Detector detector;
  program::EventSource<Event> source;
};

/// @throws UsageError where options contradict each other
/// @throws InputError where a file is missing
Input<lhcb::VeloEvent> input_of_velo(const Options& options, std::uint64_t seed);
Input<lhcb::RawEvent> input_of_banks(const Options& options, std::uint64_t seed);

/// Reads the parameters of the fit of long tracks: from the folder that the options name, or else
/// from kalman/ in the detector description. Nothing if there are none.
/// @throws InputError if a file is missing or damaged
std::shared_ptr<const lhcb::KalmanTables> kalman_tables_of(const Options& options);

/// Reads the map of the magnet that the options name; nothing without one.
/// @throws InputError if it is damaged, or not that of the detector's magnet
std::shared_ptr<const geometry::FieldGrid> field_of(const Options& options,
                                                    const lhcb::Detector& detector);

/// The truth of an event of an input, where it has one.
const std::optional<lhcb::McEvent>& truth_of(const lhcb::RawEvent& event);

/// Writes the events to a folder that can be read as input: as binary files; or as bank files, with
/// truth and detector, of the names RUN_NUMBER, in the order of which they are read back.
/// @throws UsageError if two events would have the same name, or banks are of a version that such
/// files are not read as
void write_input(const std::string& folder, const lhcb::Detector& detector,
                 std::span<const std::shared_ptr<const lhcb::VeloEvent>> events);
void write_input(const std::string& folder, const lhcb::Detector& detector,
                 std::span<const std::shared_ptr<const lhcb::RawEvent>> events);

}  // namespace lhcb_velo_ut
