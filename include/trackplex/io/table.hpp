// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// @file
/// Tables of named columns with units, the contents of files of results in CSV (io/table_csv.hpp),
/// HDF5 (io/table_hdf5.hpp) and SDDS (io/sdds.hpp).

#include <trackplex/core/error.hpp>

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <ranges>
#include <set>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

namespace trackplex::io {

/// Pairs of key and value that describe a file: program, version, input, parameters.
using Metadata = std::vector<std::pair<std::string, std::string>>;

/// Type of the values of a column, in the order of ColumnValues.
enum class ColumnType : std::size_t {
  int64,    ///< signed integers of 64 bits
  float32,  ///< floating-point numbers in single precision
  float64,  ///< floating-point numbers in double precision
  string    ///< texts in UTF-8
};
/// Values of a column, one per row.
using ColumnValues = std::variant<std::vector<std::int64_t>, std::vector<float>,
                                  std::vector<double>, std::vector<std::string>>;

/// Returns the name of a type: "int64", "float", "double" or "string".
inline std::string_view name_of(ColumnType type) {
  constexpr std::string_view names[] = {"int64", "float", "double", "string"};
  return names[std::size_t(type)];
}

/// Returns the type of the numbers of a precision: float32 for "float", else float64.
inline ColumnType real_type(std::string_view precision) {
  return precision == "float" ? ColumnType::float32 : ColumnType::float64;
}

/// Returns an empty list of values of a type.
inline ColumnValues empty_values(ColumnType type) {
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

/// Column of a table.
struct Column {
  std::string name;     ///< name, unique in its table
  std::string unit;     ///< unit of the values, such as "mm"; empty if they have none
  ColumnValues values;  ///< values, one per row

  /// Constructs a column without rows.
  Column(std::string column_name, std::string column_unit, ColumnType column_type)
      : name(std::move(column_name)),
        unit(std::move(column_unit)),
        values(empty_values(column_type)) {}

  /// Returns the type of the values.
  ColumnType type() const { return ColumnType(values.index()); }
  /// Returns the number of rows.
  std::size_t size() const {
    return std::visit([](const auto& list) { return list.size(); }, values);
  }
  /// Appends a number or a text; a number is converted to the type of the column.
  /// @throws UsageError for a text in a column of numbers or a number in one of texts, and for a
  /// floating-point number in a column of integers
  /// @throws CapacityError for an integer beyond 64 bits
  template <class Value>
  void push_back(const Value& value) {
    std::visit([&](auto& list) { append(list, value); }, values);
  }

 private:
  template <class Element, class Value>
  void append(std::vector<Element>& list, const Value& value) const {
    constexpr bool is_text = std::is_convertible_v<const Value&, std::string_view>;
    if constexpr (std::is_same_v<Element, std::string> && is_text) {
      list.emplace_back(std::string_view(value));
    } else if constexpr (std::is_arithmetic_v<Element> && std::is_arithmetic_v<Value>) {
      constexpr bool to_integer = std::is_integral_v<Element>;
      if constexpr (to_integer && std::is_floating_point_v<Value>)
        refuse("a floating-point number");
      if constexpr (to_integer && std::is_unsigned_v<Value> && sizeof(Value) == sizeof(Element))
        if (value > Value(std::numeric_limits<Element>::max()))
          throw CapacityError("column " + name, "as a number", value,
                              std::size_t(std::numeric_limits<Element>::max()));
      list.push_back(static_cast<Element>(value));
    } else {
      refuse(std::is_arithmetic_v<Value> ? "a number" : "a text");
    }
  }
  void refuse(std::string_view what) const {
    throw UsageError("column " + name, std::string(what) + " in a column of another type",
                     std::string(name_of(type())));
  }
};

/// Column that a reader expects.
struct ColumnFormat {
  std::string name;                       ///< name of the column
  std::string unit;                       ///< unit of its values; another one in a file is an error
  ColumnType type = ColumnType::float64;  ///< type of its values
  bool required = true;                   ///< whether its absence is an error
  bool finite = true;                     ///< whether non-finite values are errors
};

/// Table: columns of equal length.
struct Table {
  std::string name;             ///< name, such as "tracks": that of the group in HDF5
  std::vector<Column> columns;  ///< columns in the order of the file
  Metadata metadata{};          ///< description of the file

  /// Returns the number of rows.
  std::size_t rows() const { return columns.empty() ? 0 : columns.front().size(); }
  /// Whether there is a column of this name.
  bool has(std::string_view column) const { return find(column) != nullptr; }

  /// Returns the values of a column.
  /// @throws UsageError if the table has no such column of the type `Element`
  template <class Element>
  const std::vector<Element>& values(std::string_view column) const {
    const Column* found = find(column);
    const auto* list = found ? std::get_if<std::vector<Element>>(&found->values) : nullptr;
    if (!list) throw UsageError("table " + name, "no such column", std::string(column));
    return *list;
  }

  /// Appends a row: its values in the order of the columns, where a range provides several.
  /// @throws UsageError if their number or types do not fit the columns
  template <class... Values>
  void add_row(const Values&... row) {
    std::size_t column = 0;
    (add(column, row), ...);
    if (column != columns.size()) refuse_row(column);
  }

  /// Removes all rows.
  void clear() {
    for (auto& column : columns) std::visit([](auto& list) { list.clear(); }, column.values);
  }

 private:
  const Column* find(std::string_view column) const {
    for (const auto& candidate : columns)
      if (candidate.name == column) return &candidate;
    return nullptr;
  }
  template <class Value>
  void add(std::size_t& column, const Value& value) {
    if constexpr (std::ranges::range<Value> &&
                  !std::is_convertible_v<const Value&, std::string_view>) {
      for (const auto& element : value) add(column, element);
    } else {
      if (column == columns.size()) refuse_row(column + 1);
      columns[column++].push_back(value);
    }
  }
  [[noreturn]] void refuse_row(std::size_t values) const {
    throw UsageError("table " + name, "a row of " + std::to_string(values) + " values or more",
                     "there are " + std::to_string(columns.size()) + " columns");
  }
};

/// Table that was read from a file, or a rank's share of it, with the positions of its rows.
struct TableOfFile : Table {
  std::string file;                  ///< path of the file
  std::vector<std::size_t> lines{};  ///< line of each row, from 1; empty for binary files
  std::size_t first_row = 0;         ///< number of the first row in the file

  /// Throws an InputError that names the file, the line or row, and the column.
  [[noreturn]] void refuse(std::size_t row, std::string_view column, std::string_view problem,
                           std::string_view why = {}) const {
    const std::string place = lines.empty() ? name + ", row " + std::to_string(first_row + row)
                                            : "line " + std::to_string(lines[row]);
    throw InputError({file, place + ", " + std::string(column)}, problem, why);
  }
};

/// Checks that a table can be written to every kind of file.
/// @throws UsageError if it has no columns, if columns differ in length, have no name or share it,
/// or if names, units or metadata contain characters that the formats reserve
inline void check_table(const Table& table) {
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
