// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// @file
/// Tables as CSV:
///
///   # key: value            metadata, one line each
///   event,x[mm],name        names of the columns, with their units
///   0,1.25,"a, b"           rows
///
/// Numbers have the fewest digits that read back as the same bits; nan and inf are words. Texts are
/// in quotation marks, which are doubled inside (RFC 4180). Lines that begin with # are comments.

#include <trackplex/core/compiled.hpp>
#include <trackplex/io/table.hpp>

#include <filesystem>
#include <span>
#include <string>
#include <string_view>

namespace trackplex::io {

namespace detail {

/// Returns the metadata and the names of the columns as lines.
std::string csv_head(const Table& table);

std::string csv_rows(const Table& table);

}  // namespace detail

/// Returns a table as CSV text.
/// @throws UsageError if the table cannot be written, see check_table()
std::string table_csv(const Table& table);

/// Whose tables are read.
enum class CsvDialect {
  own,     ///< of this library: every column is known
  foreign  ///< of other programs, pandas among them: unknown columns are skipped, such as one of
           ///< row numbers without a name; integers may be written as 1.0, and those from 2^63 to
           ///< 2^64 - 1 stand for the signed ones of the same bits
};

/// Parses the text of a CSV file; `name` is for messages. The columns may be in any order and
/// without units; the table has them in the order of the text, with the units of `columns`.
/// @throws InputError if a column is missing, unknown or of another unit, a row has more or fewer
/// fields, or a field is not of the type of its column, with line and column
TableOfFile parse_table_csv(std::string_view text, const std::string& name,
                            std::span<const ColumnFormat> columns,
                            CsvDialect dialect = CsvDialect::own);

/// Reads a CSV file, see parse_table_csv().
/// @throws InputError if the file cannot be read or parsed
TableOfFile read_table_csv(const std::filesystem::path& path,
                           std::span<const ColumnFormat> columns);

}  // namespace trackplex::io

#if !defined(TRACKPLEX_COMPILED)
#include <trackplex/io/tables/detail/table_csv.impl.hpp>
#endif
