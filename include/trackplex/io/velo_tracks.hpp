// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// @file
/// VELO tracks of some events as JSON or CSV. The JSON form is
/// {"events":[{"event":name,"tracks":[{"hits":[...],"x":mm,"y":mm,"z":mm,"tx":,"ty":,"chi2":,
/// "ndf":,"backward":bool}, ...]}, ...]}; tracks without a state have `hits` only, and a number
/// that is not finite is null. CSV has one line per track, its hits separated by blanks.

#include <trackplex/io/detail/text_file.hpp>
#include <trackplex/io/detail/velo_tracks_text.hpp>

#include <filesystem>
#include <string>
#include <string_view>

namespace trackplex::io {

/// A file of tracks that is written event by event, as JSON or CSV by its extension (.json, .csv).
class VeloTrackFile {
 public:
  /// @throws UsageError for another extension, Error if the file cannot be opened
  explicit VeloTrackFile(const std::filesystem::path& path) : csv_(is_csv(path)), file_(path) {
    file_.write(csv_ ? detail::csv_header : "{\"events\":[");
  }

  /// @throws UsageError if there are states, but not as many as tracks
  void add(const std::string& event, const lhcb::VeloTrackList& tracks) {
    detail::check_tracks(event, tracks);
    std::string text;
    if (csv_) {
      detail::append_csv_event(text, event, tracks);
    } else {
      text = is_first_ ? "\n" : ",\n";
      detail::append_json_event(text, event, tracks);
    }
    is_first_ = false;
    file_.write(text);
  }

  /// Ends the file: without it, JSON is not complete.
  /// @throws Error if it could not be written completely
  void finish() {
    if (!csv_) file_.write("\n]}\n");
    file_.close();
  }

 private:
  static bool is_csv(const std::filesystem::path& path) {
    if (path.extension() != ".csv" && path.extension() != ".json")
      throw UsageError(path.string(), "unknown kind of file for tracks", {},
                       "name it .json or .csv");
    return path.extension() == ".csv";
  }

  bool csv_;
  bool is_first_ = true;
  OutputFile file_;
};

}  // namespace trackplex::io
