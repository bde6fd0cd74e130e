// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/lhcb/ut/ut_geometry.hpp>

#include <Kokkos_Core.hpp>

#include <cstddef>
#include <cstdint>

namespace trackplex::lhcb {

/// VELO tracks with hits in the UT, in a batch of events. Event e has the slots of its VELO tracks;
/// the first `count(e)` of them hold a track, in the order of the VELO tracks.
template <class Real, class MemorySpace>
struct UtTracks {
  template <class T>
  using Array = Kokkos::View<T*, MemorySpace>;  ///< Array in this memory space.

  static constexpr std::uint16_t no_hit = 0xFFFF;  ///< Value in `hits` of a layer without a hit.

  Array<std::uint32_t> count;  ///< (event): number of tracks
  Array<std::uint16_t> track;  ///< (slot): index of the VELO track in its event
  /// (layer, slot), flat: index of the hit in its event, or no_hit, is hits(layer * slots + slot).
  Array<std::uint16_t> hits;
  Array<Real> qop;        ///< (slot): q/p, 1/MeV, if the magnet points down; else -q/p
  Array<Real> chi2;       ///< (slot): of the p-kick fit, per degree of freedom
  Array<Real> x;          ///< (slot): x at ut_z_middle, mm
  Array<Real> slope;      ///< (slot): dx/dz in the UT
  std::size_t slots = 0;  ///< number of slots, in all events
  int n_events = 0;       ///< number of events
};

/// Copies the plain members and calls f(array of from, array of to, label, entries) for each array;
/// see core/copy.hpp.
template <class Real, class From, class To, class F>
void for_each_array(const UtTracks<Real, From>& from, UtTracks<Real, To>& to, const F& f) {
  to.slots = from.slots;
  to.n_events = from.n_events;
  f(from.count, to.count, "Trackplex::Lhcb::ut_track_count", std::size_t(from.n_events));
  f(from.track, to.track, "Trackplex::Lhcb::ut_track_velo_track", from.slots);
  f(from.hits, to.hits, "Trackplex::Lhcb::ut_track_hits", ut_layers * from.slots);
  f(from.qop, to.qop, "Trackplex::Lhcb::ut_track_qop", from.slots);
  f(from.chi2, to.chi2, "Trackplex::Lhcb::ut_track_chi2", from.slots);
  f(from.x, to.x, "Trackplex::Lhcb::ut_track_x", from.slots);
  f(from.slope, to.slope, "Trackplex::Lhcb::ut_track_slope", from.slots);
}

}  // namespace trackplex::lhcb
