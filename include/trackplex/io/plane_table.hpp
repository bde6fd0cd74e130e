// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/core/error.hpp>
#include <trackplex/io/table_file.hpp>
#include <trackplex/montecarlo/transport_counts.hpp>

#include <cstdint>
#include <string>

namespace trackplex::io {

/// Returns a tally of z (along the axis) and r (across it) as a table with the columns
///
///   z_lo, z_hi, r_lo, r_hi, density, counts
///
/// and one row per cell, r running first. Positions have the unit of the tally's axes; the density
/// is counts / (histories * area of the cell). `histories`, the number of all histories, and the
/// number of those outside of all cells are added to the metadata.
/// @throws UsageError if the tally has not two axes
inline Table plane_table(const montecarlo::TallyView& tally, std::uint64_t histories,
                         const Metadata& metadata) {
  if (tally.description.axes.size() != 2)
    throw UsageError("plane_table", "the tally has not two axes", tally.description.name);
  using enum ColumnType;
  const auto& z = tally.description.axes[0].range;
  const auto& r = tally.description.axes[1].range;
  Table table{"plane",
              {{"z_lo", "", float64},
               {"z_hi", "", float64},
               {"r_lo", "", float64},
               {"r_hi", "", float64},
               {"density", "", float64},
               {"counts", "", int64}},
              metadata};
  std::uint64_t inside = 0;
  for (int i = 0; i < z.bins; ++i)
    for (int j = 0; j < r.bins; ++j) {
      const auto count = tally.at(i + 1, j + 1);
      inside += count;
      const double area = (z.edge(i + 1) - z.edge(i)) * (r.edge(j + 1) - r.edge(j));
      table.add_row(z.edge(i), z.edge(i + 1), r.edge(j), r.edge(j + 1),
                    double(count) / (double(histories) * area), count);
    }
  table.metadata.emplace_back("histories", std::to_string(histories));
  table.metadata.emplace_back("outside", std::to_string(histories - inside));
  return table;
}

}  // namespace trackplex::io
