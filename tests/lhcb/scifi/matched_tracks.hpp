// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/lhcb/scifi/find_scifi_tracks.hpp>
#include <trackplex/lhcb/scifi/match_tracks.hpp>

#include "lhcb/scifi/forward_events.hpp"

/// Tracks in the SciFi of small events, and the long tracks of their matching.

namespace trackplex::test {

/// A track in the SciFi on the host.
struct ScifiTrackOnHost {
  int length = 0;
  std::array<int, lhcb::scifi_layers> hits{};  ///< index in the event, or -1
  double quality = 0., x = 0., y = 0., tx = 0., ty = 0.;
};

/// Of each event.
struct MatchedOnHost {
  std::vector<std::vector<ScifiTrackOnHost>> scifi;
  LongTracksOnHost long_tracks;  ///< with those of the forward search
};

struct MatchingParams {
  lhcb::ForwardParams forward{};  ///< of the search before
  lhcb::SeedingParams seeding{};
  lhcb::MatchParams matching{};
  double polarity = -1.;
  int team_size = 0;
};

/// Parameters without a search before.
inline MatchingParams only_matching() {
  MatchingParams params;
  params.forward.with_ut = false;
  return params;
}

template <class Space, class T>
std::vector<std::vector<ScifiTrackOnHost>> scifi_tracks_to_host(
    const Space& exec, const lhcb::ScifiHits<T, Kokkos::HostSpace>& hits,
    const lhcb::ScifiTracks<T, typename Space::memory_space>& found) {
  const auto tracks = enqueue_copy<lhcb::ScifiTracks<T, Kokkos::HostSpace>>(exec, found);
  exec.fence();
  std::vector<std::vector<ScifiTrackOnHost>> events(std::size_t(tracks.n_events));
  for (int e = 0; e < tracks.n_events; ++e) {
    const std::size_t first = hits.event_offsets(e);
    for (auto s = first; s < first + tracks.count(e); ++s) {
      ScifiTrackOnHost track{tracks.length(s), {},           tracks.quality(s), tracks.x(s),
                             tracks.y(s),      tracks.tx(s), tracks.ty(s)};
      for (int layer = 0; layer < lhcb::scifi_layers; ++layer) {
        const int hit = tracks.hits(layer * tracks.slots + s);
        track.hits[std::size_t(layer)] = hit == tracks.no_hit ? -1 : hit;
      }
      events[std::size_t(e)].push_back(track);
    }
  }
  return events;
}

/// Forward search, search for SciFi tracks in the hits that it leaves, and their matching.
template <class T, int Width, class Space>
MatchedOnHost match_on(const std::vector<ForwardEvent>& events, const MatchingParams& params) {
  using Memory = typename Space::memory_space;
  const Space exec;
  const auto host = forward_arrays<T>(events);
  const auto velo_hits = enqueue_copy<lhcb::VeloHits<T, Memory>>(exec, host.velo_hits);
  const auto velo_tracks = enqueue_copy<lhcb::VeloTracks<Memory>>(exec, host.velo_tracks);
  const auto at_beam = enqueue_copy<lhcb::LineStates<T, Memory>>(exec, host.at_beam);
  const auto at_end = enqueue_copy<lhcb::VeloStatesAtEnd<T, Memory>>(exec, host.at_end);
  const auto ut_tracks = enqueue_copy<lhcb::UtTracks<T, Memory>>(exec, host.ut_tracks);
  const auto scifi_hits = enqueue_copy<lhcb::ScifiHits<T, Memory>>(exec, host.scifi_hits);
  lhcb::ForwardTracks<T, Memory> before;
  run_algorithm(
      exec,
      lhcb::FindLongTracks<T, Space, Width>{
          lhcb::forward_setup<T>(exec, params.forward, params.polarity), true, params.team_size},
      velo_hits, velo_tracks, at_beam, at_end, ut_tracks, scifi_hits, before);
  lhcb::ScifiTracks<T, Memory> scifi;
  run_algorithm(exec,
                lhcb::FindScifiTracks<T, Space, Width>{lhcb::seeding_cuts<T>(params.seeding), true,
                                                       params.team_size},
                velo_hits, velo_tracks, scifi_hits, before, scifi);
  lhcb::LongTracks<T, Memory> found;
  run_algorithm(exec,
                lhcb::MatchTracks<T, Space, Width>{
                    lhcb::match_setup<T>(params.matching, params.polarity), true, params.team_size},
                velo_hits, velo_tracks, at_end, ut_tracks, scifi_hits, scifi, before, found);
  return {scifi_tracks_to_host(exec, host.scifi_hits, scifi),
          long_tracks_to_host(exec, host.velo_hits, host.velo_tracks.hits_per_slot, found)};
}

}  // namespace trackplex::test
