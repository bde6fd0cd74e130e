// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// @file
/// Tables as HDF5: each table is a group, each column a dataset in it with the attribute `unit`,
/// and metadata are attributes of the root. Needs the CMake target trackplex::hdf5, which defines
/// TRACKPLEX_HAS_HDF5; without it read_table_hdf5() throws.

#include <trackplex/core/compiled.hpp>
#include <trackplex/core/ranks.hpp>
#include <trackplex/io/table.hpp>

#include <filesystem>
#include <span>
#include <string>

#ifdef TRACKPLEX_HAS_HDF5
namespace trackplex::hdf5 {
class Writer;
}
#endif

namespace trackplex::io {

#ifdef TRACKPLEX_HAS_HDF5
/// Whether tables can be read from and written to HDF5 files in this build.
inline constexpr bool has_hdf5 = true;

/// Writes tables and metadata to a new file, and closes it.
/// @throws UsageError if a table cannot be written, see check_table(), or a text has a zero byte
/// @throws Error if the file could not be written completely
void write_tables(hdf5::Writer& file, const Metadata& metadata, std::span<const Table> tables);
#else
/// Whether tables can be read from and written to HDF5 files in this build.
inline constexpr bool has_hdf5 = false;
#endif

/// Reads the table `name` of a file. With ranks, all of them call it, and each gets its share of
/// the rows, `Share(n, reduce_block, &ranks)`.
/// @throws InputError if the file, the table or a column is missing or damaged, or a column is
/// unknown, of another type, unit or length, or not finite
/// @throws UsageError in builds without HDF5, always
TableOfFile read_table_hdf5(const std::filesystem::path& path, const std::string& name,
                            std::span<const ColumnFormat> columns, const Ranks* ranks = nullptr);

}  // namespace trackplex::io

#if !defined(TRACKPLEX_COMPILED)
#include <trackplex/io/tables/detail/table_hdf5.impl.hpp>
#endif
