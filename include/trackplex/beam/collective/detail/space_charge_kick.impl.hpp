// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/beam/collective/space_charge_kick.hpp>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <string>

namespace trackplex::beam {

TRACKPLEX_INLINE void SpaceChargeKick::check(const ElementCheck& check) const {
  check.not_negative("effective length", effective_length);
  check.not_negative("margin", margin);
  check.not_negative("radius of the pipe", pipe_radius);
}

namespace detail {

TRACKPLEX_INLINE void check_space_charge_kick(const SpaceChargeKick& kick) {
  constexpr const char* where = "space charge";
  constexpr int least = 8, most = 512, most_in_all = 1 << 26;
  const auto& n = kick.cells;
  for (const int cells : n)
    if (cells < least || cells > most || !std::has_single_bit(unsigned(cells)))
      throw UsageError(where, "a number of cells is not a power of two from 8 to 512",
                       std::to_string(cells), "32 to 128 serve most bunches");
  const bool is_projected = kick.model == SpaceChargeModel::projected;
  if (!is_projected && std::int64_t(n[0]) * n[1] * n[2] > most_in_all)
    throw UsageError(
        where, "there are more than 2^26 cells",
        std::to_string(n[0]) + " x " + std::to_string(n[1]) + " x " + std::to_string(n[2]));
  for (const double value : {kick.effective_length, kick.margin, kick.pipe_radius})
    if (!(value >= 0.) || !std::isfinite(value))
      throw UsageError(where, "a length or the margin is negative or not finite", shortest(value));
  if (kick.pipe_radius > 0. && !is_projected)
    throw UsageError(where, "only the projection has forces along the bunch by a pipe",
                     shortest(kick.pipe_radius) + " m",
                     "in three dimensions these forces need no radius");
}

TRACKPLEX_INLINE double counts_of_particle(std::int64_t particles) {
  constexpr std::int64_t most = std::int64_t(1) << 38;
  if (particles > most)
    throw CapacityError("space charge", "particles of all ranks", std::size_t(particles),
                        std::size_t(most));
  // Sums of all stay below 2^62, and those of a particle are exact in double precision.
  constexpr int enough = 46, bits_of_sums = 62;
  return std::ldexp(1.,
                    std::min(enough, bits_of_sums - int(std::bit_width(std::uint64_t(particles)))));
}

TRACKPLEX_INLINE SpaceChargeGrid space_charge_grid(const std::array<double, 6>& ranges,
                                                   const SpaceChargeKick& kick, double stretch) {
  const double stretches[] = {1., 1., stretch};
  double largest = 0.;
  for (int i = 0; i < 3; ++i)
    largest = std::max(largest, stretches[i] * (ranges[2 * i + 1] - ranges[2 * i]));
  SpaceChargeGrid grid;
  grid.has_field = largest > 0.;
  for (int i = 0; i < 3; ++i) {
    const double first = ranges[2 * i], last = ranges[2 * i + 1], n = kick.cells[i];
    // wide enough that rounding errors of coordinates are far below a cell
    const double rounding = 1e-10 * std::max(std::abs(first), std::abs(last));
    const double width = std::max({last - first, 1e-6 * largest / stretches[i], rounding});
    grid.cell[i] = width * std::max((1. + 2. * kick.margin) / n, 1. / (n - 5.));
    grid.first[i] = 0.5 * (first + last) - 0.5 * n * grid.cell[i];
  }
  return grid;
}

}  // namespace detail

}  // namespace trackplex::beam
