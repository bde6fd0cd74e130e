// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "output.hpp"

#include <trackplex/program/report.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>

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

/// {"events": [...]}, each event with its name and what `object` makes of it.
template <class Object>
std::string events_json(const Input& input, const Reconstruction& found, const Object& object) {
  Json events = Json::array();
  for (std::size_t e = 0; e < found.events.size(); ++e) {
    Json event = {{"event", input.events[e].name},
                  {"run", input.events[e].run},
                  {"number", input.events[e].number}};
    event.update(object(found.events[e]));
    events.push_back(std::move(event));
  }
  return Json{{"events", std::move(events)}}.dump() + "\n";
}

}  // namespace

std::string tracks_csv(const Input& input, const Reconstruction& found) {
  std::string text = "run,number,velo_track,qop,p,chi2,tx,ty,x_ut,slope_ut,velo_ids,ut_ids\n";
  for (std::size_t e = 0; e < found.events.size(); ++e) {
    const auto& event = found.events[e];
    for (const auto& track : event.ut_tracks) {
      const auto& state = event.velo_tracks.states[track.velo_track];
      text += fmt::format("{},{},{},{},{},{},{},{},{},{},{},{}\n", input.events[e].run,
                          input.events[e].number, track.velo_track, track.qop, track.p(),
                          track.chi2, state.tx, state.ty, track.x, track.slope,
                          fmt::join(velo_ids(event, track.velo_track), " "),
                          fmt::join(ut_ids(event, track), " "));
    }
  }
  return text;
}

std::string tracks_json(const Input& input, const Reconstruction& found) {
  return events_json(input, found, [](const EventResult& event) {
    Json tracks = Json::array();
    for (const auto& track : event.ut_tracks) tracks.push_back(track_object(event, track));
    return Json{{"tracks", std::move(tracks)}};
  });
}

std::string details_json(const Input& input, const Reconstruction& found) {
  return events_json(input, found, event_object);
}

}  // namespace lhcb_velo_ut
