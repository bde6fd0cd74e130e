// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "program_options.hpp"
#include "reconstruct.hpp"

#include <trackplex/core/files.hpp>
#include <trackplex/io/table_file.hpp>
#include <trackplex/lhcb/raw_banks.hpp>

#include <cstddef>
#include <optional>
#include <string>

namespace lhcb_velo_ut {

/// A file of what was found, written event by event.
class ResultFile {
 public:
  enum class Contents {
    /// The tracks with hits in the UT as JSON, one object per event, or, in a .csv or .h5, as the
    /// tables tracks, hits and events.
    tracks,
    /// Everything as JSON, one object per event: clusters, UT hits, VELO tracks, windows and tracks
    /// in the UT. Hits are named by their number in the event.
    details,
  };

  /// @throws Error if the file cannot be written
  ResultFile(const ProgramOptions& options, const std::string& path, Contents contents);

  void add(const trackplex::lhcb::RawEvent& event, const EventResult& found);

  /// @throws Error if the file could not be written completely
  void finish();

 private:
  void add_rows(const trackplex::lhcb::RawEvent& event, const EventResult& found);

  Contents contents_;
  std::size_t events_ = 0, n_tracks_ = 0;
  std::optional<trackplex::OutputFile> json_;
  std::optional<trackplex::io::TableFile> tables_;
};

}  // namespace lhcb_velo_ut
