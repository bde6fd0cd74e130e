// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// @file
/// Starts of particles for the dynamic aperture of a ring, and what became of them. On the host.

#include <trackplex/beam/bunch.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
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

/// Fate of the particle of a start.
struct ApertureStart {
  double x = 0.,  ///< Distance from the closed orbit in x, m.
      y = 0.;     ///< Distance from the closed orbit in y, m.
  Loss loss{};    ///< Where it was lost; `Loss::none`: it survived.
  /// Tune in x of the second half of its turns, 0 to 1; not a number where it is lost.
  double tune_x = std::numeric_limits<double>::quiet_NaN();
  /// Tune in y, likewise.
  double tune_y = std::numeric_limits<double>::quiet_NaN();
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

}  // namespace trackplex::beam
