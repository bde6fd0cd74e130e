// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/core/error.hpp>
#include <trackplex/io/detail/append_number.hpp>
#include <trackplex/io/detail/json_values.hpp>
#include <trackplex/lhcb/velo/velo_track_list.hpp>

#include <cstdint>
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

inline void append_hits(std::string& text, std::span<const std::uint16_t> hits) {
  for (std::size_t i = 0; i < hits.size(); ++i) {
    if (i > 0) text.push_back(',');
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
    append_hits(text, tracks[i]);
    text.push_back(']');
    if (!tracks.states.empty()) append_json_state(text, tracks.states[i]);
    text.push_back('}');
  }
  text.append("]}");
}

}  // namespace trackplex::io::detail
