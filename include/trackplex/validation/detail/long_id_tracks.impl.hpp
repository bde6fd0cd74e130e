// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/lhcb/tracks_results.hpp>
#include <trackplex/validation/long_id_tracks.hpp>

#include <cstddef>
#include <vector>

namespace trackplex::validation {

TRACKPLEX_INLINE std::vector<IdTrack> long_id_tracks(const lhcb::TracksResult& event,
                                                     const std::vector<IdTrack>& velo) {
  std::vector<IdTrack> tracks;
  for (const auto& found : event.long_tracks) {
    auto& track = tracks.emplace_back(velo[found.velo_track]);
    if (found.ut_track >= 0)
      for (const auto hit : event.ut_tracks[std::size_t(found.ut_track)].hits)
        if (hit >= 0) track.ut_ids.push_back(event.ut_hits.ids[std::size_t(hit)]);
    for (const auto hit : found.hits)
      if (hit >= 0) track.scifi_ids.push_back(event.scifi_hits.ids[std::size_t(hit)]);
    track.p = found.p();
    track.charge = found.qop > 0. ? 1 : -1;
  }
  return tracks;
}

}  // namespace trackplex::validation
