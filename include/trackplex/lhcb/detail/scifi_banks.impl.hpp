// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/core/copy.hpp>
#include <trackplex/core/error.hpp>
#include <trackplex/lhcb/check_raw_banks.hpp>
#include <trackplex/lhcb/detail/scifi_clusters.hpp>
#include <trackplex/lhcb/scifi_banks.hpp>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <span>

namespace trackplex::lhcb {
namespace detail {

/// Sets the offsets of the banks of an event; returns the number of its clusters.
TRACKPLEX_INLINE std::size_t count_scifi_clusters(const RawEvent& event,
                                                  std::uint32_t* bank_offsets) {
  check_scifi_banks(event.scifi, event.name);
  std::size_t n = 0;
  for (std::size_t b = 0; b < event.scifi.size(); ++b) {
    bank_offsets[b] = std::uint32_t(n);
    const auto words = event.scifi.payload(b);
    n += std::size_t(number_of_scifi_clusters(
        event.scifi.version, ScifiWords(words.data(), std::uint32_t(words.size()))));
  }
  constexpr std::size_t capacity = std::numeric_limits<std::uint16_t>::max();
  if (n > capacity)
    throw CapacityError(event.name, "SciFi clusters", n, capacity,
                        "an index of a hit inside its event has 16 bits");
  return n;
}

}  // namespace detail

TRACKPLEX_INLINE void stage_scifi_capacity(std::span<const RawEvent* const> events,
                                           ScifiCapacity<Kokkos::HostSpace>& capacity) {
  constexpr std::size_t max_hits = std::numeric_limits<std::int32_t>::max();
  std::size_t n_hits = 0, max_event_hits = 0, bank = 0;
  capacity.event_offsets(0) = 0;
  for (std::size_t e = 0; e < events.size(); ++e) {
    const std::size_t n =
        detail::count_scifi_clusters(*events[e], capacity.bank_offsets.data() + bank);
    bank += events[e]->scifi.size();
    n_hits += n;
    max_event_hits = std::max(max_event_hits, n);
    if (n_hits > max_hits)
      throw CapacityError("stage_scifi_capacity", "SciFi clusters", n_hits, max_hits,
                          "take fewer events at a time");
    capacity.event_offsets(e + 1) = std::uint32_t(n_hits);
  }
  capacity.n_hits = int(n_hits);
  capacity.max_event_hits = int(max_event_hits);
}

}  // namespace trackplex::lhcb
