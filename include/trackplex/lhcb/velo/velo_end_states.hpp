// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/core/algorithm.hpp>
#include <trackplex/core/team_launch.hpp>
#include <trackplex/lhcb/velo/hits.hpp>
#include <trackplex/lhcb/velo/tracks.hpp>

#include <cstddef>

namespace trackplex::lhcb {

/// z of the states at the end of the VELO, mm.
inline constexpr double velo_end_z = 770.;

/// Uncertainties of a straight VELO track, as in LHCb's code of 2023.
struct VeloFilterParams {
  double inverse_variance = 6400.;     ///< 1/variance of x and y of a hit, mm^-2
  double noise = 1e-8;                 ///< increase of the variance of the slopes at each layer
  double noise_per_slope2 = 7e-6;      ///< further increase, times tx^2 + ty^2
  double initial_slope_variance = 1.;  ///< variance of the slopes at the first hit
};

namespace detail {

/// Kalman filter of one coordinate of a straight track.
template <class Real>
struct LineFilter {
  Real x, slope;
  Real xx, xt, tt;  ///< covariance

  /// Updates the filter with a measurement of the coordinate at a distance dz.
  KOKKOS_FORCEINLINE_FUNCTION void add(const Real& measured, const Real& dz, const Real& variance,
                                       const Real& noise, const MaskOf<Real>& mask) {
    const Real slope_variance = tt + noise;
    const Real predicted = fma(dz, slope, x);
    const Real pxt = fma(dz, slope_variance, xt);
    const Real pxx = fma(dz, pxt, fma(dz, xt, xx));
    const Real per_variance = Real(1) / (variance + pxx);
    const Real gain_x = pxx * per_variance, gain_t = pxt * per_variance;
    const Real residual = measured - predicted;
    x = select(mask, fma(gain_x, residual, predicted), x);
    slope = select(mask, fma(gain_t, residual, slope), slope);
    // (1 - gain) p without the difference, as the gain is nearly 1 at first
    tt = select(mask, fma(slope_variance, variance + xx, -(xt * xt)) * per_variance, tt);
    xx = select(mask, variance * gain_x, xx);
    xt = select(mask, variance * gain_t, xt);
  }
};

/// Kernel: filters the tracks of one event per team.
template <class Real, class InputHits, class InputTracks, class Lines>
struct VeloEndStates {
  using T = ScalarOf<Real>;
  using Integer = IntegerOf<Real>;
  using I = ScalarOf<Integer>;

  InputHits hits;
  InputTracks tracks;
  Lines at_beam;
  Lines at_end;
  T variance;                                         ///< of x and y of a hit, mm^2
  T noise, noise_per_slope2, initial_slope_variance;  ///< see VeloFilterParams

  KOKKOS_FUNCTION std::size_t scratch_bytes() const { return 0; }

  template <class Member>
  KOKKOS_FUNCTION void operator()(const Member& member, const ScratchCarver&) const {
    const TeamLanes<Real, Member> team(member);
    const int event = member.league_rank();
    const auto first_hit = hits.event_offsets(event);
    const auto slot = first_slot(first_hit, event, tracks.hits_per_slot);
    team.for_each(int(tracks.count(event)),
                  [&](Tile<Real> tile) { filter_tile(tile, first_hit, slot); });
  }

 private:
  static KOKKOS_FORCEINLINE_FUNCTION Real real(double value) { return Real(T(value)); }

  struct Point {
    Real x, y, z;
  };
  KOKKOS_FORCEINLINE_FUNCTION Point hit(const Tile<Real>& tile, std::size_t first_hit,
                                        std::size_t slot, int h, const MaskOf<Real>& mask) const {
    const auto index = tile.template load<Integer>(tracks.hits.data() + h * tracks.slots + slot);
    return {gather<Real>(hits.x.data() + first_hit, index, mask),
            gather<Real>(hits.y.data() + first_hit, index, mask),
            gather<Real>(hits.z.data() + first_hit, index, mask)};
  }

