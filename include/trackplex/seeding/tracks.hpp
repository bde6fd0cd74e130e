// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <Kokkos_Core.hpp>

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
  int hits_per_slot = 2;
};

/// Every event has this many slots and one for each `hits_per_slot` of its hits.
inline constexpr int minimum_slots = 32;

KOKKOS_INLINE_FUNCTION std::size_t first_slot(std::uint32_t event_offset, int event,
                                              int hits_per_slot) {
  return event_offset / hits_per_slot + std::size_t(event) * minimum_slots;
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
};

}  // namespace trackplex::seeding
