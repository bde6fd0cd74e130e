// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// @file
/// Removes tracks that live on the hits of better ones: duplicates, and fakes. Seeds of real
/// hits give many.

#include <trackplex/candidates/detail/compete_for_hits.hpp>
#include <trackplex/candidates/remove_shared_hits_params.hpp>
#include <trackplex/core/algorithm.hpp>
#include <trackplex/core/launch.hpp>
#include <trackplex/core/scan.hpp>

#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace trackplex::candidates {

/// Tracks that were kept, in their order, and what they were before.
template <class T, class MemorySpace>
struct KeptTracks {
  FoundTracks<T, MemorySpace> tracks;
  Kokkos::View<std::int32_t*, MemorySpace> origin;  ///< index of each before; empty: all were kept

  /// See `BasicMatriplex::allocate`.
  template <class Memory>
  void allocate(const Memory& memory, int n, int layers) {
    tracks.allocate(memory, n, layers);
    allocate_array(memory, origin, "Trackplex::Candidates::origin", std::size_t(n));
  }
};

/// Keeps tracks as if they came one by one, those with most hits first, of these the ones with
/// least chi2: a track is kept if enough of its hits are not on tracks that were kept before.
/// Rounds take the place of the order: in each, all tracks that are the best ones of all their free
/// hits are decided at once. Waits for each round.
template <class T, class ExecutionSpace>
struct RemoveSharedHits {
  static constexpr const char* name = "remove_shared_hits";
  using MemorySpace = MemoryOf<ExecutionSpace>;
  using Hits = search::LayerHits<T, MemorySpace>;
  using Found = FoundTracks<T, MemorySpace>;
  template <class Element>
  using Array = Kokkos::View<Element*, MemorySpace>;
  struct Scratch {
    Array<std::uint64_t> best;
    Array<std::uint8_t> taken;
    Array<std::int32_t> verdict, place;
  };

  RemoveSharedHitsParams params{};

  template <class Memory>
  void allocate(const Memory& memory, const Hits& hits, const Found& found,
                KeptTracks<T, MemorySpace>& kept, Scratch& scratch) const {
    kept.allocate(memory.of(kept), found.size(), found.hits.layers);
    const auto of_scratch = memory.scratch();
    const auto n = std::size_t(found.size()) + 1, n_hits = std::size_t(hits.hits);
    allocate_array(of_scratch, scratch.best, "Trackplex::Candidates::best_of_hit", n_hits);
    allocate_array(of_scratch, scratch.taken, "Trackplex::Candidates::hit_is_taken", n_hits);
    allocate_array(of_scratch, scratch.verdict, "Trackplex::Candidates::verdict", n);
    allocate_array(of_scratch, scratch.place, "Trackplex::Candidates::place_of_kept", n);
  }

  void operator()(const ExecutionSpace& exec, const Hits& hits, const Found& found,
                  KeptTracks<T, MemorySpace>& kept, Scratch& scratch) const {
    const int n = found.size();
    using Race = detail::CompeteForHits<Hits, Found, Array<std::uint64_t>, Array<std::uint8_t>,
                                        Array<std::int32_t>>;
    const Race race{hits,
                    found,
                    scratch.best,
                    scratch.taken,
                    scratch.verdict,
                    params.min_hits,
                    params.min_own_hits};
    for_each_item<typename Race::FreeHits>(exec, "Trackplex::Candidates::free_hits", hits.hits,
                                           race);
    for_each_item<typename Race::Begin>(exec, "Trackplex::Candidates::begin_race", n, race);
    for (int undecided = n; undecided > 0;) {
      for_each_item<typename Race::Forget>(exec, "Trackplex::Candidates::forget_claims", hits.hits,
                                           race);
      for_each_item<typename Race::Claim>(exec, "Trackplex::Candidates::claim", n, race);
      for_each_item<typename Race::Decide>(exec, "Trackplex::Candidates::decide", n, race);
      undecided =
          count_items<typename Race::Take>(exec, "Trackplex::Candidates::take", n, race);
    }

    exclusive_scan(exec, scratch.verdict, scratch.place, n);
    const int total =
        count_items<typename Race::CountKept>(exec, "Trackplex::Candidates::count_kept", n, race);
    kept.tracks.set_size(total, found.hits.layers);
    const auto from = found.states.const_view();
    const auto to = kept.tracks.states.view();
    using Copy = detail::CopyKept<Found, std::decay_t<decltype(from)>, std::decay_t<decltype(to)>,
                                  Array<std::int32_t>, Array<std::int32_t>>;
    for_each_item(exec, "Trackplex::Candidates::copy_kept", n,
                  Copy{found, kept.tracks, from, to, scratch.verdict, scratch.place, kept.origin});
  }
};

}  // namespace trackplex::candidates
