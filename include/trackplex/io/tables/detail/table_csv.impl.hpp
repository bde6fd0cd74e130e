// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/core/files.hpp>
#include <trackplex/io/detail/append_number.hpp>
#include <trackplex/io/tables/detail/table_csv_reader.hpp>
#include <trackplex/io/tables/table_csv.hpp>

#include <charconv>
#include <cmath>
#include <concepts>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <variant>

namespace trackplex::io {

namespace detail {

/// Appends a number as the shortest decimal that reads back as the same bits.
inline void append_cell(std::string& text, std::int64_t value) { append_number(text, value); }

template <std::floating_point Real>
void append_cell(std::string& text, Real value) {
  if (std::isnan(value)) {
    text += "nan";
  } else {
    char digits[32];
    text.append(digits, std::to_chars(digits, digits + sizeof digits, value).ptr);
  }
}

inline void append_cell(std::string& text, const std::string& value) {
  text += '"';
  for (const char c : value) text.append(c == '"' ? 2 : 1, c);
  text += '"';
}

TRACKPLEX_INLINE std::string csv_head(const Table& table) {
  std::string text;
  for (const auto& [key, value] : table.metadata)
    text.append("# ").append(key).append(": ").append(value).append("\n");
  for (const auto& column : table.columns) {
    text.append(&column == &table.columns.front() ? "" : ",").append(column.name);
    if (!column.unit.empty()) text.append("[").append(column.unit).append("]");
  }
  return text + "\n";
}

TRACKPLEX_INLINE std::string csv_rows(const Table& table) {
  std::string text;
  for (std::size_t row = 0; row < table.rows(); ++row)
    for (const auto& column : table.columns) {
      std::visit([&](const auto& list) { append_cell(text, list[row]); }, column.values);
      text += &column == &table.columns.back() ? '\n' : ',';
    }
  return text;
}

}  // namespace detail

TRACKPLEX_INLINE std::string table_csv(const Table& table) {
  check_table(table);
  return detail::csv_head(table) + detail::csv_rows(table);
}

TRACKPLEX_INLINE TableOfFile parse_table_csv(std::string_view text, const std::string& name,
                                             std::span<const ColumnFormat> columns,
                                             CsvDialect dialect) {
  detail::TableCsvReader reader(name, columns, dialect == CsvDialect::foreign);
  reader.read_rows(text.substr(reader.read_whole_head(text)));
  return reader.take();
}

TRACKPLEX_INLINE TableOfFile read_table_csv(const std::filesystem::path& path,
                                            std::span<const ColumnFormat> columns) {
  return parse_table_csv(read_file(path), path.string(), columns);
}

}  // namespace trackplex::io
