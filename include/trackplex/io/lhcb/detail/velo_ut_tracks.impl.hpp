// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/io/lhcb/velo_ut_tracks.hpp>
#include <trackplex/validation/velo_ut_id_tracks.hpp>

#include <nlohmann/json.hpp>

#include <cstddef>
#include <filesystem>
#include <span>
#include <utility>
#include <vector>

namespace trackplex::io {

namespace detail {

inline std::vector<validation::IdTrack> ids_of_tracks(const lhcb::VeloUtResult& found) {
  return validation::velo_ut_id_tracks(found, validation::velo_id_tracks(found));
}

inline nlohmann::ordered_json vertices_json(std::span<const vertexing::Vertex> vertices) {
  auto list = nlohmann::ordered_json::array();
  for (const auto& vertex : vertices)
    list.push_back({{"x", vertex.position[0]},
                    {"y", vertex.position[1]},
                    {"z", vertex.position[2]},
                    {"covariance", vertex.covariance},
                    {"weight", vertex.weight},
                    {"tracks", vertex.tracks}});
  return list;
}

inline void add_vertex_rows(Table& table, std::size_t event,
                            std::span<const vertexing::Vertex> vertices) {
  for (std::size_t v = 0; v < vertices.size(); ++v) {
    const auto& vertex = vertices[v];
    const auto& p = vertex.position;
    const auto& c = vertex.covariance;
    table.add_row(event, v, p[0], p[1], p[2], c[0], c[1], c[2], c[3], c[4], c[5], vertex.weight,
                  vertex.tracks);
  }
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
                                                  Metadata metadata, ColumnType real,
                                                  bool with_vertices)
    : with_vertices_(with_vertices),
      file_(path, std::move(metadata), tables_of(real, with_vertices)) {}

TRACKPLEX_INLINE void VeloUtTrackFile::add(const lhcb::RawEvent& event,
                                           const lhcb::VeloUtResult& found,
                                           std::span<const vertexing::Vertex> vertices) {
  if (auto* const tables = file_.tables()) {
    add_rows(*tables, event, found, vertices);
  } else {
    using Dump = nlohmann::ordered_json::error_handler_t;
    auto json = velo_ut_tracks_json(event, found);
    if (with_vertices_) json["vertices"] = detail::vertices_json(vertices);
    file_.add(json.dump(-1, ' ', false, Dump::replace));
  }
}

TRACKPLEX_INLINE std::vector<Table> VeloUtTrackFile::tables_of(ColumnType real,
                                                               bool with_vertices) {
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
  if (!with_vertices) return tables;
  tables.push_back({"vertices", {}});
  add(3, int64, "event", "vertex");
  for (const char* name : {"x", "y", "z"}) tables[3].columns.emplace_back(name, "mm", real);
  for (const char* name : {"xx", "xy", "yy", "xz", "yz", "zz"})
    tables[3].columns.emplace_back(name, "mm^2", real);
  add(3, real, "weight");
  add(3, int64, "n_tracks");
  return tables;
}

TRACKPLEX_INLINE void VeloUtTrackFile::add_rows(TableFile& tables, const lhcb::RawEvent& event,
                                                const lhcb::VeloUtResult& found,
                                                std::span<const vertexing::Vertex> vertices) {
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
  if (with_vertices_) detail::add_vertex_rows(tables[3], events_, vertices);
  tables[2].add_row(events_++, event.run, event.number,
                    std::filesystem::path(event.name).filename().string(), ids.size());
  tables.flush();
}

}  // namespace trackplex::io
