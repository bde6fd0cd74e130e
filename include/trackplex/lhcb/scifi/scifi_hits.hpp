// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/core/number.hpp>
#include <trackplex/lhcb/scifi/scifi_channel.hpp>

#include <cstddef>
#include <cstdint>

namespace trackplex::lhcb {

/// Hits of the SciFi in a batch of events, one array per quantity. Event e has capacity for the
/// hits [event_offsets(e), event_offsets(e + 1)); its hits are in the order of zones and, inside a
/// zone, of (x, position in the raw banks). A hit is a fibre: x(y) = x + y dxdy, z(y) = z + y dzdy
/// for y from y_begin to y_end, with the scifi_dxdy of its layer and scifi_dzdy. Lengths are in mm.
template <class Real, class MemorySpace>
struct ScifiHits {
  using Index = IntegerOf<Real>;  ///< Integer as wide as a real, so that lanes load both together.
  template <class T>
  using Array = Kokkos::View<T*, MemorySpace>;  ///< Array in this memory space.

  Array<Real> x,                       ///< (hit): x of the fibre, extended to y = 0
      z;                               ///< (hit): z of the fibre, extended to y = 0
  Array<Real> y_begin,                 ///< (hit): lowest y of the fibre
      y_end;                           ///< (hit): highest y of the fibre
  Array<Real> weight;                  ///< (hit): 1/variance of x, mm^-2, see scifi_sigma
  Array<std::uint8_t> cluster_size;    ///< (hit): pseudo size, 0 to scifi_max_size
  Array<std::uint32_t> id;             ///< (hit): LHCbID
  Array<std::uint32_t> event_offsets;  ///< (event), one more than events
  /// (event, zone), flat: index in event e of the first hit of zone s, and of the end, is
  /// zone_offsets(e * (scifi_zones + 1) + s).
  Array<Index> zone_offsets;
  /// (event): number of clusters that were skipped: of no mat or source, or with edges in an
  /// impossible order.
  Array<std::uint32_t> invalid;
  int n_events = 0;        ///< number of events
  int n_hits = 0;          ///< capacity for hits, in all events
  int max_event_hits = 0;  ///< upper limit of the number of hits of an event
};

/// Copies the plain members and calls f(array of from, array of to, label, entries) for each array;
/// see core/copy.hpp.
template <class Real, class From, class To, class F>
void for_each_array(const ScifiHits<Real, From>& from, ScifiHits<Real, To>& to, const F& f) {
  to.n_events = from.n_events;
  to.n_hits = from.n_hits;
  to.max_event_hits = from.max_event_hits;
  const auto events = std::size_t(from.n_events), n = std::size_t(from.n_hits);
  f(from.x, to.x, "Trackplex::Lhcb::scifi_x", n);
  f(from.z, to.z, "Trackplex::Lhcb::scifi_z", n);
  f(from.y_begin, to.y_begin, "Trackplex::Lhcb::scifi_y_begin", n);
  f(from.y_end, to.y_end, "Trackplex::Lhcb::scifi_y_end", n);
  f(from.weight, to.weight, "Trackplex::Lhcb::scifi_weight", n);
  f(from.cluster_size, to.cluster_size, "Trackplex::Lhcb::scifi_cluster_size", n);
  f(from.id, to.id, "Trackplex::Lhcb::scifi_id", n);
  f(from.event_offsets, to.event_offsets, "Trackplex::Lhcb::scifi_event_offsets", events + 1);
  f(from.zone_offsets, to.zone_offsets, "Trackplex::Lhcb::scifi_zone_offsets",
    events * (scifi_zones + 1));
  f(from.invalid, to.invalid, "Trackplex::Lhcb::scifi_invalid", events);
}

/// Capacity for the SciFi hits of a batch of events, as the host counts the clusters of the banks.
template <class MemorySpace>
struct ScifiCapacity {
  template <class T>
  using Array = Kokkos::View<T*, MemorySpace>;  ///< Array in this memory space.

  Array<std::uint32_t> event_offsets;  ///< as in ScifiHits
  Array<std::uint32_t> bank_offsets;   ///< (bank): number of clusters of the event's banks before
  int n_events = 0;                    ///< number of events
  int n_banks = 0;                     ///< number of banks of all events
  int n_hits = 0;                      ///< capacity for hits, in all events
  int max_event_hits = 0;              ///< upper limit of the number of hits of an event
};

/// Copies the plain members and calls f(array of from, array of to, label, entries) for each array;
/// see core/copy.hpp.
template <class From, class To, class F>
void for_each_array(const ScifiCapacity<From>& from, ScifiCapacity<To>& to, const F& f) {
  to.n_events = from.n_events;
  to.n_banks = from.n_banks;
  to.n_hits = from.n_hits;
  to.max_event_hits = from.max_event_hits;
  f(from.event_offsets, to.event_offsets, "Trackplex::Lhcb::scifi_event_offsets",
    std::size_t(from.n_events) + 1);
  f(from.bank_offsets, to.bank_offsets, "Trackplex::Lhcb::scifi_bank_offsets",
    std::size_t(from.n_banks));
}

}  // namespace trackplex::lhcb
