// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/core/compiled.hpp>
#include <trackplex/lhcb/ut/ut_hits.hpp>
#include <trackplex/lhcb/ut/ut_track_list.hpp>
#include <trackplex/lhcb/ut/ut_tracks.hpp>
#include <trackplex/lhcb/ut/ut_windows.hpp>
#include <trackplex/lhcb/velo/hits.hpp>
#include <trackplex/lhcb/velo/velo_results.hpp>
#include <trackplex/lhcb/vp_clusters.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

/// @file
/// Results of the reconstruction of an event in VELO and UT, and their extraction from arrays of
/// the host.

namespace trackplex::lhcb {

/// VELO hits of an event, in decoding order (see vp_clusters.hpp).
struct VeloHitList {
  std::vector<double> x,              ///< (hit): mm
      y,                              ///< (hit): mm
      z;                              ///< (hit): mm
  std::vector<std::uint8_t> modules;  ///< (hit): module of the VELO
  std::vector<std::uint32_t> ids;     ///< (hit): LHCbID
  std::uint32_t invalid = 0;  ///< number of super-pixels outside their sensor, which were skipped

  /// Number of hits.
  std::size_t size() const { return ids.size(); }

  /// Compares all members.
  friend bool operator==(const VeloHitList&, const VeloHitList&) = default;
};

/// Result of an event of VELO and UT.
struct VeloUtResult {
  VeloHitList velo_hits;                ///< hits of the VELO
  VeloTrackList velo_tracks;            ///< tracks of the VELO, in the order of their seeds
  std::uint32_t velo_overflow = 0;      ///< number of VELO seeds dropped for lack of slots
  UtHitList ut_hits;                    ///< hits of the UT, sorted
  std::vector<UtTrackWindows> windows;  ///< of the VELO tracks that have windows
  std::vector<UtTrack> ut_tracks;       ///< tracks with hits in the UT, in the order of VELO tracks

  /// Compares all members.
  friend bool operator==(const VeloUtResult&, const VeloUtResult&) = default;
};

/// Extracts the VELO hits of an event from arrays of the host.
template <class Real>
VeloHitList velo_hit_list(int event, const VeloHits<Real, Kokkos::HostSpace>& hits,
                          const VpClusters<Kokkos::HostSpace>& clusters) {
  const std::size_t first = hits.event_offsets(event), n = hits.event_sizes(event);
  VeloHitList list;
  const auto copy = [&](const auto& from, auto& to) {
    to.assign(from.data() + first, from.data() + first + n);
  };
  copy(hits.x, list.x);
  copy(hits.y, list.y);
  copy(hits.z, list.z);
  copy(hits.module, list.modules);
  copy(clusters.ids, list.ids);
  list.invalid = clusters.invalid(event);
  return list;
}

/// Index in the event of the first hit of each UT layer, and of the end. `layer_offset` is
/// UtSectorGroups::layer_offsets.
template <class Real>
std::array<std::uint32_t, ut_layers + 1> ut_layer_offsets(
    int event, const UtHits<Real, Kokkos::HostSpace>& hits,
    const std::array<int, ut_layers + 1>& layer_offset) {
  const std::size_t groups = std::size_t(event) * std::size_t(hits.groups + 1);
  std::array<std::uint32_t, ut_layers + 1> offsets;
  for (int layer = 0; layer <= ut_layers; ++layer)
    offsets[layer] = std::uint32_t(hits.group_offsets(groups + layer_offset[layer]));
  return offsets;
}

/// Extracts the UT hits of an event from arrays of the host. `layer_offset` is
/// UtSectorGroups::layer_offsets.
template <class Real>
UtHitList ut_hit_list(int event, const UtHits<Real, Kokkos::HostSpace>& hits,
                      const std::array<int, ut_layers + 1>& layer_offset) {
  UtHitList list;
  list.layer_offsets = ut_layer_offsets(event, hits, layer_offset);
  const std::size_t first = hits.event_offsets(event), n = list.layer_offsets[ut_layers];
  const auto copy = [&](const auto& from, auto& to) {
    to.assign(from.data() + first, from.data() + first + n);
  };
  copy(hits.y_begin, list.y_begin);
  copy(hits.y_end, list.y_end);
  copy(hits.x, list.x);
  copy(hits.z, list.z);
  copy(hits.id, list.ids);
  list.unmapped = hits.unmapped(event);
  return list;
}

/// Extracts the windows of an event from arrays of the host. `first_slot` is the first slot of its
/// tracks, `layer_offsets` is UtHitList::layer_offsets.
std::vector<UtTrackWindows> ut_window_list(
    int event, std::size_t first_slot, const UtWindows<Kokkos::HostSpace>& windows,
    const std::array<std::uint32_t, ut_layers + 1>& layer_offsets);

/// Extracts the UT tracks of an event from arrays of the host. `first_slot` is the first slot of
/// its tracks.
template <class Real>
std::vector<UtTrack> ut_track_list(int event, std::size_t first_slot,
                                   const UtTracks<Real, Kokkos::HostSpace>& tracks) {
  std::vector<UtTrack> list(tracks.count(event));
  for (std::size_t i = 0; i < list.size(); ++i) {
    const std::size_t slot = first_slot + i;
    UtTrack& track = list[i];
    track.velo_track = tracks.track(slot);
    track.qop = double(tracks.qop(slot));
    track.chi2 = double(tracks.chi2(slot));
    track.x = double(tracks.x(slot));
    track.slope = double(tracks.slope(slot));
    for (int layer = 0; layer < ut_layers; ++layer)
      if (const auto hit = tracks.hits(layer * tracks.slots + slot); hit != tracks.no_hit)
        track.hits[layer] = hit;
  }
  return list;
}

}  // namespace trackplex::lhcb

#if !defined(TRACKPLEX_COMPILED)
#include <trackplex/lhcb/detail/velo_ut_results.impl.hpp>
#endif
