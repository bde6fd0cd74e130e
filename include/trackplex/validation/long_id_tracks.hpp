// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/core/compiled.hpp>
#include <trackplex/lhcb/tracks_results.hpp>
#include <trackplex/validation/velo_ut_validation.hpp>

#include <vector>

namespace trackplex::validation {

/// Returns the long tracks of an event as lists of LHCbIDs, in their order, with momentum (MeV) and
/// charge. `velo` are its VELO tracks, from `velo_id_tracks`.
std::vector<IdTrack> long_id_tracks(const lhcb::TracksResult& event,
                                    const std::vector<IdTrack>& velo);

}  // namespace trackplex::validation

#if !defined(TRACKPLEX_COMPILED)
#include <trackplex/validation/detail/long_id_tracks.impl.hpp>
#endif
