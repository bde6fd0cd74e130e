// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/io/detail/check_columns.hpp>
#include <trackplex/io/detail/number_from_text.hpp>
#include <trackplex/io/table.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <variant>
#include <vector>

namespace trackplex::io::detail {

/// Field of a line, without the quotation marks and the blanks around it.
struct CsvField {
  std::string text;
  bool quoted = false;
};

/// Turns the text of a CSV file, in one or several pieces of whole lines, into a table.
class TableCsvReader {
 public:
  /// @param foreign whether the table may be as other programs write them, see `CsvDialect`
  TableCsvReader(const std::string& name, std::span<const ColumnFormat> columns,
                 bool foreign = false)
      : known_(columns), foreign_(foreign) {
    table_.file = name;
  }

  /// Reads comments and the names of the columns from the beginning of a text. Returns the bytes
  /// read; 0: it has no names.
  std::size_t read_head(std::string_view text) {
    begin(text);
    if (text.substr(0, 3) == "\xef\xbb\xbf") at_ = 3;  // mark of UTF-8
    std::vector<CsvField> fields;
    while (take_line(fields)) {
      if (fields.empty()) continue;
      read_header(fields);
      return at_;
    }
    return 0;
  }

  /// Reads rows, and comments among them.
  void read_rows(std::string_view text) {
    begin(text);
    std::vector<CsvField> fields;
    while (take_line(fields))
      if (!fields.empty()) read_row(fields);
  }

  /// The same, of a text that has to have names.
  std::size_t read_whole_head(std::string_view text) {
    const std::size_t head = read_head(text);
    if (head == 0) refuse("the names of the columns are missing");
    return head;
  }

  std::size_t lines() const { return line_; }  ///< that are read
  /// Sets the number of lines before the next text.
  void set_lines(std::size_t lines) { line_ = lines; }

  /// Makes room for as many rows as a text has that is `times` as long as those read until now.
  void expect(double times) {
    const auto rows = std::size_t(1.05 * times * double(table_.lines.size()));
    table_.lines.reserve(rows);
    for (auto& column : table_.columns)
      std::visit([&](auto& list) { list.reserve(rows); }, column.values);
  }

  TableOfFile take() { return std::move(table_); }

 private:
  void begin(std::string_view text) {
    text_ = text;
    at_ = 0;
  }

  /// Takes the fields of the next line; none of a comment or a blank one. False at the end.
  bool take_line(std::vector<CsvField>& fields) {
    fields.clear();
    if (at_ == text_.size()) return false;
    if (text_[at_] == '#') {
      read_comment();
    } else {
      take_fields(fields);
      if (is_blank(fields)) fields.clear();
    }
    return true;
  }

  static bool is_blank(const std::vector<CsvField>& fields) {
    return fields.size() == 1 && fields[0].text.empty() && !fields[0].quoted;
  }

  [[noreturn]] void refuse(const std::string& problem, const std::string& why = {},
                           const std::string& hint = {}, const std::string& column = {}) const {
    const std::string place = "line " + std::to_string(std::max<std::size_t>(first_line_, 1));
    throw InputError({table_.file, place + (column.empty() ? "" : ", " + column)}, problem, why,
                     hint);
  }

  void read_comment() {
    const std::size_t end = std::min(text_.find('\n', at_), text_.size());
    std::string_view line = text_.substr(at_ + 1, end - at_ - 1);
    at_ = std::min(end + 1, text_.size());
    ++line_;
    if (line.substr(0, 1) == " ") line.remove_prefix(1);
    if (!line.empty() && line.back() == '\r') line.remove_suffix(1);
    const auto colon = line.find(": ");
    if (colon == line.npos)
      table_.metadata.emplace_back("", line);
    else
      table_.metadata.emplace_back(line.substr(0, colon), line.substr(colon + 2));
  }

  static std::string_view trimmed(std::string_view field) {
    const std::size_t first = std::min(field.find_first_not_of(" \t\r"), field.size());
    field.remove_prefix(first);
    return field.substr(0, field.find_last_not_of(" \t\r") + 1);
  }

  /// The fields up to the end of the line; a text in quotation marks may have several lines.
  void take_fields(std::vector<CsvField>& fields) {
    first_line_ = ++line_;
    for (bool is_last = false; !is_last;) {
      at_ = std::min(text_.find_first_not_of(" \t", at_), text_.size());
      if (at_ < text_.size() && text_[at_] == '"') {
        fields.push_back({take_quoted(), true});
      } else {
        const std::size_t end = std::min(text_.find_first_of(",\n", at_), text_.size());
        fields.push_back({std::string(trimmed(text_.substr(at_, end - at_))), false});
        at_ = end;
      }
      is_last = at_ == text_.size() || text_[at_] == '\n';
      if (at_ < text_.size()) ++at_;
    }
  }

