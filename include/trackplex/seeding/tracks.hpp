// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/core/copy.hpp>

#include <cstdint>

namespace trackplex::seeding {

/// Most hits of a straight track.
inline constexpr int max_track_hits = 26;

/// Tracks of many events as lists of hits. Event e has slots [first_slot(e), first_slot(e + 1)), of
/// which its first `count(e)` hold a track; what found no slot is counted in `overflow(e)`, never
/// written.
template <class MemorySpace>
struct Tracks {
  template <class T>
  using Array = Kokkos::View<T*, MemorySpace>;

  Array<std::uint32_t> count;     ///< tracks of each event
  Array<std::uint32_t> overflow;  ///< seeds of each event that found no slot
  Array<std::uint8_t> length;     ///< hits of each track
  /// Index inside the event of hit h of each track: hits(h * slots + slot), so that lanes read
  /// neighbouring tracks.
  Array<std::uint16_t> hits;
  std::size_t slots = 0;  ///< of all events
  int n_events = 0;
  int hits_per_slot = 2;
};

/// The plain members of `to`, and f(array of from, array of to, label, entries) for each array.
template <class From, class To, class F>
void for_each_array(const Tracks<From>& from, Tracks<To>& to, const F& f) {
  to.slots = from.slots;
  to.n_events = from.n_events;
  to.hits_per_slot = from.hits_per_slot;
  const auto events = std::size_t(from.n_events);
  f(from.count, to.count, "Trackplex::Seeding::track_count", events);
  f(from.overflow, to.overflow, "Trackplex::Seeding::track_overflow", events);
  f(from.length, to.length, "Trackplex::Seeding::track_length", from.slots);
  f(from.hits, to.hits, "Trackplex::Seeding::track_hits", from.slots * max_track_hits);
}

/// Every event has this many slots and one for each `hits_per_slot` of its hits.
inline constexpr int min_slots = 32;

KOKKOS_INLINE_FUNCTION std::size_t first_slot(std::uint32_t event_offset, int event,
                                              int hits_per_slot) {
  return event_offset / hits_per_slot + std::size_t(event) * min_slots;
}

/// A straight line fitted to the hits of each track, at its closest approach to the z axis. mm; one
/// entry per slot.
template <class Real, class MemorySpace>
struct LineStates {
  template <class T>
  using Array = Kokkos::View<T*, MemorySpace>;

  Array<Real> x, y, z;  ///< point of closest approach
  Array<Real> tx, ty;   ///< slopes dx/dz, dy/dz
  Array<Real> chi2;     ///< of the 2 n residuals
  Array<std::uint8_t>
      backward;  ///< 1 if the point lies downstream of the track's first (most downstream) hit
  std::size_t slots = 0;
};

/// The plain members of `to`, and f(array of from, array of to, label, entries) for each array.
template <class Real, class From, class To, class F>
void for_each_array(const LineStates<Real, From>& from, LineStates<Real, To>& to, const F& f) {
  to.slots = from.slots;
  f(from.x, to.x, "Trackplex::Seeding::line_x", from.slots);
  f(from.y, to.y, "Trackplex::Seeding::line_y", from.slots);
  f(from.z, to.z, "Trackplex::Seeding::line_z", from.slots);
  f(from.tx, to.tx, "Trackplex::Seeding::line_tx", from.slots);
  f(from.ty, to.ty, "Trackplex::Seeding::line_ty", from.slots);
  f(from.chi2, to.chi2, "Trackplex::Seeding::line_chi2", from.slots);
  f(from.backward, to.backward, "Trackplex::Seeding::line_backward", from.slots);
}

}  // namespace trackplex::seeding
