// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// @file
/// VELO tracks of events as JSON or as tables. The JSON form is
/// {"events":[{"event":name,"tracks":[{"hits":[...],"x":mm,"y":mm,"z":mm,"tx":,"ty":,"chi2":,
/// "ndf":,"backward":bool}, ...]}, ...]}; tracks without a state have `hits` only, and non-finite
/// numbers are null. The tables are
///
///   tracks: event, track, x[mm], y[mm], z[mm], tx, ty, chi2, ndf, backward, n_hits
///   hits:   event, track, hit
///   events: event, name, n_tracks
///
/// where `event` is the number of the event in the file and `track` that of the track in the file,
/// both from 0, `hit` is the number of the hit in the event, and `name` the name of the event
/// without folders. Tracks without a state have nan. Positions x, y, z are in mm; the slopes
/// tx = dx/dz and ty = dy/dz have no unit.

#include <trackplex/core/compiled.hpp>
#include <trackplex/io/tables/event_file.hpp>
#include <trackplex/lhcb/velo/velo_track_list.hpp>

#include <filesystem>
#include <string>
#include <vector>

namespace trackplex::io {

/// File of VELO tracks, in the format of its extension: .json, .csv, .h5 or .sdds.
class VeloTrackFile {
 public:
  /// Opens the file. `real` is the type of the numbers in tables; JSON stores no metadata.
  /// @throws UsageError for another extension, Error if the file cannot be opened
  explicit VeloTrackFile(const std::filesystem::path& path, Metadata metadata = {},
                         ColumnType real = ColumnType::float64);

  /// Appends the tracks of the event named `event`.
  /// @throws UsageError if there are states, but not one per track
  void add(const std::string& event, const lhcb::VeloTrackList& tracks);

  /// Ends the file; without it, JSON, HDF5 and SDDS are incomplete.
  /// @throws Error if it could not be written completely
  void finish() { file_.finish(); }

 private:
  static std::vector<Table> tables_of(ColumnType real);

  void add_rows(TableFile& tables, const std::string& event, const lhcb::VeloTrackList& tracks);

  EventFile file_;
  std::size_t events_ = 0, n_tracks_ = 0;
};

}  // namespace trackplex::io

#if !defined(TRACKPLEX_COMPILED)
#include <trackplex/io/lhcb/detail/velo_tracks.impl.hpp>
#endif
