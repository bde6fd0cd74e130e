// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/beam/bunch/bunch.hpp>
#include <trackplex/beam/optics/aperture_grid.hpp>
#include <trackplex/core/error.hpp>
#include <trackplex/core/shortest.hpp>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

namespace trackplex::beam {

TRACKPLEX_INLINE double ApertureGrid::y(int i) const {
  const double row = i / columns;
  return y_max / std::max(rows - 1, 1) * (row > 0. ? row : 1e-3);
}

TRACKPLEX_INLINE void ApertureGrid::check() const {
  if (columns < 1 || rows < 1 || std::int64_t(columns) * rows > 100'000'000)
    throw UsageError("dynamic aperture", "the grid has no starts, or too many",
                     std::to_string(columns) + " x " + std::to_string(rows));
  if (!(x_max > 0.) || !(y_max > 0.) || !std::isfinite(x_max + y_max))
    throw UsageError("dynamic aperture", "the size of the grid is not above 0",
                     shortest(x_max) + " and " + shortest(y_max));
}

TRACKPLEX_INLINE double surviving_area(const ApertureGrid& grid,
                                       const std::vector<ApertureStart>& starts) {
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
