// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// @file
/// The columns of a file against those that its reader knows.

#include <trackplex/io/table.hpp>

#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace trackplex::io::detail {

/// The format of a column of a file; the file may say no unit.
/// @throws InputError if the reader does not know the column, or in another unit
inline const ColumnFormat& format_of(std::span<const ColumnFormat> known, std::string_view name,
                                     const std::optional<std::string>& unit,
                                     const InputPlace& place) {
  std::string names;
  for (const auto& format : known) {
    names.append(names.empty() ? "" : ", ").append(format.name);
    if (format.name != name) continue;
    if (unit && *unit != format.unit)
      throw InputError(place, "the column '" + format.name + "' is in [" + *unit + "]",
                       format.unit.empty() ? "it has no unit" : "expected [" + format.unit + "]",
                       "convert it");
    return format;
  }
  throw InputError(place, "there is no column '" + std::string(name) + "'", "known: " + names,
                   "remove or rename it");
}

inline void check_new_column(const Table& table, std::string_view name, const InputPlace& place) {
  if (table.has(name))
    throw InputError(place, "the column '" + std::string(name) + "' is there twice");
}

inline void check_all_there(std::span<const ColumnFormat> known, const Table& table,
                            const InputPlace& place) {
  for (const auto& format : known)
    if (format.required && !table.has(format.name))
      throw InputError(place, "the column '" + format.name + "' is missing");
}

}  // namespace trackplex::io::detail
