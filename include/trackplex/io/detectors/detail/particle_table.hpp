// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// @file
/// Common parts of tables of simulated particles and of what refers to their rows.

#include <trackplex/io/table.hpp>
#include <trackplex/kalman/coordinates.hpp>
#include <trackplex/tracks/tracking_events.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace trackplex::io::detail {

/// Row numbers of a table by a column of identifiers.
class RowNumbers {
 public:
  /// No rows.
  RowNumbers() = default;
  /// @throws InputError if an identifier is there twice
  RowNumbers(const TableOfFile& table, const std::string& column) {
    const auto& identifiers = table.values<std::int64_t>(column);
    for (std::size_t row = 0; row < identifiers.size(); ++row)
      entries_.emplace_back(identifiers[row], std::int32_t(row));
    std::sort(entries_.begin(), entries_.end());
    const auto twice =
        std::adjacent_find(entries_.begin(), entries_.end(),
                           [](const auto& a, const auto& b) { return a.first == b.first; });
    if (twice != entries_.end())
      table.refuse(std::size_t((twice + 1)->second), column,
                   std::to_string(twice->first) + " is there twice");
  }

  /// Returns the row of an identifier, -1 if there is none.
  std::int32_t find(std::int64_t identifier) const {
    const auto at = std::lower_bound(entries_.begin(), entries_.end(), std::pair(identifier, -1));
    return at != entries_.end() && at->first == identifier ? at->second : -1;
  }

 private:
  std::vector<std::pair<std::int64_t, std::int32_t>> entries_;
};

/// Columns of particles: their number, vertex (mm), momentum (GeV) and charge. Numbers that are not
/// finite cost no more than their particle.
inline std::vector<ColumnFormat> particle_columns(std::vector<ColumnFormat> others) {
  using enum ColumnType;
  for (const char* const name : {"vx", "vy", "vz"})
    others.push_back({name, "mm", float64, true, false});
  for (const char* const name : {"px", "py", "pz"})
    others.push_back({name, "GeV", float64, true, false});
  others.push_back({"q", "", float64, true, false});
  return others;
}

/// Particles of a table that can be tracks, in its order.
struct ParticlesOfTable {
  std::vector<tracks::TrueParticle> particles;
  std::vector<std::int32_t> of_row;  ///< index of the particle of each row; -1: it is left out
  std::size_t left_out = 0;          ///< number of rows without a particle

  /// Returns the index of the particle of a row, -1 for none.
  std::int32_t operator()(std::int32_t row) const { return of_row[std::size_t(row)]; }
};

/// Returns the particles of a table with `particle_columns` that have a finite vertex, a transverse
/// momentum, and a whole charge of up to 100, in the rows for which `is_possible(row)`. Others,
/// such as beam particles, are left out.
template <class IsPossible>
ParticlesOfTable particles_of(const TableOfFile& table, const IsPossible& is_possible) {
  const auto column = [&](const char* name) { return table.values<double>(name).data(); };
  const std::array columns{column("vx"), column("vy"), column("vz"),
                           column("px"), column("py"), column("pz")};
  const double* const charges = column("q");
  ParticlesOfTable result;
  result.particles.reserve(table.rows());
  for (std::size_t row = 0; row < table.rows(); ++row) {
    Vector<double, 6> cartesian;
    for (int i = 0; i < 6; ++i) cartesian(i) = columns[std::size_t(i)][row] / (i < 3 ? 10. : 1.);
    const double pt2 = cartesian(3) * cartesian(3) + cartesian(4) * cartesian(4);
    const double charge = charges[row];
    const bool is_track = pt2 > 0. && std::isfinite(1. / pt2) && std::isfinite(pt2) &&
                          std::isfinite(cartesian(0) + cartesian(1) + cartesian(2)) &&
                          std::isfinite(cartesian(5)) && std::abs(charge) <= 100. &&
                          charge == std::trunc(charge) && is_possible(row);
    result.of_row.push_back(is_track ? std::int32_t(result.particles.size()) : -1);
    if (is_track)
      result.particles.push_back({kalman::from_cartesian(cartesian).coordinates, int(charge)});
    else
      ++result.left_out;
  }
  return result;
}
inline ParticlesOfTable particles_of(const TableOfFile& table) {
  return particles_of(table, [](std::size_t) { return true; });
}

}  // namespace trackplex::io::detail
