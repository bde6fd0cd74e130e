// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// @file
/// Pages of SDDS files with data as text.

#include <trackplex/io/sdds/detail/sdds_header.hpp>

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <cstdlib>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

namespace trackplex::io::detail {

/// Reader of pages as text.
class SddsAsciiReader {
 public:
  /// The next character of the text is the first one behind the header.
  SddsAsciiReader(SddsText text, const SddsHeader& header, const SddsLayout& layout)
      : text_(std::move(text)), header_(header), layout_(layout), parser_(text_.file()) {
    for (int i = 0; i < layout.additional_header_lines && !text_.at_end(); ++i) {
      text_.skip_comments();
      text_.take_line();
    }
    // without arrays and columns, a page may have no text
    has_page_ = header.columns.empty() && header.arrays.empty() && n_lines() == 0;
  }

  /// Whether there is another page.
  bool has_page() const {
    if (has_page_) return true;
    SddsText rest = text_;
    rest.skip_space();
    return !rest.at_end();
  }

  /// Reads the next page.
  void read(SddsPage& page) {
    if (n_lines() == 0) text_.skip_space();
    if (std::exchange(has_page_, false)) text_.skip_space();
    for (const auto& field : header_.parameters) page.parameters.push_back(take_parameter(field));
    for (const auto& field : header_.arrays) page.arrays.push_back(take_array(field));
    if (header_.columns.empty()) return check_progress();
    if (layout_.has_row_counts) {
      const std::size_t rows = take_row_count();
      for (std::size_t row = 0; row < rows && !is_last_row(); ++row) take_row(page.table);
    } else {
      for (text_.skip_comments(); !at_empty_line(); text_.skip_comments()) take_row(page.table);
      text_.take_line();
    }
  }

  const std::string& file() const { return text_.file(); }

 private:
  /// Number of lines that a page has before its table at least.
  std::size_t n_lines() const {
    std::size_t n = header_.arrays.size();
    for (const auto& field : header_.parameters) n += !field.fixed_value;
    return n;
  }
  void check_progress() {
    if (n_lines() == 0 && !text_.at_end())
      text_.refuse("text after a header that defines no values");
  }

  bool at_empty_line() {
    text_.skip_blanks();
    return text_.peek() == '\n';
  }

  ColumnValues take_parameter(const SddsField& field) {
    ColumnValues value = empty_values(column_type_of(field.type));
    if (field.fixed_value) {
      parser_.append(*field.fixed_value, field, "parameter", text_.line(), value);
      return value;
    }
    text_.skip_comments();
    if (text_.at_end()) text_.refuse("the values of parameters are missing", field.name);
    text_.skip_blanks();
    const std::size_t line = text_.line();
    std::string_view word;
    if (field.type == SddsType::string && text_.peek() != '"') {
      word = take_phrase();
    } else {
      word = text_.take_word();
    }
    parser_.append(word, field, "parameter", line, value);
    text_.take_end_of_line("the parameter " + field.name);
    return value;
  }

  /// Takes the words up to the end of the line or a comment.
  std::string_view take_phrase() {
    const SddsText begin = text_;
    std::size_t n = 0;
    while (!text_.at_end_of_line()) {
      if (text_.peek() == '"') {
        text_.take();  // as it is, where it does not begin the phrase
      } else {
        text_.take_word();
      }
      n = text_.position() - begin.position();
    }
    return SddsText(begin).take_characters(n);
  }

  SddsArray take_array(const SddsField& field) {
    SddsArray array{{}, empty_values(column_type_of(field.type))};
    text_.skip_comments();
    std::size_t n = 1;
    for (int d = 0; d < field.dimensions; ++d) {
      if (text_.at_end_of_line())
        text_.refuse("dimensions of an array are missing", "array " + field.name);
      array.extents.push_back(number_of(text_.take_word(), "the dimension of an array"));
      const std::size_t extent = array.extents.back();
      n = extent == 0 ? 0 : n <= text_.left() / extent ? n * extent : text_.left() + 1;
    }
    if (n > text_.left())
      text_.refuse("the file is too short for its array", "array " + field.name);
    text_.take_end_of_line("the dimensions of an array");
    for (std::size_t i = 0; i < n; ++i) {
      text_.skip_space();
      if (text_.at_end()) text_.refuse("values of an array are missing", "array " + field.name);
      take_value(field, "array", array.values);
    }
    if (n > 0) text_.take_end_of_line("the array " + field.name);
    return array;
  }

  void take_value(const SddsField& field, const char* kind, ColumnValues& values) {
    const std::size_t line = text_.line();
    if (field.field_length == 0)
      return parser_.append(text_.take_word(), field, kind, line, values);
    auto word = text_.take_characters(std::size_t(std::abs(field.field_length)));
    if (field.type != SddsType::string || field.field_length < 0) {
      word.remove_prefix(std::min(word.find_first_not_of(" \t\r"), word.size()));
      word = word.substr(0, word.find_last_not_of(" \t\r") + 1);
    }
    parser_.append(word, field, kind, line, values);
  }

  std::size_t number_of(std::string_view word, const std::string& what) const {
    std::size_t value = 0;
    const char* const last = word.data() + word.size();
    const auto [end, error] = std::from_chars(word.data(), last, value);
    if (word.empty() || error != std::errc() || end != last)
      text_.refuse(what + " is expected", word.empty() && text_.at_end()
                                              ? "the file ends here"
                                              : "'" + std::string(word.substr(0, 40)) + "'");
    return value;
  }

  std::size_t take_row_count() {
    text_.skip_space();
    const std::size_t rows = number_of(text_.take_word(), "the number of rows");
    if (!text_.at_end_of_line()) text_.refuse("text after the number of rows");
    if (rows > text_.left() && !layout_.fixed_row_count)
      text_.refuse("the file is too short for its number of rows", std::to_string(rows));
    text_.take_line();
    return rows;
  }

  /// Skips to the next row; blanks belong to it where its first column has a fixed width.
  void skip_to_row() {
    header_.columns[0].field_length == 0 ? text_.skip_space() : text_.skip_comments();
  }
  bool is_last_row() {
    if (!layout_.fixed_row_count) return false;
    skip_to_row();
    return text_.at_end();
  }

  void take_row(TableOfFile& table) {
    skip_to_row();
    const std::size_t line = text_.line();
    const bool is_line = layout_.lines_per_row == 1;
    for (std::size_t c = 0; c < table.columns.size(); ++c) {
      const auto& field = header_.columns[c];
      if (field.field_length == 0) is_line ? text_.skip_blanks() : text_.skip_space();
      if (text_.at_end() || text_.peek() == '\n' || (is_line && text_.peek() == '!'))
        refuse_sdds(file(), line, text_.at_end() && c == 0 ? "rows are missing" : "too few values",
                    std::to_string(c) + " of " + std::to_string(table.columns.size()));
      take_value(field, "column", table.columns[c].values);
    }
    table.lines.push_back(line);
    const bool at_end = text_.at_end_of_line();
    if (!at_end && layout_.lines_per_row != 0)
      refuse_sdds(file(), line, "too many values",
                  "there are " + std::to_string(table.columns.size()) + " columns");
    if (at_end && !text_.at_end()) text_.take_line();
  }

  SddsText text_;
  const SddsHeader& header_;
  const SddsLayout& layout_;
  SddsValueParser parser_;
  bool has_page_ = false;
};

}  // namespace trackplex::io::detail
