// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/core/algorithm.hpp>
#include <trackplex/core/launch.hpp>
#include <trackplex/detector/finder_products.hpp>
#include <trackplex/detector/select_tracks_params.hpp>

#include <cstddef>

namespace trackplex::detector {

namespace detail {

/// Accepts a track and marks its hits as taken.
template <class T, class Tracks, class Results, class Flags>
struct SelectTracks {
  Tracks tracks;
  Results fits;
  Flags accepted, taken;
  int min_hits;
  T max_chi2_per_ndf;

  KOKKOS_FUNCTION void operator()(const Tile<int>& tile) const {
    const int track = tile.first;
    int hits = 0;
    for (int slot = 0; slot < tracks.layers; ++slot) hits += tracks(track, slot) >= 0 ? 1 : 0;
    const int ndf = int(fits.measurements(track)) - 5;
    const T chi2 = fits.chi2(track);
    const bool ok = fits.reached(track) != 0 && hits >= min_hits && ndf >= 0 &&
                    chi2 <= max_chi2_per_ndf * T(ndf > 0 ? ndf : 1);
    accepted(track) = ok ? 1 : 0;
    if (!ok) return;
    for (int slot = 0; slot < tracks.layers; ++slot)
      if (tracks(track, slot) >= 0) taken(tracks(track, slot)) = 1;
  }
};

}  // namespace detail

/// Algorithm that accepts fitted tracks and marks their hits as taken, so that later passes skip
/// them (`search::BinFreeHits`).
/// @tparam Model meaning of the last three parameters of states
template <class T, class ExecutionSpace, kalman::TrackModel Model = kalman::CentralTrack>
struct SelectTracks {
  static constexpr const char* name = "select_tracks";
  using MemorySpace = MemoryOf<ExecutionSpace>;   ///< of its arrays
  using Tracks = CompleteTracks<MemorySpace>;     ///< input
  using Fits = FinalFits<T, MemorySpace, Model>;  ///< input
  using Taken = TakenHits<MemorySpace>;           ///< flags of hits, of which it sets some
  using Accepted = AcceptedTracks<MemorySpace>;   ///< output

  SelectTracksParams params{};  ///< conditions

  /// Allocates a flag for each track; the flags of hits must exist.
  template <class Memory>
  void allocate(const Memory& memory, const Tracks& tracks, const Fits&, const Taken&,
                Accepted& accepted) const {
    allocate_array(memory.of(accepted), accepted.flags, "Trackplex::Detector::accepted",
                   std::size_t(tracks.hits.tracks));
  }
  /// Enqueues the kernel.
  void operator()(const ExecutionSpace& exec, const Tracks& tracks, const Fits& fits,
                  const Taken& taken, Accepted& accepted) const {
    using Results = kalman::FitResults<T, MemorySpace>;
    for_each_tile<int>(exec, "Trackplex::Detector::select_tracks", tracks.hits.tracks,
                       detail::SelectTracks<T, tracks::TrackHits<MemorySpace>, Results, Taken>{
                           tracks.hits, fits.results, accepted.flags, taken, params.min_hits,
                           T(params.max_chi2_per_ndf)});
  }
};

}  // namespace trackplex::detector
