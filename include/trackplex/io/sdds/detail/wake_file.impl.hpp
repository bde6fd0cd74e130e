// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/io/sdds/sdds_table.hpp>
#include <trackplex/io/sdds/wake_file.hpp>

#include <algorithm>
#include <filesystem>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace trackplex::io {

namespace detail {

TRACKPLEX_INLINE std::vector<double> number_column(const TableOfFile& table,
                                                   const std::string& name,
                                                   const std::string& units) {
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

namespace detail {

inline beam::WakeTable wake_table_of(SddsReader& reader, const WakeColumns& columns) {
  const auto page = reader.next();
  if (!page) throw InputError({reader.file()}, "the file has no page");
  const auto column = [&](const std::string& of, const char* units) {
    return number_column(page->table, of, units);
  };
  if (columns.time.empty()) throw UsageError("wake table", "the column of the time has no name");
  beam::WakeTable wakes{column(columns.time, "s"), column(columns.longitudinal, "V/C"),
                        column(columns.x, "V/C/m"), column(columns.y, "V/C/m")};
  beam::check_wake_table(wakes, reader.file());
  return wakes;
}

}  // namespace detail

TRACKPLEX_INLINE beam::WakeTable parse_wake_table(std::string_view bytes, const std::string& name,
                                                  const WakeColumns& columns) {
  SddsReader reader(bytes, name);
  return detail::wake_table_of(reader, columns);
}

TRACKPLEX_INLINE beam::WakeTable read_wake_table(const std::filesystem::path& path,
                                                 const WakeColumns& columns) {
  SddsFileReader reader(path);
  return detail::wake_table_of(*reader, columns);
}

}  // namespace trackplex::io
