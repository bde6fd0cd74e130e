// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// @file
/// Ambiguity resolution: removal of tracks that share too many hits with better ones, the
/// duplicates and fakes that seeds from measured hits produce.

#include <trackplex/candidates/detail/compete_for_hits.hpp>
#include <trackplex/candidates/resolve_ambiguities_params.hpp>
#include <trackplex/core/algorithm.hpp>
#include <trackplex/core/launch.hpp>
#include <trackplex/core/scan.hpp>
#include <trackplex/tracks/kept_tracks.hpp>

#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace trackplex::candidates {

/// Algorithm that removes tracks which share too many hits with better ones.
///
/// It keeps the tracks of a sequential selection: ordered by more hits first, then smaller chi2 (to
/// 18 bits of its mantissa), then lower index, a track is kept if it has enough hits and enough of
/// its hits are not on tracks kept before. It works in rounds instead: in each round all tracks
/// that are the best ones of all their free hits are kept at once. The host waits for each round;
/// on devices it waits every `rounds_per_wait` rounds, the last of which may find nothing left to
/// do.
/// @tparam TheHits `hits::LayerHits` or `hits::DetectorHits`
/// @tparam Model meaning of the last three parameters of the states
template <class T, class ExecutionSpace,
          class TheHits = hits::LayerHits<T, MemoryOf<ExecutionSpace>>,
          kalman::TrackModel Model = kalman::CentralTrack>
struct ResolveAmbiguities {
  static constexpr const char* name = "resolve_ambiguities";
  using MemorySpace = MemoryOf<ExecutionSpace>;              ///< of its arrays
  using Hits = TheHits;                                      ///< input: hits of all events
  using Found = tracks::FoundTracks<T, MemorySpace, Model>;  ///< input: tracks
  using Kept = tracks::KeptTracks<T, MemorySpace, Model>;    ///< output
  /// One-dimensional array in the memory space.
  template <class Element>
  using Array = Kokkos::View<Element*, MemorySpace>;
  /// Rounds between two waits of the host.
  static constexpr int rounds_per_wait = is_host_space<ExecutionSpace> ? 1 : 4;
  /// Arrays that only this algorithm needs.
  struct Scratch {
    Array<std::uint64_t> best;    ///< of each hit: key of the best track that claims it
    Array<std::uint8_t> taken;    ///< of each hit: 1 if it is on a track that is kept
    Array<std::int32_t> verdict,  ///< of each track: 1 if it is kept
        place;                    ///< of each track: its index among the kept tracks
  };

  ResolveAmbiguitiesParams params{};  ///< conditions of the tracks that are kept

  /// Allocates as many kept tracks as there are tracks, and the scratch arrays.
  template <class Memory>
  void allocate(const Memory& memory, const Hits& hits, const Found& found, Kept& kept,
                Scratch& scratch) const {
    kept.allocate(memory.of(kept), found.size(), found.hits.layers);
    const auto of_scratch = memory.scratch();
    const auto n = std::size_t(found.size()) + 1, n_hits = std::size_t(hits.hits);
    allocate_array(of_scratch, scratch.best, "Trackplex::Candidates::best_of_hit", n_hits);
    allocate_array(of_scratch, scratch.taken, "Trackplex::Candidates::hit_is_taken", n_hits);
    allocate_array(of_scratch, scratch.verdict, "Trackplex::Candidates::verdict", n);
    allocate_array(of_scratch, scratch.place, "Trackplex::Candidates::place_of_kept", n);
  }

  /// Launches the kernels of all rounds on the instance, and waits for the number of kept
  /// tracks.
  void operator()(const ExecutionSpace& exec, const Hits& hits, const Found& found, Kept& kept,
                  Scratch& scratch) const {
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
      for (int round = 0; round < rounds_per_wait; ++round) {
        for_each_item<typename Race::Forget>(exec, "Trackplex::Candidates::forget_claims",
                                             hits.hits, race);
        for_each_item<typename Race::Claim>(exec, "Trackplex::Candidates::claim", n, race);
        for_each_item<typename Race::Decide>(exec, "Trackplex::Candidates::decide", n, race);
        for_each_item<typename Race::Take>(exec, "Trackplex::Candidates::take", n, race);
      }
      undecided = count_items<typename Race::CountUndecided>(
          exec, "Trackplex::Candidates::count_undecided", n, race);
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
