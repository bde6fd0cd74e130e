// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// @file
/// Files of tables in the form that their names end with: .csv or .h5.

#include <trackplex/core/files.hpp>
#include <trackplex/io/table_csv.hpp>
#include <trackplex/io/table_hdf5.hpp>

#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace trackplex::io {

/// The problem with the name of a file of tables; empty where there is none.
inline std::string problem_of_table_name(const std::filesystem::path& path) {
  const auto extension = path.extension();
  if (extension == ".csv" || (extension == ".h5" && has_hdf5)) return {};
  if (extension == ".h5") return "'" + path.string() + "': this build has no HDF5; name a .csv";
  return "'" + path.string() + "' ends neither in .csv nor in .h5";
}

/// The file beside `path` that a further table is in: with tracks.csv, `hits` is in tracks_hits.csv.
/// Of HDF5 it is `path` itself.
inline std::filesystem::path file_of_table(const std::filesystem::path& path,
                                           const std::string& table) {
  if (path.extension() != ".csv") return path;
  auto file = path;
  return file.replace_filename(path.stem().string() + "_" + table + ".csv");
}

/// File, or files, of tables that grow row by row. HDF5 has all tables in one file. Of CSV the
/// first table is in the file that is named, and every other one beside it (see file_of_table).
class TableFile {
 public:
  /// Tables without rows say which columns there will be.
  /// @throws UsageError if the name is that of no such file, or a table cannot be written
  /// @throws Error where a file cannot be opened
  TableFile(const std::filesystem::path& path, Metadata metadata, std::vector<Table> tables)
      : metadata_(std::move(metadata)), tables_(std::move(tables)) {
    if (const auto problem = problem_of_table_name(path); !problem.empty())
      throw UsageError("", problem);
    for (auto& table : tables_) {
      table.metadata = metadata_;
      check_table(table);
    }
#ifdef TRACKPLEX_HAS_HDF5
    if (path.extension() == ".h5") {
      hdf5_.emplace(path);
      return;
    }
#endif
    for (const auto& table : tables_) open_csv(path, table);
  }

  /// Table number i, for rows to be added.
  Table& operator[](std::size_t i) { return tables_[i]; }

  /// Writes the rows as far as the form allows.
  void flush() {
    auto table = tables_.begin();
    for (auto& file : csv_) {
      file.write(detail::csv_rows(*table));
      (table++)->clear();
    }
  }

  /// Ends the file.
  /// @throws Error if it could not be written completely
  void finish() {
    flush();
    for (auto& file : csv_) file.close();
#ifdef TRACKPLEX_HAS_HDF5
    if (hdf5_) write_tables(*hdf5_, metadata_, tables_);
#endif
  }

 private:
  void open_csv(const std::filesystem::path& path, const Table& table) {
    csv_.emplace_back(csv_.empty() ? path : file_of_table(path, table.name))
        .write(detail::csv_head(table));
  }

  Metadata metadata_;
  std::vector<Table> tables_;
  std::vector<OutputFile> csv_;
#ifdef TRACKPLEX_HAS_HDF5
  std::optional<hdf5::Writer> hdf5_;
#endif
};

/// Writes one table, with its metadata.
/// @throws UsageError, Error as TableFile
inline void write_table(const std::filesystem::path& path, Table table) {
  Metadata metadata = std::move(table.metadata);
  std::vector<Table> tables;  // a list in braces would be copied
  tables.push_back(std::move(table));
  TableFile file(path, std::move(metadata), std::move(tables));
  file.finish();
}

/// A table of a file; a CSV file has one, and `name` is ignored.
/// @throws UsageError if the name is that of no such file
/// @throws InputError where the file is not as the columns say
inline TableOfFile read_table(const std::filesystem::path& path, const std::string& name,
                              std::span<const ColumnFormat> columns) {
  if (path.extension() == ".h5") return read_table_hdf5(path, name, columns);
  auto table = read_table_csv(path, columns);
  table.name = name;
  return table;
}

}  // namespace trackplex::io
