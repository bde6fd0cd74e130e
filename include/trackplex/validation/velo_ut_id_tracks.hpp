// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/core/compiled.hpp>
#include <trackplex/lhcb/velo_ut_results.hpp>
#include <trackplex/validation/velo_ut_validation.hpp>

#include <vector>

namespace trackplex::validation {

/// Returns the VELO tracks of an event as lists of LHCbIDs, with eta from their slopes (negative
/// for backward tracks); they have no momentum.
std::vector<IdTrack> velo_id_tracks(const lhcb::VeloUtResult& event);

/// Returns the tracks of an event with hits in the UT as lists of LHCbIDs, in their order, with
/// momentum (MeV) and charge. `velo` are its VELO tracks, from `velo_id_tracks`.
std::vector<IdTrack> velo_ut_id_tracks(const lhcb::VeloUtResult& event,
                                       const std::vector<IdTrack>& velo);

}  // namespace trackplex::validation

#if !defined(TRACKPLEX_COMPILED)
#include <trackplex/validation/detail/velo_ut_id_tracks.impl.hpp>
#endif
