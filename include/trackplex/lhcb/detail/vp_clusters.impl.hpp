// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/core/copy.hpp>
#include <trackplex/core/error.hpp>
#include <trackplex/lhcb/detail/super_pixels.hpp>
#include <trackplex/lhcb/raw_banks.hpp>
#include <trackplex/lhcb/velo/velo_pixels.hpp>
#include <trackplex/lhcb/velo/velo_sensors.hpp>
#include <trackplex/lhcb/vp_clusters.hpp>

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <span>
#include <string>

namespace trackplex::lhcb {
namespace detail {

TRACKPLEX_INLINE std::span<const std::uint32_t> super_pixels(const RawEvent& event,
                                                             std::size_t bank) {
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

TRACKPLEX_INLINE std::uint32_t max_hits(std::span<const std::uint32_t> super_pixels) {
  int n = 0;
  for (const auto word : super_pixels) n += count_components(int(word));
  return std::uint32_t(n);
}

/// Sets the offsets of the banks of an event, and the upper limits of its hits, in total and in a
/// module pair.
TRACKPLEX_INLINE void stage_event_capacity(const RawEvent& event, std::uint32_t* bank_offsets,
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

TRACKPLEX_INLINE void stage_vp_capacity(std::span<const RawEvent* const> events,
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
