// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/core/error.hpp>

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>
#include <utility>

namespace trackplex::io::detail {

/// Throws InputError that names the file, the line and what is wrong.
[[noreturn]] inline void refuse_sdds(const std::string& file, std::size_t line,
                                     const std::string& problem, const std::string& why = {},
                                     const std::string& hint = {}) {
  throw InputError({file, "line " + std::to_string(line)}, problem, why, hint);
}

/// Returns a text with its escapes resolved: a backslash before n, t, b, r, f, v, a, three octal
/// digits, or a character that stands for itself.
inline std::string without_sdds_escapes(std::string_view text) {
  constexpr std::string_view letters = "ntbrfva", meanings = "\n\t\b\r\f\v\a";
  const auto is_octal = [](char c) { return c >= '0' && c <= '7'; };
  std::string result;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '\\' || i + 1 == text.size()) {
      result += text[i];
      continue;
    }
    const char c = text[++i];
    if (const auto letter = letters.find(c); letter != letters.npos) {
      result += meanings[letter];
    } else if (is_octal(c)) {
      unsigned value = unsigned(c - '0');
      for (int n = 1; n < 3 && i + 1 < text.size() && is_octal(text[i + 1]); ++n)
        value = 8 * value + unsigned(text[++i] - '0');
      result += char(value);
    } else {
      result += c;
    }
  }
  return result;
}

/// Text of a file, from which characters, lines and words are taken.
class SddsText {
 public:
  SddsText(std::string_view text, std::string file) : text_(text), file_(std::move(file)) {}

  const std::string& file() const { return file_; }
  std::size_t line() const { return line_; }    ///< of the next character, from 1
  std::size_t position() const { return at_; }  ///< of the next character
  bool at_end() const { return at_ == text_.size(); }
  char peek() const { return at_end() ? '\n' : text_[at_]; }
  std::size_t left() const { return text_.size() - at_; }

  [[noreturn]] void refuse(const std::string& problem, const std::string& why = {},
                           const std::string& hint = {}) const {
    refuse_sdds(file_, line_, problem, why, hint);
  }

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
  static bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r'; }
  void skip_blanks() {
    while (!at_end() && is_blank(peek())) ++at_;
  }
  /// Skips blanks, ends of lines and comments, each from an exclamation mark to the end of its
  /// line. Calls f(comment) for the comments.
  template <class F>
  void skip_space(const F& f) {
    for (; !at_end() && (peek() == '\n' || peek() == '!' || is_blank(peek()));) {
      if (peek() == '!')
        f(take_line());
      else
        take();
    }
  }
  void skip_space() {
    skip_space([](std::string_view) {});
  }
  /// Skips lines that are comments.
  void skip_comments() {
    while (!at_end() && peek() == '!') take_line();
  }
  /// Whether only blanks and a comment are left of the line. Skips the blanks.
  bool at_end_of_line() {
    skip_blanks();
    return peek() == '\n' || peek() == '!';
  }
  /// Takes the rest of a line, which must be blank or a comment.
  void take_end_of_line(const std::string& behind) {
    if (!at_end_of_line()) refuse("text after " + behind);
    take_line();
  }

  /// Takes what is between quotation marks in a header, which may have several lines. As in the
  /// SDDS library, a mark behind a backslash is none of them, even if that is behind another.
  std::string_view take_quoted_field() {
    const std::size_t first = line_, begin = ++at_;
    while (!at_end() && (peek() != '"' || text_[at_ - 1] == '\\')) take();
    if (at_end()) refuse_sdds(file_, first, "a quotation mark is not closed");
    return text_.substr(begin, at_++ - begin);
  }
  /// Takes what is between quotation marks in a line of data, with its escapes.
  std::string_view take_quoted() {
    const std::size_t begin = ++at_;
    while (peek() != '"' && peek() != '\n')
      at_ += peek() == '\\' && left() > 1 && text_[at_ + 1] != '\n' ? 2 : 1;
    if (peek() != '"') refuse("a quotation mark is not closed");
    return text_.substr(begin, at_++ - begin);
  }
  template <class IsEnd>
  std::string_view take_until(const IsEnd& is_end) {
    const std::size_t begin = at_;
    while (!at_end() && !is_end(peek())) take();
    return text_.substr(begin, at_ - begin);
  }
  /// Takes a word of a line of data, with its escapes: up to a blank or a comment, or between
  /// quotation marks.
  std::string_view take_word() {
    if (peek() == '"') return take_quoted();
    const std::size_t begin = at_;
    while (peek() != '\n' && peek() != '!' && !is_blank(peek()))
      at_ += peek() == '\\' && left() > 1 && text_[at_ + 1] != '\n' ? 2 : 1;
    return text_.substr(begin, at_ - begin);
  }
  /// Takes some characters, or those that are left of the line.
  std::string_view take_characters(std::size_t n) {
    const std::size_t begin = at_;
    while (at_ - begin < n && peek() != '\n') ++at_;
    return text_.substr(begin, at_ - begin);
  }

 private:
  std::string_view text_;
  std::string file_;
  std::size_t at_ = 0;
  std::size_t line_ = 1;
};

}  // namespace trackplex::io::detail
