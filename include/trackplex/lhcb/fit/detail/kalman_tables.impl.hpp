// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/core/error.hpp>
#include <trackplex/lhcb/fit/kalman_tables.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <span>
#include <string>

namespace trackplex::lhcb {

namespace detail {

/// Whether all numbers of a struct of double, or of an array of them, are finite.
template <class Numbers>
bool all_finite(const Numbers& numbers) {
  static_assert(sizeof(Numbers) % sizeof(double) == 0);
  const auto* first = reinterpret_cast<const double*>(&numbers);
  return std::all_of(first, first + sizeof(Numbers) / sizeof(double),
                     [](double value) { return std::isfinite(value); });
}

}  // namespace detail

TRACKPLEX_INLINE void check_kalman_tables(const KalmanTables& tables, const std::string& name) {
  const auto require = [&](bool fine, const char* problem, const char* why) {
    if (!fine) throw InputError({name}, problem, why);
  };
  require(detail::all_finite(tables.velo) && detail::all_finite(tables.to_ut) &&
              detail::all_finite(tables.ut) && detail::all_finite(tables.to_scifi) &&
              detail::all_finite(tables.to_plane) && detail::all_finite(tables.scifi) &&
              detail::all_finite(tables.ut_z) && detail::all_finite(tables.scifi_z) &&
              detail::all_finite(tables.scifi_dzdy),
          "a parameter of a step is not finite", "numbers of the Kalman filter");
  const auto& grid = tables.grid;
  const double numbers[] = {grid.z_begin,   grid.z_end,     grid.min_p,  grid.tx_qop,
                            grid.tx_qop_x2, grid.tx_qop_y2, grid.max_tx, grid.max_ty,
                            grid.ty_qop_xy, grid.slope_unit};
  require(detail::all_finite(numbers), "a number of the grid is not finite",
          "polynomials from the UT to the SciFi");
  require(0. < grid.z_begin && grid.z_begin < grid.z_end, "z of the grid is impossible",
          "it begins after the VELO and ends downstream");
  require(grid.min_p > 0. && grid.max_tx > 0. && grid.max_ty > 0. && grid.slope_unit > 0.,
          "a scale of the grid is not positive", "momentum, largest slopes and unit of slopes");
  require(grid.nx >= 3 && grid.ny >= 3, "the grid has too few cells", "3 and more in x and y");
  require(
      tables.cells.size() == std::size_t(grid.nx) * std::size_t(grid.ny) * std::size_t(grid.terms),
      "the grid has another number of coefficients", "80 for each cell");
  require(std::all_of(tables.cells.begin(), tables.cells.end(),
                      [](double value) { return std::isfinite(value); }),
          "a coefficient of the grid is not finite", "polynomials from the UT to the SciFi");
}

}  // namespace trackplex::lhcb
