// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/io/pals/detail/yaml_lines.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

/// @file
/// Scalars of YAML 1.2: plain, in quotation marks, and blocks of lines.

namespace trackplex::io::detail {

inline void trim_right(std::string& text) {
  text.resize(text.find_last_not_of(" \t") + 1);  // npos + 1 is 0
}

/// Appends a code point in UTF-8.
inline void append_utf8(std::string& text, std::uint32_t code) {
  if (code < 0x80) {
    text += char(code);
  } else if (code < 0x800) {
    text += char(0xC0 | (code >> 6));
    text += char(0x80 | (code & 0x3F));
  } else if (code < 0x10000) {
    text += char(0xE0 | (code >> 12));
    text += char(0x80 | ((code >> 6) & 0x3F));
    text += char(0x80 | (code & 0x3F));
  } else {
    text += char(0xF0 | (code >> 18));
    text += char(0x80 | ((code >> 12) & 0x3F));
    text += char(0x80 | ((code >> 6) & 0x3F));
    text += char(0x80 | (code & 0x3F));
  }
}

/// Reads so many hexadecimal digits.
inline std::uint32_t yaml_code(YamlLines& in, int digits) {
  std::uint32_t code = 0;
  for (int i = 0; i < digits; ++i) {
    const auto digit = std::string_view("0123456789abcdef0123456789ABCDEF").find(in.peek());
    if (digit == std::string_view::npos) in.refuse("a hexadecimal digit is missing");
    code = 16 * code + std::uint32_t(digit % 16);
    in.skip();
  }
  return code;
}

/// Reads what follows a backslash.
inline void read_yaml_escape(YamlLines& in, std::string& text) {
  const char letter = in.peek();
  constexpr std::string_view letters = "0abtnvfre\"/\\ \t",
                             means("\0\a\b\t\n\v\f\r\x1B\"/\\ \t", 14);
  if (const auto known = letters.find(letter); known != letters.npos) {
    in.skip();
    text += means[known];
    return;
  }
  const int digits = letter == 'x' ? 2 : letter == 'u' ? 4 : letter == 'U' ? 8 : 0;
  if (digits == 0) in.refuse("this letter means nothing after \\");
  in.skip();
  std::uint32_t code = yaml_code(in, digits);
  if (code >= 0xD800 && code < 0xDC00 && in.peek() == '\\' && in.peek(1) == 'u') {  // as in JSON
    in.skip(2);
    const std::uint32_t low = yaml_code(in, 4);
    if (low < 0xDC00 || low > 0xDFFF) in.refuse("half of a surrogate pair is missing");
    code = 0x10000 + ((code - 0xD800) << 10) + (low - 0xDC00);
  }
  if (code > 0x10FFFF || (code >= 0xD800 && code < 0xE000)) in.refuse("this is no character");
  append_utf8(text, code);
}

/// Moves over a line end inside of a scalar of several lines: it is a space, or with empty lines
/// as many line ends as there are empty lines.
inline std::string fold_yaml_lines(YamlLines& in) {
  int lines = 0;
  while (!in.is_end() && in.is_end_of_line()) {
    in.next_line();
    in.skip_spaces();
    ++lines;
  }
  return lines <= 1 ? " " : std::string(std::size_t(lines - 1), '\n');
}

/// Reads a text in quotation marks.
inline std::string read_quoted_yaml(YamlLines& in) {
  const YamlPlace begin = in.place();
  const char mark = in.peek();
  std::string text;
  for (in.skip(); !in.is_end();) {
    if (in.is_marker("---") || in.is_marker("...")) break;
    if (in.is_end_of_line()) {
      trim_right(text);
      text += fold_yaml_lines(in);
    } else if (in.peek() == mark && mark == '\'' && in.peek(1) == '\'') {
      text += mark;
      in.skip(2);
    } else if (in.peek() == mark) {
      in.skip();
      return text;
    } else if (in.peek() == '\\' && mark == '"') {
      in.skip();
      if (in.is_end_of_line()) {
        in.next_line();
        in.skip_spaces();
      } else {
        read_yaml_escape(in, text);
      }
    } else {
      text += in.peek();
      in.skip();
    }
  }
  refuse_yaml(begin, "quotation marks are not closed");
}

/// Tells whether a plain scalar ends here: at ": ", " #", and inside of [] and {} at their signs.
inline bool ends_plain_yaml(const YamlLines& in, bool is_flow) {
  const char c = in.peek();
  if (is_flow && std::string_view(",[]{}").find(c) != std::string_view::npos) return true;
  if (c == ':')
    return in.is_blank(1) ||
           (is_flow && std::string_view(",[]{}").find(in.peek(1)) != std::string_view::npos);
  return (c == ' ' || c == '\t') && in.peek(1) == '#';
}

/// Reads a plain scalar to the end of its line at most.
inline std::string read_plain_yaml_line(YamlLines& in, bool is_flow) {
  std::string text;
  for (; !in.is_end_of_line() && !ends_plain_yaml(in, is_flow); in.skip()) text += in.peek();
  trim_right(text);
  return text;
}

/// Refuses characters that begin something else than a plain scalar.
inline void check_begin_of_plain_yaml(const YamlLines& in, bool is_flow) {
  const char c = in.peek();
  if (c == '&' || c == '*')
    in.refuse("anchors and aliases are not read",
              "this text begins with '" + std::string(1, c) + "'",
              "write the values out, use inherit, or put the text in quotation marks");
  if (c == '!')
    in.refuse("tags are not read", "this text begins with '!'",
              "leave it out, or put the text in quotation marks");
  if (c == '?' && in.is_blank(1)) in.refuse("keys of several parts are not read", "'?'");
  const bool is_sign = std::string_view("-?:").find(c) != std::string_view::npos;
  if (std::string_view(",[]{}|>%@`\"'#").find(c) != std::string_view::npos ||
      (is_sign && (in.is_blank(1) || (is_flow && std::string_view(",[]{}").find(in.peek(1)) !=
                                                     std::string_view::npos))))
    in.refuse("'" + std::string(1, c) + "' cannot be here", {},
              "texts with such characters need quotation marks");
}

/// Reads a block of lines, which are indented more than `indent`: "|" keeps line ends, ">" folds
/// them.
inline std::string read_yaml_block(YamlLines& in, int indent) {
  const bool is_folded = in.peek() == '>';
  char chomp = 0;
  int given = 0;
  for (in.skip(); !in.is_blank(); in.skip()) {
    if (in.peek() == '-' || in.peek() == '+')
      chomp = in.peek();
    else if (in.peek() >= '1' && in.peek() <= '9')
      given = in.peek() - '0';
    else
      in.refuse("only 1 to 9, + and - follow | and >");
  }
  if (!in.skip_to_end_of_line()) in.refuse("the text of a block begins in the next line");
  int margin = given > 0 ? indent + given : -1;
  std::string text;
  std::size_t empty_lines = 0;
  for (bool is_first = true, was_indented = false; !in.is_end();) {
    const YamlLines line_end = in;
    in.next_line();
    int spaces = 0;
    for (; in.peek() == ' ' && (margin < 0 || spaces < margin); ++spaces) in.skip();
    if (in.is_end_of_line() && !in.is_end()) {
      ++empty_lines;
      continue;
    }
    if (in.is_end() || spaces <= indent || spaces < margin) {
      in = line_end;
      break;
    }
    margin = spaces;
    const bool is_indented = in.peek() == ' ' || in.peek() == '\t';
    const bool is_joined = is_folded && !is_first && !is_indented && !was_indented;
    if (is_joined && empty_lines == 0) text += ' ';
    text.append(empty_lines + (is_first || is_joined ? 0 : 1), '\n');
    empty_lines = 0;
    is_first = false;
    was_indented = is_indented;
    text += in.rest();
    in.skip(in.rest().size());
  }
  if (chomp == '+') text.append(empty_lines, '\n');
  if (chomp != '-' && !text.empty()) text += '\n';
  return text;
}

}  // namespace trackplex::io::detail
