// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// @file
/// Headers of SDDS files: commands from `&command` to `&end`.

#include <trackplex/core/files.hpp>
#include <trackplex/io/detail/find_beside.hpp>
#include <trackplex/io/sdds/detail/sdds_text.hpp>
#include <trackplex/io/sdds/detail/sdds_values.hpp>
#include <trackplex/io/sdds/sdds_file.hpp>

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <set>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

namespace trackplex::io::detail {

/// Layout of the pages of a file.
struct SddsLayout {
  bool is_ascii = false;
  bool big_endian = false;
  bool column_major = false;
  bool has_row_counts = true;
  bool fixed_row_count =
      false;              ///< there may be fewer rows in the last page than their number says
  int lines_per_row = 1;  ///< 0: any number
  int additional_header_lines = 0;
};

/// Command of a header with its fields.
struct SddsCommand {
  std::string name;
  std::string file;
  std::size_t line = 1;
  std::vector<std::pair<std::string, std::string>> fields{};

  [[noreturn]] void refuse(const std::string& problem, const std::string& why = {},
                           const std::string& hint = {}) const {
    refuse_sdds(file, line, problem, why, hint);
  }
  const std::string* find(std::string_view field) const {
    for (const auto& [key, value] : fields)
      if (key == field) return &value;
    return nullptr;
  }
  std::string text(std::string_view field) const {
    const auto* found = find(field);
    return found ? *found : std::string();
  }
  int integer(std::string_view field, int otherwise, int least) const {
    const auto* found = find(field);
    if (!found) return otherwise;
    int value = 0;
    const char* const last = found->data() + found->size();
    const auto [end, error] = std::from_chars(found->data(), last, value);
    if (error != std::errc() || end != last || value < least)
      refuse("the field " + std::string(field) + " is no number that it can be",
             found->substr(0, 40));
    return value;
  }
};

/// Reader of a header.
class SddsHeaderReader {
 public:
  /// `folder` is that of included files; null: they are refused.
  SddsHeaderReader(SddsText& text, const std::filesystem::path* folder)
      : text_(text), folder_(folder) {}

  /// Reads up to the first page.
  void read(SddsHeader& header, SddsLayout& layout) {
    const std::string_view first = text_.take_line();
    if (first.size() < 5 || !first.starts_with("SDDS") || first[4] < '1' || first[4] > '5' ||
        (first.size() > 5 && !SddsText::is_blank(first[5])))
      refuse_sdds(text_.file(), 1, "this is no SDDS file", "its first line is not SDDS1 to SDDS5");
    if (!read_commands(text_, header, layout, 0))
      text_.refuse("the header ends without &data", {}, "is this the whole file?");
    if (marks_.find("big-endian") != marks_.npos) {
      if (marks_.find("little-endian") != marks_.npos)
        text_.refuse("the header tells both byte orders", {}, "remove one of the lines !#");
      layout.big_endian = true;
    }
    layout.fixed_row_count |= marks_.find("fixed-rowcount") != marks_.npos;
  }

