// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// @file
/// Tables as SDDS files: one page, whose parameters are the metadata.

#include <trackplex/core/files.hpp>
#include <trackplex/core/shortest.hpp>
#include <trackplex/io/detail/check_columns.hpp>
#include <trackplex/io/sdds/sdds_file_reader.hpp>
#include <trackplex/io/sdds/sdds_writer.hpp>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

namespace trackplex::io {

/// Returns the bytes of a binary file with a table.
inline std::string sdds_of_table(const Table& table) {
  SddsHeader header{.contents = table.name};
  SddsPage page;
  for (const auto& [key, value] : table.metadata) {
    header.parameters.push_back({.name = key, .type = SddsType::string});
    page.parameters.push_back(std::vector<std::string>{value});
  }
  for (const auto& column : table.columns)
    header.columns.push_back(
        {.name = column.name, .type = sdds_type_of(column.type()), .units = column.unit});
  const SddsWriter writer(header, {});
  std::string bytes;
  writer.append_header(bytes);
  writer.append_page_head(bytes, page, std::int64_t(table.rows()));
  writer.append_rows(bytes, table);
  return bytes;
}

namespace detail {

/// Converts a column to a type. Numbers become texts and texts numbers nowhere, doubles never
/// floats, and doubles integers only where they are whole.
inline Column converted(const TableOfFile& table, const Column& from, const ColumnFormat& to) {
  Column column(to.name, to.unit, to.type);
  const auto refuse_type = [&] {
    throw InputError(
        {table.file, table.name + ", " + from.name}, "is of another type",
        std::string(name_of(from.type())) + ", expected " + std::string(name_of(to.type)));
  };
  std::visit(
      [&]<class From, class To>(const std::vector<From>& list, std::vector<To>& result) {
        constexpr bool is_text = std::is_same_v<From, std::string>;
        if constexpr (std::is_same_v<From, To>) {
          result = list;
        } else if constexpr (is_text || std::is_same_v<To, std::string> ||
                             std::is_same_v<To, float>) {
          refuse_type();
        } else {
          result.reserve(list.size());
          for (std::size_t i = 0; i < list.size(); ++i) {
            constexpr bool to_integer = std::is_integral_v<To> && !std::is_integral_v<From>;
            if constexpr (to_integer)
              if (!(std::abs(list[i]) < From(0x1p53)) || list[i] != std::trunc(list[i]))
                table.refuse(i, from.name, "it is no integer", shortest(double(list[i])));
            result.push_back(To(list[i]));
          }
        }
        if constexpr (std::is_floating_point_v<To>)
          for (std::size_t i = 0; to.finite && i < result.size(); ++i)
            if (!std::isfinite(result[i])) table.refuse(i, from.name, "it is not finite");
      },
      from.values, column.values);
  return column;
}

inline std::string text_of_value(const ColumnValues& value) {
  return std::visit(
      []<class T>(const std::vector<T>& list) {
        if constexpr (std::is_same_v<T, std::string>)
          return list.front();
        else if constexpr (std::is_integral_v<T>)
          return std::to_string(list.front());
        else
          return shortest(double(list.front()));
      },
      value);
}

}  // namespace detail

/// Parses a file with the table `table`; its page may be the only one.
/// @throws InputError if the bytes are not SDDS, or not such a table
inline TableOfFile parse_table_sdds(SddsReader& reader, const std::string& table,
                                    std::span<const ColumnFormat> columns) {
  auto page = reader.next();
  const InputPlace place{reader.file(), table};
  if (!page) throw InputError(place, "the file has no page");
  TableOfFile result{{table, {}, {}}, reader.file(), std::move(page->table.lines)};
  for (std::size_t i = 0; i < page->parameters.size(); ++i)
    result.metadata.emplace_back(reader.header().parameters[i].name,
                                 detail::text_of_value(page->parameters[i]));
  for (const auto& column : page->table.columns) {
    const std::optional<std::string> unit =
        column.unit.empty() ? std::nullopt : std::optional(column.unit);
    result.columns.push_back(
        detail::converted(result, column, detail::format_of(columns, column.name, unit, place)));
  }
  detail::check_all_there(columns, result, place);
  if (reader.next()) throw InputError(place, "a table has one page", "there are more");
  return result;
}

/// Reads a table of a file.
/// @throws InputError if the file cannot be read, or does not have these columns
inline TableOfFile read_table_sdds(const std::filesystem::path& path, const std::string& table,
                                   std::span<const ColumnFormat> columns) {
  SddsFileReader reader(path);
  return parse_table_sdds(*reader, table, columns);
}

}  // namespace trackplex::io
