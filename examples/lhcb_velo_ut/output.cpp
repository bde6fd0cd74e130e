// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "output.hpp"

#include <trackplex/program/report.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <utility>
#include <vector>

namespace lhcb_velo_ut {

namespace lhcb = trackplex::lhcb;
using trackplex::program::Json;

namespace {

std::vector<std::uint32_t> velo_ids(const EventResult& event, std::size_t track) {
  std::vector<std::uint32_t> ids;
  for (const auto hit : event.velo_tracks[track]) ids.push_back(event.velo_hits.ids[hit]);
  return ids;
}

std::vector<std::uint32_t> ut_ids(const EventResult& event, const lhcb::UtTrack& track) {
  std::vector<std::uint32_t> ids;
  for (const auto hit : track.hits)
    if (hit >= 0) ids.push_back(event.ut_hits.ids[hit]);
  return ids;
}

Json track_object(const EventResult& event, const lhcb::UtTrack& track) {
  const auto& state = event.velo_tracks.states[track.velo_track];
  return {{"velo_track", track.velo_track},
          {"qop", track.qop},
          {"p", track.p()},
          {"chi2", track.chi2},
          {"tx", state.tx},
          {"ty", state.ty},
          {"x_ut", track.x},
          {"slope_ut", track.slope},
          {"velo_ids", velo_ids(event, track.velo_track)},
          {"ut_ids", ut_ids(event, track)}};
}

Json velo_track_object(const EventResult& event, std::size_t t) {
  const auto& s = event.velo_tracks.states[t];
  return {{"hits", event.velo_tracks[t]},
          {"x", s.x},
          {"y", s.y},
          {"z", s.z},
          {"tx", s.tx},
          {"ty", s.ty},
          {"chi2", s.chi2},
          {"ndf", s.ndf},
          {"backward", s.backward}};
}

Json windows_object(const lhcb::UtTrackWindows& windows) {
  Json layers = Json::array();
  for (const auto& layer : windows.layers) {
    Json groups = Json::array();
    for (const auto& window : layer) groups.push_back(Json::array({window.first, window.size}));
    layers.push_back(std::move(groups));
  }
  return {{"velo_track", windows.velo_track}, {"first_and_size", std::move(layers)}};
}

Json event_object(const EventResult& event) {
  const auto& velo = event.velo_hits;
  const auto& ut = event.ut_hits;
  Json velo_tracks = Json::array(), windows = Json::array(), tracks = Json::array();
  for (std::size_t t = 0; t < event.velo_tracks.size(); ++t)
    velo_tracks.push_back(velo_track_object(event, t));
  for (const auto& found : event.windows) windows.push_back(windows_object(found));
  for (const auto& track : event.ut_tracks) {
    tracks.push_back(track_object(event, track));
    tracks.back()["hits"] = track.hits;
  }
  return {{"velo_hits", {{"id", velo.ids}, {"x", velo.x}, {"y", velo.y}, {"z", velo.z}}},
          {"ut_hits",
           {{"id", ut.ids},
            {"x", ut.x},
            {"z", ut.z},
            {"y_begin", ut.y_begin},
            {"y_end", ut.y_end},
            {"layer_offsets", ut.layer_offsets}}},
          {"velo_tracks", std::move(velo_tracks)},
          {"windows", std::move(windows)},
          {"tracks", std::move(tracks)}};
}

Json tracks_object(const EventResult& event) {
  Json tracks = Json::array();
  for (const auto& track : event.ut_tracks) tracks.push_back(track_object(event, track));
  return {{"tracks", std::move(tracks)}};
}

std::string csv_lines(const lhcb::RawEvent& event, const EventResult& found) {
  std::string text;
  for (const auto& track : found.ut_tracks) {
    const auto& state = found.velo_tracks.states[track.velo_track];
    text += fmt::format("{},{},{},{},{},{},{},{},{},{},{},{}\n", event.run, event.number,
                        track.velo_track, track.qop, track.p(), track.chi2, state.tx, state.ty,
                        track.x, track.slope, fmt::join(velo_ids(found, track.velo_track), " "),
                        fmt::join(ut_ids(found, track), " "));
  }
  return text;
}

}  // namespace

ResultFile::ResultFile(const std::string& path, Contents contents)
    : contents_(contents),
      csv_(contents == Contents::tracks && path.ends_with(".csv")),
      file_(path) {
  file_.write(csv_ ? "run,number,velo_track,qop,p,chi2,tx,ty,x_ut,slope_ut,velo_ids,ut_ids\n"
                   : "{\"events\":[");
}

void ResultFile::add(const lhcb::RawEvent& event, const EventResult& found) {
  if (csv_) {
    file_.write(csv_lines(event, found));
  } else {
    Json object = {{"event", event.name}, {"run", event.run}, {"number", event.number}};
    object.update(contents_ == Contents::tracks ? tracks_object(found) : event_object(found));
    file_.write((is_first_ ? "" : ",") + object.dump());
  }
  is_first_ = false;
}

void ResultFile::finish() {
  if (!csv_) file_.write("]}\n");
  file_.close();
}

}  // namespace lhcb_velo_ut
