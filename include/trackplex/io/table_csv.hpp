// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// @file
/// Tables as CSV:
///
///   # key: value            metadata, one line each
///   event,x[mm],name        names of the columns, with their units
///   0,1.25,"a, b"           rows
///
/// Numbers have the fewest digits that read back as the same bits; nan and inf are words. Texts are
/// in quotation marks, which are doubled inside (RFC 4180). Lines that begin with # are comments.

#include <trackplex/core/files.hpp>
#include <trackplex/io/detail/append_number.hpp>
#include <trackplex/io/detail/table_csv_reader.hpp>
#include <trackplex/io/table.hpp>

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

/// Returns the metadata and the names of the columns as lines.
inline std::string csv_head(const Table& table) {
  std::string text;
  for (const auto& [key, value] : table.metadata)
    text.append("# ").append(key).append(": ").append(value).append("\n");
  for (const auto& column : table.columns) {
    text.append(&column == &table.columns.front() ? "" : ",").append(column.name);
    if (!column.unit.empty()) text.append("[").append(column.unit).append("]");
  }
  return text + "\n";
}

inline std::string csv_rows(const Table& table) {
  std::string text;
  for (std::size_t row = 0; row < table.rows(); ++row)
    for (const auto& column : table.columns) {
      std::visit([&](const auto& list) { append_cell(text, list[row]); }, column.values);
      text += &column == &table.columns.back() ? '\n' : ',';
    }
  return text;
}

}  // namespace detail

/// Returns a table as CSV text.
/// @throws UsageError if the table cannot be written, see check_table()
inline std::string table_csv(const Table& table) {
  check_table(table);
  return detail::csv_head(table) + detail::csv_rows(table);
}

/// Parses the text of a CSV file; `name` is for messages. The columns may be in any order and
/// without units; the table has them in the order of the text, with the units of `columns`.
/// @throws InputError if a column is missing, unknown or of another unit, a row has more or fewer
/// fields, or a field is not of the type of its column, with line and column
inline TableOfFile parse_table_csv(std::string_view text, const std::string& name,
                                   std::span<const ColumnFormat> columns) {
  detail::TableCsvReader reader(name, columns);
  reader.read_rows(text.substr(reader.read_whole_head(text)));
  return reader.take();
}

/// Reads a CSV file, see parse_table_csv().
/// @throws InputError if the file cannot be read or parsed
inline TableOfFile read_table_csv(const std::filesystem::path& path,
                                  std::span<const ColumnFormat> columns) {
  return parse_table_csv(read_file(path), path.string(), columns);
}

}  // namespace trackplex::io
