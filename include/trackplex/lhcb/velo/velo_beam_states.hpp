// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/core/algorithm.hpp>
#include <trackplex/core/team_launch.hpp>
#include <trackplex/lhcb/velo/hits.hpp>
#include <trackplex/lhcb/velo/tracks.hpp>
#include <trackplex/lhcb/velo/velo_end_states.hpp>
#include <trackplex/vertexing/tracks_at_beam.hpp>

#include <cstddef>
#include <cstdint>

namespace trackplex::lhcb {

/// Uncertainties of VELO tracks at the beam. The noise is larger than that of LHCb's code
/// (7e-6 (tx^2 + ty^2), see VeloFilterParams): with this one the pulls of tracks from primary
/// vertices of simulated minimum-bias events have a width of 1.
inline constexpr VeloFilterParams velo_beam_filter = {6400., 1e-8, 2e-5, 1.};

namespace detail {

/// Kernel: filters the tracks of one event per team from the hit farthest from the beam to the
/// nearest one.
template <class Real, class InputHits, class InputTracks, class Lines, class Output>
struct VeloBeamStates {
  using T = ScalarOf<Real>;
  using Integer = IntegerOf<Real>;
  using I = ScalarOf<Integer>;

  InputHits hits;
  InputTracks tracks;
  Lines lines;
  Output at_beam;
  T variance;                                         ///< of x and y of a hit, mm^2
  T noise, noise_per_slope2, initial_slope_variance;  ///< see VeloFilterParams
  T beam_x, beam_y;

  KOKKOS_FUNCTION std::size_t scratch_bytes() const { return 0; }

  template <class Member>
  KOKKOS_FUNCTION void operator()(const Member& member, const ScratchCarver&) const {
    const TeamLanes<Real, Member> team(member);
    const int event = member.league_rank();
    const auto first_hit = hits.event_offsets(event);
    const auto slot = first_slot(first_hit, event, tracks.hits_per_slot);
    team.single([&] {
      at_beam.first(event) = std::uint32_t(slot);
      at_beam.count(event) = tracks.count(event);
    });
    team.for_each(int(tracks.count(event)),
                  [&](Tile<Real> tile) { filter_tile(tile, first_hit, slot); });
  }

 private:
  struct Filters {
    LineFilter<Real> x, y;
    Real z;
    MaskOf<Real> begun;
  };

  /// Adds hit h of the tracks in the mask.
  KOKKOS_FORCEINLINE_FUNCTION void add_hit(const Tile<Real>& tile, std::size_t first_hit,
                                           std::size_t slot, int h, const Real& step_noise,
                                           const MaskOf<Real>& mask, Filters& f) const {
    const auto index = tile.template load<Integer>(tracks.hits.data() + h * tracks.slots + slot);
    const Real x = gather<Real>(hits.x.data() + first_hit, index, mask),
               y = gather<Real>(hits.y.data() + first_hit, index, mask),
               z = gather<Real>(hits.z.data() + first_hit, index, mask);
    const auto begins = mask && !f.begun, continues = mask && f.begun;
    const Real dz = z - f.z, of_hit(variance);
    f.x.add(x, dz, of_hit, step_noise, continues);
    f.y.add(y, dz, of_hit, step_noise, continues);
    f.x.x = select(begins, x, f.x.x);
    f.y.x = select(begins, y, f.y.x);
    f.z = select(mask, z, f.z);
    f.begun = f.begun || mask;
  }

  KOKKOS_FUNCTION void filter_tile(const Tile<Real>& tile, std::size_t first_hit,
                                   std::size_t slot) const {
    const auto length = tile.template load<Integer>(tracks.length.data() + slot);
    const auto backward =
        tile.template load<Integer>(lines.backward.data() + slot) != Integer(I(0)) && tile.mask();
    const Real tx = tile.load(lines.tx.data() + slot), ty = tile.load(lines.ty.data() + slot);
    const Real step_noise = fma(Real(noise_per_slope2), fma(tx, tx, ty * ty), Real(noise));
    const Real zero(T(0)), of_hit(variance), slope_variance(initial_slope_variance);
    Filters f{{zero, tx, of_hit, zero, slope_variance},
              {zero, ty, of_hit, zero, slope_variance},
              zero,
              MaskOf<Real>(false)};
    const int longest = int(max_of(length));
    // hits are stored from the most downstream one upstream
    for (int h = 0; h < longest; ++h)
      add_hit(tile, first_hit, slot, h, step_noise,
              Integer(I(h)) < length && tile.mask() && !backward, f);
    if (any_of(backward))
      for (int h = longest - 1; h >= 0; --h)
        add_hit(tile, first_hit, slot, h, step_noise, Integer(I(h)) < length && backward, f);
    store_track(tile, slot, step_noise, f);
  }

