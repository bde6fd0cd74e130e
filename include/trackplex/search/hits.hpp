// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/core/number.hpp>

#include <cstddef>
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

/// The plain members of `to`, and f(array of from, array of to, label, entries) for each array.
template <class Real, class From, class To, class F>
void for_each_array(const Hits<Real, From>& from, Hits<Real, To>& to, const F& f) {
  to.n_events = from.n_events;
  to.n_hits = from.n_hits;
  to.max_event_hits = from.max_event_hits;
  to.max_layer_hits = from.max_layer_hits;
  const auto events = std::size_t(from.n_events), n = std::size_t(from.n_hits);
  f(from.x, to.x, "Trackplex::Search::hit_x", n);
  f(from.y, to.y, "Trackplex::Search::hit_y", n);
  f(from.z, to.z, "Trackplex::Search::hit_z", n);
  f(from.module, to.module, "Trackplex::Search::hit_module", n);
  f(from.event_offsets, to.event_offsets, "Trackplex::Search::event_offsets", events + 1);
  f(from.event_sizes, to.event_sizes, "Trackplex::Search::event_sizes", events);
}

/// The hits of `Hits` ordered, inside each event, by group (layer or module) and azimuth; ties keep
/// the order of the input. A table of bins in azimuth leads into each group. `Index` is an integer
/// as wide as a real, so that lanes load and compare both together.
template <class T, class Key, class MemorySpace>
struct HitsByPhi {
  using Index = IntegerOf<T>;
  template <class Element>
  using Array = Kokkos::View<Element*, MemorySpace>;

  Array<T> x, y, z;
  Array<Key> phi;
  Array<Index> side;           ///< side of the hit's module, 0 or 1
  Array<std::uint16_t> index;  ///< index in the event before sorting
  /// Place inside the event of the first hit of each bin of each group, and of the event's end:
  /// `bins_per_event` + 1.
  Array<Index> bin_offsets;
  int n_hits = 0;  ///< capacity, in all events
  int n_bins = 0;  ///< entries of bin_offsets
};

/// The plain members of `to`, and f(array of from, array of to, label, entries) for each array.
template <class T, class Key, class From, class To, class F>
void for_each_array(const HitsByPhi<T, Key, From>& from, HitsByPhi<T, Key, To>& to, const F& f) {
  to.n_hits = from.n_hits;
  to.n_bins = from.n_bins;
  const auto n = std::size_t(from.n_hits);
  f(from.x, to.x, "Trackplex::Search::sorted_x", n);
  f(from.y, to.y, "Trackplex::Search::sorted_y", n);
  f(from.z, to.z, "Trackplex::Search::sorted_z", n);
  f(from.phi, to.phi, "Trackplex::Search::sorted_phi", n);
  f(from.side, to.side, "Trackplex::Search::sorted_side", n);
  f(from.index, to.index, "Trackplex::Search::sorted_index", n);
  f(from.bin_offsets, to.bin_offsets, "Trackplex::Search::bin_offsets", std::size_t(from.n_bins));
}

}  // namespace trackplex::search
