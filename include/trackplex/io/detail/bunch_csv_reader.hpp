// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/beam/bunch.hpp>
#include <trackplex/core/shortest.hpp>
#include <trackplex/io/detail/text_file.hpp>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <limits>
#include <numeric>
#include <string>
#include <string_view>
#include <vector>

namespace trackplex::io::detail {

/// The columns of a file of particles, as numbers.
class BunchCsvReader {
 public:
  BunchCsvReader(std::string_view text, const std::string& name) : name_(name), text_(text) {
    if (text.substr(0, 3) == "\xef\xbb\xbf") at_ = 3;  // mark of UTF-8
    read_header();
    while (at_ < text_.size()) read_row();
  }

  const std::string& name() const { return name_; }
  std::size_t n_rows() const { return lines_.size(); }
  bool has(std::string_view column) const { return index_of(column) >= 0; }
  const std::vector<double>& column(std::string_view column) const {
    return values_[std::size_t(index_of(column))];
  }

  /// A column as integers; numbers from 0 if the file does not have it.
  std::vector<std::int32_t> integers(std::string_view name) const {
    std::vector<std::int32_t> numbers(n_rows());
    std::iota(numbers.begin(), numbers.end(), 0);
    if (!has(name)) return numbers;
    const auto& values = column(name);
    for (std::size_t i = 0; i < n_rows(); ++i) {
      if (values[i] != std::floor(values[i]) || !(std::abs(values[i]) <= 2147483647.))
        refuse(i, name, shortest(values[i]) + " is no number of 32 bits");
      numbers[i] = static_cast<std::int32_t>(values[i]);
    }
    return numbers;
  }

  /// Particles that are not lost have finite coordinates.
  void check_finite(const std::vector<beam::Loss>& losses) const {
    for (std::size_t c = 0; c < columns_.size(); ++c)
      for (std::size_t i = 0; i < n_rows(); ++i)
        if (!std::isfinite(values_[c][i]) && losses[i].turn == beam::Loss::none)
          refuse(i, columns_[c], "it is not finite", "the particle is not lost");
  }

  /// Throws InputError that names the line of a particle and the column.
  [[noreturn]] void refuse(std::size_t row, std::string_view column, const std::string& problem,
                           const std::string& why = {}) const {
    throw InputError({name_, "line " + std::to_string(lines_[row]) + ", " + std::string(column)},
                     problem, why);
  }

 private:
  static constexpr std::string_view known[] = {"id", "x", "xp",    "y",         "yp",          "t",
                                               "p",  "s", "delta", "lost_turn", "lost_element"};

  int index_of(std::string_view column) const {
    for (std::size_t c = 0; c < columns_.size(); ++c)
      if (columns_[c] == column) return int(c);
    return -1;
  }

  [[noreturn]] void refuse_line(const std::string& problem, const std::string& why = {},
                                const std::string& hint = {}) const {
    throw InputError({name_, "line " + std::to_string(line_)}, problem, why, hint);
  }

  /// The next line without its end.
  std::string_view take_line() {
    const std::size_t end = std::min(text_.find('\n', at_), text_.size());
    std::string_view line = text_.substr(at_, end - at_);
    at_ = std::min(end + 1, text_.size());
    ++line_;
    if (!line.empty() && line.back() == '\r') line.remove_suffix(1);
    return line;
  }
  /// The next field of a line, without spaces around it.
  static std::string_view take_field(std::string_view& line) {
    const std::size_t end = std::min(line.find(','), line.size());
    std::string_view field = line.substr(0, end);
    line.remove_prefix(std::min(end + 1, line.size()));
    const std::size_t first = std::min(field.find_first_not_of(" \t"), field.size());
    field.remove_prefix(first);
    return field.substr(0, field.find_last_not_of(" \t") + 1);
  }

  void read_header() {
    std::string_view line = take_line();
    if (line.empty()) refuse_line("the names of the columns are missing");
    for (bool is_last = false; !is_last;) {
      is_last = line.find(',') == line.npos;
      const std::string_view field = take_field(line);
      if (std::find(std::begin(known), std::end(known), field) == std::end(known))
        refuse_line("there is no column '" + std::string(field) + "'",
                    "known: id, x, xp, y, yp, t, p, s, delta, lost_turn, lost_element",
                    "leave out or rename it");
      if (has(field)) refuse_line("the column '" + std::string(field) + "' is there twice");
      columns_.emplace_back(field);
    }
    for (const auto name : {"x", "xp", "y", "yp"}) require(name);
    if (has("s") || has("delta")) {
      require("s");
      require("delta");
    }
    if (has("t") || has("p") || !has("s")) {
      require("t");
      require("p");
    }
    if (has("lost_turn") || has("lost_element")) {
      require("lost_turn");
      require("lost_element");
    }
    values_.resize(columns_.size());
  }
  void require(std::string_view column) const {
    if (!has(column))
      refuse_line("the column '" + std::string(column) + "' is missing", {},
                  "x, xp, y, yp and s, delta or t, p are needed");
  }

  void read_row() {
    std::string_view line = take_line();
    if (line.find_first_not_of(" \t") == line.npos) return;  // empty, as the last often is
    if (lines_.size() == std::size_t(std::numeric_limits<std::int32_t>::max()))
      refuse_line("there are more particles than a bunch can have");
    const auto commas = std::count(line.begin(), line.end(), ',');
    if (std::size_t(commas) + 1 != columns_.size())
      refuse_line(std::to_string(commas + 1) + " values",
                  "there are " + std::to_string(columns_.size()) + " columns");
    for (std::size_t c = 0; c < columns_.size(); ++c)
      values_[c].push_back(number(take_field(line), columns_[c]));
    lines_.push_back(line_);
  }

  double number(std::string_view field, const std::string& column) const {
    const std::string_view digits = field.substr(field.substr(0, 1) == "+" ? 1 : 0);
    double value = 0.;
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
    if (error != std::errc() || end != digits.data() + digits.size())
      refuse_line(column + ": '" + std::string(field.substr(0, 40)) + "' is no number");
    return value;
  }

  std::string name_;
  std::string_view text_;
  std::size_t at_ = 0;
  std::size_t line_ = 0;
  std::vector<std::string> columns_;
  std::vector<std::vector<double>> values_;
  std::vector<std::size_t> lines_;  ///< of the file, of each particle
};

}  // namespace trackplex::io::detail
