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
  if (unit.ends_with("metres") || unit.ends_with("meters")) unit.remove_suffix(1);
  if (unit.ends_with("metre") || unit.ends_with("meter")) {
    unit.remove_suffix(5);
    if (unit == "milli") return 0.1;
    if (unit == "centi") return 1.;
    if (unit.empty()) return 100.;
  }
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
    if (text.starts_with("\xef\xbb\xbf")) text.remove_prefix(3);  // mark of UTF-8
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

  /// The numbers of a line before a comment; none if there are words, too.
  static std::vector<double> numbers_of(std::string_view line) {
    line = line.substr(0, std::min(line.find_first_of("#%!"), line.find("//")));
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
    n_ = lines_[last - 1].numbers.size();
    first_ = 0;
    const auto is_node = [&](std::size_t i) { return lines_[i].numbers.size() == n_; };
    // A line of as many numbers before words belongs to the header
    while (!is_node(first_) ||
           (first_ + 1 < last && !is_node(first_ + 1) && !is_comment(lines_[first_ + 1].text)))
      ++first_;
    for (auto i = first_; i < lines_.size(); ++i)
      if (const auto& line = lines_[i]; line.numbers.size() != n_ && !is_comment(line.text))
        refuse(line,
               line.numbers.empty()
                   ? "words among numbers"
                   : "a line of " + std::to_string(line.numbers.size()) + " numbers",
               "lines before have " + std::to_string(n_) + " numbers");
  }
  static bool is_comment(std::string_view line) {
    return std::string_view("#%!*/\"").find(words_of(line).front().front()) !=
           std::string_view::npos;
  }
  std::string list_of_columns() const {
    std::string list;
    for (const auto& column : columns_) list += (list.empty() ? "" : " ") + column.name;
    return list;
  }

  /// Name of a column in small letters, and its unit if it has one: "x[mm]", "Bx(T)", "z/cm",
  /// "B_y_T".
  struct Name {
    std::string name, unit;
  };
  static bool is_unit(const std::string& word) { return length_unit(word) || field_unit(word); }
  static Name name_of(std::string_view word) {
    const auto lower = lower_case(word);
    const auto mark = lower.find_first_of("[(/");
    Name result{lower.substr(0, mark), {}};
    if (mark != lower.npos) {
      result.unit = lower.substr(mark + 1, lower.find_first_of("])", mark + 1) - mark - 1);
    } else if (const auto last = lower.rfind('_');
               last != lower.npos && is_unit(lower.substr(last + 1))) {
      result = {lower.substr(0, last), lower.substr(last + 1)};
    }
    std::erase(result.name, '_');
    std::erase(result.name, '"');
    return result;
  }
  /// The names in a line of a header, without marks of comments and units that stand apart.
  static std::vector<Name> names_in(std::string_view line) {
    constexpr std::string_view marks = " \t\r#%!*";
    line.remove_prefix(std::min(line.find_first_not_of(marks), line.size()));
    std::vector<Name> names;
    for (const auto word : words_of(line))
      if (auto name = name_of(word); !name.name.empty()) names.push_back(std::move(name));
    return names;
  }

  /// Whether the first numbers of the lines count them, as the index of pandas does. The nodes of a
  /// grid do not.
  bool has_index() const {
    double number = 0.;
    bool from_0 = true, from_1 = true;
    for (auto i = first_; i < lines_.size(); ++i) {
      if (lines_[i].numbers.empty()) continue;
      from_0 = from_0 && lines_[i].numbers[0] == number;
      number += 1.;
      from_1 = from_1 && lines_[i].numbers[0] == number;
    }
    return from_0 || from_1;
  }

  /// The place of each column among the numbers of a line, if a line of the header names them;
  /// else nothing.
  std::vector<std::size_t> places_in(const Line& line, std::size_t index) const {
    const auto names = names_in(line.text);
    std::vector<std::size_t> places;
    for (const auto& column : columns_) {
      const auto at = std::ranges::find(names, lower_case(column.name), &Name::name);
      if (at != names.end()) places.push_back(std::size_t(at - names.begin()));
    }
    const bool fits = names.size() == n_ || names.size() + index == n_;
    if (places.size() < columns_.size()) {
      if (fits && 2 * places.size() > columns_.size())
        refuse(line, "not all columns are known by their names",
               "a map has the columns " + list_of_columns());
      return {};
    }
    const auto [low, high] = std::ranges::minmax(places);
    const bool is_list = high - low + 1 == columns_.size();  // within other words
    if (!fits && !(is_list && n_ <= columns_.size() + 1)) return {};
    for (auto& place : places) place = fits ? place + (n_ - names.size()) : place - low + index;
    return places;
  }

  /// The order of the columns: that of the names in the header; or as usual, with an index before
  /// or a further number after them.
  void find_names() {
    const std::size_t index = n_ > columns_.size() && has_index() ? 1 : 0;
    for (std::size_t l = 0; l < first_; ++l)
      if (auto places = places_in(lines_[l], index); !places.empty()) {
        place_ = std::move(places);
        for (const auto& name : names_in(lines_[l].text))
          if (is_unit(name.unit)) units_.push_back(name.unit);
      }
    if (!place_.empty()) return;
    if (n_ != columns_.size() && n_ != columns_.size() + 1)
      refuse(lines_[first_], "a line of " + std::to_string(n_) + " numbers",
             "a node has " + std::to_string(columns_.size()) + ", " + list_of_columns());
    for (std::size_t i = 0; i < columns_.size(); ++i) place_.push_back(i + index);
  }

  /// The words of a header that may be units: of the names, in brackets, in a line of units, or in
  /// one that speaks of units.
  std::vector<std::string> words_of_units() const {
    auto units = units_;
    for (std::size_t l = 0; l < first_; ++l) {
      const auto line = lower_case(lines_[l].text);
      for (std::size_t at = 0; (at = line.find_first_of("[(", at)) != line.npos; ++at)
        units.push_back(line.substr(at + 1, line.find_first_of("])", at) - at - 1));
      std::string letters = line;
      std::ranges::replace_if(
          letters, [](unsigned char c) { return std::isalpha(c) == 0; }, ' ');
      std::vector<std::string> words;
      for (const auto word : words_of(letters)) words.emplace_back(word);
      if (line.find("unit") != line.npos || std::ranges::all_of(words, is_unit))
        units.insert(units.end(), words.begin(), words.end());
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
  std::size_t n_ = 0;               ///< numbers of a line of data
  std::vector<std::size_t> place_;  ///< of each column
  std::vector<std::string> units_;  ///< of the names of columns
  double length_ = 1., tesla_ = 1.;
};

}  // namespace trackplex::io::detail
