// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// @file
/// SDDS files with data as text: a header of commands from `&command` to `&end`, then pages of
/// parameters, arrays and a table of columns.

#include <trackplex/core/error.hpp>

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

namespace trackplex::io::detail {

/// Word of a file and the line that it is in, counted from 1.
struct SddsWord {
  std::string text;
  int line = 1;
};

/// Throws InputError that names the file, the line and what is wrong.
[[noreturn]] inline void refuse_sdds(const std::string& file, int line, const std::string& problem,
                                     const std::string& why = {}, const std::string& hint = {}) {
  throw InputError({file, "line " + std::to_string(line)}, problem, why, hint);
}

/// Text of a file, from which characters, lines and words are taken.
class SddsText {
 public:
  SddsText(std::string_view text, std::string file) : text_(text), file_(std::move(file)) {}

  const std::string& file() const { return file_; }
  int line() const { return line_; }
  bool at_end() const { return at_ == text_.size(); }
  char peek() const { return at_end() ? '\n' : text_[at_]; }
  std::size_t left() const { return text_.size() - at_; }

  char take() {
    const char c = text_[at_++];
    line_ += c == '\n';
    return c;
  }
  std::string_view take_line() {
    const std::size_t end = std::min(text_.find('\n', at_), text_.size());
    std::string_view line = text_.substr(at_, end - at_);
    at_ = end;
    if (!at_end()) take();
    if (!line.empty() && line.back() == '\r') line.remove_suffix(1);
    return line;
  }
  /// Skips comments: lines that begin with an exclamation mark.
  void skip_comments() {
    while (!at_end() && peek() == '!') take_line();
  }
  static bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r'; }
  void skip_blanks() {
    while (!at_end() && is_blank(peek())) take();
  }
  /// Skips blanks, ends of lines and comments.
  void skip_space() {
    for (bool is_line_start = at_ == 0 || text_[at_ - 1] == '\n'; !at_end();) {
      if (is_line_start && peek() == '!') {
        take_line();
        continue;
      }
      if (peek() != '\n' && !is_blank(peek())) return;
      is_line_start = take() == '\n';
    }
  }
  /// Takes what is between quotation marks; a backslash is before a character that stands for
  /// itself.
  std::string take_quoted() {
    const int first = line_;
    std::string word;
    for (take(); !at_end() && peek() != '"'; word += take())
      if (peek() == '\\') {
        take();
        if (at_end()) break;
      }
    if (at_end()) refuse_sdds(file_, first, "a quotation mark is not closed");
    take();
    return word;
  }
  template <class IsEnd>
  std::string take_until(const IsEnd& is_end) {
    std::string word;
    while (!at_end() && !is_end(peek())) word += take();
    return word;
  }

 private:
  std::string_view text_;
  std::string file_;
  std::size_t at_ = 0;
  int line_ = 1;
};

/// Command of a header with its fields.
struct SddsCommand {
  std::string name;
  int line = 1;
  std::vector<std::pair<std::string, std::string>> fields{};

  /// Returns the value of a field; if it is not there, another value.
  std::string field(std::string_view of, const std::string& otherwise = {}) const {
    for (const auto& [key, value] : fields)
      if (key == of) return value;
    return otherwise;
  }
  bool has(std::string_view of) const {
    for (const auto& [key, value] : fields)
      if (key == of) return true;
    return false;
  }
};

/// Takes the next command of a header.
inline SddsCommand take_sdds_command(SddsText& text) {
  text.skip_space();
  SddsCommand command{{}, text.line()};
  if (text.at_end())
    refuse_sdds(text.file(), text.line(), "the header ends without &data", {},
                "is this the whole file?");
  const auto is_letter = [](char c) { return (c >= 'a' && c <= 'z') || c == '_'; };
  const auto take_name = [&] { return text.take_until([&](char c) { return !is_letter(c); }); };
  if (text.peek() != '&')
    refuse_sdds(text.file(), text.line(), "a command of the header is expected", {},
                "commands begin with &");
  text.take();
  command.name = take_name();
  for (;;) {
    text.skip_space();
    if (text.at_end())
      refuse_sdds(text.file(), command.line, "a command has no &end", command.name);
    if (text.peek() == ',') {
      text.take();
    } else if (text.peek() == '&') {
      text.take();
      if (take_name() != "end")
        refuse_sdds(text.file(), command.line, "a command has no &end", command.name);
      return command;
    } else {
      const std::string key = take_name();
      text.skip_space();
      if (key.empty() || text.at_end() || text.peek() != '=')
        refuse_sdds(text.file(), text.line(), "a field name=value is expected",
                    "in " + command.name);
      text.take();
      text.skip_blanks();
      std::string value;
      if (text.peek() == '"') {
        value = text.take_quoted();
      } else {
        value = text.take_until([](char c) { return c == ',' || c == '\n' || c == '&'; });
        while (!value.empty() && SddsText::is_blank(value.back())) value.pop_back();
      }
      command.fields.emplace_back(key, value);
    }
  }
}

/// Column of a table.
struct SddsColumn {
  std::string name, units, type;

