// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// @file
/// Second and third hits of tracks on layers whose modules overlap.

#include <trackplex/candidates/detail/find_overlap_hits.hpp>
#include <trackplex/core/algorithm.hpp>
#include <trackplex/core/launch.hpp>

#include <cstdint>
#include <string>
#include <type_traits>

namespace trackplex::candidates {

/// Algorithm that adds to tracks the hits on neighbouring modules of the layers on which they
/// have a hit. It fits each track from a state before the hits, in the order of the
/// layers; after each hit the compatible
/// hits with the smallest chi2 on up to two other modules of the layer are added. In the end each
/// hit is on one track only: among the tracks that have or find it, the one with the most hits of
/// its own, and the first one among equals. A track that loses more than half of its own hits in
/// this way duplicates a better one on overlapping modules, and loses all hits.
///
/// Hits that are not in the bins are not found: the hits of all tracks, for example.
/// @tparam Field functor `field(x, y, z)`, see kalman/propagation.hpp
/// @tparam Width number of lanes
template <class T, class ExecutionSpace, class Field,
          int Width = default_lane_width<ExecutionSpace, T, KernelKind::track_states>,
          kalman::TrackModel Model = kalman::CentralTrack>
struct AddOverlapHits {
  static constexpr const char* name = "add_overlap_hits";
  using MemorySpace = MemoryOf<ExecutionSpace>;                ///< of its arrays
  using Binned = search::BinnedDetectorHits<T, MemorySpace>;   ///< hits that may be added
  using Tracks = tracks::DetectorTrackLayers<T, MemorySpace>;  ///< tracks with their hits
  using States = kalman::TrackStates<T, MemorySpace, Model>;   ///< start states of the fits
  using Hits = tracks::TrackHits<MemorySpace>;                 ///< output
  /// Track that claims each hit.
  struct Scratch {
    Kokkos::View<std::uint64_t*, MemorySpace> claims;  ///< key of the claim
  };

  geometry::Navigation<T, MemorySpace> navigation;  ///< of the detector
  Field field;                                      ///< B or B_z, T
  DetectorSearchParams params{.max_chi2 = 12.};     ///< window and limit of chi2
  kalman::FitOptions options{};                     ///< of the fits

  /// Allocates three slots for each hit of the tracks, for the hit and up to two on
  /// neighbouring modules, and states on the modules of the last hits of the fits.
  /// @throws UsageError if there are not as many states as tracks, or hits, bins and detector have
  /// different layers
  template <class Memory>
  void allocate(const Memory& memory, const Tracks& tracks, const Binned& binned,
                const States& states, Hits& hits, States& ends, Scratch& scratch) const {
    tracks.check(name, states.size());
    if (binned.layers != navigation.detector.n_layers)
      throw UsageError(
          name, "hits and detector have different layers",
          std::to_string(binned.layers) + " and " + std::to_string(navigation.detector.n_layers));
    hits.allocate(memory.of(hits), tracks.tracks.tracks,
                  detail::slots_per_layer * tracks.tracks.layers);
    ends.allocate(memory.of(ends), states.size());
    allocate_array(memory.scratch(), scratch.claims, "Trackplex::Candidates::claims",
                   std::size_t(tracks.hits.hits) + 1);
  }

  /// Enqueues the kernels.
  /// @throws UsageError if the hits are not binned
  void operator()(const ExecutionSpace& exec, const Tracks& tracks, const Binned& binned,
                  const States& states, Hits& hits, States& ends, Scratch& scratch) const {
    using Real = LanesOf<T, Width>;
    using Search = DetectorSearch<Model, T, MemorySpace, kalman::FieldFor<T, Field>>;
    const int n = tracks.tracks.tracks;
    if (n > 0 && binned.events == 0)
      throw UsageError(name, "there are no hits in bins", std::to_string(n) + " tracks",
                       "run bin_hits before");
    const auto start = states.const_view();
    const auto end = ends.view();
    const Search search{binned, navigation, kalman::field_for<T>(field), params, {}, 0};
    for_each_tile<int>(exec, "Trackplex::Candidates::clear_claims", tracks.hits.hits,
                       detail::ClearClaims{scratch.claims.data()});
    for_each_tile<Real>(exec, "Trackplex::Candidates::find_overlap_hits", n,
                        detail::FindOverlapHits<Real, Search, std::remove_const_t<decltype(start)>,
                                                std::remove_const_t<decltype(end)>, Tracks, Hits>{
                            search, start, end, tracks, hits, scratch.claims.data(), options});
    for_each_tile<int>(exec, "Trackplex::Candidates::settle_claims", n,
                       detail::SettleClaims<Hits>{hits, scratch.claims.data()});
  }
};

}  // namespace trackplex::candidates
