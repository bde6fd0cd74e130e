// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/core/algorithm.hpp>
#include <trackplex/core/team_launch.hpp>
#include <trackplex/lhcb/velo/hits.hpp>
#include <trackplex/lhcb/velo/line_fit.hpp>
#include <trackplex/lhcb/velo/tracks.hpp>

#include <cstddef>

namespace trackplex::lhcb {

namespace detail {

/// Fits the tracks of one event per team.
template <class Real, class InputHits, class InputTracks, class Output>
struct FitLines {
  using RealScalar = ScalarOf<Real>;
  using Integer = IntegerOf<Real>;
  using I = ScalarOf<Integer>;

  InputHits hits;
  InputTracks tracks;
  Output lines;
  RealScalar inverse_variance;

  KOKKOS_FUNCTION std::size_t scratch_bytes() const { return 0; }

  template <class Member>
  KOKKOS_FUNCTION void operator()(const Member& member, const ScratchCarver&) const {
    const TeamLanes<Real, Member> team(member);
    const int event = member.league_rank();
    const auto first_hit = hits.event_offsets(event);
    const auto slot = first_slot(first_hit, event, tracks.hits_per_slot);
    team.for_each(int(tracks.count(event)),
                  [&](Tile<Real> tile) { fit_tile(tile, first_hit, slot); });
  }

 private:
  KOKKOS_FUNCTION void fit_tile(const Tile<Real>& tile, std::size_t first_hit,
                                std::size_t slot) const {
    const auto length = tile.template load<Integer>(tracks.length.data() + slot);
    const int longest = int(max_of(length));
    Real x[max_track_hits], y[max_track_hits], z[max_track_hits];
    LineFit<Real> fit;
    for (int h = 0; h < longest; ++h) {
      const auto mask = Integer(I(h)) < length;
      const auto hit = tile.template load<Integer>(tracks.hits.data() + h * tracks.slots + slot);
      x[h] = gather<Real>(hits.x.data() + first_hit, hit, mask);
      y[h] = gather<Real>(hits.y.data() + first_hit, hit, mask);
      z[h] = gather<Real>(hits.z.data() + first_hit, hit, mask);
      fit.add_to_mean(x[h], y[h], z[h], mask);
    }
    fit.finish_mean();
    for (int h = 0; h < longest; ++h) fit.add_to_slope(x[h], y[h], z[h], Integer(I(h)) < length);
    fit.finish_slope();
    for (int h = 0; h < longest; ++h) fit.add_to_chi2(x[h], y[h], z[h], Integer(I(h)) < length);
    store_line(tile, fit, z[0], slot);
  }

  KOKKOS_FUNCTION void store_line(const Tile<Real>& tile, const LineFit<Real>& fit, Real first_z,
                                  std::size_t slot) const {
    const Real z = fit.z_at_beam();
    tile.store(lines.x.data() + slot, fma(fit.tx, z - fit.z0, fit.x));
    tile.store(lines.y.data() + slot, fma(fit.ty, z - fit.z0, fit.y));
    tile.store(lines.z.data() + slot, z);
    tile.store(lines.tx.data() + slot, fit.tx);
    tile.store(lines.ty.data() + slot, fit.ty);
    tile.store(lines.chi2.data() + slot, fit.sum2 * inverse_variance);
    tile.store(lines.backward.data() + slot, select(z > first_z, Integer(1), Integer(0)));
  }
};

}  // namespace detail

/// Fits a straight line to the hits of each track by unweighted least squares (see `LineFit`) and
/// stores its state at the point of closest approach to the z axis. One kernel, a team per event.
/// Lengths in mm.
/// @tparam T scalar of hits and states
/// @tparam Width number of lanes
template <class T, class ExecutionSpace, int Width = default_lane_width<ExecutionSpace, T>>
struct FitLines {
  using MemorySpace = typename ExecutionSpace::memory_space;  ///< of all products
  using Hits = VeloHits<T, MemorySpace>;                      ///< input
  using Lines = LineStates<T, MemorySpace>;                   ///< output
  static constexpr const char* name = "fit_lines";

  double inverse_variance;  ///< 1 / variance of a hit coordinate, mm^-2; scales chi2
  int team_size = 0;        ///< threads of a team; 0: the default of the space

  /// Allocates one line per slot of the tracks.
  template <class Memory>
  void allocate(const Memory& memory, const Hits&, const VeloTracks<MemorySpace>& tracks,
                Lines& lines) const {
    lines.slots = tracks.slots;
    allocate_arrays(memory.of(lines), lines);
  }

  /// Enqueues the fit of all tracks.
  void operator()(const ExecutionSpace& exec, const Hits& hits,
                  const VeloTracks<MemorySpace>& tracks, Lines& lines) const {
    using Kernel = detail::FitLines<LanesOf<T, Width>, Hits, VeloTracks<MemorySpace>, Lines>;
    for_each_team(exec, "Trackplex::Lhcb::fit_lines", hits.n_events,
                  Kernel{hits, tracks, lines, T(inverse_variance)}, team_size);
  }
};

}  // namespace trackplex::lhcb

#if defined(TRACKPLEX_INSTANCES)
#include <trackplex/lhcb/velo/detail/fit_lines.instances.hpp>
#endif
