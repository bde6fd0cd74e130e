// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// @file
/// Files of tables in the format of their extension: .csv, .h5 or .sdds.

#include <trackplex/core/compiled.hpp>
#include <trackplex/core/files.hpp>
#include <trackplex/io/tables/table_csv.hpp>
#include <trackplex/io/tables/table_hdf5.hpp>

#include <cstddef>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace trackplex::hdf5 {
class Writer;
}

namespace trackplex::io {

/// Returns the problem with the name of a file of tables, for a message; empty if there is none.
std::string problem_of_table_name(const std::filesystem::path& path);

/// Returns the file of a further table next to `path`: for tracks.csv, `hits` is in
/// tracks_hits.csv, and so for .sdds. For HDF5 it is `path` itself.
std::filesystem::path file_of_table(const std::filesystem::path& path, const std::string& table);

/// File, or files, of tables to which rows are appended. HDF5 has all tables in one file. As CSV
/// or SDDS, the first table is in the named file, and each other one next to it (see
/// file_of_table()).
class TableFile {
 public:
  /// Opens the files; `tables` define the names and columns, and usually have no rows yet.
  /// @throws UsageError if the extension is none of .csv, .h5 and .sdds (or the build has no HDF5),
  /// or a table cannot be written, see check_table()
  /// @throws Error if a file cannot be opened
  TableFile(const std::filesystem::path& path, Metadata metadata, std::vector<Table> tables);

  /// Returns table number i, to which rows can be added.
  Table& operator[](std::size_t i) { return tables_[i]; }

  /// Writes the rows so far and removes them from the tables. HDF5 and SDDS keep them until
  /// finish().
  void flush();

  /// Writes the remaining rows and closes the files.
  /// @throws Error if a file could not be written completely
  void finish();

 private:
  void open_file(const std::filesystem::path& path, const Table& table);

  Metadata metadata_;
  std::vector<Table> tables_;
  std::vector<OutputFile> files_;  ///< CSV or SDDS, one for each table
  bool is_sdds_ = false;
  std::shared_ptr<hdf5::Writer> hdf5_;  ///< null for CSV and SDDS
};

/// Writes one table, with its metadata.
/// @throws UsageError, Error as the members of TableFile
void write_table(const std::filesystem::path& path, Table table);

/// Reads a table of a file: of an .h5 file the one called `name`, of any other the only one, as
/// SDDS if it is an .sdds file, else as CSV.
/// @throws UsageError for an .h5 file if the build has no HDF5
/// @throws InputError if the file cannot be read, or does not have these columns
TableOfFile read_table(const std::filesystem::path& path, const std::string& name,
                       std::span<const ColumnFormat> columns);

}  // namespace trackplex::io

#if !defined(TRACKPLEX_COMPILED)
#include <trackplex/io/tables/detail/table_file.impl.hpp>
#endif
