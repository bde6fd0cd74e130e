// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/core/algorithm.hpp>
#include <trackplex/geometry/field_map.hpp>
#include <trackplex/lhcb/fit/detail/long_field_fitter.hpp>
#include <trackplex/lhcb/fit/long_field_input.hpp>
#include <trackplex/lhcb/fit/long_fits.hpp>

namespace trackplex::lhcb {

/// Algorithm: fit of long tracks by Trackplex' Kalman filter in a magnetic field (Runge-Kutta-
/// Nystroem integration, see kalman/propagation.hpp), with covariance. The filter goes from the
/// state of the search after the SciFi, with large errors, upstream through the hits in SciFi, UT
/// and VELO to the VELO hit nearest to the beam, where its state has the information of all hits.
/// Covariances are square roots, so single precision is enough. Material scatters, see
/// LongTrackMaterial; energy loss is neglected, as in the parametrised filter (FitLongTracks), of
/// which the results have the form. Tracks whose fit fails, as where they miss a layer, are not
/// good. One kernel, a team per event, a track per lane.
/// @tparam Field vector field in cm and T, see geometry/field.hpp
template <class T, class ExecutionSpace, int Width = default_lane_width<ExecutionSpace, T>,
          class Field = geometry::FieldMap<T, typename ExecutionSpace::memory_space>>
struct FitLongTracksInField {
  using MemorySpace = typename ExecutionSpace::memory_space;  ///< Memory space of all arrays.
  using Hits = VeloHits<T, MemorySpace>;                      ///< Read: hits of the VELO.
  using Tracks = VeloTracks<MemorySpace>;                     ///< Read: tracks of the VELO.
  using UtHitsOf = UtHits<T, MemorySpace>;                    ///< Read: hits of the UT.
  using InUt = UtTracks<T, MemorySpace>;                      ///< Read: tracks in the UT.
  using InScifi = ScifiHits<T, MemorySpace>;                  ///< Read: hits of the SciFi.
  using Long = LongTracks<T, MemorySpace>;                    ///< Read: long tracks.
  using Fits = LongFits<T, MemorySpace>;                      ///< Made: their fits.
  static constexpr const char* name = "fit_long_tracks_in_field";

  LongFieldSetup<T> setup;  ///< errors and material, see long_field_setup()
  Field field;              ///< of the magnet, see magnet_map()
  bool enabled = true;      ///< false: the product has no events and no kernel runs
  int team_size = 0;        ///< threads per event; 0: default of the space

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
    using Input = LongFieldInput<T, MemorySpace, Field>;
    const Input input{
        setup, {velo_hits, velo_tracks, ut_hits, ut_tracks, scifi_hits, tracks}, field};
    input.check(name);
    for_each_team(exec, "Trackplex::Lhcb::fit_long_tracks_in_field", tracks.n_events,
                  detail::LongFieldFitter<LanesOf<T, Width>, Input, Fits>{input, fits}, team_size);
  }
};

}  // namespace trackplex::lhcb

#if defined(TRACKPLEX_INSTANCES)
#include <trackplex/lhcb/fit/detail/fit_long_tracks_in_field.instances.hpp>
#endif
