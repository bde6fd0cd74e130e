// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/core/copy.hpp>
#include <trackplex/lhcb/scifi/long_track_list.hpp>
#include <trackplex/lhcb/scifi/scifi_channel.hpp>

#include <cstddef>
#include <cstdint>

namespace trackplex::lhcb {

/// Tracks through VELO, SciFi and, in general, UT (long tracks), in a batch of events. Event e has
/// the slots of its VELO tracks (see first_slot); the first `count(e)` slots hold a track: those
/// of the forward search with hits in the UT in the order of the UT tracks, then its others, then
/// those of the matching, both in the order of the VELO tracks.
/// Lengths in mm, momenta in MeV.
template <class Real, class MemorySpace>
struct LongTracks {
  template <class T>
  using Array = Kokkos::View<T*, MemorySpace>;  ///< Array in this memory space.

  static constexpr std::uint16_t no_hit = 0xFFFF;  ///< Value in `hits` of a layer without a hit.

  static constexpr std::uint16_t no_ut_track = 0xFFFF;  ///< Value in `ut_track` without the UT.

  Array<std::uint32_t> count;       ///< (event): number of tracks
  Array<std::uint16_t> velo_track;  ///< (slot): index of the VELO track in its event
  Array<std::uint16_t> ut_track;    ///< (slot): index of the UT track in its event, or no_ut_track
  Array<std::uint8_t> length;       ///< (slot): number of hits in the SciFi
  /// (layer, slot), flat: index of the SciFi hit in its event, or no_hit, is hits(layer * slots +
  /// slot).
  Array<std::uint16_t> hits;
  Array<Real> qop;        ///< (slot): charge over momentum, 1/MeV
  Array<Real> quality;    ///< (slot): as LongTrack::quality
  Array<Real> x,          ///< (slot): x at scifi_end_z
      y;                  ///< (slot): y at scifi_end_z
  Array<Real> tx,         ///< (slot): dx/dz at scifi_end_z
      ty;                 ///< (slot): dy/dz at scifi_end_z
  std::size_t slots = 0;  ///< number of slots, in all events
  int n_events = 0;       ///< number of events
};

/// Long tracks that a first search finds. A second one extends the VELO tracks, with the hits, that
/// they leave.
template <class Real, class MemorySpace>
struct ForwardTracks : LongTracks<Real, MemorySpace> {};

/// Copies the plain members and calls f(array of from, array of to, label, entries) for each array;
/// see core/copy.hpp.
template <class Real, class From, class To, class F>
void for_each_array(const LongTracks<Real, From>& from, LongTracks<Real, To>& to, const F& f) {
  to.slots = from.slots;
  to.n_events = from.n_events;
  f(from.count, to.count, "Trackplex::Lhcb::long_track_count", std::size_t(from.n_events));
  f(from.velo_track, to.velo_track, "Trackplex::Lhcb::long_track_velo_track", from.slots);
  f(from.ut_track, to.ut_track, "Trackplex::Lhcb::long_track_ut_track", from.slots);
  f(from.length, to.length, "Trackplex::Lhcb::long_track_length", from.slots);
  f(from.hits, to.hits, "Trackplex::Lhcb::long_track_hits", scifi_layers * from.slots);
  f(from.qop, to.qop, "Trackplex::Lhcb::long_track_qop", from.slots);
  f(from.quality, to.quality, "Trackplex::Lhcb::long_track_quality", from.slots);
  f(from.x, to.x, "Trackplex::Lhcb::long_track_x", from.slots);
  f(from.y, to.y, "Trackplex::Lhcb::long_track_y", from.slots);
  f(from.tx, to.tx, "Trackplex::Lhcb::long_track_tx", from.slots);
  f(from.ty, to.ty, "Trackplex::Lhcb::long_track_ty", from.slots);
}

}  // namespace trackplex::lhcb
