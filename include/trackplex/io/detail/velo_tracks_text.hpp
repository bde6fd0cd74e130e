// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/core/error.hpp>
#include <trackplex/io/detail/json_values.hpp>
#include <trackplex/io/detail/text_file.hpp>
#include <trackplex/lhcb/velo_track_list.hpp>

#include <span>
#include <string>

namespace trackplex::io::detail {

/// The states must be as many as the tracks, or none.
inline void check_tracks(const std::string& event, const lhcb::VeloTrackList& tracks) {
  if (tracks.states.empty() || tracks.states.size() == tracks.size()) return;
  throw UsageError("VeloTrackFile::add", event + " has " + std::to_string(tracks.states.size()) +
                                             " states for " + std::to_string(tracks.size()) +
                                             " tracks");
}

/// Appends the hits of a track with a separator between them.
inline void append_hits(std::string& text, std::span<const std::uint16_t> hits, char separator) {
  for (std::size_t i = 0; i < hits.size(); ++i) {
    if (i > 0) text.push_back(separator);
    append_number(text, hits[i]);
  }
}

/// A string with quotes and escapes; bytes that are not UTF-8 are replaced.
inline std::string quoted_json(const std::string& text) {
  return Json(text).dump(-1, ' ', false, Json::error_handler_t::replace);
}

inline void append_json_state(std::string& text, const lhcb::VeloTrackState& state) {
  const auto append = [&](const char* name, auto value) {
    text.append(",\"").append(name).append("\":");
    append_number(text, value);
  };
  append("x", state.x);
  append("y", state.y);
  append("z", state.z);
  append("tx", state.tx);
  append("ty", state.ty);
  append("chi2", state.chi2);
  append("ndf", state.ndf);
  text.append(state.backward ? ",\"backward\":true" : ",\"backward\":false");
}

/// An event with its tracks in the JSON form.
inline void append_json_event(std::string& text, const std::string& name,
                              const lhcb::VeloTrackList& tracks) {
  text.append("{\"event\":").append(quoted_json(name)).append(",\"tracks\":[");
  for (std::size_t i = 0; i < tracks.size(); ++i) {
    text.append(i == 0 ? "{\"hits\":[" : ",{\"hits\":[");
    append_hits(text, tracks[i], ',');
    text.push_back(']');
    if (!tracks.states.empty()) append_json_state(text, tracks.states[i]);
    text.push_back('}');
  }
  text.append("]}");
}

/// A CSV field: quoted where it holds a comma, a quote or the end of a line (RFC 4180).
inline std::string quoted_csv(const std::string& text) {
  if (text.find_first_of(",\"\r\n") == text.npos) return text;
  std::string quoted = "\"";
  for (const char c : text) quoted.append(c == '"' ? 2 : 1, c);
  return quoted + '"';
}

constexpr const char* csv_header = "event,track,x,y,z,tx,ty,chi2,ndf,backward,hits\n";

/// The tracks of an event as lines of CSV; the state's fields are empty where there is none.
inline void append_csv_event(std::string& text, const std::string& event,
                             const lhcb::VeloTrackList& tracks) {
  const auto append = [&](auto value) {
    append_number(text, value);
    text.push_back(',');
  };
  const std::string name = quoted_csv(event);
  for (std::size_t i = 0; i < tracks.size(); ++i) {
    text.append(name).push_back(',');
    append(i);
    if (tracks.states.empty()) {
      text.append(",,,,,,,,");
    } else {
      const auto& s = tracks.states[i];
      for (const double value : {s.x, s.y, s.z, s.tx, s.ty, s.chi2}) append(value);
      append(s.ndf);
      append(s.backward ? 1 : 0);
    }
    append_hits(text, tracks[i], ' ');
    text.push_back('\n');
  }
}

}  // namespace trackplex::io::detail
