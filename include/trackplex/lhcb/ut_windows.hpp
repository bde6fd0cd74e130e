// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/core/copy.hpp>
#include <trackplex/lhcb/ut_geometry.hpp>

#include <cstddef>
#include <cstdint>

namespace trackplex::lhcb {

/// Windows of UT hits around VELO tracks. Event e has slots from
/// first_slot(event_offsets(e), e, hits_per_slot) on, as its VELO tracks; its first `count(e)` hold
/// a track. The window of slot s in a layer and in the sector group number `group` (in the order of
/// the search: the track's own, left, right, second left, second right) is hits [first, first +
/// size) of the layer, at (group * ut_layers + layer) * slots + s.
template <class MemorySpace>
struct UtWindows {
  template <class T>
  using Array = Kokkos::View<T*, MemorySpace>;

  static constexpr int max_groups = 5;

  Array<std::uint32_t> count;  ///< tracks of each event with windows
  Array<std::uint16_t> track;  ///< number of the VELO track in its event
  Array<std::uint16_t> first;  ///< counted from the first hit of the layer in the event
  Array<std::uint16_t> size;
  std::size_t slots = 0;
  int n_events = 0;
  int groups = 0;

  KOKKOS_FORCEINLINE_FUNCTION std::size_t entry(int group, int layer) const {
    return std::size_t(group * ut_layers + layer) * slots;
  }
};

/// See core/copy.hpp.
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
