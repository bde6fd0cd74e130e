// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/core/number.hpp>

#include <cstddef>
#include <cstdint>

namespace trackplex::lhcb {

/// UT hits of many events, one array per quantity. Event e has a capacity for hits
/// [event_offsets(e), event_offsets(e + 1)); those that it owns stand in the order of their sector
/// groups and, inside a group, of (y_begin, x, place in the raw banks). A group is a column of
/// sectors, see UtSectorGroups. Lengths in mm. `Index` is an integer as wide as a real, so that
/// lanes load both together.
template <class Real, class MemorySpace>
struct UtHits {
  using Index = IntegerOf<Real>;
  template <class T>
  using Array = Kokkos::View<T*, MemorySpace>;

  Array<Real> y_begin, y_end;  ///< where the strip begins and ends
  Array<Real> x;               ///< of the strip's line at y = 0
  Array<Real> z;
  Array<Real> weight;                  ///< 1/variance of x, mm^-2
  Array<std::uint32_t> id;             ///< LHCbID
  Array<std::uint32_t> event_offsets;  ///< one more than events
  /// Place in event e of the first hit of group g, and of the end: group_offsets(e * (groups + 1) +
  /// g).
  Array<Index> group_offsets;
  Array<std::uint32_t>
      unmapped;    ///< of each event: hits of channels that no sector is connected to
  int groups = 0;  ///< of all layers
  int n_events = 0;
  int n_hits = 0;          ///< capacity, in all events
  int max_event_hits = 0;  ///< no event has more hits
};

/// Capacity for the UT hits of many events, as the host knows it from the banks.
template <class MemorySpace>
struct UtCapacity {
  Kokkos::View<std::uint32_t*, MemorySpace> event_offsets;  ///< as in UtHits
  int n_events = 0;
  int n_hits = 0;
  int max_event_hits = 0;
};

/// The plain members of `to`, and f(array of from, array of to, label, entries) for each array.
template <class From, class To, class F>
void for_each_array(const UtCapacity<From>& from, UtCapacity<To>& to, const F& f) {
  to.n_events = from.n_events;
  to.n_hits = from.n_hits;
  to.max_event_hits = from.max_event_hits;
  f(from.event_offsets, to.event_offsets, "Trackplex::Lhcb::ut_event_offsets",
    std::size_t(from.n_events) + 1);
}

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
