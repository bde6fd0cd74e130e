// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "fitted_track.hpp"
#include "program_options.hpp"

#include <trackplex/io/table_file.hpp>

#include <cstddef>

namespace kalman_fit {

/// File of the tables `tracks`, with the fit of each track at the last layer, and `hits`, with what
/// the smoother says on each layer of those that are complete.
class TrackFile {
 public:
  /// @throws Error if the file cannot be opened
  explicit TrackFile(const ProgramOptions& options);

  void add(const FittedTrack& track);

  /// @throws Error if the file could not be written completely
  void finish() { tables_.finish(); }

 private:
  trackplex::io::TableFile tables_;
  std::size_t n_tracks_ = 0;
};

}  // namespace kalman_fit
