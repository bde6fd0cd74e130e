// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/core/error.hpp>
#include <trackplex/lhcb/detail/staged.hpp>
#include <trackplex/lhcb/velo_event.hpp>
#include <trackplex/search/hits.hpp>

#include <algorithm>
#include <limits>
#include <span>

namespace trackplex::lhcb {

namespace detail {

/// Host side of the arrays of `search::Hits`: copies that are kept to be filled again, or the
/// arrays themselves where the host reaches them.
template <class Real>
struct VeloHitsStaging {
  template <class T>
  using Array = Kokkos::View<T*, Kokkos::HostSpace>;
  Array<Real> x, y, z;
  Array<std::uint8_t> module;
  Array<std::uint32_t> event_offsets, event_sizes;
};

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

/// Fills `hits` with the events, in their order; arrays only grow. The call waits for the instance:
/// before it writes what earlier kernels may still read, and at the end, for its copies.
template <class ExecutionSpace, class Real>
void load_velo_hits(const ExecutionSpace& exec, std::span<const VeloEvent> events,
                    search::Hits<Real, typename ExecutionSpace::memory_space>& hits,
                    detail::VeloHitsStaging<Real>& staging) {
  std::size_t n_hits = 0;
  for (const auto& event : events) n_hits += detail::checked_event_size(event);
  constexpr std::size_t capacity = std::numeric_limits<std::int32_t>::max();
  if (n_hits > capacity)
    throw CapacityError("load_velo_hits", "hits", n_hits, capacity, "load fewer events");

  exec.fence();
  const auto for_each_array = [&](const auto& f) {
    f(hits.x, staging.x, "Trackplex::Lhcb::velo_x", n_hits);
    f(hits.y, staging.y, "Trackplex::Lhcb::velo_y", n_hits);
    f(hits.z, staging.z, "Trackplex::Lhcb::velo_z", n_hits);
    f(hits.module, staging.module, "Trackplex::Lhcb::velo_module", n_hits);
    f(hits.event_offsets, staging.event_offsets, "Trackplex::Lhcb::velo_event_offsets",
      events.size() + 1);
    f(hits.event_sizes, staging.event_sizes, "Trackplex::Lhcb::velo_event_sizes", events.size());
  };
  for_each_array([&](auto& device, auto& host, const char* label, std::size_t n) {
    detail::reserve_staged(exec, device, host, label, n);
  });

  hits.n_events = int(events.size());
  hits.n_hits = int(n_hits);
  hits.max_event_hits = 0;
  hits.max_layer_hits = 0;
  std::uint32_t first = 0;
  staging.event_offsets(0) = 0;
  for (std::size_t e = 0; e < events.size(); ++e) {
    const auto& modules = events[e].module_offsets;
    detail::stage_event(events[e], first, staging);
    for (int pair = 0; pair < velo_pairs; ++pair)
      hits.max_layer_hits =
          std::max(hits.max_layer_hits, int(modules[2 * pair + 2] - modules[2 * pair]));
    hits.max_event_hits = std::max(hits.max_event_hits, int(events[e].size()));
    staging.event_sizes(e) = std::uint32_t(events[e].size());
    first += std::uint32_t(events[e].size());
    staging.event_offsets(e + 1) = first;
  }

  for_each_array([&](auto& device, auto& host, const char*, std::size_t n) {
    detail::copy_staged(exec, device, host, n);
  });
  exec.fence();
}

}  // namespace trackplex::lhcb
