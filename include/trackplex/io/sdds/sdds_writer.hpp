// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// @file
/// Headers and pages of SDDS files for writing.

#include <trackplex/io/sdds/detail/sdds_numbers.hpp>
#include <trackplex/io/sdds/detail/sdds_values.hpp>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <variant>
#include <vector>

namespace trackplex::io {

/// Writer of a file into memory.
class SddsWriter {
 public:
  /// @throws UsageError if definitions have no name or share it
  SddsWriter(const SddsHeader& header, SddsFormat format) : header_(header), format_(format) {
    check(header.parameters, "parameter");
    check(header.arrays, "array");
    check(header.columns, "column");
  }

  /// Appends the header.
  void append_header(std::string& to) const {
    const int version = version_of_file();
    to += "SDDS" + std::to_string(version) + "\n";
    const std::string order = format_.big_endian ? "big" : "little";
    if (!format_.ascii && version < 3) to += "!# " + order + "-endian\n";
    if (!header_.text.empty() || !header_.contents.empty()) {
      to += "&description";
      append_field(to, "text", header_.text);
      append_field(to, "contents", header_.contents);
      to += " &end\n";
    }
    for (const auto& field : header_.parameters) append_definition(to, "parameter", field);
    for (const auto& field : header_.arrays) append_definition(to, "array", field);
    for (const auto& field : header_.columns) append_definition(to, "column", field);
    to += "&data mode=";
    to += format_.ascii ? "ascii," : "binary,";
    if (!format_.ascii && version >= 3) to += " endian=" + order + ",";
    if (!format_.ascii && format_.column_major) to += " column_major_order=1,";
    to += " &end\n";
  }

  /// Appends what a page has before the rows of its table.
  /// @throws UsageError, CapacityError if the values do not fit the definitions
  void append_page_head(std::string& to, const SddsPage& page, std::int64_t rows) const {
    if (page.parameters.size() != header_.parameters.size() ||
        page.arrays.size() != header_.arrays.size())
      refuse("a page has not the parameters and arrays of the header");
    if (!format_.ascii) append_row_count(to, rows);
    for (std::size_t i = 0; i < page.parameters.size(); ++i) {
      const auto& field = header_.parameters[i];
      if (field.fixed_value) continue;
      check_values(field, page.parameters[i], 1);
      append(to, field, page.parameters[i], 0);
      if (format_.ascii) to += '\n';
    }
    for (std::size_t i = 0; i < page.arrays.size(); ++i)
      append_array(to, header_.arrays[i], page.arrays[i]);
    if (format_.ascii && !header_.columns.empty()) to += std::to_string(rows) + "\n";
  }

  /// Appends rows of a table.
  /// @throws UsageError, CapacityError if they do not fit the columns
  void append_rows(std::string& to, const Table& table) const {
    const auto& fields = header_.columns;
    if (table.columns.size() != fields.size()) refuse("a page has not the columns of the header");
    const std::size_t rows = table.rows();
    for (std::size_t c = 0; c < fields.size(); ++c)
      check_values(fields[c], table.columns[c].values, rows);
    if (!format_.ascii && format_.column_major) {
      for (std::size_t c = 0; c < fields.size(); ++c)
        for (std::size_t row = 0; row < rows; ++row)
          append(to, fields[c], table.columns[c].values, row);
      return;
    }
    for (std::size_t row = 0; row < rows; ++row)
      for (std::size_t c = 0; c < fields.size(); ++c) {
        append(to, fields[c], table.columns[c].values, row);
        if (format_.ascii) to += c + 1 == fields.size() ? '\n' : ' ';
      }
  }

 private:
  [[noreturn]] static void refuse(const std::string& problem, const std::string& why = {}) {
    throw UsageError("SDDS file", problem, why);
  }

  static void check(const std::vector<SddsField>& fields, const std::string& kind) {
    std::set<std::string_view> names;
    for (const auto& field : fields) {
      if (field.name.empty()) refuse("a definition has no name", kind);
      if (!names.insert(field.name).second) refuse("two " + kind + "s have one name", field.name);
    }
  }

  static void check_values(const SddsField& field, const ColumnValues& values, std::size_t n) {
    if (ColumnType(values.index()) != column_type_of(field.type))
      refuse("'" + field.name + "' has values of another type", std::string(name_of(field.type)));
    if (std::visit([](const auto& list) { return list.size(); }, values) != n)
      refuse("'" + field.name + "' has another number of values", std::to_string(n) + " expected");
  }

  /// The oldest version that has the types.
  int version_of_file() const {
    int version = format_.column_major && !format_.ascii ? 3 : 1;
    for (const auto* fields : {&header_.parameters, &header_.arrays, &header_.columns})
      for (const auto& field : *fields) {
        using enum SddsType;
        const bool is_new = field.type == int64 || field.type == uint64;
        const bool is_unsigned = field.type == uint16 || field.type == uint32;
        version = std::max(version, is_new                     ? 5
                                    : field.type == longdouble ? 4
                                    : is_unsigned              ? 2
                                                               : 1);
      }
    return version;
  }

