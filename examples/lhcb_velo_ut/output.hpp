// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "reconstruct.hpp"

#include <trackplex/core/files.hpp>
#include <trackplex/lhcb/raw_banks.hpp>

#include <string>

namespace lhcb_velo_ut {

/// A file of what was found, written event by event.
class ResultFile {
 public:
  enum class Contents {
    /// The tracks with hits in the UT as JSON, one object per event, or, in a .csv, as a table: run
    /// and number of the event, track, q/p (1/MeV), p (MeV), chi2, slopes in the VELO, place in the
    /// UT, LHCbIDs.
    tracks,
    /// Everything as JSON, one object per event: clusters, UT hits, VELO tracks, windows and tracks
    /// in the UT. Hits are named by their number in the event.
    details,
  };

  /// @throws Error if the file cannot be written
  ResultFile(const std::string& path, Contents contents);

  void add(const trackplex::lhcb::RawEvent& event, const EventResult& found);

  /// @throws Error if the file could not be written completely
  void finish();

 private:
  Contents contents_;
  bool csv_;
  bool is_first_ = true;
  trackplex::OutputFile file_;
};

}  // namespace lhcb_velo_ut
