// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/core/reserve.hpp>
#include <trackplex/search/detail/sort_by_phi.hpp>

namespace trackplex::search {

/// Allocates (or keeps, where they are large enough) the arrays for the sorted hits.
template <class Groups, class Memory, class Real, class Key>
void reserve_sorted_hits(const Memory& memory,
                         const Hits<Real, typename Memory::memory_space>& hits, int layers,
                         SortedHits<Real, Key, typename Memory::memory_space>& sorted) {
  const auto n = std::size_t(hits.n_hits);
  reserve(memory, sorted.x, "Trackplex::Search::sorted_x", n);
  reserve(memory, sorted.y, "Trackplex::Search::sorted_y", n);
  reserve(memory, sorted.z, "Trackplex::Search::sorted_z", n);
  reserve(memory, sorted.phi, "Trackplex::Search::sorted_phi", n);
  reserve(memory, sorted.side, "Trackplex::Search::sorted_side", n);
  reserve(memory, sorted.index, "Trackplex::Search::sorted_index", n);
  reserve(memory, sorted.bin_offsets, "Trackplex::Search::bin_offsets",
          std::size_t(hits.n_events) * (Groups::bins_per_event(layers) + 1));
}

/// The team kernel of `sort_by_phi`, for `for_each_team` over the events, alone or fused with
/// others. Resizes `sorted` where it is too small.
template <class Phi, class Groups, int Width, class ExecutionSpace, class Real>
auto sort_by_phi_kernel(
    const ExecutionSpace& exec, const Hits<Real, typename ExecutionSpace::memory_space>& hits,
    int layers,
    SortedHits<Real, typename Phi::Key, typename ExecutionSpace::memory_space>& sorted) {
  reserve_sorted_hits<Groups>(exec, hits, layers, sorted);
  return detail::SortByPhi<Phi, Groups, LanesOf<Real, Width>, std::decay_t<decltype(hits)>,
                           std::decay_t<decltype(sorted)>>{hits, sorted, layers};
}

/// Sorts the hits of each event by group, azimuth and index into `sorted`, which it resizes where
/// it is too small, and fills the table of bins. `layers` counts module pairs; Width is the number
/// of lanes. Enqueues one kernel, a team per event.
template <class Phi, class Groups, int Width, class ExecutionSpace, class Real>
void sort_by_phi(const ExecutionSpace& exec,
                 const Hits<Real, typename ExecutionSpace::memory_space>& hits, int layers,
                 SortedHits<Real, typename Phi::Key, typename ExecutionSpace::memory_space>& sorted,
                 int team_size = 0) {
  for_each_team(exec, "Trackplex::Search::sort_by_phi", hits.n_events,
                sort_by_phi_kernel<Phi, Groups, Width>(exec, hits, layers, sorted), team_size);
}

}  // namespace trackplex::search
