// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/core/error.hpp>
#include <trackplex/core/rank_errors.hpp>
#include <trackplex/io/detail/check_columns.hpp>
#include <trackplex/io/tables/detail/share_of_rows.hpp>
#include <trackplex/io/tables/table_hdf5.hpp>

#ifdef TRACKPLEX_HAS_HDF5
#include <trackplex/hdf5/hdf5_reader.hpp>
#include <trackplex/hdf5/hdf5_writer.hpp>
#endif

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <type_traits>
#include <variant>
#include <vector>

namespace trackplex::io {

#ifdef TRACKPLEX_HAS_HDF5
namespace detail {

inline void write_values(const hdf5::Writer& file, hid_t group, const Column& column) {
  const auto write = [&](hid_t file_type, hid_t type, const void* data) {
    const auto written =
        file.write_column(group, column.name, file_type, type, data, column.size());
    if (!column.unit.empty()) file.set_attribute("unit", column.unit, written);
  };
  std::visit(
      [&]<class Element>(const std::vector<Element>& list) {
        if constexpr (std::is_same_v<Element, std::string>) {
          std::size_t longest = 1;
          for (const auto& text : list) {
            longest = std::max(longest, text.size());
            if (text.find('\0') != text.npos)
              throw UsageError("column " + column.name, "a text has a zero byte", text.c_str());
          }
          std::string bytes(list.size() * longest, '\0');
          for (std::size_t i = 0; i < list.size(); ++i) list[i].copy(&bytes[i * longest], longest);
          const auto type = hdf5::Writer::text_type(longest);
          write(type, type, bytes.data());
        } else {
          write(hdf5::file_type<Element>(), hdf5::memory_type<Element>(), list.data());
        }
      },
      column.values);
}

/// Reads a rank's share of a column of a file, in the type of its format. The first column says how
/// many rows there are.
inline Column read_column(const hdf5::Reader& file, hid_t group, const std::string& table,
                          const std::string& name, std::span<const ColumnFormat> known,
                          std::optional<RowsOfRank>& rows, const Ranks* ranks) {
  const std::string path = table + "/" + name;
  const auto column = file.column(group, name);
  const std::optional<std::string> unit = file.attribute(column, "unit");
  const ColumnFormat& format = format_of(known, name, unit, {file.name(), table});
  Column result(format.name, format.unit, format.type);
  const std::size_t n = file.length(column, path);
  if (!rows) rows = share_of_rows(n, ranks);
  if (rows->all != n)
    throw InputError({file.name(), table}, "its columns have different lengths", name);
  std::visit(
      [&]<class Element>(std::vector<Element>& list) {
        list = file.read<Element>(column, path, rows->first, rows->n);
        if constexpr (std::is_floating_point_v<Element>)
          for (std::size_t i = 0; format.finite && i < list.size(); ++i)
            if (!std::isfinite(list[i]))
              throw InputError({file.name(), path, rows->first + i}, "it is not finite");
      },
      result.values);
  return result;
}

}  // namespace detail

TRACKPLEX_INLINE void write_tables(hdf5::Writer& file, const Metadata& metadata,
                                   std::span<const Table> tables) {
  for (const auto& table : tables) check_table(table);
  for (const auto& [key, value] : metadata) file.set_attribute(key, value);
  for (const auto& table : tables) {
    const auto group = file.create_group(table.name);
    for (const auto& column : table.columns) detail::write_values(file, group, column);
  }
  file.finish();
}

TRACKPLEX_INLINE TableOfFile read_table_hdf5(const std::filesystem::path& path,
                                             const std::string& name,
                                             std::span<const ColumnFormat> columns,
                                             const Ranks* ranks) {
  RankErrors errors(ranks);
  TableOfFile table{{name, {}, {}}, path.string()};
  std::optional<hdf5::Reader> file;
  std::vector<std::string> names;
  errors.run([&] {
    file.emplace(path);
    if (!file->has_group(name)) throw InputError({file->name()}, "has no table " + name);
    names = file->columns(file->group(name));
    table.metadata = file->attributes();
  });
  errors.check();
  std::optional<detail::RowsOfRank> rows;
  for (const auto& column : names) {
    errors.run([&] {
      table.columns.push_back(
          detail::read_column(*file, file->group(name), name, column, columns, rows, ranks));
    });
    errors.check();
  }
  detail::check_all_there(columns, table, {table.file, name});
  table.first_row = rows ? rows->first : 0;
  return table;
}

#else

TRACKPLEX_INLINE TableOfFile read_table_hdf5(const std::filesystem::path& path, const std::string&,
                                             std::span<const ColumnFormat>, const Ranks*) {
  throw UsageError(path.string(), "this build has no HDF5", {}, "name a .csv");
}

#endif

}  // namespace trackplex::io