  /// Downstream through the hits, which are stored from the most downstream hit upstream.
  KOKKOS_FUNCTION void filter_tile(const Tile<Real>& tile, std::size_t first_hit,
                                   std::size_t slot) const {
    const auto length = tile.template load<Integer>(tracks.length.data() + slot);
    const Real tx = tile.load(at_beam.tx.data() + slot), ty = tile.load(at_beam.ty.data() + slot);
    const Real of_hit = Real(variance), slope_variance = Real(initial_slope_variance);
    const Real step_noise = fma(Real(noise_per_slope2), fma(tx, tx, ty * ty), Real(noise));
    LineFilter<Real> in_x{Real(0), tx, of_hit, Real(0), slope_variance};
    LineFilter<Real> in_y{Real(0), ty, of_hit, Real(0), slope_variance};
    Real z(0);
    for (int h = int(max_of(length)) - 1; h >= 0; --h) {
      const auto mask = Integer(I(h)) < length && tile.mask();
      const auto begins = Integer(I(h + 1)) == length && mask;
      const auto [hit_x, hit_y, hit_z] = hit(tile, first_hit, slot, h, mask);
      const Real dz = hit_z - z;
      in_x.add(hit_x, dz, of_hit, step_noise, mask && !begins);
      in_y.add(hit_y, dz, of_hit, step_noise, mask && !begins);
      in_x.x = select(begins, hit_x, in_x.x);
      in_y.x = select(begins, hit_y, in_y.x);
      z = select(mask, hit_z, z);
    }
    const Real to_end = real(velo_end_z) - z;
    tile.store(at_end.x.data() + slot, fma(in_x.slope, to_end, in_x.x));
    tile.store(at_end.y.data() + slot, fma(in_y.slope, to_end, in_y.x));
    tile.store(at_end.z.data() + slot, real(velo_end_z));
    tile.store(at_end.tx.data() + slot, in_x.slope);
    tile.store(at_end.ty.data() + slot, in_y.slope);
    tile.store(at_end.chi2.data() + slot, tile.load(at_beam.chi2.data() + slot));
    tile.store(at_end.backward.data() + slot,
               tile.template load<Integer>(at_beam.backward.data() + slot));
  }
};

}  // namespace detail

/// States of VELO tracks at velo_end_z.
template <class T, class MemorySpace>
struct VeloStatesAtEnd : LineStates<T, MemorySpace> {};

/// Algorithm: states of VELO tracks at velo_end_z from separate Kalman filters of x and y.
/// It begins at the most upstream hit with the slopes of the state at the beam and goes downstream.
/// Each layer adds noise + noise_per_slope2 * (tx^2 + ty^2) to the variance of the slopes. chi2 and
/// `backward` are those of the states at the beam. One kernel, a team per event.
template <class T, class ExecutionSpace, int Width = default_lane_width<ExecutionSpace, T>>
struct VeloEndStates {
  using MemorySpace = typename ExecutionSpace::memory_space;  ///< Memory space of all arrays.
  using Hits = VeloHits<T, MemorySpace>;                      ///< Read: hits of the VELO.
  using Tracks = VeloTracks<MemorySpace>;                     ///< Read: tracks of the VELO.
  using Lines = LineStates<T, MemorySpace>;                   ///< Read: their states at the beam.
  static constexpr const char* name = "velo_end_states";

  VeloFilterParams params;  ///< uncertainties
  bool enabled = true;      ///< false: the product has no slots and no kernel runs
  int team_size = 0;        ///< threads per event; 0: default of the space

  /// Allocates as many slots for the states as the tracks have.
  template <class Memory>
  void allocate(const Memory& memory, const Hits&, const Tracks& tracks, const Lines&,
                VeloStatesAtEnd<T, MemorySpace>& at_end) const {
    at_end.slots = enabled ? tracks.slots : 0;
    allocate_arrays(memory.of(at_end), at_end);
  }

  /// Enqueues the kernel.
  void operator()(const ExecutionSpace& exec, const Hits& hits, const Tracks& tracks,
                  const Lines& at_beam, VeloStatesAtEnd<T, MemorySpace>& at_end) const {
    if (!enabled) return;
    for_each_team(
        exec, "Trackplex::Lhcb::velo_end_states", hits.n_events,
        detail::VeloEndStates<LanesOf<T, Width>, Hits, Tracks, Lines>{
            hits, tracks, at_beam, at_end, T(1. / params.inverse_variance), T(params.noise),
            T(params.noise_per_slope2), T(params.initial_slope_variance)},
        team_size);
  }
};

}  // namespace trackplex::lhcb

#if defined(TRACKPLEX_INSTANCES)
#include <trackplex/lhcb/velo/detail/velo_end_states.instances.hpp>
#endif
