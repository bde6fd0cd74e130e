// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/lhcb/velo/tracks.hpp>
#include <trackplex/lhcb/velo/velo_track_list.hpp>

#include <cstddef>
#include <cstdint>
#include <vector>

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
  const std::uint8_t* const length = tracks.length.data() + first;
  VeloTrackList list{std::vector<std::uint32_t>(count + 1), {}, std::vector<VeloTrackState>(count)};
  for (std::size_t i = 0; i < count; ++i) {
    list.offsets[i + 1] = list.offsets[i] + length[i];
    const std::size_t slot = first + i;
    list.states[i] = {double(lines.x(slot)),  double(lines.y(slot)),    double(lines.z(slot)),
                      double(lines.tx(slot)), double(lines.ty(slot)),   double(lines.chi2(slot)),
                      2 * length[i] - 4,      lines.backward(slot) != 0};
  }
  list.hits.resize(list.offsets.back());
  std::uint16_t* to = list.hits.data();
  for (std::size_t i = 0; i < count; ++i) {
    const std::uint16_t* from = tracks.hits.data() + first + i;
    for (const auto* const end = to + length[i]; to < end; from += tracks.slots) *to++ = *from;
  }
  return list;
}

}  // namespace trackplex::lhcb
