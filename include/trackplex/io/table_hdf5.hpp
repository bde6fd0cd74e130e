// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// @file
/// Tables as HDF5: each table is a group, each column a dataset in it with the attribute `unit`,
/// and metadata are attributes of the root. Needs the CMake target trackplex::hdf5, which defines
/// TRACKPLEX_HAS_HDF5; without it read_table_hdf5() throws.

#include <trackplex/core/rank_errors.hpp>
#include <trackplex/io/detail/check_columns.hpp>
#include <trackplex/io/detail/share_of_rows.hpp>
#include <trackplex/io/table.hpp>

#ifdef TRACKPLEX_HAS_HDF5
#include <trackplex/hdf5/file.hpp>
#endif

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <type_traits>
#include <variant>
#include <vector>

namespace trackplex::io {

#ifdef TRACKPLEX_HAS_HDF5
/// Whether tables can be read from and written to HDF5 files in this build.
inline constexpr bool has_hdf5 = true;

namespace detail {

/// HDF5 type of numbers in files.
template <class Number>
hid_t file_type() {
  return std::is_same_v<Number, std::int64_t> ? H5T_STD_I64LE
         : std::is_same_v<Number, float>      ? H5T_IEEE_F32LE
                                              : H5T_IEEE_F64LE;
}

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
          write(file_type<Element>(), hdf5::Reader::memory_type<Element>(), list.data());
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
  std::optional<std::string> unit;
  for (const auto& [key, text] : file.attributes(column))
    if (key == "unit") unit = text;
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

/// Writes tables and metadata to a new file, and closes it.
/// @throws UsageError if a table cannot be written, see check_table(), or a text has a zero byte
/// @throws Error if the file could not be written completely
inline void write_tables(hdf5::Writer& file, const Metadata& metadata,
                         std::span<const Table> tables) {
  for (const auto& table : tables) check_table(table);
  for (const auto& [key, value] : metadata) file.set_attribute(key, value);
  for (const auto& table : tables) {
    const auto group = file.create_group(table.name);
    for (const auto& column : table.columns) detail::write_values(file, group, column);
  }
  file.finish();
}

/// Reads the table `name` of a file. With ranks, all of them call it, and each gets its share of
/// the rows, `Share(n, reduce_block, &ranks)`.
/// @throws InputError if the file, the table or a column is missing or damaged, or a column is
/// unknown, of another type, unit or length, or not finite
inline TableOfFile read_table_hdf5(const std::filesystem::path& path, const std::string& name,
                                   std::span<const ColumnFormat> columns,
                                   const Ranks* ranks = nullptr) {
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
/// Whether tables can be read from and written to HDF5 files in this build.
inline constexpr bool has_hdf5 = false;

/// Replaces the function of this name in builds without HDF5.
/// @throws UsageError always
[[noreturn]] inline TableOfFile read_table_hdf5(const std::filesystem::path& path,
                                                const std::string&, std::span<const ColumnFormat>,
                                                const Ranks* = nullptr) {
  throw UsageError(path.string(), "this build has no HDF5", {}, "name a .csv");
}
#endif

}  // namespace trackplex::io
