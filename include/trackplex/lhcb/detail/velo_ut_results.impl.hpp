// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/lhcb/ut/ut_hits.hpp>
#include <trackplex/lhcb/ut/ut_track_list.hpp>
#include <trackplex/lhcb/ut/ut_tracks.hpp>
#include <trackplex/lhcb/ut/ut_windows.hpp>
#include <trackplex/lhcb/velo/hits.hpp>
#include <trackplex/lhcb/velo/velo_results.hpp>
#include <trackplex/lhcb/velo_ut_results.hpp>
#include <trackplex/lhcb/vp_clusters.hpp>

#include <array>
#include <cstdint>
#include <vector>

namespace trackplex::lhcb {

TRACKPLEX_INLINE std::vector<UtTrackWindows> ut_window_list(
    int event, std::size_t first_slot, const UtWindows<Kokkos::HostSpace>& windows,
    const std::array<std::uint32_t, ut_layers + 1>& layer_offsets) {
  std::vector<UtTrackWindows> list(windows.count(event));
  for (std::size_t i = 0; i < list.size(); ++i) {
    const std::size_t slot = first_slot + i;
    list[i].velo_track = windows.track(slot);
    for (int layer = 0; layer < ut_layers; ++layer) {
      for (int g = 0; g < windows.groups; ++g) {
        const std::size_t entry = windows.entry(g, layer) + slot;
        list[i].layers[layer].push_back(
            {layer_offsets[layer] + windows.first(entry), windows.size(entry)});
      }
    }
  }
  return list;
}

}  // namespace trackplex::lhcb
