// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "options.hpp"

#include <trackplex/lhcb/raw_banks.hpp>
#include <trackplex/lhcb/tracks_results.hpp>
#include <trackplex/lhcb/velo/velo_event.hpp>
#include <trackplex/lhcb/velo/velo_results.hpp>
#include <trackplex/lhcb/velo_ut_detector.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace lhcb_velo_ut {

template <class Event>
using Events = std::vector<std::shared_ptr<const Event>>;

/// Seeds of VELO tracks that found no slot.
inline std::uint32_t lost_seeds(const lhcb::VeloResult& result) { return result.overflow; }
inline std::uint32_t lost_seeds(const lhcb::TracksResult& result) { return result.velo_overflow; }

/// Adds to a report what was found in all events, and what the truth says of it: numbers, tables,
/// plots. Warns of lost seeds, of hits outside the detector, and of truth that matches nothing.
void add_results(program::Program& program, const Options& options, std::size_t bad_events,
                 const Events<lhcb::VeloEvent>& events, std::span<const lhcb::VeloResult> found);
void add_results(program::Program& program, const Options& options, std::size_t bad_events,
                 const Events<lhcb::RawEvent>& events, std::span<const lhcb::TracksResult> found);

/// Adds SciFi hits and primary vertices to a report, and what the truth says of the vertices.
void add_vertices(program::Program& program, const Events<lhcb::RawEvent>& events,
                  std::span<const lhcb::TracksResult> found);

/// Adds long tracks to a report, and what the truth says of them; what add_results() has said of
/// the tracks through VELO and UT then has keys that begin with velo_ut_.
void add_long_tracks(program::Program& program, const Events<lhcb::RawEvent>& events,
                     std::span<const lhcb::TracksResult> found);

/// Adds fits of long tracks, and their comparison with the truth, to a report.
void add_long_fits(program::Program& program, const Events<lhcb::RawEvent>& events,
                   std::span<const lhcb::TracksResult> found);

/// Everything that was found in an event as an object of JSON: clusters, UT hits, VELO tracks,
/// windows, tracks in the UT and, if they were searched for, long tracks. Hits are named by their
/// number in the event.
std::string details_of(const lhcb::RawEvent& event, const lhcb::TracksResult& found,
                       bool has_long_tracks);

/// Hits and tracks of an event, for scripts/plot: in the VELO from the side and along the beam ...
program::Json event_display(const lhcb::Detector& detector, const lhcb::VeloEvent& event,
                            const lhcb::VeloResult& found);
/// ... or in the VELO and downstream of it from the side.
program::Json event_display(const lhcb::Detector& detector, const lhcb::RawEvent& event,
                            const lhcb::TracksResult& found);

}  // namespace lhcb_velo_ut
