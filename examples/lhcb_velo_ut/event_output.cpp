// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "results.hpp"

#include <common/plots.hpp>
#include <trackplex/io/lhcb/velo_ut_tracks.hpp>
#include <trackplex/lhcb/scifi/forward_magnet.hpp>
#include <trackplex/lhcb/scifi/long_track_list.hpp>
#include <trackplex/lhcb/ut/p_kick_fit.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <utility>
#include <vector>

namespace lhcb_velo_ut {

using program::Coordinates;
using program::Json;

namespace {

Json object_of(const lhcb::UtTrackWindows& windows) {
  Json layers = Json::array();
  for (const auto& layer : windows.layers) {
    auto& groups = layers.emplace_back(Json::array());
    for (const auto& window : layer) groups.push_back(Json::array({window.first, window.size}));
  }
  return {{"velo_track", windows.velo_track}, {"first_and_size", std::move(layers)}};
}

Json object_of(const lhcb::VeloTrackState& s) {
  return {{"x", s.x},   {"y", s.y},       {"z", s.z},     {"tx", s.tx},
          {"ty", s.ty}, {"chi2", s.chi2}, {"ndf", s.ndf}, {"backward", s.backward}};
}

/// Kinds of tracks and hits. A hit of several tracks is of the first kind.
enum Kind { with_ut_hits, forward, backward, none };
constexpr std::array kinds = {
    std::pair("tracks with UT hits", 0), std::pair("forward tracks without them", 1),
    std::pair("backward tracks", 2), std::pair("hits on no track", 7)};  // and colours

/// What is seen from the side: lines and points of each kind.
struct View {
  std::array<Coordinates, kinds.size()> lines, points;
  Coordinates background, vertices;

