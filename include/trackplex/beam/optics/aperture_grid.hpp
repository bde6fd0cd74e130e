// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// @file
/// Start coordinates for the dynamic aperture of a ring, and the fate of the particles. On the
/// host.

#include <trackplex/beam/bunch/bunch.hpp>
#include <trackplex/core/compiled.hpp>

#include <limits>
#include <vector>

namespace trackplex::beam {

/// Grid of starts about the closed orbit, without slopes.
struct ApertureGrid {
  int columns = 45;     ///< Starts in a row, from -x_max to x_max.
  int rows = 22;        ///< Rows, from y = 0 to y_max; the first row is a thousandth of a row above
                        ///< 0.
  double x_max = 0.02;  ///< Max |x|, m.
  double y_max = 0.01;  ///< Max y, m.

  int size() const { return columns * rows; }  ///< Number of starts.
  /// Returns the distance in x of start i from the closed orbit, m.
  double x(int i) const {
    return columns < 2 ? x_max : x_max * (2. * (i % columns) / (columns - 1.) - 1.);
  }
  /// Returns the distance in y of start i, m.
  double y(int i) const;

  /// @throws UsageError if it has no starts, or a limit is not above 0
  void check() const;
};

/// Fate of the particle of a start.
struct ApertureStart {
  double x = 0.,  ///< Distance from the closed orbit in x, m.
      y = 0.;     ///< Distance from the closed orbit in y, m.
  Loss loss{};    ///< Place of the loss; `Loss::none`: it survived.
  /// Tune in x in the second half of its turns, 0 to 1; NaN if it is lost.
  double tune_x = std::numeric_limits<double>::quiet_NaN();
  /// Tune in y, likewise.
  double tune_y = std::numeric_limits<double>::quiet_NaN();
  /// log10 of the change of both tunes from the first half to the second, not below -16.
  double diffusion = std::numeric_limits<double>::quiet_NaN();
};

/// Returns the area, m^2, of the connected surviving starts around the closed orbit: rows from
/// y = 0 up without a gap at x = 0, and in each row starts without a gap from x = 0. The other
/// half, y < 0, is not included.
double surviving_area(const ApertureGrid& grid, const std::vector<ApertureStart>& starts);

}  // namespace trackplex::beam

#if !defined(TRACKPLEX_COMPILED)
#include <trackplex/beam/optics/detail/aperture_grid.impl.hpp>
#endif