  std::string take_quoted() {
    std::string field;
    for (++at_;; ++at_) {
      if (at_ == text_.size() || (text_[at_] == '\n' && !has_texts_))
        refuse("a quotation mark is not closed");
      if (text_[at_] == '"') {
        if (text_.substr(at_ + 1, 1) != "\"") break;
        ++at_;
      }
      line_ += text_[at_] == '\n';
      field += text_[at_];
    }
    const std::size_t end = std::min(text_.find_first_of(",\n", ++at_), text_.size());
    if (!trimmed(text_.substr(at_, end - at_)).empty())
      refuse("text after a quotation mark",
             std::string(text_.substr(at_, end - at_)).substr(0, 40));
    at_ = end;
    return field;
  }

  void read_header(const std::vector<CsvField>& fields) {
    for (const auto& field : fields) {
      const auto bracket = std::min(field.text.find('['), field.text.size());
      const bool has_unit = bracket < field.text.size() && field.text.back() == ']';
      const std::string name(
          trimmed(std::string_view(field.text).substr(0, has_unit ? bracket : field.text.size())));
      std::optional<std::string> unit;
      if (has_unit) unit = field.text.substr(bracket + 1, field.text.size() - bracket - 2);
      if (foreign_ && std::ranges::none_of(known_, [&](const auto& f) { return f.name == name; })) {
        formats_.push_back(nullptr);
        continue;
      }
      check_new_column(table_, name, place());
      const ColumnFormat& format = format_of(known_, name, unit, place());
      table_.columns.emplace_back(format.name, format.unit, format.type);
      formats_.push_back(&format);
      has_texts_ |= format.type == ColumnType::string;
    }
    check_all_there(known_, table_, place());
  }
  InputPlace place() const { return {table_.file, "line " + std::to_string(first_line_)}; }

  void read_row(std::vector<CsvField>& fields) {
    if (fields.size() != formats_.size())
      refuse(std::to_string(fields.size()) + " values",
             "there are " + std::to_string(formats_.size()) + " columns");
    table_.lines.push_back(first_line_);
    auto column = table_.columns.begin();
    for (std::size_t c = 0; c < fields.size(); ++c)
      if (formats_[c])
        std::visit([&](auto& list) { read_cell(fields[c], *formats_[c], list); },
                   (column++)->values);
  }

  void read_cell(CsvField& field, const ColumnFormat&, std::vector<std::string>& list) const {
    list.push_back(std::move(field.text));
  }
  template <class Number>
  void read_cell(const CsvField& field, const ColumnFormat& format,
                 std::vector<Number>& list) const {
    Number value{};
    const auto what = number_from_text(field.text, value);
    const char* problem = problem_of(what);
    bool is_number = what == NumberText::number;
    if constexpr (std::is_integral_v<Number>) {
      is_number = is_number || (foreign_ && read_foreign_integer(field.text, value));
      problem = "is no integer of 64 bits";
    } else if (!is_number && foreign_ && !format.finite && is_missing(field.text)) {
      is_number = true;
      value = std::numeric_limits<Number>::quiet_NaN();
    }
    if (!is_number) refuse("'" + field.text.substr(0, 40) + "' " + problem, {}, {}, format.name);
    if constexpr (std::is_floating_point_v<Number>)
      if (format.finite && !std::isfinite(value)) refuse("it is not finite", {}, {}, format.name);
    list.push_back(value);
  }

  /// Whether a field is one without a value, as pandas and others write it.
  static bool is_missing(std::string_view field) {
    constexpr std::string_view words[] = {"", "NA", "N/A", "<NA>", "None", "null", "NULL", "-"};
    return std::ranges::find(words, field) != std::ranges::end(words);
  }

  /// Reads an integer above those with a sign, or one that is written with a point or an exponent.
  static bool read_foreign_integer(std::string_view digits, std::int64_t& value) {
    std::uint64_t bits = 0;
    if (number_from_text(digits, bits) == NumberText::number) {
      value = std::int64_t(bits);
      return true;
    }
    double number = 0.;
    if (number_from_text(digits, number) != NumberText::number || !(std::abs(number) < 0x1p63) ||
        number != std::trunc(number))
      return false;
    value = std::int64_t(number);
    return true;
  }

  std::string_view text_;
  std::span<const ColumnFormat> known_;
  TableOfFile table_;
  bool foreign_ = false;
  std::vector<const ColumnFormat*> formats_;  ///< of the columns of the file; null: skipped
  bool has_texts_ = false;                    ///< in these columns
  std::size_t at_ = 0;
  std::size_t line_ = 0;        ///< of the last character
  std::size_t first_line_ = 0;  ///< of the row
};

}  // namespace trackplex::io::detail
