// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/io/lhcb/velo_ut_tracks.hpp>
#include <trackplex/lhcb/fit/impact_parameter.hpp>
#include <trackplex/validation/long_id_tracks.hpp>
#include <trackplex/validation/velo_ut_id_tracks.hpp>
#include <trackplex/vertexing/vertices.hpp>

#include <nlohmann/json.hpp>

#include <cmath>
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

inline std::vector<validation::IdTrack> ids_of_long_tracks(const lhcb::TracksResult& found) {
  return validation::long_id_tracks(found, validation::velo_id_tracks(found));
}

/// Impact parameter of a fit to the vertices of its event; zero without vertices.
struct FitImpact {
  lhcb::ImpactParameter ip{};
  int vertex = -1;
  double x_error = 0., y_error = 0., chi2 = 0.;

  FitImpact(const lhcb::LongTrackFit& fit, std::span<const vertexing::Vertex> vertices) {
    const auto least = lhcb::least_impact_parameter(fit, vertices);
    if (!least) return;
    ip = *least;
    vertex = int(ip.vertex);
    x_error = std::sqrt(ip.xx);
    y_error = std::sqrt(ip.yy);
    chi2 = ip.chi2();
  }
};

inline nlohmann::ordered_json fit_json(const lhcb::LongTrackFit& fit,
                                       std::span<const vertexing::Vertex> vertices) {
  const FitImpact impact(fit, vertices);
  return {{"x", fit.x},
          {"y", fit.y},
          {"z", fit.z},
          {"tx", fit.tx},
          {"ty", fit.ty},
          {"qop", fit.qop},
          {"p", fit.p()},
          {"covariance", fit.covariance},
          {"chi2", fit.chi2},
          {"ndf", fit.ndf},
          {"vertex", impact.vertex},
          {"ip_x", impact.ip.x},
          {"ip_x_error", impact.x_error},
          {"ip_y", impact.ip.y},
          {"ip_y_error", impact.y_error},
          {"ip_chi2", impact.chi2}};
}

inline void add_fit_rows(Table& table, std::size_t event, std::size_t first,
                         const lhcb::TracksResult& found) {
  for (std::size_t t = 0; t < found.long_fits.size(); ++t) {
    const auto& fit = found.long_fits[t];
    const auto& c = fit.covariance;
    const FitImpact impact(fit, found.vertices);
    table.add_row(event, first + t, fit.x, fit.y, fit.z, fit.tx, fit.ty, fit.qop, fit.p(), c[0],
                  c[1], c[2], c[3], c[4], c[5], c[6], c[7], c[8], c[9], c[10], c[11], c[12], c[13],
                  c[14], fit.chi2, fit.ndf, impact.vertex, impact.ip.x, impact.x_error, impact.ip.y,
                  impact.y_error, impact.chi2);
  }
}

inline nlohmann::ordered_json long_tracks_json(const lhcb::TracksResult& found, bool with_fits) {
  auto list = nlohmann::ordered_json::array();
  const auto ids = ids_of_long_tracks(found);
  for (std::size_t t = 0; t < ids.size(); ++t) {
    const auto& track = found.long_tracks[t];
    list.push_back({{"velo_track", track.velo_track},
                    {"ut_track", track.ut_track},
                    {"qop", track.qop},
                    {"p", track.p()},
                    {"quality", track.quality},
                    {"x", track.x},
                    {"y", track.y},
                    {"tx", track.tx},
                    {"ty", track.ty},
                    {"velo_ids", ids[t].velo_ids},
                    {"ut_ids", ids[t].ut_ids},
                    {"scifi_ids", ids[t].scifi_ids}});
    if (with_fits && t < found.long_fits.size())
      list.back()["fit"] = fit_json(found.long_fits[t], found.vertices);
  }
  return list;
}

