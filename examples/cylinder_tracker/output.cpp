// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "output.hpp"

#include <trackplex/io/table_file.hpp>
#include <trackplex/io/track_state_columns.hpp>
#include <trackplex/program/file_metadata.hpp>

#include <algorithm>
#include <limits>

namespace cylinder_tracker {

namespace io = trackplex::io;

namespace {

std::vector<io::Table> empty_tables(io::ColumnType real) {
  using enum io::ColumnType;
  io::Table tracks{"tracks",
                   {{"event", "", int64},
                    {"track", "", int64},
                    {"strategy", "", string},
                    {"particle", "", int64},
                    {"complete", "", int64},
                    {"chi2", "", real},
                    {"ndf", "", int64},
                    {"n_hits", "", int64}}};
  io::add_state_columns(tracks.columns, real);
  return {tracks,
          {"hits",
           {{"event", "", int64}, {"track", "", int64}, {"layer", "", int64}, {"hit", "", int64}}}};
}

/// The values of a fit; nan where it is not complete.
std::vector<double> values_of(const FinalFit& fit) {
  auto values = io::state_values(fit.first);
  if (!fit.complete) std::ranges::fill(values, std::numeric_limits<double>::quiet_NaN());
  return values;
}

}  // namespace

void write_tracks(const ProgramOptions& options, int events,
                  const std::vector<std::string>& strategies, const Tracking& found) {
  io::TableFile file(options.output,
                     trackplex::program::file_metadata("cylinder_tracker", options.common,
                                                       options.description(events)),
                     empty_tables(io::real_type(options.common.precision)));
  std::size_t number = 0;
  for (const auto& strategy : strategies) {
    const auto tracks = found.tracks.find(strategy);
    if (tracks == found.tracks.end()) continue;  // a signal has ended the run before
    const TrackList& list = tracks->second;
    for (std::size_t t = 0; t < list.size(); ++t, ++number) {
      const auto hits = list.hits_of(t);
      const auto& fit = list.fits[t];
      file[0].add_row(list.event[t], number, strategy, list.particle[t], fit.complete, fit.chi2,
                      fit.degrees_of_freedom,
                      std::ranges::count_if(hits, [](std::int32_t hit) { return hit >= 0; }),
                      values_of(fit));
      for (std::size_t layer = 0; layer < hits.size(); ++layer)
        if (hits[layer] >= 0) file[1].add_row(list.event[t], number, layer, hits[layer]);
    }
    file.flush();
  }
  file.finish();
}

}  // namespace cylinder_tracker
