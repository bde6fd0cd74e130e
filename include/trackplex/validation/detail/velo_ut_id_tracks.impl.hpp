// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/lhcb/velo_ut_results.hpp>
#include <trackplex/validation/velo_ut_id_tracks.hpp>
#include <trackplex/validation/velo_ut_validation.hpp>

#include <cmath>
#include <cstddef>
#include <vector>

namespace trackplex::validation {

TRACKPLEX_INLINE std::vector<IdTrack> velo_id_tracks(const lhcb::VeloUtResult& event) {
  std::vector<IdTrack> tracks(event.velo_tracks.size());
  for (std::size_t t = 0; t < tracks.size(); ++t) {
    for (const auto hit : event.velo_tracks[t])
      tracks[t].velo_ids.push_back(event.velo_hits.ids[hit]);
    const auto& state = event.velo_tracks.states[t];
    const double eta = std::asinh(1. / std::hypot(state.tx, state.ty));
    tracks[t].eta = state.backward ? -eta : eta;
  }
  return tracks;
}

TRACKPLEX_INLINE std::vector<IdTrack> velo_ut_id_tracks(const lhcb::VeloUtResult& event,
                                                        const std::vector<IdTrack>& velo) {
  std::vector<IdTrack> tracks;
  for (const auto& found : event.ut_tracks) {
    auto& track = tracks.emplace_back(velo[found.velo_track]);
    for (const auto hit : found.hits)
      if (hit >= 0) track.ut_ids.push_back(event.ut_hits.ids[hit]);
    track.p = found.p();
    track.charge = found.qop > 0. ? 1 : -1;
  }
  return tracks;
}

}  // namespace trackplex::validation