  Json panel(const char* title, double begin, double end, double half_width,
             const char* behind) const {
    Json series = Json::array({background.background(behind)});
    for (int k = none; k >= 0; --k) {
      const auto& [name, color] = kinds[k];
      if (!lines[k].empty()) series.push_back(lines[k].series(name, "segments", color));
      const char* const label = lines[k].empty() ? name : "";
      if (!points[k].empty()) series.push_back(points[k].series(label, "dots", color));
    }
    if (!vertices.empty()) series.push_back(vertices.series("vertices", "points", 3));
    return {{"title", title},
            {"x", {{"label", "z [mm]"}, {"range", {begin, end}}}},
            {"y", {{"label", "x [mm]"}, {"range", {-half_width, half_width}}}},
            {"series", std::move(series)}};
  }
};

double x_of(const lhcb::VeloTrackState& s, double z) { return s.x + s.tx * (z - s.z); }

/// The tracks from the beam to their farthest hits, or out of the VELO.
Json velo(const lhcb::Detector& detector, const lhcb::TracksResult& event,
          const std::vector<Kind>& kind_of_track) {
  constexpr double end = 800., half_width = 60.;  // mm
  const auto& hits = event.velo_hits;
  View view;
  for (const double z : detector.velo.module_z)
    view.background.add_segment(z, -half_width, z, half_width);
  std::vector<Kind> kind_of_hit(hits.size(), none);
  for (std::size_t t = 0; t < kind_of_track.size(); ++t) {
    const auto& s = event.velo_tracks.states[t];
    const auto on_track = event.velo_tracks[t];
    const double z = s.backward ? std::min(hits.z[on_track.front()], hits.z[on_track.back()]) : end;
    view.lines[kind_of_track[t]].add_segment(s.z, s.x, z, x_of(s, z));
    for (const auto hit : on_track) kind_of_hit[hit] = std::min(kind_of_hit[hit], kind_of_track[t]);
  }
  for (std::size_t i = 0; i < hits.size(); ++i)
    view.points[kind_of_hit[i]].add(hits.z[i], hits.x[i]);
  for (const auto& vertex : event.vertices)
    view.vertices.add(vertex.position[2], vertex.position[0]);
  return view.panel("VELO", -320., end, half_width, "modules");
}

/// From the magnet's field, which is one kink, through the UT.
Json flight_to_ut(const lhcb::Detector& detector, const lhcb::TracksResult& event,
                  const std::vector<Kind>& kind_of_track) {
  constexpr double begin = 1700., end = 2680., half_width = 910.;  // mm
  constexpr double kink = lhcb::ut_z_kink, middle = lhcb::ut_z_middle;
  const auto& hits = event.ut_hits;
  View view;
  view.background.add_segment(kink, -half_width, kink, half_width);
  std::vector<double> y_of_hit(hits.size());
  for (std::size_t i = 0; i < hits.size(); ++i)
    y_of_hit[i] = (hits.y_begin[i] + hits.y_end[i]) / 2.;
  std::vector<Kind> kind_of_hit(hits.size(), none);
  for (std::size_t t = 0; t < kind_of_track.size(); ++t)
    if (const auto& s = event.velo_tracks.states[t]; kind_of_track[t] == forward)
      view.lines[forward].add_segment(begin, x_of(s, begin), end, x_of(s, end));
  for (const auto& track : event.ut_tracks) {
    const auto& s = event.velo_tracks.states[track.velo_track];
    auto& lines = view.lines[with_ut_hits];
    lines.add_segment(begin, x_of(s, begin), kink, x_of(s, kink));
    lines.add_segment(kink, x_of(s, kink), middle, track.x);
    lines.add_segment(middle, track.x, end, track.x + track.slope * (end - middle));
    for (const auto hit : track.hits) {
      if (hit < 0) continue;
      kind_of_hit[hit] = with_ut_hits;
      y_of_hit[hit] = s.y + s.ty * (hits.z[hit] - s.z);
    }
  }
  for (int layer = 0; layer < lhcb::ut_layers; ++layer) {
    const double z = detector.ut.z[lhcb::ut_region_offsets[layer * lhcb::ut_regions]];
    view.background.add_segment(z, -half_width, z, half_width);
    for (auto i = hits.layer_offsets[layer]; i < hits.layer_offsets[layer + 1]; ++i)
      view.points[kind_of_hit[i]].add(hits.z[i], hits.x[i] + lhcb::ut_dxdy[layer] * y_of_hit[i]);
  }
  return view.panel("Magnet and UT", begin, end, half_width,
                    "one kink in the magnet, layers X, U, V, X");
}

/// Hits of UT and SciFi, those on no long track where they are at y = 0, and the long tracks:
/// straight to the middle of the magnet and from there to the end of the SciFi.
Json spectrometer(const lhcb::TracksResult& event) {
  constexpr double begin = -320., end = 9500., half_width = 3200.;  // mm
  constexpr double middle = lhcb::forward_z_magnet;
  const auto& hits = event.scifi_hits;
  Coordinates magnet, lines, used, others, ut;
  magnet.add_segment(middle, -half_width, middle, half_width);
  std::vector<bool> on_track(hits.size(), false);
  for (const auto& track : event.long_tracks) {
    const auto& s = event.velo_tracks.states[track.velo_track];
    lines.add_segment(s.z, s.x, middle, x_of(s, middle));
    lines.add_segment(middle, x_of(s, middle), lhcb::scifi_end_z, track.x);
    for (int layer = 0; layer < lhcb::scifi_layers; ++layer) {
      const auto hit = track.hits[layer];
      if (hit < 0) continue;
      const double y = track.y + track.ty * (hits.z[hit] - lhcb::scifi_end_z);
      used.add(hits.z[hit], hits.x[hit] + lhcb::scifi_dxdy[layer] * y);
      on_track[hit] = true;
    }
  }
  for (std::size_t i = 0; i < hits.size(); ++i)
    if (!on_track[i]) others.add(hits.z[i], hits.x[i]);
  for (std::size_t i = 0; i < event.ut_hits.size(); ++i)
    ut.add(event.ut_hits.z[i], event.ut_hits.x[i]);
  auto panel = program::panel(
      "z [mm]", "x [mm]",
      {magnet.background("middle of the magnet"), others.series("hits on no long track", "dots", 7),
       ut.series("UT hits", "dots", 5), lines.series("long tracks", "segments", 0),
       used.series("", "dots", 0)});
  panel["title"] = "Spectrometer";
  panel["x"]["range"] = {begin, end};
  panel["y"]["range"] = {-half_width, half_width};
  return panel;
}

}  // namespace

std::string details_of(const lhcb::RawEvent& event, const lhcb::TracksResult& found,
                       bool has_long_tracks) {
  Json json = io::velo_ut_tracks_json(event, found);
  for (std::size_t t = 0; t < found.ut_tracks.size(); ++t)
    json["tracks"][t]["hits"] = found.ut_tracks[t].hits;
  const auto& velo = found.velo_hits;
  json["velo_hits"] = {{"id", velo.ids}, {"x", velo.x}, {"y", velo.y}, {"z", velo.z}};
  const auto& ut = found.ut_hits;
  json["ut_hits"] = {{"id", ut.ids},      {"x", ut.x},
                     {"z", ut.z},         {"y_begin", ut.y_begin},
                     {"y_end", ut.y_end}, {"layer_offsets", ut.layer_offsets}};
  if (const auto& scifi = found.scifi_hits; has_long_tracks)
    json["scifi_hits"] = {{"id", scifi.ids},
                          {"x", scifi.x},
                          {"z", scifi.z},
                          {"y_begin", scifi.y_begin},
                          {"y_end", scifi.y_end},
                          {"cluster_size", scifi.cluster_size},
                          {"zone_offsets", scifi.zone_offsets}};
  if (has_long_tracks) json["long_tracks"] = Json::array();
  for (const auto& track : found.long_tracks)
    json["long_tracks"].push_back({{"velo_track", track.velo_track},
                                   {"ut_track", track.ut_track},
                                   {"hits", track.hits},
                                   {"qop", track.qop},
                                   {"quality", track.quality}});
  json["velo_tracks"] = json["windows"] = Json::array();
  for (std::size_t t = 0; t < found.velo_tracks.size(); ++t) {
    json["velo_tracks"].push_back(object_of(found.velo_tracks.states[t]));
    json["velo_tracks"].back()["hits"] = found.velo_tracks[t];
  }
  for (const auto& windows : found.windows) json["windows"].push_back(object_of(windows));
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

Json event_display(const lhcb::Detector& detector, const lhcb::RawEvent& raw,
                   const lhcb::TracksResult& event) {
  std::vector<Kind> kinds(event.velo_tracks.size(), forward);
  for (std::size_t t = 0; t < kinds.size(); ++t)
    if (event.velo_tracks.states[t].backward) kinds[t] = backward;
  for (const auto& track : event.ut_tracks) kinds[track.velo_track] = with_ut_hits;
  auto title =
      fmt::format("{}: {} VELO hits, {} UT hits, {} VELO tracks, {} with UT hits",
                  std::filesystem::path(raw.name).filename().string(), event.velo_hits.size(),
                  event.ut_hits.size(), event.velo_tracks.size(), event.ut_tracks.size());
  Json panels = {velo(detector, event, kinds), flight_to_ut(detector, event, kinds)};
  if (event.scifi_hits.size() > 0) {
    title += fmt::format(", {} long tracks", event.long_tracks.size());
    panels.push_back(spectrometer(event));
  }
  return program::plot("event", title, 2, std::move(panels));
}

}  // namespace lhcb_velo_ut
