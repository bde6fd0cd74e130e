// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// @file
/// Tables of named columns with units, the contents of files of results in CSV
/// (io/tables/table_csv.hpp), HDF5 (io/tables/table_hdf5.hpp) and SDDS (io/sdds/sdds.hpp).

#include <trackplex/core/compiled.hpp>
#include <trackplex/core/error.hpp>

#include <cstddef>
#include <cstdint>
#include <limits>
#include <ranges>
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
ColumnValues empty_values(ColumnType type);

/// Column of a table.
struct Column {
  std::string name;     ///< name, unique in its table
  std::string unit;     ///< unit of the values, such as "mm"; empty if they have none
  ColumnValues values;  ///< values, one per row

  /// Constructs a column without rows.
  Column(std::string column_name, std::string column_unit, ColumnType column_type);

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
  void refuse(std::string_view what) const;
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
  void clear();

 private:
  const Column* find(std::string_view column) const;
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
  [[noreturn]] void refuse_row(std::size_t values) const;
};

/// Table that was read from a file, or a rank's share of it, with the positions of its rows.
struct TableOfFile : Table {
  std::string file;                  ///< path of the file
  std::vector<std::size_t> lines{};  ///< line of each row, from 1; empty for binary files
  std::size_t first_row = 0;         ///< number of the first row in the file

  /// Throws an InputError that names the file, the line or row, and the column.
  [[noreturn]] void refuse(std::size_t row, std::string_view column, std::string_view problem,
                           std::string_view why = {}) const;
};

/// Checks that a table can be written to every kind of file.
/// @throws UsageError if it has no columns, if columns differ in length, have no name or share it,
/// or if names, units or metadata contain characters that the formats reserve
void check_table(const Table& table);

}  // namespace trackplex::io

#if !defined(TRACKPLEX_COMPILED)
#include <trackplex/io/detail/table.impl.hpp>
#endif
