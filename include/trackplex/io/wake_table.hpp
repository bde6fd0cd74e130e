// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/beam/wake_table.hpp>
#include <trackplex/core/files.hpp>
#include <trackplex/io/detail/sdds_ascii.hpp>

#include <algorithm>
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

/// Returns the numbers of a column; none without a name.
inline std::vector<double> wake_column(const SddsAsciiReader& reader, const SddsTable& table,
                                       const std::string& name, const std::string& units) {
  std::vector<double> values;
  if (name.empty()) return values;
  const auto& columns = reader.header().columns;
  const auto found = std::find_if(columns.begin(), columns.end(),
                                  [&](const SddsColumn& column) { return column.name == name; });
  if (found == columns.end()) {
    std::string names;
    for (const SddsColumn& column : columns) names += (names.empty() ? "" : ", ") + column.name;
    throw InputError({reader.file()}, "there is no column '" + name + "'", "it has: " + names);
  }
  const InputPlace place{reader.file(), "column " + name};
  if (!found->is_number()) throw InputError(place, "its values are no numbers", found->type);
  if (!found->units.empty() && found->units != units)
    throw InputError(place, "its unit is not " + units, found->units);
  for (std::size_t row = 0; row < table.rows(); ++row)
    values.push_back(reader.number(table.at(row, std::size_t(found - columns.begin())), name));
  return values;
}

}  // namespace detail

/// Parses the text of an SDDS file with wakes; `name` is for messages. The data are text (mode
/// ascii), one page.
/// @throws InputError if it is no such file, a column is missing, of another unit or no numbers,
/// with the line
/// @throws UsageError if the table is none of wakes, see `check_wake_table`
inline beam::WakeTable parse_wake_table(std::string_view text, const std::string& name,
                                        const WakeColumns& columns) {
  detail::SddsAsciiReader reader(text, name);
  const detail::SddsTable table = reader.take_table();
  if (!reader.at_end()) throw InputError({name}, "a table of wakes has one page", "there are more");
  const auto column = [&](const std::string& of, const char* units) {
    return detail::wake_column(reader, table, of, units);
  };
  if (columns.time.empty()) throw UsageError("wake table", "the column of the time has no name");
  beam::WakeTable wakes{column(columns.time, "s"), column(columns.longitudinal, "V/C"),
                        column(columns.x, "V/C/m"), column(columns.y, "V/C/m")};
  beam::check_wake_table(wakes, name);
  return wakes;
}

/// Reads an SDDS file with wakes, see `parse_wake_table`.
/// @throws InputError if the file cannot be read or parsed
/// @throws UsageError if the table is none of wakes
inline beam::WakeTable read_wake_table(const std::filesystem::path& path,
                                       const WakeColumns& columns) {
  return parse_wake_table(read_file(path), path.string(), columns);
}

}  // namespace trackplex::io