  static void append_field(std::string& to, const char* key, const std::string& value) {
    if (value.empty()) return;
    if (value.back() == '\\') refuse("a text of a header ends in a backslash", value.substr(0, 40));
    to.append(" ").append(key).append("=\"");
    for (const char c : value) {
      if (c == '"' || c == '\\') to += '\\';
      to += c;
    }
    to += "\",";
  }

  static void append_definition(std::string& to, const std::string& kind, const SddsField& field) {
    to.append("&").append(kind);
    append_field(to, "name", field.name);
    append_field(to, "symbol", field.symbol);
    append_field(to, "units", field.units);
    append_field(to, "description", field.description);
    to.append(" type=").append(name_of(field.type)).append(",");
    if (kind == "array" && field.dimensions != 1)
      to.append(" dimensions=").append(std::to_string(field.dimensions)).append(",");
    if (field.fixed_value) {
      append_field(to, "fixed_value", *field.fixed_value);
      if (field.fixed_value->empty()) to += " fixed_value=\"\",";
    }
    to += " &end\n";
  }

  void append_row_count(std::string& to, std::int64_t rows) const {
    constexpr auto is_long = std::numeric_limits<std::int32_t>::min();
    const bool fits = std::in_range<std::int32_t>(rows);
    detail::append_sdds_bytes(to, fits ? std::int32_t(rows) : is_long, format_.big_endian);
    if (!fits) detail::append_sdds_bytes(to, rows, format_.big_endian);
  }

  void append_array(std::string& to, const SddsField& field, const SddsArray& array) const {
    if (int(array.extents.size()) != field.dimensions)
      refuse("'" + field.name + "' has another number of dimensions");
    std::size_t n = 1;
    for (const std::size_t extent : array.extents) {
      if (!std::in_range<std::int32_t>(extent)) refuse("'" + field.name + "' is too large");
      n *= extent;
      if (format_.ascii)
        to.append(std::to_string(extent)).append(" ");
      else
        detail::append_sdds_bytes(to, std::int32_t(extent), format_.big_endian);
    }
    if (format_.ascii) to += '\n';
    check_values(field, array.values, n);
    for (std::size_t i = 0; i < n; ++i) {
      append(to, field, array.values, i);
      if (format_.ascii) to += i + 1 == n || i % 6 == 5 ? '\n' : ' ';
    }
  }

  void append(std::string& to, const SddsField& field, const ColumnValues& values,
              std::size_t i) const {
    std::visit([&](const auto& list) { append_value(to, field, list[i]); }, values);
  }

  void append_value(std::string& to, const SddsField& field, const std::string& text) const {
    if (field.type == SddsType::character && text.size() != 1)
      refuse("'" + field.name + "' has a text that is not one character", text.substr(0, 40));
    if (format_.ascii) return append_quoted(to, text);
    if (field.type == SddsType::string) {
      if (!std::in_range<std::int32_t>(text.size())) refuse("a text is too long", field.name);
      detail::append_sdds_bytes(to, std::int32_t(text.size()), format_.big_endian);
    }
    to += text;
  }
  template <class Number>
  void append_value(std::string& to, const SddsField& field, Number value) const {
    if constexpr (std::is_integral_v<Number>)
      if (!detail::is_in_range(field.type, value))
        refuse("'" + field.name + "' has a number beyond " + std::string(name_of(field.type)),
               std::to_string(value));
    if (format_.ascii) return append_digits(to, value);
    detail::with_sdds_number(field.type, [&]<class T>(T) {
      if constexpr (!std::is_same_v<T, detail::SddsLongDouble>)
        detail::append_sdds_bytes(to, T(value), format_.big_endian);
      else if constexpr (std::is_floating_point_v<Number>)
        detail::append_sdds_bytes(to, detail::long_double_of(value), format_.big_endian);
    });
  }

  /// Appends a number as the shortest decimal that reads back as the same bits.
  template <class Number>
  static void append_digits(std::string& to, Number value) {
    if constexpr (std::is_floating_point_v<Number>)
      if (std::isnan(value)) {
        to += "nan";
        return;
      }
    char digits[32];
    to.append(digits, std::to_chars(digits, digits + sizeof digits, value).ptr);
  }

  static void append_quoted(std::string& to, const std::string& text) {
    constexpr char octal[] = "01234567";
    to += '"';
    for (const char c : text) {
      const auto byte = (unsigned char)(c);
      if (byte < ' ') {
        to += '\\';
        for (const int shift : {6, 3, 0}) to += octal[byte >> shift & 7];
      } else {
        if (c == '"' || c == '\\' || c == '!') to += '\\';
        to += c;
      }
    }
    to += '"';
  }

  const SddsHeader& header_;
  SddsFormat format_;
};

}  // namespace trackplex::io
