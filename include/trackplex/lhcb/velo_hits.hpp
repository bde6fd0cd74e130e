// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/core/error.hpp>
#include <trackplex/core/reserve.hpp>
#include <trackplex/lhcb/velo_event.hpp>
#include <trackplex/search/hits.hpp>

#include <algorithm>
#include <limits>
#include <span>

namespace trackplex::lhcb {

namespace detail {

/// Host copies of the arrays of `search::Hits`, kept to be filled again.
template <class Real>
struct VeloHitsStaging {
  template <class T>
  using Array = Kokkos::View<T*, Kokkos::HostSpace>;
  Array<Real> x, y, z;
  Array<std::uint8_t> module;
  Array<std::uint32_t> event_offsets;
};

inline std::size_t checked_event_size(const VeloEvent& event) {
  const std::size_t n = event.size();
  const bool ascending = std::is_sorted(event.module_offsets.begin(), event.module_offsets.end());
  if (event.y.size() != n || event.z.size() != n || !ascending || event.module_offsets.front() != 0 ||
      event.module_offsets.back() != n)
    throw UsageError(event.name, "the arrays of hits and the module offsets do not agree");
  constexpr std::size_t capacity = std::numeric_limits<std::uint16_t>::max();
  if (n > capacity)
    throw CapacityError(event.name, "hits", n, capacity, "an index of a hit inside its event has 16 bits");
  return n;
}

}  // namespace detail

/// Fills `hits` with the events, in their order; arrays only grow. Copies are enqueued on the instance, and the call waits
/// for them, since they read from `staging`.
template <class ExecutionSpace, class Real>
void load_velo_hits(const ExecutionSpace& exec, std::span<const VeloEvent> events,
                    search::Hits<Real, typename ExecutionSpace::memory_space>& hits,
                    detail::VeloHitsStaging<Real>& staging) {
  const Kokkos::DefaultHostExecutionSpace host;
  std::size_t n_hits = 0;
  for (const auto& event : events) n_hits += detail::checked_event_size(event);
  if (n_hits > std::numeric_limits<std::int32_t>::max())
    throw CapacityError("load_velo_hits", "hits", n_hits, std::numeric_limits<std::int32_t>::max(), "load fewer events");

  const auto room = [&](auto& device, auto& host_copy, const char* label, std::size_t n) {
    reserve(host, host_copy, label, n);
    reserve(exec, device, label, n);
  };
  room(hits.x, staging.x, "Trackplex::Lhcb::velo_x", n_hits);
  room(hits.y, staging.y, "Trackplex::Lhcb::velo_y", n_hits);
  room(hits.z, staging.z, "Trackplex::Lhcb::velo_z", n_hits);
  room(hits.module, staging.module, "Trackplex::Lhcb::velo_module", n_hits);
  room(hits.event_offsets, staging.event_offsets, "Trackplex::Lhcb::velo_event_offsets", events.size() + 1);

  hits.n_events = int(events.size());
  hits.n_hits = int(n_hits);
  hits.max_event_hits = 0;
  hits.max_layer_hits = 0;
  std::uint32_t first = 0;
  staging.event_offsets(0) = 0;
  for (std::size_t e = 0; e < events.size(); ++e) {
    const VeloEvent& event = events[e];
    const auto& modules = event.module_offsets;
    for (std::size_t i = 0; i < event.size(); ++i) {
      staging.x(first + i) = Real(event.x[i]);
      staging.y(first + i) = Real(event.y[i]);
      staging.z(first + i) = Real(event.z[i]);
    }
    for (int m = 0; m < velo_modules; ++m)
      for (auto i = modules[m]; i < modules[m + 1]; ++i) staging.module(first + i) = std::uint8_t(m);
    for (int pair = 0; pair < velo_pairs; ++pair)
      hits.max_layer_hits = std::max(hits.max_layer_hits, int(modules[2 * pair + 2] - modules[2 * pair]));
    hits.max_event_hits = std::max(hits.max_event_hits, int(event.size()));
    first += std::uint32_t(event.size());
    staging.event_offsets(e + 1) = first;
  }

  const auto copy = [&](auto& device, const auto& host_copy, std::size_t n) {
    const auto range = std::make_pair(std::size_t(0), n);
    Kokkos::deep_copy(exec, Kokkos::subview(device, range), Kokkos::subview(host_copy, range));
  };
  copy(hits.x, staging.x, n_hits);
  copy(hits.y, staging.y, n_hits);
  copy(hits.z, staging.z, n_hits);
  copy(hits.module, staging.module, n_hits);
  copy(hits.event_offsets, staging.event_offsets, events.size() + 1);
  exec.fence();
}

}  // namespace trackplex::lhcb
