// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/io/elegant/detail/elegant_rules.hpp>
#include <trackplex/io/sdds/sdds_file_reader.hpp>
#include <trackplex/io/sdds/wake_file.hpp>

#include <cmath>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

/// @file
/// Tables of numbers in SDDS files that elegant's elements name.

namespace trackplex::io::detail {

/// Columns of the first page of a file, by their names.
inline std::vector<std::vector<double>> columns_of_file(const std::filesystem::path& path,
                                                        const std::vector<std::string>& names) {
  SddsFileReader reader(path);
  const auto page = reader->next();
  if (!page) throw InputError({path.string()}, "the file has no page");
  std::vector<std::vector<double>> columns;
  for (const std::string& name : names) {
    columns.push_back(number_column(page->table, name));
    for (const double value : columns.back())
      if (!std::isfinite(value))
        throw InputError({path.string(), "column " + name}, "a value is not finite");
  }
  return columns;
}

/// Abscissas and ordinates of a parameter of the form "<file>=<x>+<y>", in the folder of the
/// lattice.
inline std::vector<std::vector<double>> curve_of(const ElementValues& v, std::string_view name) {
  const std::string text = v.text(name);
  const auto equals = text.rfind('='), plus = text.find('+', equals);
  if (equals == std::string::npos || plus == std::string::npos || equals == 0 ||
      plus == equals + 1 || plus + 1 == text.size())
    v.refuse(name, "the form is <file>=<column of x>+<column of y>");
  return columns_of_file(v.folder() / text.substr(0, equals),
                         {text.substr(equals + 1, plus - equals - 1), text.substr(plus + 1)});
}

}  // namespace trackplex::io::detail
