// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <common/report.hpp>
#include <trackplex/lhcb/velo_event.hpp>
#include <trackplex/lhcb/velo_results.hpp>

namespace lhcb_velo {

/// Hits and tracks of an event, from the side and along the beam, for scripts/plot.
trackplex::program::Json event_display(const trackplex::lhcb::VeloEvent& event,
                                       const trackplex::lhcb::VeloTrackList& tracks);

}  // namespace lhcb_velo
