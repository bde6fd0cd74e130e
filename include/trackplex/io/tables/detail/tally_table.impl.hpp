// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/io/tables/table_file.hpp>
#include <trackplex/io/tables/tally_table.hpp>

#include <array>
#include <cmath>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>

namespace trackplex::io {

namespace detail {

inline std::span<const ColumnFormat> tally_columns() {
  using enum ColumnType;
  static const std::array<ColumnFormat, 4> columns{{{"bin_lo", "", float64},
                                                    {"bin_hi", "", float64},
                                                    {"density", "", float64},
                                                    {"counts", "", int64}}};
  return columns;
}

inline TallyTable distribution_of(const TableOfFile& file) {
  if (file.rows() == 0) throw InputError({file.file}, "has no bins");
  TallyTable table{file.metadata,
                   file.values<double>("bin_lo"),
                   file.values<double>("bin_hi"),
                   file.values<double>("density"),
                   {}};
  const auto& counts = file.values<std::int64_t>("counts");
  for (std::size_t i = 0; i < file.rows(); ++i) {
    const double low = table.low[i], high = table.high[i];
    if (!(low < high)) file.refuse(i, "bin_hi", "is not above bin_lo");
    if (!(table.density[i] >= 0.)) file.refuse(i, "density", "is below 0");
    if (counts[i] < 0) file.refuse(i, "counts", "is no number of histories");
    constexpr double rounding = 1e-6;  // of decimals
    if (i > 0 && !(std::abs(low - table.high[i - 1]) <= rounding * (high - low)))
      file.refuse(i, "bin_lo", "is not where the last bin ends");
    table.counts.push_back(std::uint64_t(counts[i]));
  }
  return table;
}

}  // namespace detail

TRACKPLEX_INLINE TallyTable parse_tally_csv(std::string_view text, const std::string& name) {
  return detail::distribution_of(parse_table_csv(text, name, detail::tally_columns()));
}

TRACKPLEX_INLINE TallyTable read_tally(const std::filesystem::path& path,
                                       const std::string& tally) {
  return detail::distribution_of(read_table(path, tally, detail::tally_columns()));
}

TRACKPLEX_INLINE Table tally_table(const montecarlo::TallyView& tally, std::uint64_t histories,
                                   const Metadata& metadata) {
  if (tally.description.axes.size() != 1)
    throw UsageError("tally_table", "the tally has not one axis", tally.description.name);
  Table table{tally.description.name, {}, metadata};
  for (const auto& format : detail::tally_columns())
    table.columns.emplace_back(format.name, format.unit, format.type);
  table.metadata.emplace_back("histories", std::to_string(histories));
  table.metadata.emplace_back("underflow", std::to_string(tally.underflow()));
  table.metadata.emplace_back("overflow", std::to_string(tally.overflow()));
  const auto& axis = tally.description.axes.front().range;
  const double per_count =
      histories == 0 ? 0. : axis.bins / ((axis.high - axis.low) * double(histories));
  for (int i = 0; i < axis.bins; ++i) {
    const std::uint64_t count = tally.bins()[std::size_t(i)];
    table.add_row(axis.edge(i), axis.edge(i + 1), double(count) * per_count, count);
  }
  return table;
}

}  // namespace trackplex::io
