// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/io/detail/json_values.hpp>
#include <trackplex/io/velo_event_tracks.hpp>

#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace trackplex::io::detail {

/// Reads the JSON form of tracks.
class VeloTracksReader {
 public:
  VeloTracksReader(std::string_view text, std::string name)
      : name_(std::move(name)), document_(parse_json(text, name_)) {}

  std::vector<VeloEventTracks> read() const {
    const auto here = place({});
    const Json& list =
        as_array(member(as_object(document_, here), "events", here), place("events"));
    std::vector<VeloEventTracks> events;
    events.reserve(list.size());
    for (const Json& event : list) {
      events.push_back(read_event(event, "events[" + std::to_string(events.size()) + "]"));
    }
    return events;
  }

 private:
  FieldPlace place(std::string field) const { return {name_, std::move(field)}; }

  VeloEventTracks read_event(const Json& event, const std::string& field) const {
    as_object(event, place(field));
    VeloEventTracks result;
    const Json& name = member(event, "event", place(field));
    if (!name.is_string()) throw_wrong_type(name, place(field + ".event"), "a name");
    result.event = name.get<std::string>();
    const std::string tracks_field = field + ".tracks";
    const Json& tracks = as_array(member(event, "tracks", place(field)), place(tracks_field));
    for (std::size_t i = 0; i < tracks.size(); ++i) {
      read_track(tracks[i], tracks_field + "[" + std::to_string(i) + "]", result.tracks);
    }
    return result;
  }

  void read_track(const Json& track, const std::string& field, lhcb::VeloTrackList& list) const {
    as_object(track, place(field));
    const std::string hits_field = field + ".hits";
    std::vector<std::uint16_t> hits;
    for (const Json& hit : as_array(member(track, "hits", place(field)), place(hits_field))) {
      const auto where = [&] { return InputPlace{name_, hits_field, hits.size()}; };
      hits.push_back(static_cast<std::uint16_t>(
          as_integer(hit, where, 0, std::numeric_limits<std::uint16_t>::max())));
    }
    const bool has_state = track.contains("x");
    if (list.size() > 0 && has_state == list.states.empty()) {
      throw InputError({name_, field}, has_state ? "has a state" : "has no state",
                       "unlike the tracks before it");
    }
    if (has_state) {
      list.push_back(hits, read_state(track, field));
    } else {
      list.push_back(hits);
    }
  }

  lhcb::VeloTrackState read_state(const Json& track, const std::string& field) const {
    const auto number = [&](const char* name) {
      const Json& value = member(track, name, place(field));
      if (value.is_null()) return std::numeric_limits<double>::quiet_NaN();
      return as_number(value, place(field + "." + name));
    };
    lhcb::VeloTrackState state;
    state.x = number("x");
    state.y = number("y");
    state.z = number("z");
    state.tx = number("tx");
    state.ty = number("ty");
    state.chi2 = number("chi2");
    constexpr std::int64_t limit = std::numeric_limits<int>::max();
    state.ndf = static_cast<int>(
        as_integer(member(track, "ndf", place(field)), place(field + ".ndf"), -limit, limit));
    state.backward = as_flag(member(track, "backward", place(field)), place(field + ".backward"));
    return state;
  }

  std::string name_;
  Json document_;
};

}  // namespace trackplex::io::detail
