// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/core/compiled.hpp>
#include <trackplex/core/files.hpp>
#include <trackplex/io/display/display_event.hpp>

#include <cstddef>
#include <filesystem>
#include <set>
#include <string>

namespace trackplex::io {

/// Events for the event display Phoenix (phoenix-event-display 3), as a JSON file that is written
/// event by event: `{"name": event, "name": event, ...}`. Coordinates have the precision of float.
///
/// Phoenix needs three points of a track: the middle is added where there are two.
class PhoenixFile {
 public:
  /// @throws Error if the file cannot be opened
  explicit PhoenixFile(const std::filesystem::path& path);

  /// Appends an event. Its place in the file, from 1, is added to a name that an earlier event has,
  /// and is the number of an event without one; its run is 1 then. Tracks of fewer than two points
  /// are left out, and lists without entries.
  /// @throws UsageError if a number is not finite, or two lists have the same name
  void add(const DisplayEvent& event);

  /// Number of tracks that were left out.
  std::size_t left_out() const { return left_out_; }

  /// Ends the file; without it, it is incomplete.
  /// @throws Error if it could not be written completely
  void finish();

 private:
  OutputFile file_;
  std::set<std::string> names_;
  std::size_t events_ = 0, left_out_ = 0;
};

}  // namespace trackplex::io

#if !defined(TRACKPLEX_COMPILED)
#include <trackplex/io/display/detail/phoenix_file.impl.hpp>
#endif
