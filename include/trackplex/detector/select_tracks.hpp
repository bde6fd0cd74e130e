// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/core/algorithm.hpp>
#include <trackplex/core/launch.hpp>
#include <trackplex/kalman/fit_tracks.hpp>
#include <trackplex/seeding/track_hits.hpp>

#include <cstddef>
#include <cstdint>

namespace trackplex::detector {

/// Conditions of fitted tracks.
struct SelectTracksParams {
  int min_hits = 4;              ///< min number of hits
  double max_chi2_per_ndf = 5.;  ///< max chi2 of the fit per degree of freedom
};

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
template <class T, class ExecutionSpace>
struct SelectTracks {
  static constexpr const char* name = "select_tracks";
  using MemorySpace = MemoryOf<ExecutionSpace>;            ///< of its arrays
  using Flags = Kokkos::View<std::uint8_t*, MemorySpace>;  ///< one per track, or per hit
  using Tracks = seeding::TrackHits<MemorySpace>;   ///< hits of tracks, see `DetectorTrackLayers`
  using Fits = kalman::FitResults<T, MemorySpace>;  ///< results of their fits

  SelectTracksParams params{};  ///< conditions

  /// Allocates a flag for each track; the flags of hits must exist.
  template <class Memory>
  void allocate(const Memory& memory, const Tracks& tracks, const Fits&, Flags& accepted,
                Flags& /*taken*/) const {
    allocate_array(memory.of(accepted), accepted, "Trackplex::Detector::accepted",
                   std::size_t(tracks.tracks));
  }
  /// Enqueues the kernel.
  void operator()(const ExecutionSpace& exec, const Tracks& tracks, const Fits& fits,
                  Flags& accepted, Flags& taken) const {
    for_each_tile<int>(
        exec, "Trackplex::Detector::select_tracks", tracks.tracks,
        detail::SelectTracks<T, Tracks, Fits, Flags>{tracks, fits, accepted, taken, params.min_hits,
                                                     T(params.max_chi2_per_ndf)});
  }
};

}  // namespace trackplex::detector
