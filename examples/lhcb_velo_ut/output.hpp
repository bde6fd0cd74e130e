// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "input.hpp"
#include "reconstruct.hpp"

#include <string>

namespace lhcb_velo_ut {

/// The tracks with hits in the UT as a table: run and number of the event, track, q/p (1/MeV), p
/// (MeV), chi2, slopes in the VELO, place in the UT, LHCbIDs.
std::string tracks_csv(const Input& input, const Reconstruction& found);

/// The same as JSON, one object per event.
std::string tracks_json(const Input& input, const Reconstruction& found);

/// Everything that was found as JSON, one object per event: clusters, UT hits, VELO tracks, windows
/// and tracks in the UT. Hits are named by their number in the event.
std::string details_json(const Input& input, const Reconstruction& found);

}  // namespace lhcb_velo_ut
