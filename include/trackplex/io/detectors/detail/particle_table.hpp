// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// @file
/// Common parts of tables of simulated particles and of what refers to their rows.

#include <trackplex/io/table.hpp>
#include <trackplex/kalman/coordinates.hpp>
#include <trackplex/seeding/tracking_events.hpp>

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

/// Columns of particles: their number, vertex (mm), momentum (GeV) and charge.
inline std::vector<ColumnFormat> particle_columns(std::vector<ColumnFormat> others) {
  using enum ColumnType;
  const std::array<ColumnFormat, 9> columns{{{"particle_id", "", int64},
                                             {"particle_type", "", int64, false},
                                             {"vx", "mm"},
                                             {"vy", "mm"},
                                             {"vz", "mm"},
                                             {"px", "GeV"},
                                             {"py", "GeV"},
                                             {"pz", "GeV"},
                                             {"q", "", int64}}};
  others.insert(others.end(), columns.begin(), columns.end());
  return others;
}

/// Returns the particles of a table with `particle_columns`.
/// @throws InputError if one has no transverse momentum, or a charge of more than 100
inline std::vector<seeding::TrueParticle> particles_of(const TableOfFile& table) {
  const auto column = [&](const char* name) { return table.values<double>(name).data(); };
  const std::array columns{column("vx"), column("vy"), column("vz"),
                           column("px"), column("py"), column("pz")};
  const auto& charges = table.values<std::int64_t>("q");
  std::vector<seeding::TrueParticle> particles;
  particles.reserve(table.rows());
  for (std::size_t row = 0; row < table.rows(); ++row) {
    Vector<double, 6> cartesian;
    for (int i = 0; i < 6; ++i) cartesian(i) = columns[std::size_t(i)][row] / (i < 3 ? 10. : 1.);
    if (const double pt2 = cartesian(3) * cartesian(3) + cartesian(4) * cartesian(4);
        !(pt2 > 0.) || !std::isfinite(1. / pt2) || !std::isfinite(pt2))
      table.refuse(row, "px and py", "the particle has no transverse momentum",
                   "its 1/pT is not finite");
    if (charges[row] < -100 || charges[row] > 100)
      table.refuse(row, "q", std::to_string(charges[row]) + " is no charge", "from -100 to 100");
    particles.push_back({kalman::from_cartesian(cartesian).coordinates, int(charges[row])});
  }
  return particles;
}

}  // namespace trackplex::io::detail
