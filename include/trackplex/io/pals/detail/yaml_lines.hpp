// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/io/pals/detail/yaml_node.hpp>

#include <algorithm>
#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

/// @file
/// Characters of a YAML document, by lines and columns.

namespace trackplex::io::detail {

/// Position in the text of a document.
class YamlLines {
 public:
  YamlLines(std::string_view text, std::string file)
      : text_(text), file_(std::make_shared<const std::string>(std::move(file))) {
    if (text_.starts_with("\xEF\xBB\xBF")) begin_ = at_ = 3;
  }

  bool is_end() const { return at_ >= text_.size(); }
  bool is_end_of_line() const { return is_end() || text_[at_] == '\n' || text_[at_] == '\r'; }
  /// Character at a distance; a line end after the last one.
  char peek(std::size_t ahead = 0) const {
    return at_ + ahead < text_.size() ? text_[at_ + ahead] : '\n';
  }
  bool is_blank(std::size_t ahead = 0) const {
    return std::string_view(" \t\n\r").find(peek(ahead)) != std::string_view::npos;
  }
  int column() const { return int(at_ - begin_); }
  YamlPlace place() const { return {file_, line_, column() + 1}; }
  /// Rest of the line.
  std::string_view rest() const {
    return text_.substr(at_, std::min(text_.find_first_of("\r\n", at_), text_.size()) - at_);
  }

  /// Moves by characters of this line.
  void skip(std::size_t n = 1) { at_ = std::min(at_ + n, text_.size()); }
  void next_line() {
    while (!is_end_of_line()) ++at_;
    if (peek() == '\r' && peek(1) == '\n') ++at_;
    skip();
    begin_ = at_;
    ++line_;
  }
  void skip_spaces() {
    while (!is_end() && (text_[at_] == ' ' || text_[at_] == '\t')) ++at_;
  }
  /// Skips spaces, and a comment; tells whether the line ends there.
  bool skip_to_end_of_line() {
    const bool is_apart = column() == 0 || is_blank_before();
    skip_spaces();
    if (peek() == '#' && (is_apart || is_blank_before()))
      while (!is_end_of_line()) ++at_;
    return is_end_of_line();
  }
  /// Skips empty lines and comments; tells whether there is something after them. Tabs do not
  /// indent lines, other than in brackets.
  bool skip_to_content(bool is_flow = false) {
    while (!is_end()) {
      if (!skip_to_end_of_line()) {
        if (!is_flow && is_indent() && has_tab_before())
          refuse("a line begins with a tab", "indentation is of spaces");
        return true;
      }
      if (is_end()) break;
      next_line();
    }
    return false;
  }
  /// Tells whether the line begins with a marker of the document and nothing else: "---", "...".
  bool is_marker(std::string_view marker) const {
    return column() == 0 && text_.substr(at_, 3) == marker && is_blank(3);
  }

  [[noreturn]] void refuse(const std::string& problem, const std::string& why = {},
                           const std::string& hint = {}) const {
    refuse_yaml(place(), problem, why, hint);
  }

 private:
  bool is_blank_before() const {
    return at_ == begin_ || text_[at_ - 1] == ' ' || text_[at_ - 1] == '\t';
  }
  bool has_tab_before() const {
    return text_.substr(begin_, at_ - begin_).find('\t') != std::string_view::npos;
  }
  /// Tells whether there are only blanks before this place of the line.
  bool is_indent() const {
    return text_.substr(begin_, at_ - begin_).find_first_not_of(" \t") == std::string_view::npos;
  }

  std::string_view text_;
  std::shared_ptr<const std::string> file_;
  std::size_t at_ = 0, begin_ = 0;  ///< here, and at the begin of the line
  int line_ = 1;
};

}  // namespace trackplex::io::detail
