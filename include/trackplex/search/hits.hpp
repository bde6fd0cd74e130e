// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/core/number.hpp>

#include <cstdint>

namespace trackplex::search {

/// Hits of many events, one array per quantity. Event e has room for hits [event_offsets(e),
/// event_offsets(e + 1)) and owns the first event_sizes(e) of them, in any order: a decoder may
/// find fewer hits than the host made room for. There is room for at most 65535 hits an event, so
/// that an index inside it fits 16 bits. Lengths in mm.
template <class Real, class MemorySpace>
struct Hits {
  template <class T>
  using Array = Kokkos::View<T*, MemorySpace>;

  Array<Real> x, y, z;
  Array<std::uint8_t> module;          ///< detector module of the hit
  Array<std::uint32_t> event_offsets;  ///< one more than events
  Array<std::uint32_t> event_sizes;    ///< hits of each event
  int n_events = 0;
  int n_hits = 0;          ///< room for hits, in all events
  int max_event_hits = 0;  ///< no event has more hits
  int max_layer_hits = 0;  ///< no layer (module pair) of an event has more hits
};

/// The hits of `Hits` ordered, inside each event, by group (layer or module) and azimuth; ties keep
/// the order of the input. A table of bins in azimuth leads into each group. `Index` is an integer
/// as wide as a real, so that lanes load and compare both together.
template <class Real, class Key, class MemorySpace>
struct SortedHits {
  using Index = IntegerOf<Real>;
  template <class T>
  using Array = Kokkos::View<T*, MemorySpace>;

  Array<Real> x, y, z;
  Array<Key> phi;
  Array<Index> side;           ///< side of the hit's module, 0 or 1
  Array<std::uint16_t> index;  ///< index in the event before sorting
  /// Place inside the event of the first hit of each bin of each group, and of the event's end:
  /// `bins_per_event` + 1.
  Array<Index> bin_offsets;
};

}  // namespace trackplex::search
