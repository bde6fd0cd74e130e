// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/core/error.hpp>
#include <trackplex/tracks/tracking_events.hpp>
#include <trackplex/validation/track_candidates.hpp>

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

namespace trackplex::validation {
namespace detail {

TRACKPLEX_INLINE std::vector<int> events_of_tracks(const tracks::DetectorEvents& events,
                                                   const TrackCandidates& tracks) {
  const auto refuse = [](const std::string& problem, const std::string& why) {
    throw UsageError("track candidates", problem, why, "indices are those of all events");
  };
  for (const auto* list : {&tracks.phi, &tracks.theta, &tracks.z0, &tracks.q_over_p})
    if (list->size() != (tracks.has_parameters() ? tracks.size() : 0))
      refuse("only some tracks have parameters", std::to_string(tracks.size()) + " tracks");
  std::vector<std::int32_t> ends;
  for (int event = 1; event <= events.events(); ++event) ends.push_back(events.hits.first(event));
  std::vector<int> of_track;
  std::vector<std::size_t> last(events.hits.u.size(), 0);
  for (std::size_t track = 0; track < tracks.size(); ++track) {
    const auto hits = tracks.hits_of(track);
    const auto name = "track " + std::to_string(track);
    if (hits.empty()) refuse("a track has no hits", name);
    int first_event = -1;
    for (const auto hit : hits) {
      if (hit < 0 || std::size_t(hit) >= events.hits.u.size())
        refuse("there is no hit " + std::to_string(hit), name);
      const int event = int(std::upper_bound(ends.begin(), ends.end(), hit) - ends.begin());
      if (first_event < 0) first_event = event;
      if (event != first_event) refuse("a track has hits of several events", name);
      if (last[std::size_t(hit)] == track + 1) refuse("a track has a hit twice", name);
      last[std::size_t(hit)] = track + 1;
    }
    of_track.push_back(first_event);
  }
  return of_track;
}

TRACKPLEX_INLINE std::vector<std::int32_t> count_hits_of_particles(
    const tracks::DetectorEvents& events) {
  std::vector<std::int32_t> counts(events.particles.size(), 0);
  for (int event = 0; event < events.events(); ++event)
    for (auto hit = events.hits.first(event); hit < events.hits.first(event + 1); ++hit)
      if (const auto particle = events.particle_of_hit[std::size_t(hit)]; particle >= 0)
        ++counts[std::size_t(events.particle_offsets[std::size_t(event)] + particle)];
  return counts;
}

}  // namespace detail
}  // namespace trackplex::validation
