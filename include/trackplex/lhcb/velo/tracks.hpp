// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/core/copy.hpp>

#include <cstdint>

namespace trackplex::lhcb {

/// Largest number of hits of a straight track: one for each layer of the VELO.
inline constexpr int max_track_hits = 26;

/// Straight tracks of many events as lists of hits. Each event owns a range of slots (see
/// `first_slot`), of which the first `count(e)` hold a track. Seeds without a free slot are
/// counted in `overflow(e)` and not stored.
template <class MemorySpace>
struct VeloTracks {
  template <class T>
  using Array = Kokkos::View<T*, MemorySpace>;  ///< one entry per event, slot or hit of a slot

  Array<std::uint32_t> count;     ///< (event): number of tracks
  Array<std::uint32_t> overflow;  ///< (event): number of seeds without a free slot
  Array<std::uint8_t> length;     ///< (slot): number of hits of the track
  /// (hit of the track, slot): index of hit h inside the event is hits(h * slots + slot), so that
  /// lanes read neighbouring tracks. From the most downstream hit upstream.
  Array<std::uint16_t> hits;
  std::size_t slots = 0;  ///< number of slots of all events
  int n_events = 0;       ///< number of events
  int hits_per_slot = 2;  ///< see `first_slot`
};

/// Sets the plain members of `to` and calls f(array of from, array of to, label, entries) for each
/// array; see core/copy.hpp.
template <class From, class To, class F>
void for_each_array(const VeloTracks<From>& from, VeloTracks<To>& to, const F& f) {
  to.slots = from.slots;
  to.n_events = from.n_events;
  to.hits_per_slot = from.hits_per_slot;
  const auto events = std::size_t(from.n_events);
  f(from.count, to.count, "Trackplex::Lhcb::velo_track_count", events);
  f(from.overflow, to.overflow, "Trackplex::Lhcb::velo_track_overflow", events);
  f(from.length, to.length, "Trackplex::Lhcb::velo_track_length", from.slots);
  f(from.hits, to.hits, "Trackplex::Lhcb::velo_track_hits", from.slots * max_track_hits);
}

/// Number of slots per event in addition to one per `hits_per_slot` hits.
inline constexpr int min_slots = 32;

/// Returns the first slot of an event; its last slot precedes the first slot of the next event.
/// @param event_offset number of hits of all events before it
/// @param event its number in the batch
/// @param hits_per_slot hits of the event for which there is one slot
KOKKOS_INLINE_FUNCTION std::size_t first_slot(std::uint32_t event_offset, int event,
                                              int hits_per_slot) {
  return event_offset / hits_per_slot + std::size_t(event) * min_slots;
}

/// States of the straight lines fitted to tracks, at their closest approach to the z axis. One
/// entry per slot; lengths in mm.
template <class Real, class MemorySpace>
struct LineStates {
  template <class T>
  using Array = Kokkos::View<T*, MemorySpace>;  ///< one entry per slot

  Array<Real> x,     ///< x of the point of closest approach
      y,             ///< y of the point of closest approach
      z;             ///< z of the point of closest approach
  Array<Real> tx,    ///< slope dx/dz
      ty;            ///< slope dy/dz
  Array<Real> chi2;  ///< of the 2 n residuals of n hits
  /// 1 if the point lies downstream of the track's first (most downstream) hit.
  Array<std::uint8_t> backward;
  std::size_t slots = 0;  ///< number of slots of all events
};

/// Sets the plain members of `to` and calls f(array of from, array of to, label, entries) for each
/// array; see core/copy.hpp.
template <class Real, class From, class To, class F>
void for_each_array(const LineStates<Real, From>& from, LineStates<Real, To>& to, const F& f) {
  to.slots = from.slots;
  f(from.x, to.x, "Trackplex::Lhcb::velo_line_x", from.slots);
  f(from.y, to.y, "Trackplex::Lhcb::velo_line_y", from.slots);
  f(from.z, to.z, "Trackplex::Lhcb::velo_line_z", from.slots);
  f(from.tx, to.tx, "Trackplex::Lhcb::velo_line_tx", from.slots);
  f(from.ty, to.ty, "Trackplex::Lhcb::velo_line_ty", from.slots);
  f(from.chi2, to.chi2, "Trackplex::Lhcb::velo_line_chi2", from.slots);
  f(from.backward, to.backward, "Trackplex::Lhcb::velo_line_backward", from.slots);
}

}  // namespace trackplex::lhcb
