// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/core/reserve.hpp>
#include <trackplex/search/detail/sort_by_phi.hpp>

namespace trackplex::search {

/// The team kernel of `sort_by_phi`, for `for_each_team` over the events, alone or fused with
/// others. Resizes `sorted` where it is too small.
template <class Phi, class Groups, int Width, class ExecutionSpace, class Real>
auto sort_by_phi_kernel(
    const ExecutionSpace& exec, const Hits<Real, typename ExecutionSpace::memory_space>& hits,
    int layers,
    SortedHits<Real, typename Phi::Key, typename ExecutionSpace::memory_space>& sorted) {
  const auto n = std::size_t(hits.n_hits);
  reserve(exec, sorted.x, "Trackplex::Search::sorted_x", n);
  reserve(exec, sorted.y, "Trackplex::Search::sorted_y", n);
  reserve(exec, sorted.z, "Trackplex::Search::sorted_z", n);
  reserve(exec, sorted.phi, "Trackplex::Search::sorted_phi", n);
  reserve(exec, sorted.side, "Trackplex::Search::sorted_side", n);
  reserve(exec, sorted.index, "Trackplex::Search::sorted_index", n);
  reserve(exec, sorted.bin_offsets, "Trackplex::Search::bin_offsets",
          std::size_t(hits.n_events) * (Groups::bins_per_event(layers) + 1));
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
