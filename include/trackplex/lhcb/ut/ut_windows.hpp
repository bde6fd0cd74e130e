// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/core/copy.hpp>
#include <trackplex/lhcb/ut/ut_geometry.hpp>
#include <trackplex/lhcb/ut/ut_track_list.hpp>

#include <cstddef>
#include <cstdint>

namespace trackplex::lhcb {

/// Windows of UT hits around VELO tracks, in a batch of events. Event e has the slots of its VELO
/// tracks (see first_slot); the first `count(e)` of them hold a track. The window of slot
/// s in a layer and in the sector group number `group` (in the order of the search: the one that
/// the track points to, left, right, second left, second right) is the hits [first, first + size)
/// of the layer, at entry(group, layer) + s.
template <class MemorySpace>
struct UtWindows {
  template <class T>
  using Array = Kokkos::View<T*, MemorySpace>;  ///< Array in this memory space.

  /// Maximum number of sector groups searched in a layer.
  static constexpr int max_groups = int(UtWindowList::capacity);

  Array<std::uint32_t> count;  ///< (event): number of tracks with windows
  Array<std::uint16_t> track;  ///< (slot): index of the VELO track in its event
  Array<std::uint16_t> first;  ///< (group, layer, slot): counted from the first hit of the layer
  Array<std::uint16_t> size;   ///< (group, layer, slot): number of hits
  std::size_t slots = 0;       ///< number of slots, in all events
  int n_events = 0;            ///< number of events
  int groups = 0;              ///< number of sector groups searched in a layer

  /// Index of the first slot in the arrays `first` and `size`.
  KOKKOS_FORCEINLINE_FUNCTION std::size_t entry(int group, int layer) const {
    return std::size_t(group * ut_layers + layer) * slots;
  }
};

/// Copies the plain members and calls f(array of from, array of to, label, entries) for each array;
/// see core/copy.hpp.
template <class From, class To, class F>
void for_each_array(const UtWindows<From>& from, UtWindows<To>& to, const F& f) {
  to.slots = from.slots;
  to.n_events = from.n_events;
  to.groups = from.groups;
  const std::size_t entries = from.entry(from.groups, 0);
  f(from.count, to.count, "Trackplex::Lhcb::ut_window_count", std::size_t(from.n_events));
  f(from.track, to.track, "Trackplex::Lhcb::ut_window_track", from.slots);
  f(from.first, to.first, "Trackplex::Lhcb::ut_window_first", entries);
  f(from.size, to.size, "Trackplex::Lhcb::ut_window_size", entries);
}

}  // namespace trackplex::lhcb
