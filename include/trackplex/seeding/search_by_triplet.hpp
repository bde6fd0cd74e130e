// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/core/host_copy.hpp>
#include <trackplex/seeding/detail/search_by_triplet.hpp>

namespace trackplex::seeding {

/// Allocates (or keeps, where they are large enough) the slots that the tracks of `hits` may need.
template <class Memory, class InputHits>
void reserve_tracks(const Memory& memory, const InputHits& hits,
                    const TripletParameters& parameters,
                    Tracks<typename Memory::memory_space>& tracks) {
  tracks.n_events = hits.n_events;
  tracks.hits_per_slot = parameters.hits_per_slot;
  tracks.slots = first_slot(std::uint32_t(hits.n_hits), hits.n_events, tracks.hits_per_slot);
  reserve_arrays(memory, tracks);
}

/// Search by triplet (D. Campora et al.): finds straight tracks in the sorted hits of many events,
/// one team per event.
///
/// The team kernel of `search_by_triplet`, for `for_each_team` over the events, alone or fused with
/// others. Resizes `tracks` where they are too small.
template <class Phi, class Groups, int Width, class ExecutionSpace, class Real, class ModuleZ>
auto search_by_triplet_kernel(
    const ExecutionSpace& exec,
    const search::Hits<Real, typename ExecutionSpace::memory_space>& hits,
    const search::SortedHits<Real, typename Phi::Key, typename ExecutionSpace::memory_space>&
        sorted,
    const ModuleZ& module_z, const TripletParameters& parameters,
    Tracks<typename ExecutionSpace::memory_space>& tracks) {
  using Space = typename ExecutionSpace::memory_space;
  reserve_tracks(exec, hits, parameters, tracks);
  const detail::TripletSizes sizes{
      hits.max_event_hits, hits.max_layer_hits, Groups::bins,
      hits.max_event_hits / parameters.hits_per_slot + 1 + minimum_slots};
  return detail::SearchByTriplet<Phi, Groups, LanesOf<Real, Width>, search::Hits<Real, Space>,
                                 search::SortedHits<Real, typename Phi::Key, Space>, Tracks<Space>,
                                 ModuleZ>{hits,
                                          sorted,
                                          tracks,
                                          module_z,
                                          detail::TripletCuts<Real>(parameters),
                                          int(module_z.extent(0)) / 2,
                                          sizes};
}

/// Starting at the layers of largest z: tracks that are open are forwarded to the next layer, then
/// seeds of three hits are formed in it. A track of four hits or more is kept; one of three if its
/// hits are used by no longer track and fit a line. `module_z` holds the nominal z of the modules,
/// two per layer (sides 0 and 1). Seeds without a slot are counted. The tracks of an event stand in
/// the order of their seeds. Enqueues one kernel on the instance.
template <class Phi, class Groups, int Width, class ExecutionSpace, class Real, class ModuleZ>
void search_by_triplet(const ExecutionSpace& exec,
                       const search::Hits<Real, typename ExecutionSpace::memory_space>& hits,
                       const search::SortedHits<Real, typename Phi::Key,
                                                typename ExecutionSpace::memory_space>& sorted,
                       const ModuleZ& module_z, const TripletParameters& parameters,
                       Tracks<typename ExecutionSpace::memory_space>& tracks, int team_size = 0) {
  for_each_team(exec, "Trackplex::Seeding::search_by_triplet", hits.n_events,
                search_by_triplet_kernel<Phi, Groups, Width>(exec, hits, sorted, module_z,
                                                             parameters, tracks),
                team_size);
}

}  // namespace trackplex::seeding
