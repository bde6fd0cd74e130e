// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "output.hpp"

#include "input.hpp"

#include <trackplex/core/error.hpp>
#include <trackplex/program/file_metadata.hpp>
#include <trackplex/program/report.hpp>

#include <filesystem>
#include <utility>
#include <vector>

namespace lhcb_velo_ut {

namespace io = trackplex::io;
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

std::vector<io::Table> empty_tables(io::ColumnType real) {
  using enum io::ColumnType;
  return {
      {"tracks",
       {{"event", "", int64},
        {"track", "", int64},
        {"run", "", int64},
        {"number", "", int64},
        {"velo_track", "", int64},
        {"qop", "1/MeV", real},
        {"p", "MeV", real},
        {"chi2", "", real},
        {"x", "mm", real},
        {"y", "mm", real},
        {"z", "mm", real},
        {"tx", "", real},
        {"ty", "", real},
        {"x_ut", "mm", real},
        {"slope_ut", "", real},
        {"n_velo_hits", "", int64},
        {"n_ut_hits", "", int64}}},
      {"hits",
       {{"event", "", int64}, {"track", "", int64}, {"lhcb_id", "", int64}, {"in_ut", "", int64}}},
      {"events",
       {{"event", "", int64},
        {"run", "", int64},
        {"number", "", int64},
        {"name", "", string},
        {"n_tracks", "", int64}}}};
}

/// Says where the tracks are from; how many events there are is not known before the run.
io::Metadata metadata(const ProgramOptions& options) {
  auto input = describe(options, {});
  for (const char* key : {"events", "bad_events"}) input.erase(key);
  return trackplex::program::file_metadata("lhcb_velo_ut", options.common, input);
}

}  // namespace

ResultFile::ResultFile(const ProgramOptions& options, const std::string& path, Contents contents)
    : contents_(contents) {
  if (contents == Contents::tracks && !path.ends_with(".json")) {
    tables_.emplace(path, metadata(options), empty_tables(io::real_type(options.common.precision)));
    return;
  }
  json_.emplace(path).write("{\"events\":[");
}

void ResultFile::add(const lhcb::RawEvent& event, const EventResult& found) {
  if (tables_) {
    add_rows(event, found);
  } else {
    Json object = {{"event", event.name}, {"run", event.run}, {"number", event.number}};
    object.update(contents_ == Contents::tracks ? tracks_object(found) : event_object(found));
    json_->write((events_ == 0 ? "" : ",") + object.dump());
  }
  ++events_;
}

void ResultFile::add_rows(const lhcb::RawEvent& event, const EventResult& found) {
  auto& tables = *tables_;
  for (const auto& track : found.ut_tracks) {
    const auto& s = found.velo_tracks.states[track.velo_track];
    const auto velo = velo_ids(found, track.velo_track), ut = ut_ids(found, track);
    tables[0].add_row(events_, n_tracks_, event.run, event.number, track.velo_track, track.qop,
                      track.p(), track.chi2, s.x, s.y, s.z, s.tx, s.ty, track.x, track.slope,
                      velo.size(), ut.size());
    for (const auto id : velo) tables[1].add_row(events_, n_tracks_, id, 0);
    for (const auto id : ut) tables[1].add_row(events_, n_tracks_, id, 1);
    ++n_tracks_;
  }
  const auto name = std::filesystem::path(event.name).filename().string();
  tables[2].add_row(events_, event.run, event.number, name, found.ut_tracks.size());
  tables.flush();
}

void ResultFile::finish() {
  if (tables_) {
    tables_->finish();
    return;
  }
  json_->write("]}\n");
  json_->close();
}

}  // namespace lhcb_velo_ut
