// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// @file
/// Files of tables in the format of their extension: .csv or .h5.

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

/// Returns the problem with the name of a file of tables, for a message; empty if there is none.
inline std::string problem_of_table_name(const std::filesystem::path& path) {
  const auto extension = path.extension();
  if (extension == ".csv" || (extension == ".h5" && has_hdf5)) return {};
  if (extension == ".h5") return "'" + path.string() + "': this build has no HDF5; name a .csv";
  return "'" + path.string() + "' ends neither in .csv nor in .h5";
}

/// Returns the file of a further table next to `path`: for tracks.csv, `hits` is in
/// tracks_hits.csv. For HDF5 it is `path` itself.
inline std::filesystem::path file_of_table(const std::filesystem::path& path,
                                           const std::string& table) {
  if (path.extension() != ".csv") return path;
  auto file = path;
  return file.replace_filename(path.stem().string() + "_" + table + ".csv");
}

/// File, or files, of tables to which rows are appended. HDF5 has all tables in one file. As CSV,
/// the first table is in the named file, and each other one next to it (see file_of_table()).
class TableFile {
 public:
  /// Opens the files; `tables` define the names and columns, and usually have no rows yet.
  /// @throws UsageError if the extension is neither .csv nor .h5 (or the build has no HDF5), or a
  /// table cannot be written, see check_table()
  /// @throws Error if a file cannot be opened
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

  /// Returns table number i, to which rows can be added.
  Table& operator[](std::size_t i) { return tables_[i]; }

  /// Writes the rows so far and removes them from the tables. HDF5 keeps them until finish().
  void flush() {
    auto table = tables_.begin();
    for (auto& file : csv_) {
      file.write(detail::csv_rows(*table));
      (table++)->clear();
    }
  }

  /// Writes the remaining rows and closes the files.
  /// @throws Error if a file could not be written completely
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
/// @throws UsageError, Error as the members of TableFile
inline void write_table(const std::filesystem::path& path, Table table) {
  Metadata metadata = std::move(table.metadata);
  std::vector<Table> tables;  // a list in braces would be copied
  tables.push_back(std::move(table));
  TableFile file(path, std::move(metadata), std::move(tables));
  file.finish();
}

/// Reads a table of a file: of an .h5 file the one called `name`, of any other the only one, as
/// CSV.
/// @throws UsageError for an .h5 file if the build has no HDF5
/// @throws InputError if the file cannot be read, or does not have these columns
inline TableOfFile read_table(const std::filesystem::path& path, const std::string& name,
                              std::span<const ColumnFormat> columns) {
  if (path.extension() == ".h5") return read_table_hdf5(path, name, columns);
  auto table = read_table_csv(path, columns);
  table.name = name;
  return table;
}

}  // namespace trackplex::io
