// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/core/number.hpp>

#include <cstdint>

namespace trackplex::search {

/// Hits of many events, one array per quantity. Event e owns hits [event_offsets(e),
/// event_offsets(e + 1)), in any order. An event holds at most 65535 hits, so that an index inside
/// it fits 16 bits. Lengths in mm.
template <class Real, class MemorySpace>
struct Hits {
  template <class T>
  using Array = Kokkos::View<T*, MemorySpace>;

  Array<Real> x, y, z;
  Array<std::uint8_t> module;          ///< detector module of the hit
  Array<std::uint32_t> event_offsets;  ///< one more than events
  int n_events = 0;
  int n_hits = 0;
  int max_event_hits = 0;  ///< hits of the largest event
  int max_layer_hits = 0;  ///< hits of the largest layer (module pair) of any event
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
