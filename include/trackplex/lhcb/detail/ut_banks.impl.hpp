// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/core/copy.hpp>
#include <trackplex/core/error.hpp>
#include <trackplex/lhcb/raw_bank_batch.hpp>
#include <trackplex/lhcb/ut/ut_hits.hpp>
#include <trackplex/lhcb/ut_banks.hpp>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <span>
#include <string>

namespace trackplex::lhcb {
namespace detail {

TRACKPLEX_INLINE void check_ut_bank_version(int version, const std::string& where) {
  if (version == ut_bank_version) return;
  throw UsageError(where, "UT banks of version " + std::to_string(version) + " are not supported",
                   "the positions of the boards that send them are not known",
                   "only version " + std::to_string(ut_bank_version) +
                       " can be decoded; ut_v4_hits() gives lanes and strips of version 4");
}

/// Number of hits in the headers of the UT banks of an event.
TRACKPLEX_INLINE std::size_t announced_ut_hits(const RawEvent& event) {
  if (event.ut.size() > 0) check_ut_bank_version(event.ut.version, event.name);
  std::size_t hits = 0;
  for (std::size_t bank = 0; bank < event.ut.size(); ++bank) {
    const std::size_t bytes = event.ut.bytes[bank];
    const std::size_t n = bytes < 4 ? 0 : event.ut.payload(bank)[0] & 0xffffu;
    if (bytes < 4 + 2 * n)
      throw InputError({event.name, "UT bank", bank},
                       "it has " + std::to_string(bytes) + " bytes, too few for its header and " +
                           std::to_string(n) + " hits",
                       "board " + std::to_string(event.ut.sources[bank]), "the event is damaged");
    hits += n;
  }
  constexpr std::size_t capacity = std::numeric_limits<std::uint16_t>::max();
  if (hits > capacity)
    throw CapacityError(event.name, "UT hits", hits, capacity,
                        "an index of a hit inside its event has 16 bits");
  return hits;
}

}  // namespace detail

TRACKPLEX_INLINE void stage_ut_capacity(std::span<const RawEvent* const> events,
                                        UtCapacity<Kokkos::HostSpace>& capacity) {
  constexpr std::size_t max_hits = std::numeric_limits<std::int32_t>::max();
  std::size_t n_hits = 0, max_event_hits = 0;
  capacity.event_offsets(0) = 0;
  for (std::size_t e = 0; e < events.size(); ++e) {
    const std::size_t n = detail::announced_ut_hits(*events[e]);
    n_hits += n;
    max_event_hits = std::max(max_event_hits, n);
    if (n_hits > max_hits)
      throw CapacityError("stage_ut_capacity", "UT hits", n_hits, max_hits,
                          "take fewer events at a time");
    capacity.event_offsets(e + 1) = std::uint32_t(n_hits);
  }
  capacity.n_hits = int(n_hits);
  capacity.max_event_hits = int(max_event_hits);
}

}  // namespace trackplex::lhcb
