// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/io/table.hpp>

#include <cstddef>
#include <cstdint>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace trackplex::io {

TRACKPLEX_INLINE ColumnValues empty_values(ColumnType type) {
  switch (type) {
    case ColumnType::int64:
      return std::vector<std::int64_t>();
    case ColumnType::float32:
      return std::vector<float>();
    case ColumnType::float64:
      return std::vector<double>();
    case ColumnType::string:
      break;
  }
  return std::vector<std::string>();
}

TRACKPLEX_INLINE Column::Column(std::string column_name, std::string column_unit,
                                ColumnType column_type)
    : name(std::move(column_name)),
      unit(std::move(column_unit)),
      values(empty_values(column_type)) {}

TRACKPLEX_INLINE void Column::refuse(std::string_view what) const {
  throw UsageError("column " + name, std::string(what) + " in a column of another type",
                   std::string(name_of(type())));
}

TRACKPLEX_INLINE void Table::clear() {
  for (auto& column : columns) std::visit([](auto& list) { list.clear(); }, column.values);
}

TRACKPLEX_INLINE const Column* Table::find(std::string_view column) const {
  for (const auto& candidate : columns)
    if (candidate.name == column) return &candidate;
  return nullptr;
}

TRACKPLEX_INLINE void Table::refuse_row(std::size_t values) const {
  throw UsageError("table " + name, "a row of " + std::to_string(values) + " values or more",
                   "there are " + std::to_string(columns.size()) + " columns");
}

TRACKPLEX_INLINE void TableOfFile::refuse(std::size_t row, std::string_view column,
                                          std::string_view problem, std::string_view why) const {
  const std::string place = lines.empty() ? name + ", row " + std::to_string(first_row + row)
                                          : "line " + std::to_string(lines[row]);
  throw InputError({file, place + ", " + std::string(column)}, problem, why);
}

TRACKPLEX_INLINE void check_table(const Table& table) {
  const auto refuse = [&](const std::string& problem, const std::string& why) {
    throw UsageError("table " + table.name, problem, why);
  };
  if (table.name.find('/') != table.name.npos) refuse("its name is not possible", table.name);
  if (table.columns.empty()) refuse("there is no column", {});
  std::set<std::string_view> names;
  for (const auto& column : table.columns) {
    if (!names.insert(column.name).second) refuse("two columns have one name", column.name);
    if (column.size() != table.rows()) refuse("its columns have different lengths", column.name);
    constexpr std::string_view reserved(",\"[]#\r\n\t \0", 10);
    if (column.name.empty() ||
        (column.name + column.unit).find_first_of(reserved) != column.name.npos ||
        column.name.find('/') != column.name.npos)
      refuse("a name or unit of a column is not possible", column.name + "[" + column.unit + "]");
  }
  for (const auto& [key, value] : table.metadata)
    if (key.empty() || key.find_first_of(":\r\n") != key.npos ||
        value.find_first_of(std::string_view("\r\n\0", 3)) != value.npos)
      refuse("metadata is not one line", key);
}

}  // namespace trackplex::io
