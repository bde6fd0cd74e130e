// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/io/detail/file_kind.hpp>
#include <trackplex/io/sdds/sdds_table.hpp>
#include <trackplex/io/tables/table_file.hpp>

#ifdef TRACKPLEX_HAS_HDF5
#include <trackplex/hdf5/hdf5_writer.hpp>
#endif

#include <cstddef>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace trackplex::io {

TRACKPLEX_INLINE std::string problem_of_table_name(const std::filesystem::path& path) {
  const auto extension = path.extension();
  if (extension == ".csv" || extension == ".sdds" || (extension == ".h5" && has_hdf5)) return {};
  if (extension == ".h5") return "'" + path.string() + "': this build has no HDF5; name a .csv";
  return "'" + path.string() + "' ends in none of .csv, .h5 and .sdds";
}

TRACKPLEX_INLINE std::filesystem::path file_of_table(const std::filesystem::path& path,
                                                     const std::string& table) {
  const auto extension = path.extension();
  if (extension != ".csv" && extension != ".sdds") return path;
  auto file = path;
  return file.replace_filename(path.stem().string() + "_" + table + extension.string());
}

TRACKPLEX_INLINE TableFile::TableFile(const std::filesystem::path& path, Metadata metadata,
                                      std::vector<Table> tables)
    : metadata_(std::move(metadata)), tables_(std::move(tables)) {
  if (const auto problem = problem_of_table_name(path); !problem.empty())
    throw UsageError("", problem);
  if (detail::has_openpmd_name(path))
    throw UsageError(path.string(), "only particles of bunches are written as openPMD", {},
                     "name a .h5");
  for (auto& table : tables_) {
    table.metadata = metadata_;
    check_table(table);
  }
#ifdef TRACKPLEX_HAS_HDF5
  if (path.extension() == ".h5") {
    hdf5_ = std::make_shared<hdf5::Writer>(path);
    return;
  }
#endif
  is_sdds_ = path.extension() == ".sdds";
  for (const auto& table : tables_) open_file(path, table);
}

TRACKPLEX_INLINE void TableFile::flush() {
  if (is_sdds_) return;
  auto table = tables_.begin();
  for (auto& file : files_) {
    file.write(detail::csv_rows(*table));
    (table++)->clear();
  }
}

TRACKPLEX_INLINE void TableFile::finish() {
  flush();
  for (std::size_t i = 0; i < files_.size(); ++i) {
    if (is_sdds_) files_[i].write(sdds_of_table(tables_[i]));
    files_[i].close();
  }
#ifdef TRACKPLEX_HAS_HDF5
  if (hdf5_) write_tables(*hdf5_, metadata_, tables_);
#endif
}

TRACKPLEX_INLINE void TableFile::open_file(const std::filesystem::path& path, const Table& table) {
  auto& file = files_.emplace_back(files_.empty() ? path : file_of_table(path, table.name));
  if (!is_sdds_) file.write(detail::csv_head(table));
}

TRACKPLEX_INLINE void write_table(const std::filesystem::path& path, Table table) {
  Metadata metadata = std::move(table.metadata);
  std::vector<Table> tables;  // a list in braces would be copied
  tables.push_back(std::move(table));
  TableFile file(path, std::move(metadata), std::move(tables));
  file.finish();
}

TRACKPLEX_INLINE TableOfFile read_table(const std::filesystem::path& path, const std::string& name,
                                        std::span<const ColumnFormat> columns) {
  const auto kind = detail::kind_of_file(path);
  if (kind == detail::FileKind::hdf5) return read_table_hdf5(path, name, columns);
  if (kind == detail::FileKind::sdds) return read_table_sdds(path, name, columns);
  auto table = read_table_csv(path, columns);
  table.name = name;
  return table;
}

}  // namespace trackplex::io
