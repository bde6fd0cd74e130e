// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// @file
/// Dynamic aperture of rings: particles that survive many turns, and the diffusion of their tunes.

#include <trackplex/beam/optics/aperture_grid.hpp>
#include <trackplex/beam/optics/betatron_tunes.hpp>
#include <trackplex/beam/optics/closed_orbit.hpp>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <numbers>
#include <string>
#include <vector>

namespace trackplex::beam {

/// Tracks the starts of a grid around a closed orbit through a ring. Collective elements are
/// replaced, see `for_single_particles`; the results do not depend on backend, threads, lanes or
/// ranks.
/// @tparam T              precision of the particles, float or double
/// @tparam ExecutionSpace Kokkos execution space
/// @tparam Types          ElementList of custom step types, as for `LineTracker`
template <class T, class ExecutionSpace, class Types = ElementTypes<>,
          int Width = default_lane_width<ExecutionSpace, T, KernelKind::beam_tracking>>
class ApertureScan {
  using Tracker = LineTracker<T, ExecutionSpace, Types, Width>;
  using Tunes = BetatronTunes<T, ExecutionSpace, Width>;

 public:
  /// Creates a scan of a ring at a reference momentum p0 (beta gamma), about a closed orbit at
  /// its start, with the optics and tunes about the orbit. Particles beyond the limits at the end
  /// of a turn are lost.
  /// @throws UsageError as `for_single_particles` and `LineTracker`
  ApertureScan(const ExecutionSpace& exec, const BeamLine& ring, double p0,
               const TransferMap::Vector& orbit, const PeriodicOptics& optics,
               const CoordinateLimits& limits = {10., 1.})
      : exec_(exec),
        p0_(p0),
        orbit_(orbit),
        optics_(optics),
        line_(for_single_particles(ring, p0)),
        tracker_(exec, line_, limits, {int(line_.size()) - 1}) {}

  /// Tracks for an even number of turns. `advance(n)` is called after n more turns. With ranks,
  /// each tracks a share of the starts, and all get all results.
  /// @throws UsageError if there are fewer than 2 turns, or as `ApertureGrid::check`
  template <class Advance>
  std::vector<ApertureStart> operator()(const ApertureGrid& grid, int turns, const Advance& advance,
                                        const Ranks* ranks = nullptr) {
    grid.check();
    if (turns < 2)
      throw UsageError("dynamic aperture", "there are fewer than 2 turns", std::to_string(turns));
    const Share share(grid.size(), 1, ranks);
    auto bunch = upload<T>(exec_, starts_of(grid, share));
    Tunes tunes(exec_, bunch.size(), orbit_, optics_);
    std::vector<TunesOfHalves> found(std::size_t(share.n));
    for (int half = 0, turn = 0; half < 2; ++half) {
      const int n = half == 0 ? turns / 2 : turns - turns / 2;
      tunes.begin(exec_, bunch, n);
      tracker_.track(
          bunch, n,
          [&](int at_turn, int, auto& at) {
            tunes.add_turn(exec_, at);
            if (removes_lost_behind(at_turn)) tunes.remove_lost(exec_, at, workspace_);
            advance(1);
          },
          turn);
      turn += n;
      const auto of_bunch = tunes.tunes(exec_);
      const auto ids = to_host(exec_, bunch.ids);
      for (int i = 0; i < bunch.size(); ++i)
        for (int k = 0; k < 2; ++k)
          found[std::size_t(ids(i) - share.first)][half][k] = of_bunch[k][i];
    }
    std::vector<ApertureStart> results(std::size_t(share.n));
    const auto table = download(exec_, bunch);
    for (int i = 0; i < table.size(); ++i) {
      const auto start = std::size_t(table.ids[i] - share.first);
      results[start] = result_of(grid, int(table.ids[i]), table.losses[i], found[start]);
    }
    return gather_all(ranks, results);
  }

 private:
  /// Tunes of a particle, by half of its turns and mode.
  using TunesOfHalves = std::array<std::array<double, 2>, 2>;

  /// After turns 1, 2, 4, 8, ...: most losses are early, and each removal waits.
  static bool removes_lost_behind(int turn) { return std::has_single_bit(unsigned(turn) + 1u); }

  ParticleTable starts_of(const ApertureGrid& grid, const Share& share) const {
    ParticleTable table(share.n, p0_);
    for (int i = 0; i < share.n; ++i) {
      for (int c = 0; c < n_coordinates; ++c) table.v[c][i] = orbit_[c];
      table.v[x][i] += grid.x(int(share.first) + i);
      table.v[y][i] += grid.y(int(share.first) + i);
      table.ids[i] = share.first + i;
    }
    return table;
  }

  static ApertureStart result_of(const ApertureGrid& grid, int start, const Loss& loss,
                                 const TunesOfHalves& tunes) {
    ApertureStart result{grid.x(start), grid.y(start), loss};
    if (loss.element != Loss::none) return result;
    result.tune_x = tunes[1][0];
    result.tune_y = tunes[1][1];
    double square = 0.;
    for (int k = 0; k < 2; ++k) {
      const double change = tunes[1][k] - tunes[0][k], turns = change - std::round(change);
      square += turns * turns;
    }
    result.diffusion = 0.5 * std::numbers::log10e * log(std::max(square, 1e-32));
    return result;
  }

  ExecutionSpace exec_;
  double p0_;
  TransferMap::Vector orbit_;
  PeriodicOptics optics_;
  BeamLine line_;
  Tracker tracker_;
  Workspace<ExecutionSpace> workspace_;
};

}  // namespace trackplex::beam
