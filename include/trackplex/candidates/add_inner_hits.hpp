// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// @file
/// Hits of tracks before their first ones, in a detector of modules.

#include <trackplex/candidates/build_tracks.hpp>
#include <trackplex/candidates/detail/add_inner_hits.hpp>
#include <trackplex/core/algorithm.hpp>
#include <trackplex/core/launch.hpp>
#include <trackplex/core/part_memory.hpp>
#include <trackplex/tracks/detector_track_layers.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <type_traits>

namespace trackplex::candidates {

/// Algorithm that follows tracks from their first hits back to where they begin, and adds the
/// nearest compatible hit of each layer on the way. It reverses the states there and builds
/// tracks from them (`BuildTracks` with `BestHit`). A hit of another track is not added; a hit that
/// several tracks find is added only to the track with the most hits of its own, and to the first
/// one among equals.
///
/// Hits that are not in the bins are not found. On the way back particles lose energy instead of
/// gaining it: use it for a few layers, before a fit of all hits.
/// @tparam Field as of `BuildTracks`
/// @tparam Width number of lanes
template <class T, class ExecutionSpace, class Field,
          int Width = default_lane_width<ExecutionSpace, T, KernelKind::track_states>>
struct AddInnerHits {
  static constexpr const char* name = "add_inner_hits";
  using MemorySpace = MemoryOf<ExecutionSpace>;                ///< of its arrays
  using Model = kalman::CentralTrack;                          ///< track model
  using Binned = search::BinnedDetectorHits<T, MemorySpace>;   ///< hits that may be added
  using Tracks = tracks::DetectorTrackLayers<T, MemorySpace>;  ///< tracks with their hits
  using States = kalman::TrackStates<T, MemorySpace, Model>;   ///< states at their first hits
  using Hits = tracks::TrackHits<MemorySpace>;                 ///< output
  /// Reversed tracks.
  struct Scratch {
    seeding::Seeds<T, MemorySpace, Model> seeds;       ///< first hits, and states there
    tracks::FoundTracks<T, MemorySpace, Model> built;  ///< hits before the first ones
    Kokkos::View<std::uint64_t*, MemorySpace> claims;  ///< of each hit: key of its track
  };

  /// Navigation in the detector, where the successors of a layer are the layers before it: see
  /// `geometry::reversed`.
  geometry::Navigation<T, MemorySpace> inwards;
  Field field;  ///< B or B_z, T
  /// Windows and limit of chi2; `max_layers` counts the first hit and the added ones, and a track
  /// ends after `max_holes` layers without a hit.
  DetectorSearchParams params{.max_chi2 = 12., .max_holes = 1, .max_layers = 5};

  /// Allocates the slots of the tracks and `max_layers` - 1 slots before them.
  /// @throws UsageError if there are not as many states as tracks, or hits, bins and detector have
  /// different layers
  template <class Memory>
  void allocate(const Memory& memory, const Tracks& tracks, const Binned& binned,
                const States& states, Hits& hits, Scratch& scratch) const {
    tracks.check(name, states.size());
    const int n = tracks.tracks.tracks;
    hits.allocate(memory.of(hits), n, inner() + tracks.tracks.layers);
    auto& seeds = scratch.seeds;
    seeds.allocate(memory.scratch(), n, 1);
    allocate_array(memory.scratch(), seeds.layer, "Trackplex::Candidates::first_layer",
                   std::size_t(n));
    build().allocate(PartMemory{memory.scratch(), memory.scratch()}, seeds, binned, scratch.built);
    allocate_array(memory.scratch(), scratch.claims, "Trackplex::Candidates::claims",
                   std::size_t(tracks.hits.hits) + 1);
  }

  /// Enqueues the kernels.
  /// @throws UsageError if the hits are not binned
  void operator()(const ExecutionSpace& exec, const Tracks& tracks, const Binned& binned,
                  const States& states, Hits& hits, Scratch& scratch) const {
    using Real = LanesOf<T, Width>;
    auto& seeds = scratch.seeds;
    const int n = tracks.tracks.tracks;
    const auto at_first = states.const_view();
    const auto turned = seeds.states.view();
    for_each_tile<Real>(exec, "Trackplex::Candidates::turn_round", n,
                        detail::TurnRound<Real, std::remove_const_t<decltype(at_first)>,
                                          std::remove_const_t<decltype(turned)>, Tracks, Hits>{
                            at_first, turned, tracks, seeds.hits, seeds.layer.data()});
    build()(exec, seeds, binned, scratch.built);
    for_each_tile<int>(exec, "Trackplex::Candidates::clear_claims", tracks.hits.hits,
                       detail::ClearClaims{scratch.claims.data()});
    const detail::InnerHits<Hits> merge{tracks.tracks, scratch.built.hits, hits,
                                        scratch.claims.data(), params.max_holes};
    for_each_tile<int>(exec, "Trackplex::Candidates::claim_inner_hits", n,
                       detail::ClaimInnerHits<Hits>{merge});
    for_each_tile<int>(exec, "Trackplex::Candidates::add_inner_hits", n,
                       detail::StoreInnerHits<Hits>{merge});
  }

 private:
  int inner() const { return params.max_layers - 1; }
  BuildTracks<BestHit, T, ExecutionSpace, Field, Binned, Width, Model> build() const {
    return {inwards, field, params};
  }
};

}  // namespace trackplex::candidates
