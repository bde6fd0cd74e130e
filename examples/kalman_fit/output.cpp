// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "output.hpp"

#include <trackplex/io/track_state_columns.hpp>
#include <trackplex/program/file_metadata.hpp>

#include <algorithm>
#include <limits>
#include <vector>

namespace kalman_fit {

namespace io = trackplex::io;

namespace {

std::vector<io::Table> empty_tables(io::ColumnType real) {
  using enum io::ColumnType;
  io::Table tracks{"tracks",
                   {{"track", "", int64},
                    {"complete", "", int64},
                    {"chi2", "", real},
                    {"ndf", "", int64},
                    {"n_hits", "", int64},
                    {"n_outliers", "", int64}}};
  io::add_state_columns(tracks.columns, real);
  io::Table hits{"hits",
                 {{"track", "", int64},
                  {"layer", "", int64},
                  {"residual_r_phi", "cm", real},
                  {"residual_z", "cm", real},
                  {"residual_cov_r_phi_r_phi", "cm^2", real},
                  {"residual_cov_z_r_phi", "cm^2", real},
                  {"residual_cov_z_z", "cm^2", real}}};
  io::add_state_columns(hits.columns, real);
  return {tracks, hits};
}

/// The values of a fit; nan where the track is not complete.
std::vector<double> values_of(const FittedTrack& track) {
  auto values = io::state_values(track.fitted);
  if (!track.complete) std::ranges::fill(values, std::numeric_limits<double>::quiet_NaN());
  return values;
}

}  // namespace

TrackFile::TrackFile(const ProgramOptions& options)
    : tables_(
          options.output,
          trackplex::program::file_metadata("kalman_fit", options.common, options.description()),
          empty_tables(io::real_type(options.common.precision))) {}

void TrackFile::add(const FittedTrack& track) {
  tables_[0].add_row(n_tracks_, track.complete, track.chi2, track.measurements,
                     track.measurements / 2, track.outliers, values_of(track));
  for (std::size_t i = 0; i < track.layers.size(); ++i) {
    const auto& layer = track.layers[i];
    const auto& covariance = layer.residual_covariance;
    tables_[1].add_row(n_tracks_, i, layer.residual(0), layer.residual(1), covariance(0, 0),
                       covariance(1, 0), covariance(1, 1), io::state_values(layer.state));
  }
  tables_.flush();
  ++n_tracks_;
}

}  // namespace kalman_fit
