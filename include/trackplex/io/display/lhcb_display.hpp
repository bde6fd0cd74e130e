// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/core/compiled.hpp>
#include <trackplex/io/display/display_event.hpp>
#include <trackplex/lhcb/tracks_results.hpp>
#include <trackplex/lhcb/velo/velo_event.hpp>
#include <trackplex/lhcb/velo/velo_results.hpp>

#include <string>

namespace trackplex::io {

/// Returns what is drawn of an event of the VELO: hits on tracks and on none, and tracks through
/// their hits.
DisplayEvent display_of(const std::string& name, const lhcb::VeloEvent& event,
                        const lhcb::VeloResult& found);

/// Returns what is drawn of an event of VELO, UT and SciFi: hits, long tracks, other tracks with
/// hits in the UT, with one kink in the magnet, other tracks of the VELO, and vertices. Strips and
/// fibres are drawn at their middle, strips on tracks where the track crosses them.
DisplayEvent display_of(const std::string& name, const lhcb::TracksResult& found);

}  // namespace trackplex::io

#if !defined(TRACKPLEX_COMPILED)
#include <trackplex/io/display/detail/lhcb_display.impl.hpp>
#endif
