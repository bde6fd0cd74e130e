// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// @file
/// Tracks through VELO and UT of events as JSON or as tables. The JSON form is
/// {"events":[{"event":name,"run":,"number":,"tracks":[{"velo_track":number in the event,
/// "qop":1/MeV,"p":MeV,"chi2":,"tx":,"ty":,"x_ut":mm,"slope_ut":,"velo_ids":[...],
/// "ut_ids":[...]}, ...]}, ...]}. The tables are
///
///   tracks: event, track, run, number, velo_track, qop[1/MeV], p[MeV], chi2, x[mm], y[mm], z[mm],
///           tx, ty, x_ut[mm], slope_ut, n_velo_hits, n_ut_hits
///   hits:   event, track, lhcb_id, in_ut
///   events: event, run, number, name, n_tracks
///
/// where `event` is the number of the event in the file and `track` that of the track in the file,
/// both from 0; `velo_track` is the number of the VELO track in the event, and x to ty are its
/// state at the beam. x_ut and slope_ut are x and dx/dz at the middle of the UT, and chi2 is that
/// of the p-kick fit per degree of freedom.

#include <trackplex/io/event_file.hpp>
#include <trackplex/lhcb/raw_banks.hpp>
#include <trackplex/lhcb/velo_ut_results.hpp>
#include <trackplex/validation/velo_ut_id_tracks.hpp>

#include <nlohmann/json.hpp>

#include <cstddef>
#include <filesystem>
#include <utility>
#include <vector>

namespace trackplex::io {

namespace detail {
inline std::vector<validation::IdTrack> ids_of_tracks(const lhcb::VeloUtResult& found) {
  return validation::velo_ut_id_tracks(found, validation::velo_id_tracks(found));
}
}  // namespace detail

/// Converts the tracks of an event to the JSON form.
inline nlohmann::ordered_json velo_ut_tracks_json(const lhcb::RawEvent& event,
                                                  const lhcb::VeloUtResult& found) {
  auto tracks = nlohmann::ordered_json::array();
  const auto ids = detail::ids_of_tracks(found);
  for (std::size_t t = 0; t < ids.size(); ++t) {
    const auto& track = found.ut_tracks[t];
    const auto& state = found.velo_tracks.states[track.velo_track];
    tracks.push_back({{"velo_track", track.velo_track},
                      {"qop", track.qop},
                      {"p", track.p()},
                      {"chi2", track.chi2},
                      {"tx", state.tx},
                      {"ty", state.ty},
                      {"x_ut", track.x},
                      {"slope_ut", track.slope},
                      {"velo_ids", ids[t].velo_ids},
                      {"ut_ids", ids[t].ut_ids}});
  }
  return {{"event", event.name},
          {"run", event.run},
          {"number", event.number},
          {"tracks", std::move(tracks)}};
}

/// File of tracks through VELO and UT, in the format of its extension: .json, .csv, .h5 or .sdds.
class VeloUtTrackFile {
 public:
  /// Opens the file. `real` is the type of the numbers in tables; JSON stores no metadata.
  /// @throws UsageError for another extension, Error if the file cannot be opened
  explicit VeloUtTrackFile(const std::filesystem::path& path, Metadata metadata = {},
                           ColumnType real = ColumnType::float64)
      : file_(path, std::move(metadata), tables_of(real)) {}

  /// Appends the tracks of an event.
  void add(const lhcb::RawEvent& event, const lhcb::VeloUtResult& found) {
    if (auto* const tables = file_.tables()) {
      add_rows(*tables, event, found);
    } else {
      using Dump = nlohmann::ordered_json::error_handler_t;
      file_.add(velo_ut_tracks_json(event, found).dump(-1, ' ', false, Dump::replace));
    }
  }

  /// Ends the file; without it, JSON, HDF5 and SDDS are incomplete.
  /// @throws Error if it could not be written completely
  void finish() { file_.finish(); }

 private:
  static std::vector<Table> tables_of(ColumnType real) {
    using enum ColumnType;
    std::vector<Table> tables{{"tracks", {}}, {"hits", {}}, {"events", {}}};
    const auto add = [&](std::size_t table, ColumnType type, auto... names) {
      (tables[table].columns.emplace_back(names, "", type), ...);
    };
    add(0, int64, "event", "track", "run", "number", "velo_track");
    tables[0].columns.emplace_back("qop", "1/MeV", real);
    tables[0].columns.emplace_back("p", "MeV", real);
    add(0, real, "chi2");
    for (const char* name : {"x", "y", "z"}) tables[0].columns.emplace_back(name, "mm", real);
    add(0, real, "tx", "ty");
    tables[0].columns.emplace_back("x_ut", "mm", real);
    add(0, real, "slope_ut");
    add(0, int64, "n_velo_hits", "n_ut_hits");
    add(1, int64, "event", "track", "lhcb_id", "in_ut");
    add(2, int64, "event", "run", "number");
    add(2, string, "name");
    add(2, int64, "n_tracks");
    return tables;
  }

  void add_rows(TableFile& tables, const lhcb::RawEvent& event, const lhcb::VeloUtResult& found) {
    const auto ids = detail::ids_of_tracks(found);
    for (std::size_t t = 0; t < ids.size(); ++t, ++n_tracks_) {
      const auto& track = found.ut_tracks[t];
      const auto& s = found.velo_tracks.states[track.velo_track];
      const auto& velo = ids[t].velo_ids;
      const auto& ut = ids[t].ut_ids;
      tables[0].add_row(events_, n_tracks_, event.run, event.number, track.velo_track, track.qop,
                        track.p(), track.chi2, s.x, s.y, s.z, s.tx, s.ty, track.x, track.slope,
                        velo.size(), ut.size());
      for (const auto id : velo) tables[1].add_row(events_, n_tracks_, id, 0);
      for (const auto id : ut) tables[1].add_row(events_, n_tracks_, id, 1);
    }
    tables[2].add_row(events_++, event.run, event.number,
                      std::filesystem::path(event.name).filename().string(), ids.size());
    tables.flush();
  }

  EventFile file_;
  std::size_t events_ = 0, n_tracks_ = 0;
};

}  // namespace trackplex::io
