// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "events.hpp"
#include "find.hpp"

#include <trackplex/validation/track_candidates.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace detector_tracker {

/// Calls `f(batch, tracks)` for each batch, with the tracks of its events.
template <class TracksOfEvent, class F>
void for_each_batch(const Events& events, const std::vector<TracksOfEvent>& tracks, const F& f) {
  std::size_t first = 0;
  for (const auto& batch : events.batches) {
    f(batch, std::span(tracks).subspan(first, std::size_t(batch.events())));
    first += std::size_t(batch.events());
  }
}

/// Calls `f(event, tracks, t)` for each track of a batch.
template <class TracksOfEvent, class F>
void for_each_track(const tracks::DetectorEvents& batch, std::span<const TracksOfEvent> events,
                    const F& f) {
  for (std::size_t e = 0; e < events.size(); ++e)
    for (std::size_t t = 0; t < events[e].size(); ++t)
      f(EventOfBatch{&batch, int(e)}, events[e], t);
}

/// Module of the first hit of a track.
template <class TracksOfEvent>
int first_module(const EventOfBatch& event, const TracksOfEvent& tracks, std::size_t t) {
  const auto hit = event.first_hit() + std::size_t(tracks.hits_of(t).front());
  return event.batch->hits.module[hit];
}

/// The tracks of a batch; `at_beam(event, tracks, t)` gives phi, theta, z0 and q/p.
template <class TracksOfEvent, class AtBeam>
validation::TrackCandidates candidates_of(const tracks::DetectorEvents& batch,
                                          std::span<const TracksOfEvent> events,
                                          const AtBeam& at_beam) {
  validation::TrackCandidates candidates;
  for_each_track(batch, events,
                 [&](const EventOfBatch& event, const TracksOfEvent& tracks, std::size_t t) {
                   std::vector<std::int32_t> hits;
                   for (const auto hit : tracks.hits_of(t))
                     hits.push_back(std::int32_t(event.first_hit()) + hit);
                   const std::array<double, 4> at = at_beam(event, tracks, t);
                   candidates.add(hits, at[0], at[1], at[2], at[3]);
                 });
  return candidates;
}

/// Returns the standard deviation along the beam, cm, of the region that central tracks come from,
/// with two digits; nothing if they are few.
std::optional<double> sigma_z_of(const Setup& setup, const tracks::DetectorEvents& batch,
                                 std::span<const Tracks> events);

/// What the cut on z0 of the seeds of the first pass takes.
struct BeyondCut {
  double max_z0;           ///< cut, cm from the centre of the collisions
  std::size_t tracks = 0,  ///< tracks of the first pass without the cut
      beyond = 0;          ///< of these, tracks beyond it
};
/// Counts the tracks of a batch beyond the cut, of those that were found without it.
BeyondCut beyond_cut(const Setup& setup, const tracks::DetectorEvents& batch,
                     std::span<const Tracks> events);

/// Compares tracks with what is known of the particles, and adds the results to the report.
void write_found(program::Program& p, const Settings& settings, const Setup& setup,
                 const Events& events, const std::vector<Tracks>& tracks);

}  // namespace detector_tracker
