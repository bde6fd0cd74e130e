// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/io/tables/table_file.hpp>
#include <trackplex/io/tables/track_state_columns.hpp>

#include <algorithm>
#include <sstream>
#include <string>

namespace detector_tracker {

using namespace trackplex;

/// A table without rows. Its columns are integers where they do not say otherwise, as in
/// "track strategy:text chi2:real u:real[cm]".
inline io::Table make_table(const std::string& name, const std::string& columns,
                            io::ColumnType real) {
  using enum io::ColumnType;
  io::Table table{name, {}};
  std::istringstream words(columns);
  for (std::string word; words >> word;) {
    const auto colon = std::min(word.find(':'), word.size());
    const auto bracket = std::min(word.find('['), word.size());
    const auto type = word.substr(colon, bracket - colon);
    const auto unit =
        bracket < word.size() ? word.substr(bracket + 1, word.size() - bracket - 2) : "";
    table.columns.emplace_back(word.substr(0, std::min(colon, bracket)), unit,
                               type == ":real"   ? real
                               : type == ":text" ? string
                                                 : int64);
  }
  return table;
}

}  // namespace detector_tracker
