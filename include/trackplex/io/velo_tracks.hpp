// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// @file
/// VELO tracks of some events as JSON or CSV. The JSON form is
/// {"events":[{"event":name,"tracks":[{"hits":[...],"x":mm,"y":mm,"z":mm,"tx":,"ty":,"chi2":,
/// "ndf":,"backward":bool}, ...]}, ...]}; tracks without a state have `hits` only, and a number
/// that is not finite is null. CSV has one line per track, its hits separated by blanks.

#include <trackplex/io/detail/text_file.hpp>
#include <trackplex/io/detail/velo_tracks_reader.hpp>
#include <trackplex/io/detail/velo_tracks_text.hpp>
#include <trackplex/io/velo_event_tracks.hpp>

#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace trackplex::io {

/// Writes tracks to a file, as JSON or CSV by its extension (.json, .csv).
/// @throws UsageError for another extension, Error if the file cannot be written
inline void write_velo_tracks(const std::filesystem::path& path,
                              std::span<const VeloEventTracks> events) {
  const bool csv = path.extension() == ".csv";
  if (!csv && path.extension() != ".json") {
    throw UsageError(path.string(), "unknown kind of file for tracks", {}, "name it .json or .csv");
  }
  for (const auto& event : events) detail::check_tracks(event);
  std::ofstream file = detail::open_for_writing(path);
  const std::string text = csv ? detail::tracks_csv(events) : detail::tracks_json(events);
  file.write(text.data(), static_cast<std::streamsize>(text.size()));
  detail::finish_writing(file, path);
}

/// Reads tracks from the text of the JSON form; `name` is the place in messages.
inline std::vector<VeloEventTracks> parse_velo_tracks(std::string_view text, std::string name) {
  return detail::VeloTracksReader(text, std::move(name)).read();
}

/// Reads tracks from a JSON file that write_velo_tracks made, or another program in that form.
inline std::vector<VeloEventTracks> read_velo_tracks(const std::filesystem::path& path) {
  return parse_velo_tracks(detail::read_text_file(path), path.string());
}

}  // namespace trackplex::io