/// Adds rows to the tables of long tracks and of their hits; `first` is the number of the first
/// track.
inline void add_long_rows(Table& tracks, Table& hits, std::size_t event, std::size_t first,
                          const lhcb::TracksResult& found) {
  const auto ids = ids_of_long_tracks(found);
  for (std::size_t t = 0; t < ids.size(); ++t) {
    const auto& track = found.long_tracks[t];
    const auto& [velo, ut, eta, p, charge, scifi] = ids[t];
    tracks.add_row(event, first + t, track.velo_track, track.ut_track, track.qop, p, track.quality,
                   track.x, track.y, track.tx, track.ty, velo.size(), ut.size(), scifi.size());
    for (const auto id : velo) hits.add_row(event, first + t, id, 0);
    for (const auto id : ut) hits.add_row(event, first + t, id, 1);
    for (const auto id : scifi) hits.add_row(event, first + t, id, 2);
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
                                                  const FurtherTables& further)
    : further_(further), file_(path, std::move(metadata), tables_of(real, further)) {}

TRACKPLEX_INLINE void VeloUtTrackFile::add(const lhcb::RawEvent& event,
                                           const lhcb::TracksResult& found) {
  if (auto* const tables = file_.tables()) {
    add_rows(*tables, event, found);
  } else {
    using Dump = nlohmann::ordered_json::error_handler_t;
    auto json = velo_ut_tracks_json(event, found);
    if (further_.vertices) json["vertices"] = detail::vertices_json(found.vertices);
    if (further_.long_tracks)
      json["long_tracks"] = detail::long_tracks_json(found, further_.long_fits);
    file_.add(json.dump(-1, ' ', false, Dump::replace));
  }
}

TRACKPLEX_INLINE std::vector<Table> VeloUtTrackFile::tables_of(ColumnType real,
                                                               const FurtherTables& further) {
  using enum ColumnType;
  std::vector<Table> tables;
  const auto add = [&](ColumnType type, const char* unit, auto... names) {
    (tables.back().columns.emplace_back(names, unit, type), ...);
  };
  const auto begin = [&](const char* name) { tables.push_back({name, {}}); };
  begin("tracks");
  add(int64, "", "event", "track", "run", "number", "velo_track");
  add(real, "1/MeV", "qop");
  add(real, "MeV", "p");
  add(real, "", "chi2");
  add(real, "mm", "x", "y", "z");
  add(real, "", "tx", "ty");
  add(real, "mm", "x_ut");
  add(real, "", "slope_ut");
  add(int64, "", "n_velo_hits", "n_ut_hits");
  begin("hits");
  add(int64, "", "event", "track", "lhcb_id", "in_ut");
  begin("events");
  add(int64, "", "event", "run", "number");
  add(string, "", "name");
  add(int64, "", "n_tracks");
  if (further.vertices) {
    begin("vertices");
    add(int64, "", "event", "vertex");
    add(real, "mm", "x", "y", "z");
    add(real, "mm^2", "xx", "xy", "yy", "xz", "yz", "zz");
    add(real, "", "weight");
    add(int64, "", "n_tracks");
  }
  if (!further.long_tracks) return tables;
  begin("long_tracks");
  add(int64, "", "event", "track", "velo_track", "ut_track");
  add(real, "1/MeV", "qop");
  add(real, "MeV", "p");
  add(real, "", "quality");
  add(real, "mm", "x", "y");
  add(real, "", "tx", "ty");
  add(int64, "", "n_velo_hits", "n_ut_hits", "n_scifi_hits");
  begin("long_hits");
  add(int64, "", "event", "track", "lhcb_id", "detector");
  if (!further.long_fits) return tables;
  begin("long_fits");
  add(int64, "", "event", "track");
  add(real, "mm", "x", "y", "z");
  add(real, "", "tx", "ty");
  add(real, "1/MeV", "qop");
  add(real, "MeV", "p");
  add(real, "mm^2", "cov_x_x", "cov_y_x", "cov_y_y");
  add(real, "mm", "cov_tx_x", "cov_tx_y");
  add(real, "", "cov_tx_tx");
  add(real, "mm", "cov_ty_x", "cov_ty_y");
  add(real, "", "cov_ty_tx", "cov_ty_ty");
  add(real, "mm/MeV", "cov_qop_x", "cov_qop_y");
  add(real, "1/MeV", "cov_qop_tx", "cov_qop_ty");
  add(real, "1/MeV^2", "cov_qop_qop");
  add(real, "", "chi2");
  add(int64, "", "ndf", "vertex");
  add(real, "mm", "ip_x", "ip_x_error", "ip_y", "ip_y_error");
  add(real, "", "ip_chi2");
  return tables;
}

TRACKPLEX_INLINE void VeloUtTrackFile::add_rows(TableFile& tables, const lhcb::RawEvent& event,
                                                const lhcb::TracksResult& found) {
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
  if (further_.vertices) detail::add_vertex_rows(tables[3], events_, found.vertices);
  if (further_.long_tracks) {
    const std::size_t table = further_.vertices ? 4 : 3;
    detail::add_long_rows(tables[table], tables[table + 1], events_, n_long_tracks_, found);
    if (further_.long_fits) detail::add_fit_rows(tables[table + 2], events_, n_long_tracks_, found);
    n_long_tracks_ += found.long_tracks.size();
  }
  tables[2].add_row(events_++, event.run, event.number,
                    std::filesystem::path(event.name).filename().string(), ids.size());
  tables.flush();
}

}  // namespace trackplex::io
