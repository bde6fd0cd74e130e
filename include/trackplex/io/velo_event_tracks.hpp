// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/lhcb/velo_track_list.hpp>

#include <string>

namespace trackplex::io {

/// The tracks of a named event.
struct VeloEventTracks {
  std::string event;
  lhcb::VeloTrackList tracks;

  friend bool operator==(const VeloEventTracks&, const VeloEventTracks&) = default;
};

}  // namespace trackplex::io
