// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// @file
/// Dynamic aperture of rings: which particles survive many turns, and how their tunes diffuse.

#include <trackplex/beam/betatron_tunes.hpp>
#include <trackplex/beam/closed_orbit.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <numbers>
#include <string>
#include <vector>

namespace trackplex::beam {

/// Grid of starts about the closed orbit, without slopes.
struct ApertureGrid {
  int columns = 45;     ///< Starts in a row, from -x_max to x_max.
  int rows = 22;        ///< Rows, from y = 0 to y_max; its first one a thousandth of a row above 0.
  double x_max = 0.02;  ///< Largest |x|, m.
  double y_max = 0.01;  ///< Largest y, m.

  int size() const { return columns * rows; }  ///< Number of starts.
  /// Returns the distance in x of start i from the closed orbit, m.
  double x(int i) const {
    return columns < 2 ? x_max : x_max * (2. * (i % columns) / (columns - 1.) - 1.);
  }
  /// Returns the distance in y of start i, m.
  double y(int i) const {
    const double row = i / columns;
    return y_max / std::max(rows - 1, 1) * (row > 0. ? row : 1e-3);
  }

  /// @throws UsageError if it has no starts, or a limit is not above 0
  void check() const {
    if (columns < 1 || rows < 1 || std::int64_t(columns) * rows > 100'000'000)
      throw UsageError("dynamic aperture", "the grid has no starts, or too many",
                       std::to_string(columns) + " x " + std::to_string(rows));
    if (!(x_max > 0.) || !(y_max > 0.) || !std::isfinite(x_max + y_max))
      throw UsageError("dynamic aperture", "the size of the grid is not above 0",
                       shortest(x_max) + " and " + shortest(y_max));
  }
};

/// What became of the particle of a start.
struct ApertureStart {
  double x = 0., y = 0.;  ///< Distances from the closed orbit, m.
  Loss loss{};            ///< Where it was lost; `Loss::none`: it survived.
  /// Tunes of the second half of its turns, 0 to 1; not a number where it is lost.
  double tune_x = std::numeric_limits<double>::quiet_NaN(),
         tune_y = std::numeric_limits<double>::quiet_NaN();
  /// log10 of the change of both tunes from the first half to the second, not below -16.
  double diffusion = std::numeric_limits<double>::quiet_NaN();
};

/// Returns the area, m^2, of the starts around the closed orbit that survived: of those in rows
/// from y = 0 up without a gap at x = 0, and in each row without a gap from x = 0 on. The other
/// half, y < 0, is not in it.
inline double surviving_area(const ApertureGrid& grid, const std::vector<ApertureStart>& starts) {
  const auto survives = [&](int row, int column) {
    return starts[std::size_t(row * grid.columns + column)].loss.element == Loss::none;
  };
  const int middle = grid.columns / 2;
  std::int64_t n = 0;
  for (int row = 0; row < grid.rows && survives(row, middle); ++row) {
    for (int c = middle; c < grid.columns && survives(row, c); ++c) ++n;
    for (int c = middle - 1; c >= 0 && survives(row, c); --c) ++n;
  }
  return double(n) * 2. * grid.x_max / std::max(grid.columns - 1, 1) * grid.y_max /
         std::max(grid.rows - 1, 1);
}

/// Tracks the starts of a grid around a closed orbit through a ring. Collective elements are passed
/// as `for_single_particles` says; the results depend neither on backend, threads and lanes nor on
/// the number of ranks.
/// @tparam T              precision of the particles, float or double
/// @tparam ExecutionSpace Kokkos execution space
/// @tparam Types          ElementList of types of steps of users, as of `LineTracker`
template <class T, class ExecutionSpace, class Types = With<>,
          int Width = default_lane_width<ExecutionSpace, T, KernelKind::beam_tracking>>
class ApertureScan {
  using Tracker = LineTracker<T, ExecutionSpace, Types, Width>;
  using Tunes = BetatronTunes<T, ExecutionSpace, Width>;

 public:
  /// Makes a scan of a ring at a reference momentum p0 (beta gamma): about a closed orbit at its
  /// start, with the optics and tunes about it. Particles beyond the limits behind a turn are lost,
  /// too.
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

  /// Tracks for an even number of turns. `advance(n)` is told of n more turns. With ranks, each
  /// tracks a share of the starts, and all get all results.
  /// @throws UsageError if there are fewer than 2 turns, or as `ApertureGrid::check`
  template <class Advance>
  std::vector<ApertureStart> operator()(const ApertureGrid& grid, int turns, const Advance& advance,
                                        const Ranks* ranks = nullptr) {
    grid.check();
    if (turns < 2)
      throw UsageError("dynamic aperture", "there are fewer than 2 turns", std::to_string(turns));
    const Share share(grid.size(), reduce_block, ranks);
    auto bunch = upload<T>(exec_, starts_of(grid, share), ranks);
    Tunes tunes(exec_, bunch.size(), orbit_, optics_);
    std::array<std::vector<double>, 2> found[2];
    for (int half = 0, turn = 0; half < 2; ++half) {
      const int n = half == 0 ? turns / 2 : turns - turns / 2;
      tunes.begin(exec_, bunch, n);
      tracker_.track(
          bunch, n,
          [&](int, int, auto& at) {
            tunes.add_turn(exec_, at);
            advance(1);
          },
          turn);
      turn += n;
      found[half] = tunes.tunes(exec_);
    }
    std::vector<ApertureStart> results;
    const auto table = download(exec_, bunch);
    for (int i = 0; i < table.size(); ++i)
      results.push_back(result_of(grid, int(share.first) + i, table.losses[i], found, i));
    return gather_all(ranks, results);
  }

 private:
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
                                 const std::array<std::vector<double>, 2> (&tunes)[2], int i) {
    ApertureStart result{grid.x(start), grid.y(start), loss};
    if (loss.element != Loss::none) return result;
    result.tune_x = tunes[1][0][i];
    result.tune_y = tunes[1][1][i];
    double square = 0.;
    for (int k = 0; k < 2; ++k) {
      const double change = tunes[1][k][i] - tunes[0][k][i], turns = change - std::round(change);
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
};

}  // namespace trackplex::beam
