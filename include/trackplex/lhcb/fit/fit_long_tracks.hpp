// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/core/algorithm.hpp>
#include <trackplex/core/error.hpp>
#include <trackplex/lhcb/fit/detail/long_track_fitter.hpp>
#include <trackplex/lhcb/fit/long_fit_input.hpp>
#include <trackplex/lhcb/fit/long_fits.hpp>

namespace trackplex::lhcb {

/// Algorithm: fit of long tracks by a Kalman filter with parametrised transport (LHCb's Allen of
/// 2020), with covariance. The filter goes from the VELO hit nearest to the beam downstream through
/// the hits in VELO, UT and SciFi, by the steps of KalmanTransport; layers of UT and SciFi without
/// a hit are passed. q/p of the result is that after the last layer. A second filter goes back
/// through the VELO hits to the beam: it begins at the most downstream one with the slopes of the
/// first filter and large errors, but q/p of the result and its error, so no hit counts twice.
/// chi2 is that of the first filter; a VELO hit has two coordinates, other hits one, and five
/// parameters are fitted. Tracks are good that are within LongFitParams::max_chi2_per_ndf. One
/// kernel, a team per event, a track per lane.
template <class T, class ExecutionSpace, int Width = default_lane_width<ExecutionSpace, T>>
struct FitLongTracks {
  using MemorySpace = typename ExecutionSpace::memory_space;  ///< Memory space of all arrays.
  using Hits = VeloHits<T, MemorySpace>;                      ///< Read: hits of the VELO.
  using Tracks = VeloTracks<MemorySpace>;                     ///< Read: tracks of the VELO.
  using UtHitsOf = UtHits<T, MemorySpace>;                    ///< Read: hits of the UT.
  using InUt = UtTracks<T, MemorySpace>;                      ///< Read: tracks in the UT.
  using InScifi = ScifiHits<T, MemorySpace>;                  ///< Read: hits of the SciFi.
  using Long = LongTracks<T, MemorySpace>;                    ///< Read: long tracks.
  using Fits = LongFits<T, MemorySpace>;                      ///< Made: their fits.
  static constexpr const char* name = "fit_long_tracks";

  LongFitSetup<T, MemorySpace> setup;  ///< transport and errors, see long_fit_setup()
  bool enabled = true;                 ///< false: the product has no events and no kernel runs
  int team_size = 0;                   ///< threads per event; 0: default of the space

  /// Allocates as many slots as the long tracks have.
  template <class Memory>
  void allocate(const Memory& memory, const Hits&, const Tracks&, const UtHitsOf&, const InUt&,
                const InScifi&, const Long& tracks, Fits& fits) const {
    fits.slots = enabled ? tracks.slots : 0;
    fits.n_events = enabled ? tracks.n_events : 0;
    allocate_arrays(memory.of(fits), fits);
  }

  /// Enqueues the kernel.
  /// @throws UsageError if hits and tracks are those of different events
  void operator()(const ExecutionSpace& exec, const Hits& velo_hits, const Tracks& velo_tracks,
                  const UtHitsOf& ut_hits, const InUt& ut_tracks, const InScifi& scifi_hits,
                  const Long& tracks, Fits& fits) const {
    if (!enabled) return;
    using Input = LongFitInput<T, MemorySpace>;
    const Input input{setup, {velo_hits, velo_tracks, ut_hits, ut_tracks, scifi_hits, tracks}};
    input.check(name);
    for_each_team(exec, "Trackplex::Lhcb::fit_long_tracks", tracks.n_events,
                  detail::LongTrackFitter<LanesOf<T, Width>, Input, Fits>{input, fits}, team_size);
  }
};

}  // namespace trackplex::lhcb

#if defined(TRACKPLEX_INSTANCES)
#include <trackplex/lhcb/fit/detail/fit_long_tracks.instances.hpp>
#endif
