// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/lhcb/velo/tracks.hpp>
#include <trackplex/lhcb/velo/velo_track_list.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace trackplex::lhcb {

/// Result of an event of the VELO.
struct VeloResult {
  VeloTrackList tracks;  ///< in the order of their seeds
  /// Number of seeds that were dropped for lack of slots, see TripletParams::hits_per_slot.
  std::uint32_t overflow = 0;

  /// Compares both members.
  friend bool operator==(const VeloResult&, const VeloResult&) = default;
};

/// Extracts the tracks of an event with their states from arrays of the host. `first_hit` is
/// event_offsets(event) of the hits.
template <class Real>
VeloTrackList velo_track_list(int event, std::uint32_t first_hit,
                              const VeloTracks<Kokkos::HostSpace>& tracks,
                              const LineStates<Real, Kokkos::HostSpace>& lines) {
  const std::size_t first = first_slot(first_hit, event, tracks.hits_per_slot);
  const std::size_t count = tracks.count(event);
  VeloTrackList list;
  list.offsets.reserve(count + 1);
  list.states.reserve(count);
  int longest = 0;
  for (std::size_t slot = first; slot < first + count; ++slot) {
    const int length = tracks.length(slot);
    longest = std::max(longest, length);
    list.offsets.push_back(list.offsets.back() + std::uint32_t(length));
    list.states.push_back({double(lines.x(slot)), double(lines.y(slot)), double(lines.z(slot)),
                           double(lines.tx(slot)), double(lines.ty(slot)), double(lines.chi2(slot)),
                           2 * length - 4, lines.backward(slot) != 0});
  }
  list.hits.resize(list.offsets.back());
  for (int h = 0; h < longest; ++h) {  // the hits h of all tracks follow each other
    const std::uint16_t* const row = tracks.hits.data() + h * tracks.slots + first;
    for (std::size_t i = 0; i < count; ++i)
      if (const std::uint32_t to = list.offsets[i] + std::uint32_t(h); to < list.offsets[i + 1])
        list.hits[to] = row[i];
  }
  return list;
}

}  // namespace trackplex::lhcb
