// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// @file
/// Files of tables in the format of their extension: .csv, .h5 or .sdds.

#include <trackplex/core/files.hpp>
#include <trackplex/io/detail/sdds_table.hpp>
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
  if (extension == ".csv" || extension == ".sdds" || (extension == ".h5" && has_hdf5)) return {};
  if (extension == ".h5") return "'" + path.string() + "': this build has no HDF5; name a .csv";
  return "'" + path.string() + "' ends in none of .csv, .h5 and .sdds";
}

/// Returns the file of a further table next to `path`: for tracks.csv, `hits` is in
/// tracks_hits.csv, and so for .sdds. For HDF5 it is `path` itself.
inline std::filesystem::path file_of_table(const std::filesystem::path& path,
                                           const std::string& table) {
  const auto extension = path.extension();
  if (extension != ".csv" && extension != ".sdds") return path;
  auto file = path;
  return file.replace_filename(path.stem().string() + "_" + table + extension.string());
}

/// File, or files, of tables to which rows are appended. HDF5 has all tables in one file. As CSV
/// or SDDS, the first table is in the named file, and each other one next to it (see
/// file_of_table()).
class TableFile {
 public:
  /// Opens the files; `tables` define the names and columns, and usually have no rows yet.
  /// @throws UsageError if the extension is none of .csv, .h5 and .sdds (or the build has no HDF5),
  /// or a table cannot be written, see check_table()
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
    is_sdds_ = path.extension() == ".sdds";
    for (const auto& table : tables_) open_file(path, table);
  }

  /// Returns table number i, to which rows can be added.
  Table& operator[](std::size_t i) { return tables_[i]; }

  /// Writes the rows so far and removes them from the tables. HDF5 and SDDS keep them until
  /// finish().
  void flush() {
    if (is_sdds_) return;
    auto table = tables_.begin();
    for (auto& file : files_) {
      file.write(detail::csv_rows(*table));
      (table++)->clear();
    }
  }

  /// Writes the remaining rows and closes the files.
  /// @throws Error if a file could not be written completely
  void finish() {
    flush();
    for (std::size_t i = 0; i < files_.size(); ++i) {
      if (is_sdds_) files_[i].write(detail::sdds_of_table(tables_[i]));
      files_[i].close();
    }
#ifdef TRACKPLEX_HAS_HDF5
    if (hdf5_) write_tables(*hdf5_, metadata_, tables_);
#endif
  }

 private:
  void open_file(const std::filesystem::path& path, const Table& table) {
    auto& file = files_.emplace_back(files_.empty() ? path : file_of_table(path, table.name));
    if (!is_sdds_) file.write(detail::csv_head(table));
  }

  Metadata metadata_;
  std::vector<Table> tables_;
  std::vector<OutputFile> files_;  ///< CSV or SDDS, one for each table
  bool is_sdds_ = false;
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
/// SDDS if it is an .sdds file, else as CSV.
/// @throws UsageError for an .h5 file if the build has no HDF5
/// @throws InputError if the file cannot be read, or does not have these columns
inline TableOfFile read_table(const std::filesystem::path& path, const std::string& name,
                              std::span<const ColumnFormat> columns) {
  if (path.extension() == ".h5") return read_table_hdf5(path, name, columns);
  if (path.extension() == ".sdds") return detail::read_table_sdds(path, name, columns);
  auto table = read_table_csv(path, columns);
  table.name = name;
  return table;
}

}  // namespace trackplex::io
