// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/io/lhcb/velo_ut_tracks.hpp>
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

TRACKPLEX_INLINE nlohmann::ordered_json velo_ut_tracks_json(const lhcb::RawEvent& event,
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

TRACKPLEX_INLINE VeloUtTrackFile::VeloUtTrackFile(const std::filesystem::path& path,
                                                  Metadata metadata, ColumnType real)
    : file_(path, std::move(metadata), tables_of(real)) {}

TRACKPLEX_INLINE void VeloUtTrackFile::add(const lhcb::RawEvent& event,
                                           const lhcb::VeloUtResult& found) {
  if (auto* const tables = file_.tables()) {
    add_rows(*tables, event, found);
  } else {
    using Dump = nlohmann::ordered_json::error_handler_t;
    file_.add(velo_ut_tracks_json(event, found).dump(-1, ' ', false, Dump::replace));
  }
}

TRACKPLEX_INLINE std::vector<Table> VeloUtTrackFile::tables_of(ColumnType real) {
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

TRACKPLEX_INLINE void VeloUtTrackFile::add_rows(TableFile& tables, const lhcb::RawEvent& event,
                                                const lhcb::VeloUtResult& found) {
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

}  // namespace trackplex::io
