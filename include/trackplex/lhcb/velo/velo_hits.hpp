// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/chain/products.hpp>
#include <trackplex/core/compiled.hpp>
#include <trackplex/core/copy.hpp>
#include <trackplex/core/error.hpp>
#include <trackplex/lhcb/velo/hits.hpp>
#include <trackplex/lhcb/velo/velo_event.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

namespace trackplex::lhcb {

/// VELO hits on the host, to be copied to the device.
template <class T>
using StagedVeloHits = chain::Staged<VeloHits<T, Kokkos::HostSpace>>;

namespace detail {

std::size_t checked_event_size(const VeloEvent& event);

/// Writes the hits of an event from index `first` on.
template <class T>
void stage_event(const VeloEvent& event, std::uint32_t first, const StagedVeloHits<T>& hits) {
  const auto copy = [first](const std::vector<double>& from, const auto& to) {
    std::copy(from.begin(), from.end(), to.data() + first);
  };
  copy(event.x, hits.x);
  copy(event.y, hits.y);
  copy(event.z, hits.z);
  for (int m = 0; m < velo_modules; ++m)
    std::fill(hits.module.data() + first + event.module_offsets[m],
              hits.module.data() + first + event.module_offsets[m + 1], std::uint8_t(m));
}

}  // namespace detail

/// Algorithm on the host: checks the events and writes their hits to arrays, in their order.
template <class T>
struct StageVeloHits {
  static constexpr const char* name = "stage_velo_hits";

  /// Checks the events, sets the number of hits and allocates their arrays.
  /// @throws UsageError if the arrays of an event do not agree
  /// @throws CapacityError if an event has more than 65535 hits, or all together 2^31 or more
  template <class Memory>
  void allocate(const Memory& memory, const chain::Events<VeloEvent>& events,
                StagedVeloHits<T>& hits) const {
    std::size_t n_hits = 0;
    for (const auto* event : events.pointers) n_hits += detail::checked_event_size(*event);
    constexpr std::size_t capacity = std::numeric_limits<std::int32_t>::max();
    if (n_hits > capacity)
      throw CapacityError(name, "hits", n_hits, capacity, "take fewer events at a time");
    hits.n_events = int(events.pointers.size());
    hits.n_hits = int(n_hits);
    allocate_arrays(memory.of(hits), hits);
  }

  /// Writes the hits.
  void operator()(const chain::Events<VeloEvent>& events, StagedVeloHits<T>& hits) const {
    hits.max_event_hits = 0;
    hits.max_layer_hits = 0;
    std::uint32_t first = 0;
    hits.event_offsets(0) = 0;
    for (std::size_t e = 0; e < events.pointers.size(); ++e) {
      const auto& event = *events.pointers[e];
      const auto& modules = event.module_offsets;
      detail::stage_event(event, first, hits);
      for (int pair = 0; pair < velo_pairs; ++pair)
        hits.max_layer_hits =
            std::max(hits.max_layer_hits, int(modules[2 * pair + 2] - modules[2 * pair]));
      hits.max_event_hits = std::max(hits.max_event_hits, int(event.size()));
      hits.event_sizes(e) = std::uint32_t(event.size());
      first += std::uint32_t(event.size());
      hits.event_offsets(e + 1) = first;
    }
  }
};

}  // namespace trackplex::lhcb

#if !defined(TRACKPLEX_COMPILED)
#include <trackplex/lhcb/velo/detail/velo_hits.impl.hpp>
#endif
