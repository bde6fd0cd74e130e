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

#include <trackplex/io/detail/velo_tracks_json.hpp>
#include <trackplex/io/event_file.hpp>

#include <filesystem>
#include <limits>
#include <string>
#include <utility>
#include <vector>

namespace trackplex::io {

/// File of VELO tracks, in the format of its extension: .json, .csv, .h5 or .sdds.
class VeloTrackFile {
 public:
  /// Opens the file. `real` is the type of the numbers in tables; JSON stores no metadata.
  /// @throws UsageError for another extension, Error if the file cannot be opened
  explicit VeloTrackFile(const std::filesystem::path& path, Metadata metadata = {},
                         ColumnType real = ColumnType::float64)
      : file_(path, std::move(metadata), tables_of(real)) {}

  /// Appends the tracks of the event named `event`.
  /// @throws UsageError if there are states, but not one per track
  void add(const std::string& event, const lhcb::VeloTrackList& tracks) {
    detail::check_tracks(event, tracks);
    if (auto* const tables = file_.tables()) {
      add_rows(*tables, event, tracks);
    } else {
      std::string text;
      detail::append_json_event(text, event, tracks);
      file_.add(text);
    }
    ++events_;
  }

  /// Ends the file; without it, JSON, HDF5 and SDDS are incomplete.
  /// @throws Error if it could not be written completely
  void finish() { file_.finish(); }

 private:
  static std::vector<Table> tables_of(ColumnType real) {
    using enum ColumnType;
    return {{"tracks",
             {{"event", "", int64},
              {"track", "", int64},
              {"x", "mm", real},
              {"y", "mm", real},
              {"z", "mm", real},
              {"tx", "", real},
              {"ty", "", real},
              {"chi2", "", real},
              {"ndf", "", int64},
              {"backward", "", int64},
              {"n_hits", "", int64}}},
            {"hits", {{"event", "", int64}, {"track", "", int64}, {"hit", "", int64}}},
            {"events", {{"event", "", int64}, {"name", "", string}, {"n_tracks", "", int64}}}};
  }

  void add_rows(TableFile& tables, const std::string& event, const lhcb::VeloTrackList& tracks) {
    constexpr double none = std::numeric_limits<double>::quiet_NaN();
    for (std::size_t i = 0; i < tracks.size(); ++i, ++n_tracks_) {
      const auto s = tracks.states.empty()
                         ? lhcb::VeloTrackState{none, none, none, none, none, none}
                         : tracks.states[i];
      tables[0].add_row(events_, n_tracks_, s.x, s.y, s.z, s.tx, s.ty, s.chi2, s.ndf, s.backward,
                        tracks[i].size());
      for (const auto hit : tracks[i]) tables[1].add_row(events_, n_tracks_, hit);
    }
    tables[2].add_row(events_, std::filesystem::path(event).filename().string(), tracks.size());
    tables.flush();
  }

  EventFile file_;
  std::size_t events_ = 0, n_tracks_ = 0;
};

}  // namespace trackplex::io
