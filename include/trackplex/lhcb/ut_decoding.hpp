// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/core/host_copy.hpp>
#include <trackplex/lhcb/detail/ut_decoding.hpp>
#include <trackplex/lhcb/raw_bank_batch.hpp>
#include <trackplex/lhcb/ut_decoding_table.hpp>
#include <trackplex/lhcb/ut_hits.hpp>

namespace trackplex::lhcb {

/// Version of the UT banks whose hits can be decoded to positions.
inline constexpr int ut_bank_version = 3;

namespace detail {

/// Host side of the arrays of UtHits that the host fills.
using UtHitsStaging = UtRoom<Kokkos::HostSpace>;

inline void check_ut_bank_version(int version, const std::string& where) {
  if (version == ut_bank_version) return;
  throw UsageError(where, "UT banks of version " + std::to_string(version) + " are not supported",
                   "the positions of the boards that send them are not known",
                   "only version " + std::to_string(ut_bank_version) +
                       " can be decoded; ut_v4_hits() gives lanes and strips of version 4");
}

/// Hits that an event's UT banks announce.
inline std::size_t announced_ut_hits(const RawEvent& event) {
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

/// Makes room on the host for what `stage_ut_room` writes.
template <class Memory>
void reserve_ut_room(const Memory& memory, std::span<const RawEvent* const> events,
                     UtRoom<Kokkos::HostSpace>& staging) {
  staging.n_events = int(events.size());
  reserve_arrays(memory, staging);
}

/// Checks the UT banks of the events and counts the hits that they announce.
/// @throws UsageError if an event has UT banks of another version than 3
/// @throws InputError if a bank is shorter than its hits need
/// @throws CapacityError if an event has more than 65535 hits, or all more than 31 bits count
inline void stage_ut_room(std::span<const RawEvent* const> events,
                          UtRoom<Kokkos::HostSpace>& staging) {
  constexpr std::size_t capacity = std::numeric_limits<std::int32_t>::max();
  std::size_t n_hits = 0, max_event_hits = 0;
  staging.event_offsets(0) = 0;
  for (std::size_t e = 0; e < events.size(); ++e) {
    const std::size_t n = detail::announced_ut_hits(*events[e]);
    n_hits += n;
    max_event_hits = std::max(max_event_hits, n);
    if (n_hits > capacity)
      throw CapacityError("reserve_ut_hits", "UT hits", n_hits, capacity, "load fewer events");
    staging.event_offsets(e + 1) = std::uint32_t(n_hits);
  }
  staging.n_hits = int(n_hits);
  staging.max_event_hits = int(max_event_hits);
}

/// Makes the room in `hits`, for `groups` sector groups each: arrays for what is decoded, and the
/// offsets, which `hits` shares with `room`.
template <class Memory, class Real>
void reserve_ut_hits(const Memory& memory, const UtRoom<typename Memory::memory_space>& room,
                     int groups, UtHits<Real, typename Memory::memory_space>& hits) {
  hits.groups = groups;
  hits.n_events = room.n_events;
  hits.n_hits = room.n_hits;
  hits.max_event_hits = room.max_event_hits;
  hits.event_offsets = room.event_offsets;
  reserve_arrays(memory, hits);
}

/// Gives `hits` room for what the UT banks of the events announce, `groups` sector groups each;
/// arrays only grow. The call waits for the instance: before it writes what earlier kernels may
/// still read, and at the end, for its copies.
/// @throws UsageError, InputError, CapacityError as stage_ut_room
template <class ExecutionSpace, class Real>
void reserve_ut_hits(const ExecutionSpace& exec, std::span<const RawEvent> events, int groups,
                     UtHits<Real, typename ExecutionSpace::memory_space>& hits,
                     detail::UtHitsStaging& staging) {
  exec.fence();
  const auto pointers = detail::pointers_to(events);
  reserve_ut_room(exec, pointers, staging);
  stage_ut_room(pointers, staging);
  UtRoom<typename ExecutionSpace::memory_space> room;
  room.event_offsets = hits.event_offsets;  // to be filled again
  reserve_copies(exec, staging, room);
  copy_arrays(exec, staging, room);
  reserve_ut_hits(exec, room, groups, hits);
  exec.fence();
}

/// The team kernel of `decode_ut`, for `for_each_team` over the events, alone or fused with others.
/// @throws UsageError as decode_ut
template <int Width, class ExecutionSpace, class Real>
auto ut_decoding_kernel(const ExecutionSpace&,
                        const RawBankBatch<typename ExecutionSpace::memory_space>& banks,
                        const UtDecodingTable<Real, typename ExecutionSpace::memory_space>& table,
                        const UtHits<Real, typename ExecutionSpace::memory_space>& hits) {
  if (banks.n_banks > 0) detail::check_ut_bank_version(banks.version, "decode_ut");
  if (hits.n_events != banks.n_events || hits.groups != table.groups)
    throw UsageError("decode_ut", "the room for hits is not that of the banks and the table", {},
                     "reserve_ut_hits() with the same events and groups comes before");
  return detail::UtDecoding<LanesOf<Real, Width>, std::decay_t<decltype(banks)>,
                            std::decay_t<decltype(table)>, std::decay_t<decltype(hits)>>{
      banks, table, hits};
}

/// Decodes the UT banks of the events to hits, in the order that UtHits promises. `hits` has room
/// for them: reserve_ut_hits() with the same events comes before. Hits of channels that no sector
/// is connected to are counted and left out. Enqueues one kernel, a team per event.
/// @throws UsageError if the banks are not of version 3, or the room is not that of the banks
template <int Width, class ExecutionSpace, class Real>
void decode_ut(const ExecutionSpace& exec,
               const RawBankBatch<typename ExecutionSpace::memory_space>& banks,
               const UtDecodingTable<Real, typename ExecutionSpace::memory_space>& table,
               const UtHits<Real, typename ExecutionSpace::memory_space>& hits, int team_size = 0) {
  for_each_team(exec, "Trackplex::Lhcb::decode_ut", hits.n_events,
                ut_decoding_kernel<Width>(exec, banks, table, hits), team_size);
}

}  // namespace trackplex::lhcb