  KOKKOS_FUNCTION void store_track(const Tile<Real>& tile, std::size_t slot, const Real& step_noise,
                                   const Filters& f) const {
    const Real zero(T(0));
    vertexing::TrackLine<Real> line;
    line.x = f.x.x;
    line.y = f.y.x;
    line.z = f.z;
    line.tx = f.x.slope;
    line.ty = f.y.slope;
    line.xx = f.x.xx;
    line.xy = zero;
    line.yy = f.y.xx;
    line.xtx = f.x.xt;
    line.xty = zero;
    line.ytx = zero;
    line.yty = f.y.xt;
    line.txtx = f.x.tt + step_noise;
    line.txty = zero;
    line.tyty = f.y.tt + step_noise;
    const Real distance = vertexing::distance_to_beam(line, Real(beam_x), Real(beam_y));
    const auto track = vertexing::track_at_beam(line, distance);
    // on the way to the beam the variances grow; elsewhere the beam is among the hits
    const auto usable = distance * f.x.xt >= zero && distance * f.y.xt >= zero;
    tile.store(at_beam.x.data() + slot, track.x);
    tile.store(at_beam.y.data() + slot, track.y);
    tile.store(at_beam.z.data() + slot, track.z);
    tile.store(at_beam.tx.data() + slot, track.tx);
    tile.store(at_beam.ty.data() + slot, track.ty);
    tile.store(at_beam.wxx.data() + slot, select(usable, track.wxx, zero));
    tile.store(at_beam.wxy.data() + slot, select(usable, track.wxy, zero));
    tile.store(at_beam.wyy.data() + slot, select(usable, track.wyy, zero));
  }
};

}  // namespace detail

/// Algorithm: states of VELO tracks where they are closest to the beam, with their uncertainties,
/// for vertexing::FindVertices. Separate Kalman filters of x and y begin at the hit farthest from
/// the beam with the slopes of the fitted lines and end at the nearest one. Each further layer, and
/// the way to the beam, adds noise + noise_per_slope2 (tx^2 + ty^2) to the variance of the slopes.
/// Tracks that are closest to the beam between their hits are unusable: their weights are 0. One
/// kernel, a team per event.
template <class T, class ExecutionSpace, int Width = default_lane_width<ExecutionSpace, T>>
struct VeloBeamStates {
  using MemorySpace = typename ExecutionSpace::memory_space;     ///< Memory space of all arrays.
  using Hits = VeloHits<T, MemorySpace>;                         ///< Read: hits of the VELO.
  using Tracks = VeloTracks<MemorySpace>;                        ///< Read: tracks of the VELO.
  using Lines = LineStates<T, MemorySpace>;                      ///< Read: fitted lines.
  using TracksAtBeam = vertexing::TracksAtBeam<T, MemorySpace>;  ///< Made: one for each slot.
  static constexpr const char* name = "velo_beam_states";

  VeloFilterParams params = velo_beam_filter;  ///< uncertainties
  double beam_x = 0.,                          ///< x of the beam, mm
      beam_y = 0.;                             ///< y of the beam, mm
  int team_size = 0;                           ///< threads per event; 0: default of the space

  /// Allocates as many entries as the tracks have slots.
  template <class Memory>
  void allocate(const Memory& memory, const Hits& hits, const Tracks& tracks, const Lines&,
                TracksAtBeam& at_beam) const {
    at_beam.n_tracks = tracks.slots;
    at_beam.n_events = hits.n_events;
    at_beam.max_event_tracks = hits.max_event_hits / tracks.hits_per_slot + 1 + min_slots;
    allocate_arrays(memory.of(at_beam), at_beam);
  }

  /// Enqueues the kernel.
  void operator()(const ExecutionSpace& exec, const Hits& hits, const Tracks& tracks,
                  const Lines& lines, TracksAtBeam& at_beam) const {
    using Kernel = detail::VeloBeamStates<LanesOf<T, Width>, Hits, Tracks, Lines, TracksAtBeam>;
    for_each_team(
        exec, "Trackplex::Lhcb::velo_beam_states", hits.n_events,
        Kernel{hits, tracks, lines, at_beam, T(1. / params.inverse_variance), T(params.noise),
               T(params.noise_per_slope2), T(params.initial_slope_variance), T(beam_x), T(beam_y)},
        team_size);
  }
};

}  // namespace trackplex::lhcb

#if defined(TRACKPLEX_INSTANCES)
#include <trackplex/lhcb/velo/detail/velo_beam_states.instances.hpp>
#endif
