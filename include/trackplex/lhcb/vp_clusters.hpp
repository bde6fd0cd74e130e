// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/core/compiled.hpp>
#include <trackplex/core/copy.hpp>
#include <trackplex/core/error.hpp>
#include <trackplex/lhcb/raw_banks.hpp>
#include <trackplex/lhcb/velo/velo_pixels.hpp>

#include <array>
#include <cstdint>
#include <span>
#include <string>

/// @file
/// Hits of the VELO from its raw banks (VP, version 2: super-pixels of 2 x 4 pixels). A cluster is
/// a connected component of lit pixels of a sensor, with neighbours also at corners; it may have
/// any size and shape and extend over several chips. Its hit is the mean position of its pixels.
///
/// The hits of an event are ordered by the sensor, then by the column and row of the first
/// super-pixel of the cluster, then by the lowest row of the cluster in that super-pixel: the order
/// depends only on the lit pixels. Banks and super-pixels may be in any order. A pixel is lit if
/// any word for its super-pixel, in any bank of its sensor, has it lit. The hint in the banks that
/// a super-pixel has no neighbours is not used, since the search for neighbours is cheap.

namespace trackplex::lhcb {

/// Capacity for the VELO hits of a batch of events, as the host derives it from the banks. The
/// upper limit of the hits of an event is the number of connected components inside each of its
/// super-pixels, a little more than the number of clusters.
template <class MemorySpace>
struct VpCapacity {
  template <class T>
  using Array = Kokkos::View<T*, MemorySpace>;  ///< Array in this memory space.

  Array<std::uint32_t> event_offsets;  ///< as in VeloHits
  Array<std::uint32_t> bank_offsets;   ///< as in VpClusters
  int n_events = 0;                    ///< number of events
  int n_banks = 0;                     ///< number of banks of all events
  int n_hits = 0;                      ///< capacity for hits, in all events
  int max_event_hits = 0;              ///< upper limit of the number of hits of an event
  int max_layer_hits = 0;  ///< upper limit of the number of hits of a module pair of an event
};

/// Copies the plain members and calls f(array of from, array of to, label, entries) for each array;
/// see core/copy.hpp.
template <class From, class To, class F>
void for_each_array(const VpCapacity<From>& from, VpCapacity<To>& to, const F& f) {
  to.n_events = from.n_events;
  to.n_banks = from.n_banks;
  to.n_hits = from.n_hits;
  to.max_event_hits = from.max_event_hits;
  to.max_layer_hits = from.max_layer_hits;
  f(from.event_offsets, to.event_offsets, "Trackplex::Lhcb::velo_event_offsets",
    std::size_t(from.n_events) + 1);
  f(from.bank_offsets, to.bank_offsets, "Trackplex::Lhcb::vp_bank_offsets",
    std::size_t(from.n_banks));
}

/// Properties of the VELO hits of a batch of events that are not in VeloHits.
template <class MemorySpace>
struct VpClusters {
  template <class T>
  using Array = Kokkos::View<T*, MemorySpace>;  ///< Array in this memory space.

  Array<std::uint32_t> ids;      ///< (hit): LHCbID, at the index of the hit
  Array<std::uint32_t> invalid;  ///< (event): number of super-pixels outside their sensor, skipped
  Array<std::uint32_t> bank_offsets;  ///< (bank): capacity for the hits of the event's banks before
  int n_events = 0;                   ///< number of events
  int n_hits = 0;                     ///< capacity for hits, in all events
};

/// Copies the plain members and calls f(array of from, array of to, label, entries) for each array
/// that the clustering fills; see core/copy.hpp.
template <class From, class To, class F>
void for_each_array(const VpClusters<From>& from, VpClusters<To>& to, const F& f) {
  to.n_events = from.n_events;
  to.n_hits = from.n_hits;
  f(from.ids, to.ids, "Trackplex::Lhcb::velo_ids", std::size_t(from.n_hits));
  f(from.invalid, to.invalid, "Trackplex::Lhcb::vp_invalid", std::size_t(from.n_events));
}

namespace detail {

/// Super-pixels of a bank: its words from the second one on.
std::span<const std::uint32_t> super_pixels(const RawEvent& event, std::size_t bank);

/// Capacity for the hits of a bank: connected components inside its super-pixels, two each at most.
std::uint32_t max_hits(std::span<const std::uint32_t> super_pixels);

}  // namespace detail

/// Sets the sizes and allocates the arrays for stage_vp_capacity().
template <class Memory>
void allocate_vp_capacity(const Memory& memory, std::span<const RawEvent* const> events,
                          VpCapacity<Kokkos::HostSpace>& capacity) {
  std::size_t n_banks = 0;
  for (const auto* event : events) n_banks += event->vp.size();
  capacity.n_events = int(events.size());
  capacity.n_banks = int(n_banks);
  allocate_arrays(memory, capacity);
}

/// Checks the VP banks of the events and computes the capacity that their hits need.
/// @throws InputError if a bank is not of version 2, of no sensor, or too short for its
/// super-pixels
/// @throws CapacityError if the limit of the hits of an event is above 65535, or their sum is 2^31
///         or more
void stage_vp_capacity(std::span<const RawEvent* const> events,
                       VpCapacity<Kokkos::HostSpace>& capacity);

}  // namespace trackplex::lhcb

#if !defined(TRACKPLEX_COMPILED)
#include <trackplex/lhcb/detail/vp_clusters.impl.hpp>
#endif
