// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/core/error.hpp>
#include <trackplex/io/detail/append_number.hpp>
#include <trackplex/io/display/phoenix_file.hpp>

#include <nlohmann/json.hpp>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace trackplex::io {

namespace detail {

/// The text of an event. Phoenix reads colours of tracks as 0xRRGGBB, those of round points as
/// #RRGGBB, and makes others black.
class PhoenixEvent {
 public:
  PhoenixEvent(const DisplayEvent& event, const std::string& name, std::size_t number)
      : event_(event) {
    text_ = quoted(name) + ": {\"event number\": " + std::to_string(event.number.value_or(number)) +
            ", \"run number\": " + std::to_string(event.run.value_or(1));
    lists(
        "Tracks", event.tracks, [](const DisplayTracks& list) { return list.tracks.size(); },
        [this](const DisplayTracks& list) { add_tracks(list); });
    lists(
        "Hits", event.hits, [](const DisplayPoints& list) { return list.points.size(); },
        [this](const DisplayPoints& list) { add_hits(list); });
    lists(
        "Vertices", event.vertices, [](const DisplayPoints& list) { return list.points.size(); },
        [this](const DisplayPoints& list) { add_vertices(list); });
    text_ += "}";
  }

  const std::string& text() const { return text_; }
  std::size_t left_out() const { return left_out_; }

 private:
  static std::string quoted(const std::string& text) {
    return nlohmann::json(text).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
  }
  static std::string color(const char* prefix, std::uint32_t rgb) {
    char text[16];
    std::snprintf(text, sizeof text, "\"%s%06x\"", prefix, unsigned(rgb & 0xffffffu));
    return text;
  }

  /// An object of lists by their names.
  template <class List, class Size, class Add>
  void lists(const char* type, const std::vector<List>& all, const Size& size, const Add& add) {
    std::string separator;
    for (const auto& list : all) {
      if (!names_.insert(list.name).second)
        refuse("has two lists of the name " + quoted(list.name), "give each its own name");
      if (size(list) == 0) continue;
      text_ += separator.empty() ? ", " + quoted(type) + ": {" : separator;
      text_ += quoted(list.name) + ": [";
      name_ = list.name;
      add(list);
      text_ += "\n]";
      separator = ", ";
    }
    if (!separator.empty()) text_ += "}";
  }

  void add_tracks(const DisplayTracks& list) {
    bool is_first = true;
    for (const auto& track : list.tracks) {
      if (track.points.size() < 2) {
        ++left_out_;
        continue;
      }
      text_ += std::exchange(is_first, false) ? "\n{" : ",\n{";
      text_ += "\"color\": " + color("0x", list.color) + ", \"linewidth\": ";
      number(list.diameter / 2.);
      for (const auto& [name, value] : track.values) {
        text_ += ", " + quoted(name) + ": ";
        number(value);
      }
      text_ += ", \"pos\": [";
      point(track.points.front());
      if (track.points.size() == 2) {
        DisplayPoint middle{};
        for (std::size_t k = 0; k < 3; ++k)
          middle[k] = track.points[0][k] + (track.points[1][k] - track.points[0][k]) / 2.;
        text_ += ", ";
        point(middle);
      }
      for (std::size_t i = 1; i < track.points.size(); ++i) {
        text_ += ", ";
        point(track.points[i]);
      }
      text_ += "]}";
    }
  }

  void add_hits(const DisplayPoints& list) {
    for (std::size_t i = 0; i < list.points.size(); ++i) {
      text_ += i == 0 ? "\n" : ",\n";
      text_ +=
          "{\"type\": \"CircularPoint\", \"color\": " + color("#", list.color) + ", \"size\": ";
      number(list.size);
      text_ += ", \"pos\": ";
      point(list.points[i]);
      text_ += "}";
    }
  }

  void add_vertices(const DisplayPoints& list) {
    for (std::size_t i = 0; i < list.points.size(); ++i) {
      text_ += i == 0 ? "\n{" : ",\n{";
      for (std::size_t k = 0; k < 3; ++k) {
        text_ += std::string("\"") + "xyz"[k] + "\": ";
        number(list.points[i][k]);
        text_ += ", ";
      }
      text_ += "\"size\": ";
      number(list.size);
      text_ += ", \"color\": " + color("#", list.color) + "}";
    }
  }

  void point(const DisplayPoint& p) {
    text_ += "[";
    number(p[0]);
    for (const double x : {p[1], p[2]}) {
      text_ += ",";
      number(x);
    }
    text_ += "]";
  }
  void number(double value) {
    const float rounded = float(value);
    if (!std::isfinite(rounded))
      refuse("has a number that is not finite in the list " + quoted(name_),
             "leave out what has none");
    append_number(text_, rounded);
  }

  [[noreturn]] void refuse(const std::string& problem, const std::string& remedy) const {
    throw UsageError("PhoenixFile", "the event " + quoted(event_.name) + " " + problem, {}, remedy);
  }

  const DisplayEvent& event_;
  std::string text_, name_;
  std::set<std::string> names_;
  std::size_t left_out_ = 0;
};

}  // namespace detail

TRACKPLEX_INLINE PhoenixFile::PhoenixFile(const std::filesystem::path& path) : file_(path) {
  file_.write("{");
}

TRACKPLEX_INLINE void PhoenixFile::add(const DisplayEvent& event) {
  const std::size_t number = events_ + 1;
  std::string name = event.name;
  while (names_.contains(name)) name += " (" + std::to_string(number) + ")";
  const detail::PhoenixEvent written(event, name, number);
  file_.write(events_ == 0 ? "\n" : ",\n");
  file_.write(written.text());
  names_.insert(name);
  events_ = number;
  left_out_ += written.left_out();
}

TRACKPLEX_INLINE void PhoenixFile::finish() {
  file_.write("\n}\n");
  file_.close();
}

}  // namespace trackplex::io
