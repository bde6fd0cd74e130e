// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/beam/wake_table.hpp>
#include <trackplex/core/files.hpp>
#include <trackplex/io/detail/sdds_table.hpp>

#include <algorithm>
#include <filesystem>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace trackplex::io {

/// Names of the columns of a file with wakes; an empty name: the wake is not read.
struct WakeColumns {
  std::string time = "t";      ///< Delays, s.
  std::string longitudinal{};  ///< Longitudinal wake, V/C.
  std::string x{};             ///< Horizontal dipole wake, V/C/m.
  std::string y{};             ///< Vertical dipole wake, V/C/m.
};

namespace detail {

/// Returns the numbers of a column, of any units without some; none without a name.
inline std::vector<double> number_column(const TableOfFile& table, const std::string& name,
                                         const std::string& units = {}) {
  if (name.empty()) return {};
  const auto found = std::ranges::find(table.columns, name, &Column::name);
  if (found == table.columns.end()) {
    std::string names;
    for (const Column& column : table.columns) names += (names.empty() ? "" : ", ") + column.name;
    throw InputError({table.file}, "there is no column '" + name + "'", "it has: " + names);
  }
  const InputPlace place{table.file, "column " + name};
  if (found->type() == ColumnType::string)
    throw InputError(place, "its values are no numbers", "string");
  if (!units.empty() && !found->unit.empty() && found->unit != units)
    throw InputError(place, "its unit is not " + units, found->unit);
  const Column numbers =
      converted(table, *found, {.name = name, .unit = found->unit, .finite = false});
  return std::get<std::vector<double>>(numbers.values);
}

}  // namespace detail

/// Parses the bytes of an SDDS file with wakes; `name` is for messages. As elegant does, it reads
/// the first page.
/// @throws InputError if it is no such file, a column is missing, of another unit or no numbers,
/// with the line of a text or the byte of binary data
/// @throws UsageError if the table is none of wakes, see `check_wake_table`
inline beam::WakeTable parse_wake_table(std::string_view bytes, const std::string& name,
                                        const WakeColumns& columns) {
  detail::SddsReader reader(bytes, name);
  const auto page = reader.next();
  if (!page) throw InputError({name}, "the file has no page");
  const auto column = [&](const std::string& of, const char* units) {
    return detail::number_column(page->table, of, units);
  };
  if (columns.time.empty()) throw UsageError("wake table", "the column of the time has no name");
  beam::WakeTable wakes{column(columns.time, "s"), column(columns.longitudinal, "V/C"),
                        column(columns.x, "V/C/m"), column(columns.y, "V/C/m")};
  beam::check_wake_table(wakes, name);
  return wakes;
}

/// Reads an SDDS file with wakes, see `parse_wake_table`.
/// @throws InputError if the file cannot be read or parsed
/// @throws UsageError if the table is none of wakes
inline beam::WakeTable read_wake_table(const std::filesystem::path& path,
                                       const WakeColumns& columns) {
  return parse_wake_table(read_file(path), path.string(), columns);
}

}  // namespace trackplex::io
