// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/core/copy.hpp>
#include <trackplex/core/error.hpp>
#include <trackplex/lhcb/detail/super_pixels.hpp>
#include <trackplex/lhcb/raw_banks.hpp>
#include <trackplex/lhcb/velo_pixels.hpp>
#include <trackplex/lhcb/velo_sensors.hpp>

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <span>
#include <string>

/// @file
/// Hits of the VELO from its raw banks (VP, version 2: super-pixels of 2 x 4 pixels). A cluster is
/// a connected component of lit pixels of a sensor, with neighbours also at corners; it may have
/// any size and shape and extend over several chips. Its hit is the mean position of its pixels.
///
/// The hits of an event are ordered by the sensor, then by the column and row of the first
/// super-pixel of the cluster, then by the lowest row of the cluster in that super-pixel: the order
/// depends on the lit pixels only. Banks and super-pixels may be in any order. A pixel is lit if
/// any word for its super-pixel, in any bank of its sensor, has it lit. The hint of the banks that
/// a super-pixel has no neighbours is not used: the search for neighbours costs little.

namespace trackplex::lhcb {

/// Capacity for the VELO hits of a batch of events, as the host derives it from the banks. The
/// upper limit of the hits of an event is the number of connected components inside each of its
/// super-pixels, a little more than the number of clusters.
template <class MemorySpace>
struct VpCapacity {
  template <class T>
  using Array = Kokkos::View<T*, MemorySpace>;  ///< Array in this memory space.

  Array<std::uint32_t> event_offsets;  ///< as in search::Hits
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

/// Properties of the VELO hits of a batch of events that are not in search::Hits.
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
inline std::span<const std::uint32_t> super_pixels(const RawEvent& event, std::size_t bank) {
  const auto refuse = [&](const std::string& problem, const std::string& why) {
    throw InputError({.file = event.name, .field = "VP bank", .index = bank}, problem, why);
  };
  if (event.vp.version != 2)
    refuse("version " + std::to_string(event.vp.version) + " is not supported", "only 2 is");
  if (event.vp.sources[bank] >= velo_sensor_count)
    refuse("there is no sensor " + std::to_string(event.vp.sources[bank]),
           "the VELO has " + std::to_string(velo_sensor_count));
  const auto words = event.vp.payload(bank);
  const std::size_t room = event.vp.bytes[bank] / 4;
  if (room == 0 || words[0] > room - 1)
    refuse("it is too short for its super-pixels",
           room == 0 ? "it is empty"
                     : std::to_string(words[0]) + " in " + std::to_string(4 * room) + " bytes");
  return words.subspan(1, words[0]);
}

/// Capacity for the hits of a bank: connected components inside its super-pixels, two each at most.
inline std::uint32_t max_hits(std::span<const std::uint32_t> super_pixels) {
  int n = 0;
  for (const auto word : super_pixels) n += count_components(int(word));
  return std::uint32_t(n);
}

/// Sets the offsets of the banks of an event, and the upper limits of its hits, in total and in a
/// module pair.
inline void stage_event_capacity(const RawEvent& event, std::uint32_t* bank_offsets,
                                 std::uint32_t& event_hits, int& max_layer_hits) {
  std::array<std::uint32_t, velo_pairs> layer_hits{};
  std::size_t room = 0;
  for (std::size_t b = 0; b < event.vp.size(); ++b) {
    const auto n = max_hits(super_pixels(event, b));
    bank_offsets[b] = std::uint32_t(room);
    layer_hits[event.vp.sources[b] / (2 * velo_sensors_per_module)] += n;
    room += n;
  }
  constexpr std::size_t capacity = std::numeric_limits<std::uint16_t>::max();
  if (room > capacity)
    throw CapacityError(event.name, "hits", room, capacity,
                        "an index of a hit inside its event has 16 bits");
  event_hits = std::uint32_t(room);
  max_layer_hits =
      std::max(max_layer_hits, int(*std::max_element(layer_hits.begin(), layer_hits.end())));
}

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
inline void stage_vp_capacity(std::span<const RawEvent* const> events,
                              VpCapacity<Kokkos::HostSpace>& capacity) {
  std::size_t n_hits = 0, bank = 0;
  capacity.max_event_hits = 0;
  capacity.max_layer_hits = 0;
  capacity.event_offsets(0) = 0;
  for (std::size_t e = 0; e < events.size(); ++e) {
    std::uint32_t event_hits = 0;
    detail::stage_event_capacity(*events[e], capacity.bank_offsets.data() + bank, event_hits,
                                 capacity.max_layer_hits);
    bank += events[e]->vp.size();
    n_hits += event_hits;
    capacity.max_event_hits = std::max(capacity.max_event_hits, int(event_hits));
    capacity.event_offsets(e + 1) = std::uint32_t(n_hits);
  }
  constexpr std::size_t max_hits = std::numeric_limits<std::int32_t>::max();
  if (n_hits > max_hits)
    throw CapacityError("stage_vp_capacity", "hits", n_hits, max_hits,
                        "take fewer events at a time");
  capacity.n_hits = int(n_hits);
}

}  // namespace trackplex::lhcb
