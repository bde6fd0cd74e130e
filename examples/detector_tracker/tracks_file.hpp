// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// @file
/// What --output writes: the tracks that were found, with their states, and their hits.

#include "events.hpp"

#include <common/program.hpp>
#include <trackplex/detector/track_list.hpp>
#include <trackplex/geometry/description.hpp>
#include <trackplex/io/tables/table_file.hpp>
#include <trackplex/io/tables/track_state_columns.hpp>
#include <trackplex/validation/detector_tracking.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace detector_tracker {

namespace io = trackplex::io;

/// Tables of tracks and of their hits, without rows.
template <class Model>
std::vector<io::Table> track_tables(io::ColumnType real) {
  using enum io::ColumnType;
  io::Table tracks{"tracks",
                   {{"event", "", int64},
                    {"track", "", int64},
                    {"pass", "", int64},
                    {"particle", "", int64},
                    {"chi2", "", real},
                    {"ndf", "", int64},
                    {"n_hits", "", int64}}};
  io::add_state_columns<Model>(tracks.columns, real);
  io::Table hits{"hits",
                 {{"event", "", int64},
                  {"track", "", int64},
                  {"hit", "", int64},
                  {"module", "", int64},
                  {"identifier", "", int64},
                  {"layer", "", int64},
                  {"u", "cm", real},
                  {"v", "cm", real}}};
  return {tracks, hits};
}

/// Particles of the tracks of a batch, -1 where there is none or the truth is not known.
template <class Model>
std::vector<std::int32_t> particles_of(const trackplex::seeding::DetectorEvents& batch,
                                       const trackplex::detector::TrackList<Model>* tracks,
                                       int events) {
  trackplex::validation::TrackCandidates candidates;
  for (int event = 0; event < events; ++event)
    for (std::size_t t = 0; t < tracks[event].size(); ++t) {
      std::vector<std::int32_t> hits;
      for (const auto hit : tracks[event].hits_of(t)) hits.push_back(batch.hits.first(event) + hit);
      candidates.add(hits);
    }
  if (batch.particle_of_hit.empty() || candidates.size() == 0)
    return std::vector<std::int32_t>(candidates.size(), -1);
  return trackplex::validation::compare_with_truth(batch, candidates).particle_of_track;
}

/// Writes the tracks of all events. `hit` is the number of a hit in its file or as it was
/// generated, from 0 on; `track` counts over all events.
template <class Model>
void write_tracks(const std::string& path, const trackplex::program::Program& p,
                  const trackplex::geometry::DetectorDescription& detector, const Events& events,
                  const std::vector<trackplex::detector::TrackList<Model>>& found) {
  constexpr int of_plane = 5;  // parameters of a state on a plane
  io::TableFile file(path, p.metadata(),
                     track_tables<Model>(io::real_type(p.options.first_precision())));
  std::size_t event = 0, track = 0;
  for (const auto& batch : events.batches) {
    const auto particles = particles_of(batch, found.data() + event, batch.events());
    auto particle = particles.begin();
    for (int e = 0; e < batch.events(); ++e, ++event) {
      const auto& tracks = found[event];
      for (std::size_t t = 0; t < tracks.size(); ++t, ++track) {
        const auto hits = tracks.hits_of(t);
        file[0].add_row(event, track, tracks.pass[t], *particle++, tracks.chi2[t],
                        tracks.measurements[t] - of_plane, hits.size(),
                        io::state_values(tracks.states[t]));
        for (const auto hit : hits) {
          const auto at = std::size_t(batch.hits.first(e) + hit);
          const auto module = batch.hits.module[at];
          const auto& its = detector.modules[std::size_t(module)];
          file[1].add_row(event, track, batch.hits.added[at], module, std::int64_t(its.identifier),
                          its.layer, batch.hits.u[at], batch.hits.v[at]);
        }
      }
      file.flush();
    }
  }
  file.finish();
}

}  // namespace detector_tracker
