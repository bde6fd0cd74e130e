// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/io/lhcb/detail/velo_tracks_json.hpp>
#include <trackplex/io/lhcb/velo_tracks.hpp>

#include <filesystem>
#include <limits>
#include <string>
#include <utility>
#include <vector>

namespace trackplex::io {

TRACKPLEX_INLINE VeloTrackFile::VeloTrackFile(const std::filesystem::path& path, Metadata metadata,
                                              ColumnType real)
    : file_(path, std::move(metadata), tables_of(real)) {}

TRACKPLEX_INLINE void VeloTrackFile::add(const std::string& event,
                                         const lhcb::VeloTrackList& tracks) {
  detail::check_tracks(event, tracks);
  if (auto* const tables = file_.tables()) {
    add_rows(*tables, event, tracks);
  } else {
    std::string text;
    detail::append_json_event(text, event, tracks);
    file_.add(text);
  }
  ++events_;
}

TRACKPLEX_INLINE std::vector<Table> VeloTrackFile::tables_of(ColumnType real) {
  using enum ColumnType;
  return {{"tracks",
           {{"event", "", int64},
            {"track", "", int64},
            {"x", "mm", real},
            {"y", "mm", real},
            {"z", "mm", real},
            {"tx", "", real},
            {"ty", "", real},
            {"chi2", "", real},
            {"ndf", "", int64},
            {"backward", "", int64},
            {"n_hits", "", int64}}},
          {"hits", {{"event", "", int64}, {"track", "", int64}, {"hit", "", int64}}},
          {"events", {{"event", "", int64}, {"name", "", string}, {"n_tracks", "", int64}}}};
}

TRACKPLEX_INLINE void VeloTrackFile::add_rows(TableFile& tables, const std::string& event,
                                              const lhcb::VeloTrackList& tracks) {
  constexpr double none = std::numeric_limits<double>::quiet_NaN();
  for (std::size_t i = 0; i < tracks.size(); ++i, ++n_tracks_) {
    const auto s = tracks.states.empty() ? lhcb::VeloTrackState{none, none, none, none, none, none}
                                         : tracks.states[i];
    tables[0].add_row(events_, n_tracks_, s.x, s.y, s.z, s.tx, s.ty, s.chi2, s.ndf, s.backward,
                      tracks[i].size());
    for (const auto hit : tracks[i]) tables[1].add_row(events_, n_tracks_, hit);
  }
  tables[2].add_row(events_, std::filesystem::path(event).filename().string(), tracks.size());
  tables.flush();
}

}  // namespace trackplex::io
