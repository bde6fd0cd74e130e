// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace trackplex::program {

/// A text table with aligned columns: the first one to the left, the others, numbers, to the right.
class Table {
 public:
  explicit Table(std::vector<std::string> header) : columns_(header.size()) {
    rows_.push_back(std::move(header));
  }

  void add_row(std::vector<std::string> row) {
    if (row.size() != columns_)
      throw std::invalid_argument(
          fmt::format("a row of {} cells in a table of {} columns", row.size(), columns_));
    rows_.push_back(std::move(row));
  }

  /// The header, a rule, the rows, or a sentence where there are none; each line ends with a
  /// newline.
  std::string text() const {
    std::vector<std::size_t> width(columns_, 0);
    for (const auto& row : rows_)
      for (std::size_t i = 0; i < columns_; ++i) width[i] = std::max(width[i], row[i].size());
    std::string out;
    for (std::size_t r = 0; r < rows_.size(); ++r) {
      std::string line;
      for (std::size_t i = 0; i < columns_; ++i)
        line += i == 0 ? fmt::format("{:<{}}", rows_[r][i], width[i])
                       : fmt::format("  {:>{}}", rows_[r][i], width[i]);
      out += line + "\n";
      if (r == 0) out += std::string(line.size(), '-') + "\n";
    }
    if (rows_.size() == 1) out += "There is nothing to show here.\n";
    return out;
  }

 private:
  std::size_t columns_;
  std::vector<std::vector<std::string>> rows_;
};

/// "95.62 %", or "-" where the fraction does not exist (nothing to divide by).
inline std::string percent(double part, double whole) {
  return whole > 0. ? fmt::format("{:.2f} %", 100. * part / whole) : "-";
}
inline std::string percent(double fraction) { return percent(fraction, 1.); }

}  // namespace trackplex::program
