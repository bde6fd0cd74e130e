// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/beam/collective/wake_table.hpp>
#include <trackplex/core/compiled.hpp>
#include <trackplex/io/table.hpp>

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace trackplex::io {

/// Names of the columns of a file with wakes; an empty name: the wake is not read.
struct WakeColumns {
  std::string time = "t";      ///< Delays, s.
  std::string longitudinal{};  ///< Longitudinal wake, V/C.
  std::string x{};             ///< Horizontal dipole wake, V/C/m.
  std::string y{};             ///< Vertical dipole wake, V/C/m.
};

namespace detail {

/// Returns the numbers of a column, of any units without some; none without a name.
std::vector<double> number_column(const TableOfFile& table, const std::string& name,
                                  const std::string& units = {});

}  // namespace detail

/// Parses the bytes of an SDDS file with wakes; `name` is for messages. As elegant does, it reads
/// the first page.
/// @throws InputError if it is no such file, a column is missing, of another unit or no numbers,
/// with the line of a text or the byte of binary data
/// @throws UsageError if the table is none of wakes, see `check_wake_table`
beam::WakeTable parse_wake_table(std::string_view bytes, const std::string& name,
                                 const WakeColumns& columns);

/// Reads an SDDS file with wakes, see `parse_wake_table`.
/// @throws InputError if the file cannot be read or parsed
/// @throws UsageError if the table is none of wakes
beam::WakeTable read_wake_table(const std::filesystem::path& path, const WakeColumns& columns);

}  // namespace trackplex::io

#if !defined(TRACKPLEX_COMPILED)
#include <trackplex/io/sdds/detail/wake_file.impl.hpp>
#endif
