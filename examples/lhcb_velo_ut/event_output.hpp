// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <common/report.hpp>
#include <trackplex/lhcb/detector.hpp>
#include <trackplex/lhcb/raw_banks.hpp>
#include <trackplex/lhcb/velo_ut_results.hpp>

#include <string>

namespace lhcb_velo_ut {

/// Everything that was found in an event as an object of JSON: clusters, UT hits, VELO tracks,
/// windows and tracks in the UT. Hits are named by their number in the event.
std::string details_of(const trackplex::lhcb::RawEvent& event,
                       const trackplex::lhcb::VeloUtResult& found);

/// Hits and tracks of an event in the VELO and behind it, from the side, for scripts/plot.
trackplex::program::Json event_display(const trackplex::lhcb::Detector& detector,
                                       const std::string& name,
                                       const trackplex::lhcb::VeloUtResult& event);

}  // namespace lhcb_velo_ut
