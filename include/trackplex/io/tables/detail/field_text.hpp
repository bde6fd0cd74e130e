// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// @file
/// Maps of fields as programs write them: lines of numbers, with or without a header.

#include <trackplex/io/detail/lower_case.hpp>
#include <trackplex/io/detail/number_from_text.hpp>
#include <trackplex/io/table.hpp>
#include <trackplex/io/tables/field_map_table.hpp>

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace trackplex::io::detail {

/// Size of a unit in that of the library: of lengths in cm, of fields in T; nothing if it is none.
inline std::optional<double> length_unit(std::string_view unit) {
  if (unit == "mm") return 0.1;
  if (unit == "cm") return 1.;
  if (unit == "m") return 100.;
  return {};
}
inline std::optional<double> field_unit(std::string_view unit) {
  if (unit == "t" || unit == "tesla") return 1.;
  if (unit == "mt") return 1e-3;
  if (unit == "kg" || unit == "kgauss" || unit == "kilogauss") return 0.1;
  if (unit == "g" || unit == "gauss") return 1e-4;
  return {};
}

/// Reader of the text of a map.
class FieldTextReader {
 public:
  /// @param columns of the map, in the order of files without names
  FieldTextReader(std::string_view text, const std::string& name, const FieldUnits& units,
                  std::span<const ColumnFormat> columns)
      : columns_(columns) {
    table_.file = name;
    table_.name = "field";
    split(text);
    find_data();
    find_names();
    find_units(units);
    fill();
  }

  TableOfFile take() { return std::move(table_); }

 private:
  struct Line {
    std::size_t number;
    std::string_view text;
    std::vector<double> numbers;  ///< empty: a line of words
  };

  [[noreturn]] void refuse(const Line& line, const std::string& problem,
                           const std::string& why = {}) const {
    throw InputError({table_.file, "line " + std::to_string(line.number)}, problem, why);
  }

  /// The parts of a line between blanks, commas and semicolons.
  static std::vector<std::string_view> words_of(std::string_view line) {
    constexpr std::string_view separators = " \t\r,;";
    std::vector<std::string_view> words;
    while (true) {
      line.remove_prefix(std::min(line.find_first_not_of(separators), line.size()));
      if (line.empty()) return words;
      const auto end = std::min(line.find_first_of(separators), line.size());
      words.push_back(line.substr(0, end));
      line.remove_prefix(end);
    }
  }

  static std::vector<double> numbers_of(std::string_view line) {
    std::vector<double> numbers;
    for (const auto word : words_of(line)) {
      std::string digits(word);
      std::ranges::replace_if(
          digits, [](char c) { return c == 'D' || c == 'd'; }, 'e');
      double value = 0.;
      if (number_from_text(digits, value) != NumberText::number) return {};
      numbers.push_back(value);
    }
    return numbers;
  }

  void split(std::string_view text) {
    for (std::size_t number = 1; !text.empty(); ++number) {
      const auto end = std::min(text.find('\n'), text.size());
      const auto line = text.substr(0, end);
      text.remove_prefix(std::min(end + 1, text.size()));
      if (!words_of(line).empty()) lines_.push_back({number, line, numbers_of(line)});
    }
  }

  /// The data are the lines of numbers at the end, all of as many.
  void find_data() {
    std::size_t last = lines_.size();
    while (last > 0 && lines_[last - 1].numbers.empty()) --last;
    if (last == 0) throw InputError({table_.file}, "there are no numbers");
    const auto n = lines_[last - 1].numbers.size();
    if (n != columns_.size() && n != columns_.size() + 1)
      refuse(lines_[last - 1], "a line of " + std::to_string(n) + " numbers",
             "a node has " + std::to_string(columns_.size()) + ", " + names());
    first_ = 0;
    while (lines_[first_].numbers.size() != n) ++first_;
    for (auto i = first_; i < lines_.size(); ++i)
      if (const auto& line = lines_[i]; line.numbers.size() != n && !is_comment(line.text))
        refuse(line,
               line.numbers.empty()
                   ? "words among numbers"
                   : "a line of " + std::to_string(line.numbers.size()) + " numbers",
               "lines before have " + std::to_string(n) + " numbers");
  }
  static bool is_comment(std::string_view line) {
    return std::string_view("#%!*/\"").find(words_of(line).front().front()) !=
           std::string_view::npos;
  }
  std::string names() const {
    std::string list;
    for (const auto& column : columns_) list += (list.empty() ? "" : " ") + column.name;
    return list;
  }

  /// A name of a column without its unit, in small letters.
  static std::string name_of_word(std::string_view word) {
    const auto end = std::min(word.find_first_of("[("), word.size());
    return lower_case(word.substr(0, end));
  }

  /// The order of the columns, where the header names them.
  void find_names() {
    for (std::size_t i = 0; i < columns_.size(); ++i) place_.push_back(i);
    for (std::size_t l = 0; l < first_; ++l) {
      std::vector<std::string> found;
      for (const auto word : words_of(lines_[l].text))
        if (const auto name = name_of_word(word); std::ranges::any_of(
                columns_, [&](const auto& c) { return lower_case(c.name) == name; }))
          found.push_back(name);
      if (found.size() != columns_.size()) continue;
      std::vector<std::size_t> places;
      for (const auto& column : columns_) {
        const auto at = std::ranges::find(found, lower_case(column.name));
        if (at != found.end()) places.push_back(std::size_t(at - found.begin()));
      }
      if (places.size() == columns_.size()) place_ = places;
    }
  }

  /// The words of a header that may be units: in brackets, or in a line that speaks of units.
  std::vector<std::string> words_of_units() const {
    std::vector<std::string> units;
    for (std::size_t l = 0; l < first_; ++l) {
      const auto line = lower_case(lines_[l].text);
      for (std::size_t at = 0; (at = line.find_first_of("[(", at)) != line.npos; ++at)
        units.push_back(line.substr(at + 1, line.find_first_of("])", at) - at - 1));
      if (line.find("unit") == line.npos) continue;
      std::string words = line;
      std::ranges::replace_if(
          words, [](unsigned char c) { return std::isalpha(c) == 0; }, ' ');
      for (const auto word : words_of(words)) units.emplace_back(word);
    }
    return units;
  }

  void find_units(const FieldUnits& given) {
    const auto words = words_of_units();
    const auto size_of = [&](const std::string& unit, const char* what, const char* option,
                             const char* choice, const auto& known) {
      if (!unit.empty()) {
        const auto size = known(lower_case(unit));
        if (!size)
          throw UsageError("field map", std::string("'") + unit + "' is no unit of " + what, {},
                           choice);
        return *size;
      }
      std::optional<double> size;
      for (const auto& word : words) {
        const auto its = known(word);
        if (its && size && *its != *size)
          throw InputError({table_.file}, std::string("it has two units of ") + what, word,
                           std::string("say which: FieldUnits::") + option);
        if (its) size = its;
      }
      if (!size)
        throw InputError({table_.file}, std::string("it does not say the unit of ") + what, {},
                         std::string("give it: FieldUnits::") + option + ", " + choice);
      return *size;
    };
    length_ = size_of(given.length, "lengths", "length", "mm, cm or m", length_unit);
    tesla_ = size_of(given.field, "fields", "field", "T, mT, kGauss or Gauss", field_unit);
  }

  void fill() {
    for (const auto& format : columns_)
      table_.columns.emplace_back(format.name, format.unit, format.type);
    for (auto i = first_; i < lines_.size(); ++i) {
      const auto& line = lines_[i];
      if (line.numbers.empty()) continue;
      table_.lines.push_back(line.number);
      for (std::size_t c = 0; c < columns_.size(); ++c) {
        const double value = line.numbers[place_[c]];
        if (!std::isfinite(value)) refuse(line, "a number is not finite", columns_[c].name);
        table_.columns[c].push_back(value * (columns_[c].unit == "T" ? tesla_ : length_));
      }
    }
  }

  std::span<const ColumnFormat> columns_;
  TableOfFile table_;
  std::vector<Line> lines_;
  std::size_t first_ = 0;           ///< line of data
  std::vector<std::size_t> place_;  ///< of each column
  double length_ = 1., tesla_ = 1.;
};

}  // namespace trackplex::io::detail