 private:
  static std::string_view take_name(SddsText& text) {
    return text.take_until([](char c) {
      return !((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
               c == '_');
    });
  }

  /// Skips space, and notes comments such as `!# big-endian`.
  void skip_space(SddsText& text) {
    text.skip_space([&](std::string_view comment) {
      if (comment.starts_with("!#")) marks_.append(comment).append("\n");
    });
  }

  /// Takes the next command.
  SddsCommand take_command(SddsText& text) {
    SddsCommand command{{}, text.file(), text.line()};
    if (text.peek() != '&')
      text.refuse("a command of the header is expected", {}, "commands begin with &");
    text.take();
    command.name = take_name(text);
    for (;;) {
      skip_space(text);
      if (text.at_end()) command.refuse("a command has no &end", command.name.substr(0, 40));
      if (text.peek() == ',') {
        text.take();
      } else if (text.peek() == '&') {
        text.take();
        if (take_name(text) != "end")
          command.refuse("a command has no &end", command.name.substr(0, 40));
        return command;
      } else {
        take_field(text, command);
      }
    }
  }

  void take_field(SddsText& text, SddsCommand& command) {
    const std::string key(take_name(text));
    skip_space(text);
    if (key.empty() || text.at_end() || text.peek() != '=')
      text.refuse("a field name=value is expected", "in " + command.name.substr(0, 40),
                  "values with blanks are in quotation marks");
    text.take();
    text.skip_blanks();
    std::string value;
    if (text.peek() == '"') {
      bool is_escaped = false;  // a backslash is before a character that stands for itself
      for (const char c : text.take_quoted_field()) {
        is_escaped = c == '\\' && !is_escaped;
        if (!is_escaped) value += c;
      }
    } else {
      value = text.take_until(
          [](char c) { return SddsText::is_blank(c) || c == ',' || c == '\n' || c == '&'; });
    }
    command.fields.emplace_back(key, std::move(value));
  }

  /// Reads the commands of a file up to &data, or to its end. Returns whether there is &data.
  bool read_commands(SddsText& text, SddsHeader& header, SddsLayout& layout, int depth) {
    for (skip_space(text); !text.at_end(); skip_space(text)) {
      const SddsCommand command = take_command(text);
      if (command.name == "data") {
        text.take_line();
        read_layout(command, layout);
        return true;
      }
      if (command.name == "include") {
        text.take_line();
        if (read_included(command, header, layout, depth)) return true;
      } else {
        read_definition(command, header);
      }
    }
    return false;
  }

  bool read_included(const SddsCommand& command, SddsHeader& header, SddsLayout& layout,
                     int depth) {
    if (!folder_) command.refuse("a text in memory cannot include files", "&include");
    if (depth == 8)
      command.refuse("files include each other without end", command.text("filename"));
    const auto path = find_beside(*folder_, command.text("filename"), header.remarks);
    const std::string bytes = read_file(path);
    SddsText text(bytes, path.string());
    return read_commands(text, header, layout, depth + 1);
  }

  void read_definition(const SddsCommand& command, SddsHeader& header) {
    if (command.name == "column") {
      add(command, header.columns);
    } else if (command.name == "parameter") {
      add(command, header.parameters);
      if (const auto* value = command.find("fixed_value")) {
        SddsField& field = header.parameters.back();
        ColumnValues checked = empty_values(column_type_of(field.type));
        SddsValueParser(command.file).append(*value, field, "parameter", command.line, checked);
        field.fixed_value = *value;
      }
    } else if (command.name == "array") {
      add(command, header.arrays);
      header.arrays.back().dimensions = command.integer("dimensions", 1, 1);
    } else if (command.name == "description") {
      header.text = command.text("text");
      header.contents = command.text("contents");
    } else if (command.name != "associate") {
      command.refuse("a command that is not read", "&" + command.name.substr(0, 40));
    }
  }

  void add(const SddsCommand& command, std::vector<SddsField>& fields) {
    SddsField field{.name = command.text("name"),
                    .units = command.text("units"),
                    .symbol = command.text("symbol"),
                    .description = command.text("description")};
    const std::string type = command.text("type");
    if (field.name.empty() || type.empty())
      command.refuse("a " + command.name + " without a name or a type");
    const auto found = std::ranges::find(sdds_type_names, type);
    if (found == sdds_type_names.end())
      command.refuse("the type of '" + field.name + "' is none of SDDS", type.substr(0, 40));
    field.type = SddsType(found - sdds_type_names.begin());
    field.field_length = command.integer("field_length", 0, -max_field_length);
    if (field.field_length > max_field_length)
      command.refuse("the field_length of '" + field.name + "' is too large");
    if (!names_.insert(command.name + ' ' + field.name).second)
      command.refuse("the " + command.name + " '" + field.name.substr(0, 40) + "' is there twice");
    fields.push_back(std::move(field));
  }

  static void read_layout(const SddsCommand& command, SddsLayout& layout) {
    const auto* mode = command.find("mode");
    if (mode && *mode != "ascii" && *mode != "binary")
      command.refuse("the mode of the data is neither ascii nor binary", mode->substr(0, 40));
    layout.is_ascii = mode && *mode == "ascii";
    const std::string order = command.text("endian");
    if (!order.empty() && order != "big" && order != "little")
      command.refuse("the byte order is neither big nor little", order.substr(0, 40));
    layout.big_endian = order == "big";
    layout.column_major = command.integer("column_major_order", 0, 0) != 0;
    layout.has_row_counts = command.integer("no_row_counts", 0, 0) == 0;
    layout.fixed_row_count = command.integer("fixed_row_count", 0, 0) != 0;
    layout.lines_per_row = command.integer("lines_per_row", 1, 0);
    layout.additional_header_lines = command.integer("additional_header_lines", 0, 0);
  }

  static constexpr int max_field_length = 1 << 20;

  SddsText& text_;
  const std::filesystem::path* folder_;
  std::string marks_;            ///< comments that tell about the data
  std::set<std::string> names_;  ///< of the definitions, with their kind
};

}  // namespace trackplex::io::detail
