// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// @file
/// What --output writes: the tracks that were found, with their states, and their hits.

#include "find_results.hpp"
#include "states.hpp"
#include "tables.hpp"

#include <common/program.hpp>
#include <trackplex/geometry/description.hpp>
#include <trackplex/validation/detector_tracking.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace detector_tracker {

/// Particles of the tracks of a batch, -1 where there is none or the truth is not known.
template <class TracksOfEvent>
std::vector<std::int32_t> particles_of(const tracks::DetectorEvents& batch,
                                       std::span<const TracksOfEvent> tracks) {
  const auto candidates =
      candidates_of(batch, tracks, [](auto&&...) { return std::array<double, 4>{}; });
  if (batch.particle_of_hit.empty() || candidates.size() == 0)
    return std::vector<std::int32_t>(candidates.size(), -1);
  return validation::compare_with_truth(batch, candidates).particle_of_track;
}

/// Writes the tracks of all events. `hit` is the number of a hit in its file or as it was
/// generated, from 0 on; `track` counts over all events.
template <class Model>
void write_tracks(const std::string& path, const program::Program& p,
                  const geometry::DetectorDescription& detector, const Events& events,
                  const std::vector<detector::TrackList<Model>>& found) {
  const auto real = io::real_type(p.options.first_precision());
  auto columns = make_table("tracks", "event track pass particle chi2:real ndf n_hits", real);
  io::add_state_columns<Model>(columns.columns, real);
  io::TableFile file(
      path, p.metadata(),
      {columns,
       make_table("hits", "event track hit module identifier layer u:real[cm] v:real[cm]", real)});
  std::size_t first_event = 0, track = 0;
  for_each_batch(events, found, [&](const auto& batch, auto of_batch) {
    const auto particles = particles_of(batch, of_batch);
    auto particle = particles.begin();
    for_each_track(batch, of_batch, [&](const auto& event, const auto& tracks, std::size_t t) {
      const auto number = first_event + std::size_t(event.event);
      const auto hits = tracks.hits_of(t);
      file[0].add_row(number, track, tracks.pass[t], *particle++, tracks.chi2[t],
                      tracks.measurements[t] - parameters_on_plane, hits.size(),
                      io::state_values(tracks.states[t]));
      for (const auto hit : hits) {
        const auto at = event.first_hit() + std::size_t(hit);
        const auto module = batch.hits.module[at];
        const auto& its = detector.modules[std::size_t(module)];
        file[1].add_row(number, track, batch.hits.added[at], module, std::int64_t(its.identifier),
                        its.layer, batch.hits.u[at], batch.hits.v[at]);
      }
      ++track;
    });
    file.flush();
    first_event += of_batch.size();
  });
  file.finish();
}

}  // namespace detector_tracker
