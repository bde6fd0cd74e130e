// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/core/error.hpp>
#include <trackplex/io/tables/plane_table.hpp>
#include <trackplex/io/tables/table_file.hpp>

#include <cstdint>
#include <string>

namespace trackplex::io {

TRACKPLEX_INLINE Table plane_table(const montecarlo::TallyView& tally, std::uint64_t histories,
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
