// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/core/copy.hpp>
#include <trackplex/lhcb/scifi/scifi_channel.hpp>

#include <cstddef>
#include <cstdint>

namespace trackplex::lhcb {

/// Tracks of the SciFi alone in a batch of events. Event e has one slot per SciFi hit, from
/// ScifiHits::event_offsets(e) on; the first `count(e)` slots hold a track. Lengths in mm.
template <class Real, class MemorySpace>
struct ScifiTracks {
  template <class T>
  using Array = Kokkos::View<T*, MemorySpace>;  ///< Array in this memory space.

  static constexpr std::uint16_t no_hit = 0xFFFF;  ///< Value in `hits` of a layer without a hit.

  Array<std::uint32_t> count;  ///< (event): number of tracks
  Array<std::uint8_t> length;  ///< (slot): number of hits
  /// (layer, slot), flat: index of the hit in its event, or no_hit, is hits(layer * slots + slot).
  Array<std::uint16_t> hits;
  Array<Real> quality;    ///< (slot): small for good tracks, see FindScifiTracks
  Array<Real> x,          ///< (slot): x at scifi_end_z
      y;                  ///< (slot): y at scifi_end_z
  Array<Real> tx,         ///< (slot): dx/dz at scifi_end_z
      ty;                 ///< (slot): dy/dz at scifi_end_z
  std::size_t slots = 0;  ///< number of slots, in all events
  int n_events = 0;       ///< number of events
  int max_tracks = 0;     ///< upper limit of the number of tracks of an event
};

/// Copies the plain members and calls f(array of from, array of to, label, entries) for each array;
/// see core/copy.hpp.
template <class Real, class From, class To, class F>
void for_each_array(const ScifiTracks<Real, From>& from, ScifiTracks<Real, To>& to, const F& f) {
  to.slots = from.slots;
  to.n_events = from.n_events;
  to.max_tracks = from.max_tracks;
  f(from.count, to.count, "Trackplex::Lhcb::scifi_track_count", std::size_t(from.n_events));
  f(from.length, to.length, "Trackplex::Lhcb::scifi_track_length", from.slots);
  f(from.hits, to.hits, "Trackplex::Lhcb::scifi_track_hits", scifi_layers * from.slots);
  f(from.quality, to.quality, "Trackplex::Lhcb::scifi_track_quality", from.slots);
  f(from.x, to.x, "Trackplex::Lhcb::scifi_track_x", from.slots);
  f(from.y, to.y, "Trackplex::Lhcb::scifi_track_y", from.slots);
  f(from.tx, to.tx, "Trackplex::Lhcb::scifi_track_tx", from.slots);
  f(from.ty, to.ty, "Trackplex::Lhcb::scifi_track_ty", from.slots);
}

}  // namespace trackplex::lhcb
