// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// @file
/// Leaves out tracks that live on the hits of better ones: duplicates, and fakes. Seeds of real
/// hits give many.

#include <trackplex/candidates/detail/compete_for_hits.hpp>
#include <trackplex/candidates/shared_hits_params.hpp>
#include <trackplex/core/launch.hpp>
#include <trackplex/core/scan.hpp>
#include <trackplex/core/workspace.hpp>

namespace trackplex::candidates {

/// Tracks that were kept, in their order, and what they were before.
template <class T, class MemorySpace>
struct KeptTracks {
  FoundTracks<T, MemorySpace> tracks;
  Kokkos::View<std::int32_t*, MemorySpace> origin;  ///< index of each before

  /// Room for so many; see `BasicMatriplex::reserve`.
  template <class Memory>
  void reserve(const Memory& memory, int n, int layers) {
    tracks.reserve(memory, n, layers);
    using trackplex::reserve;
    reserve(memory, origin, "Trackplex::Candidates::origin", std::size_t(n));
  }
};

/// Keeps tracks as if they came one by one, those with most hits first, of these the ones with
/// least chi2: a track is kept if enough of its hits are not on tracks that were kept before.
/// Rounds take the place of the order: in each, all tracks that are the best ones of all their free
/// hits are decided at once. Waits for each round.
template <class Space, class T>
void remove_shared_hits(const Space& exec, const search::LayerHits<T, MemoryOf<Space>>& hits,
                        const FoundTracks<T, MemoryOf<Space>>& found,
                        const SharedHitsParams& params, KeptTracks<T, MemoryOf<Space>>& kept,
                        Workspace<Space>& workspace) {
  const int n = found.size();
  const auto n_hits = std::size_t(hits.hits);
  const auto best =
      workspace.template get<std::uint64_t>(exec, "Trackplex::Candidates::best_of_hit", n_hits);
  const auto taken =
      workspace.template get<std::uint8_t>(exec, "Trackplex::Candidates::hit_is_taken", n_hits);
  const auto verdict = workspace.template get<std::int32_t>(exec, "Trackplex::Candidates::verdict",
                                                            std::size_t(n) + 1);
  using Race =
      detail::CompeteForHits<search::LayerHits<T, MemoryOf<Space>>, FoundTracks<T, MemoryOf<Space>>,
                             decltype(best), decltype(taken), decltype(verdict)>;
  const Race race{hits, found, best, taken, verdict, params.min_hits, params.min_own_hits};
  const auto range = [&]<class Step>(Step, int size) {
    return Kokkos::RangePolicy<Space, Step>(exec, 0, size);
  };
  for_each_item<typename Race::FreeHits>(exec, "Trackplex::Candidates::free_hits", hits.hits, race);
  for_each_item<typename Race::Begin>(exec, "Trackplex::Candidates::begin_race", n, race);
  for (int undecided = n; undecided > 0;) {
    for_each_item<typename Race::Forget>(exec, "Trackplex::Candidates::forget_claims", hits.hits,
                                         race);
    for_each_item<typename Race::Claim>(exec, "Trackplex::Candidates::claim", n, race);
    for_each_item<typename Race::Decide>(exec, "Trackplex::Candidates::decide", n, race);
    Kokkos::parallel_reduce("Trackplex::Candidates::take", range(typename Race::Take{}, n), race,
                            undecided);
  }

  const auto place = workspace.template get<std::int32_t>(
      exec, "Trackplex::Candidates::place_of_kept", std::size_t(n) + 1);
  exclusive_scan(exec, verdict, place, n);
  int total = 0;
  Kokkos::parallel_reduce("Trackplex::Candidates::count_kept", range(typename Race::CountKept{}, n),
                          race, total);
  kept.tracks.resize(exec, total, found.hits.layers);
  reserve(exec, kept.origin, "Trackplex::Candidates::origin", std::size_t(total));
  const auto from = found.states.const_view();
  const auto to = kept.tracks.states.view();
  for_each_item(
      exec, "Trackplex::Candidates::copy_kept", n,
      detail::CopyKept<FoundTracks<T, MemoryOf<Space>>, std::decay_t<decltype(from)>,
                       std::decay_t<decltype(to)>, decltype(verdict), decltype(kept.origin)>{
          found, kept.tracks, from, to, verdict, place, kept.origin});
}

}  // namespace trackplex::candidates