  bool is_number() const { return type != "string" && type != "character"; }
};

/// Contents of the header of a file.
struct SddsHeader {
  std::vector<SddsColumn> columns;
  int parameters = 0;  ///< with a line in each page
  int arrays = 0;
  bool has_row_counts = true;
  bool rows_are_lines = true;
};

/// Takes the header up to the first page.
inline SddsHeader take_sdds_header(SddsText& text) {
  const std::string first(text.take_line().substr(0, 64));
  if (first.size() < 5 || first.compare(0, 4, "SDDS") != 0 || first[4] < '1' || first[4] > '5' ||
      (first.size() > 5 && !SddsText::is_blank(first[5])))
    refuse_sdds(text.file(), 1, "this is no SDDS file", "its first line is not SDDS1 to SDDS5");
  SddsHeader header;
  for (;;) {
    const SddsCommand command = take_sdds_command(text);
    const auto refuse = [&](const std::string& problem, const std::string& why = {},
                            const std::string& hint = {}) {
      refuse_sdds(text.file(), command.line, problem, why, hint);
    };
    if (command.name == "column") {
      header.columns.push_back(
          {command.field("name"), command.field("units"), command.field("type")});
      if (header.columns.back().name.empty() || header.columns.back().type.empty())
        refuse("a column without a name or a type");
    } else if (command.name == "parameter") {
      header.parameters += !command.has("fixed_value");
    } else if (command.name == "array") {
      ++header.arrays;
    } else if (command.name == "data") {
      if (const auto mode = command.field("mode", "binary"); mode != "ascii")
        refuse("data that are not text are not read", "mode " + mode,
               "convert the file to mode ascii");
      header.has_row_counts = command.field("no_row_counts", "0") == "0";
      header.rows_are_lines = command.field("lines_per_row", "1") == "1";
      text.take_line();
      if (command.field("additional_header_lines", "0") != "0")
        refuse("additional lines of the header are not read");
      return header;
    } else if (command.name != "description" && command.name != "associate") {
      refuse("a command that is not read", "&" + command.name.substr(0, 40));
    }
  }
}

/// Words of a table, row by row.
struct SddsTable {
  std::size_t n_columns = 0;
  std::vector<SddsWord> words;

  std::size_t rows() const { return n_columns == 0 ? 0 : words.size() / n_columns; }
  const SddsWord& at(std::size_t row, std::size_t column) const {
    return words[row * n_columns + column];
  }
};

/// Reader of the pages of a file.
class SddsAsciiReader {
 public:
  /// Reads the header.
  SddsAsciiReader(std::string_view text, const std::string& file)
      : text_(text, file), header_(take_sdds_header(text_)) {}

  const SddsHeader& header() const { return header_; }
  const std::string& file() const { return text_.file(); }

  /// Whether there is nothing behind the last page but blanks and comments.
  bool at_end() {
    text_.skip_space();
    return text_.at_end();
  }

  /// Reads the table of the next page; its parameters are skipped.
  SddsTable take_table() {
    if (header_.arrays > 0) refuse_sdds(file(), text_.line(), "files with arrays are not read");
    for (int i = 0; i < header_.parameters; ++i) {
      text_.skip_comments();
      if (text_.at_end()) refuse_sdds(file(), text_.line(), "the values of parameters are missing");
      text_.take_line();
    }
    SddsTable table{header_.columns.size(), {}};
    if (table.n_columns == 0) return table;
    if (header_.has_row_counts) {
      const std::size_t rows = take_row_count();
      for (std::size_t row = 0; row < rows; ++row) take_row(table);
    } else {
      for (text_.skip_comments(); !at_empty_line(); text_.skip_comments()) take_row(table);
    }
    return table;
  }

  /// Returns the number that a word is.
  double number(const SddsWord& word, const std::string& column) const {
    std::string_view digits = word.text;
    if (digits.starts_with('+')) digits.remove_prefix(1);
    double value = 0.;
    const char* const last = digits.data() + digits.size();
    const auto [end, error] = std::from_chars(digits.data(), last, value);
    if (error != std::errc() || end != last)
      refuse_sdds(file(), word.line, "'" + word.text.substr(0, 40) + "' is no number",
                  "column " + column);
    return value;
  }

 private:
  bool at_empty_line() {
    text_.skip_blanks();
    return text_.peek() == '\n';
  }

  std::size_t take_row_count() {
    text_.skip_space();
    const int line = text_.line();
    const std::string word =
        text_.take_until([](char c) { return SddsText::is_blank(c) || c == '\n'; });
    std::size_t rows = 0;
    const char* const last = word.data() + word.size();
    const auto [end, error] = std::from_chars(word.data(), last, rows);
    if (word.empty() || error != std::errc() || end != last)
      refuse_sdds(file(), line, "the number of rows is expected",
                  word.empty() ? "the file ends here" : "'" + word.substr(0, 40) + "'");
    if (!at_empty_line()) refuse_sdds(file(), line, "text behind the number of rows");
    if (rows > text_.left())
      refuse_sdds(file(), line, "the file is too short for its number of rows", word);
    return rows;
  }

  void take_row(SddsTable& table) {
    text_.skip_space();
    const int line = text_.line();
    for (std::size_t column = 0; column < table.n_columns; ++column) {
      header_.rows_are_lines ? text_.skip_blanks() : text_.skip_space();
      if (text_.at_end() || text_.peek() == '\n')
        refuse_sdds(file(), line,
                    text_.at_end() && column == 0 ? "rows are missing" : "too few values",
                    std::to_string(column) + " of " + std::to_string(table.n_columns));
      SddsWord word{{}, text_.line()};
      word.text = text_.peek() == '"'
                      ? text_.take_quoted()
                      : text_.take_until([](char c) { return SddsText::is_blank(c) || c == '\n'; });
      table.words.push_back(std::move(word));
    }
    if (header_.rows_are_lines && !at_empty_line())
      refuse_sdds(file(), line, "too many values",
                  "there are " + std::to_string(table.n_columns) + " columns");
    if (at_empty_line() && !text_.at_end()) text_.take();
  }

  SddsText text_;
  SddsHeader header_;
};

}  // namespace trackplex::io::detail
