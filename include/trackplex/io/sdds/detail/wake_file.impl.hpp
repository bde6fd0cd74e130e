// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/core/files.hpp>
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

TRACKPLEX_INLINE beam::WakeTable parse_wake_table(std::string_view bytes, const std::string& name,
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

TRACKPLEX_INLINE beam::WakeTable read_wake_table(const std::filesystem::path& path,
                                                 const WakeColumns& columns) {
  return parse_wake_table(read_file(path), path.string(), columns);
}

}  // namespace trackplex::io
