// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/core/number.hpp>

#include <cstdint>

namespace trackplex::lhcb {

/// UT hits of many events, one array per quantity. Event e has room for hits [event_offsets(e),
/// event_offsets(e + 1)); those that it owns stand in the order of their sector groups and, inside
/// a group, of (y_begin, x, place in the raw banks). A group is a column of sectors, see
/// UtSectorGroups. Lengths in mm. `Index` is an integer as wide as a real, so that lanes load both
/// together.
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
  int n_hits = 0;          ///< room for hits, in all events
  int max_event_hits = 0;  ///< no event has more hits
};

}  // namespace trackplex::lhcb
