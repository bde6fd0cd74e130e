// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// @file
/// Columns of the files of bunches, and their values.

#include <trackplex/beam/bunch/particle_table.hpp>
#include <trackplex/io/table.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

namespace trackplex::io::detail {

/// Columns of a bunch. Coordinates of lost particles may be non-finite; check_rows() checks the
/// others.
inline std::span<const ColumnFormat> bunch_columns() {
  using enum ColumnType;
  static const std::array<ColumnFormat, 14> columns{{{"id", "", int64, false},
                                                     {"x", "m", float64, true, false},
                                                     {"xp", "rad", float64, true, false},
                                                     {"y", "m", float64, true, false},
                                                     {"yp", "rad", float64, true, false},
                                                     {"t", "s", float64, false, false},
                                                     {"p", "", float64, false, false},
                                                     {"s", "m", float64, false, false},
                                                     {"delta", "", float64, false, false},
                                                     {"Sx", "", float64, false, false},
                                                     {"Sy", "", float64, false, false},
                                                     {"Sz", "", float64, false, false},
                                                     {"lost_turn", "", int64, false},
                                                     {"lost_element", "", int64, false}}};
  return columns;
}

/// Tells whether a column is a component of spins.
inline bool is_spin(std::string_view column) { return column.starts_with("S"); }

/// Table without rows for particles, of which some are lost or none, with spins or without.
inline Table empty_bunch_table(bool has_lost, Metadata metadata = {}, bool has_spins = false) {
  Table table{"particles", {}, std::move(metadata)};
  for (const auto& format : bunch_columns())
    if ((has_lost || !format.name.starts_with("lost")) && (has_spins || !is_spin(format.name)))
      table.columns.emplace_back(format.name, format.unit, format.type);
  return table;
}

/// Values of a column for `n` particles from `first` on.
inline ColumnValues bunch_values(const beam::ParticleTable& particles, std::string_view column,
                                 int first, int n) {
  using namespace beam;
  const auto values_of = [&]<class T>(const auto& value, T) -> ColumnValues {
    std::vector<T> values;
    values.reserve(std::size_t(n));
    for (std::size_t i = std::size_t(first); i < std::size_t(first) + std::size_t(n); ++i)
      values.push_back(T(value(i)));
    return values;
  };
  const auto integers = [&](const auto& value) { return values_of(value, std::int64_t()); };
  const auto numbers = [&](const auto& value) { return values_of(value, double()); };
  const auto& v = particles.v;
  const auto& reference = particles.reference;
  if (column == "id") return integers([&](auto i) { return particles.ids[i]; });
  if (column == "lost_turn") return integers([&](auto i) { return particles.losses[i].turn; });
  if (column == "lost_element")
    return integers([&](auto i) { return particles.losses[i].element; });
  if (column == "t")
    return numbers([&](auto i) { return time_of(reference, v[s][i], v[delta][i]); });
  if (column == "p") return numbers([&](auto i) { return momentum_of(reference, v[delta][i]); });
  if (column == "s") return numbers([&](auto i) { return v[s][i] + reference.path_length; });
  const auto& spin = particles.spin;
  const auto& same = column == "Sx"   ? spin[0]
                     : column == "Sy" ? spin[1]
                     : column == "Sz" ? spin[2]
                     : column == "x"  ? v[x]
                     : column == "xp" ? v[xp]
                     : column == "y"  ? v[y]
                     : column == "yp" ? v[yp]
                                      : v[delta];
  return numbers([&](auto i) { return same[i]; });
}

/// Replaces the rows of a table by `n` particles from `first` on.
inline void set_bunch_rows(const beam::ParticleTable& particles, int first, int n, Table& table) {
  for (auto& column : table.columns) column.values = bunch_values(particles, column.name, first, n);
}

}  // namespace trackplex::io::detail
