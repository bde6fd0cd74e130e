// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/core/number.hpp>

#include <cstddef>
#include <cstdint>

namespace trackplex::lhcb {

/// Hits of the UT in a batch of events, one array per quantity. Event e has capacity for the hits
/// [event_offsets(e), event_offsets(e + 1)); its hits are in the order of their sector groups (see
/// UtSectorGroups) and, inside a group, of (y_begin, x, position in the raw banks). Lengths are in
/// mm.
template <class Real, class MemorySpace>
struct UtHits {
  using Index = IntegerOf<Real>;  ///< Integer as wide as a real, so that lanes load both together.
  template <class T>
  using Array = Kokkos::View<T*, MemorySpace>;  ///< Array in this memory space.

  Array<Real> y_begin,                 ///< (hit): lowest y of the strip
      y_end;                           ///< (hit): highest y of the strip
  Array<Real> x;                       ///< (hit): x of the strip, extended to y = 0
  Array<Real> z;                       ///< (hit): z of the strip
  Array<Real> weight;                  ///< (hit): 1/variance of x, mm^-2
  Array<std::uint32_t> id;             ///< (hit): LHCbID
  Array<std::uint32_t> event_offsets;  ///< (event), one more than events
  /// (event, group), flat: index in event e of the first hit of group g, and of the end, is
  /// group_offsets(e * (groups + 1) + g).
  Array<Index> group_offsets;
  Array<std::uint32_t> unmapped;  ///< (event): number of hits of channels without a sector
  int groups = 0;                 ///< number of sector groups, in all layers
  int n_events = 0;               ///< number of events
  int n_hits = 0;                 ///< capacity for hits, in all events
  int max_event_hits = 0;         ///< upper limit of the number of hits of an event
};

/// Capacity for the UT hits of a batch of events, as the host derives it from the banks.
template <class MemorySpace>
struct UtCapacity {
  Kokkos::View<std::uint32_t*, MemorySpace> event_offsets;  ///< as in UtHits
  int n_events = 0;                                         ///< number of events
  int n_hits = 0;                                           ///< capacity for hits, in all events
  int max_event_hits = 0;  ///< upper limit of the number of hits of an event
};

/// Copies the plain members and calls f(array of from, array of to, label, entries) for each array;
/// see core/copy.hpp.
template <class From, class To, class F>
void for_each_array(const UtCapacity<From>& from, UtCapacity<To>& to, const F& f) {
  to.n_events = from.n_events;
  to.n_hits = from.n_hits;
  to.max_event_hits = from.max_event_hits;
  f(from.event_offsets, to.event_offsets, "Trackplex::Lhcb::ut_event_offsets",
    std::size_t(from.n_events) + 1);
}

/// Copies the plain members and calls f(array of from, array of to, label, entries) for each array.
template <class Real, class From, class To, class F>
void for_each_array(const UtHits<Real, From>& from, UtHits<Real, To>& to, const F& f) {
  to.groups = from.groups;
  to.n_events = from.n_events;
  to.n_hits = from.n_hits;
  to.max_event_hits = from.max_event_hits;
  const auto events = std::size_t(from.n_events), n = std::size_t(from.n_hits);
  f(from.y_begin, to.y_begin, "Trackplex::Lhcb::ut_y_begin", n);
  f(from.y_end, to.y_end, "Trackplex::Lhcb::ut_y_end", n);
  f(from.x, to.x, "Trackplex::Lhcb::ut_x", n);
  f(from.z, to.z, "Trackplex::Lhcb::ut_z", n);
  f(from.weight, to.weight, "Trackplex::Lhcb::ut_weight", n);
  f(from.id, to.id, "Trackplex::Lhcb::ut_id", n);
  f(from.event_offsets, to.event_offsets, "Trackplex::Lhcb::ut_event_offsets", events + 1);
  f(from.group_offsets, to.group_offsets, "Trackplex::Lhcb::ut_group_offsets",
    events * std::size_t(from.groups + 1));
  f(from.unmapped, to.unmapped, "Trackplex::Lhcb::ut_unmapped", events);
}

}  // namespace trackplex::lhcb
