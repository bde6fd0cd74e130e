// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/core/error.hpp>
#include <trackplex/core/host_copy.hpp>
#include <trackplex/lhcb/detail/pointers.hpp>
#include <trackplex/lhcb/velo_event.hpp>
#include <trackplex/search/hits.hpp>

#include <algorithm>
#include <limits>
#include <span>

/// @file
/// Hits of VELO events for kernels: `load_velo_hits`, and its parts.

namespace trackplex::lhcb {

namespace detail {

/// Host side of the arrays: copies that are kept to be filled again, or the arrays themselves where
/// the host reaches them.
template <class Real>
using VeloHitsStaging = search::Hits<Real, Kokkos::HostSpace>;

inline std::size_t checked_event_size(const VeloEvent& event) {
  const std::size_t n = event.size();
  const bool ascending = std::is_sorted(event.module_offsets.begin(), event.module_offsets.end());
  if (event.y.size() != n || event.z.size() != n || !ascending ||
      event.module_offsets.front() != 0 || event.module_offsets.back() != n)
    throw UsageError(event.name, "the arrays of hits and the module offsets do not agree");
  constexpr std::size_t capacity = std::numeric_limits<std::uint16_t>::max();
  if (n > capacity)
    throw CapacityError(event.name, "hits", n, capacity,
                        "an index of a hit inside its event has 16 bits");
  return n;
}

/// Writes an event's hits from `first` on.
template <class Real>
void stage_event(const VeloEvent& event, std::uint32_t first,
                 const VeloHitsStaging<Real>& staging) {
  for (std::size_t i = 0; i < event.size(); ++i) {
    staging.x(first + i) = Real(event.x[i]);
    staging.y(first + i) = Real(event.y[i]);
    staging.z(first + i) = Real(event.z[i]);
  }
  for (int m = 0; m < velo_modules; ++m)
    for (auto i = event.module_offsets[m]; i < event.module_offsets[m + 1]; ++i)
      staging.module(first + i) = std::uint8_t(m);
}

}  // namespace detail

/// Checks the events, and makes room for their hits on the host.
/// @throws UsageError if an event contradicts itself
/// @throws CapacityError if an event has more than 65535 hits, or all more than 31 bits count
template <class Memory, class Real>
void reserve_velo_hits(const Memory& memory, std::span<const VeloEvent* const> events,
                       search::Hits<Real, Kokkos::HostSpace>& staging) {
  std::size_t n_hits = 0;
  for (const auto* event : events) n_hits += detail::checked_event_size(*event);
  constexpr std::size_t capacity = std::numeric_limits<std::int32_t>::max();
  if (n_hits > capacity)
    throw CapacityError("load_velo_hits", "hits", n_hits, capacity, "load fewer events");
  staging.n_events = int(events.size());
  staging.n_hits = int(n_hits);
  reserve_arrays(memory, staging);
}

/// Writes the events, in their order, to where `reserve_velo_hits` has made room for them.
template <class Real>
void stage_velo_hits(std::span<const VeloEvent* const> events,
                     search::Hits<Real, Kokkos::HostSpace>& staging) {
  staging.max_event_hits = 0;
  staging.max_layer_hits = 0;
  std::uint32_t first = 0;
  staging.event_offsets(0) = 0;
  for (std::size_t e = 0; e < events.size(); ++e) {
    const auto& event = *events[e];
    const auto& modules = event.module_offsets;
    detail::stage_event(event, first, staging);
    for (int pair = 0; pair < velo_pairs; ++pair)
      staging.max_layer_hits =
          std::max(staging.max_layer_hits, int(modules[2 * pair + 2] - modules[2 * pair]));
    staging.max_event_hits = std::max(staging.max_event_hits, int(event.size()));
    staging.event_sizes(e) = std::uint32_t(event.size());
    first += std::uint32_t(event.size());
    staging.event_offsets(e + 1) = first;
  }
}

/// Fills `hits` with the events, in their order; arrays only grow. The call waits for the instance:
/// before it writes what earlier kernels may still read, and at the end, for its copies.
/// @throws UsageError, CapacityError as reserve_velo_hits
template <class ExecutionSpace, class Real>
void load_velo_hits(const ExecutionSpace& exec, std::span<const VeloEvent> events,
                    search::Hits<Real, typename ExecutionSpace::memory_space>& hits,
                    detail::VeloHitsStaging<Real>& staging) {
  exec.fence();
  const auto pointers = detail::pointers_to(events);
  reserve_velo_hits(exec, pointers, staging);
  stage_velo_hits(pointers, staging);
  reserve_copies(exec, staging, hits);
  copy_arrays(exec, staging, hits);
  exec.fence();
}

}  // namespace trackplex::lhcb
