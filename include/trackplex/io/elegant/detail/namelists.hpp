// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/core/error.hpp>
#include <trackplex/io/detail/lattice_tokens.hpp>

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

/// @file
/// Namelists, the language of elegant's run files:
///
///   ! a comment
///   % 1 sto x                               an expression in reverse Polish notation, & goes on
///   &bunched_beam                           a command with its items
///       emit_x = 1e-9, beta_x = "(x 2 *)",
///       distribution_type[0] = 3*"gaussian"
///   &end

namespace trackplex::io::detail {

/// A name with the values that a command gives it.
struct NamelistItem {
  std::string name;
  int first = 0;  ///< number of the first value in a list
  std::vector<std::string> values;
  int line = 1;
};

/// A command; one of the name "%" has the text of its expression as an item.
struct NamelistCommand {
  std::string name;
  std::vector<NamelistItem> items{};
  int line = 1;
};

/// Splits a run file into its commands.
class NamelistReader {
 public:
  NamelistReader(std::string_view text, const std::string& file) : text_(text), file_(file) {}

  /// @throws InputError with the line of what is wrong
  std::vector<NamelistCommand> commands() {
    std::vector<NamelistCommand> found;
    for (skip_space(); !is_end(); skip_space()) {
      if (current() == '%')
        found.push_back(expression());
      else if (current() == '&')
        found.push_back(command());
      else
        refuse("'" + std::string(word()) + "' is not expected here", "commands begin with &");
    }
    return found;
  }

 private:
  static constexpr std::size_t max_values = 1000;
  static constexpr std::string_view blank = " \t\r\n";

  bool is_end() const { return at_ >= text_.size(); }
  char current() const { return is_end() ? '\0' : text_[at_]; }
  [[noreturn]] void refuse(const std::string& problem, const std::string& hint = {}) const {
    throw InputError({file_, "line " + std::to_string(line_)}, problem, {}, hint);
  }
  void advance() {
    if (current() == '\n') ++line_;
    ++at_;
  }
  /// Passes over blanks, ends of lines, comments and `more`.
  void skip_space(std::string_view more = {}) {
    while (!is_end()) {
      if (current() == '!')
        rest_of_line();
      else if (blank.find(current()) == blank.npos && more.find(current()) == more.npos)
        return;
      else
        advance();
    }
  }
  std::string_view rest_of_line() {
    const std::size_t begin = at_;
    at_ = std::min(text_.find('\n', at_), text_.size());
    return text_.substr(begin, at_ - begin);
  }
  /// The text up to a blank or one of `=,&![`; empty at one of these.
  std::string_view word(std::string_view ends = " \t\r\n=,&![") {
    const std::size_t begin = at_;
    at_ = std::min(text_.find_first_of(ends, at_), text_.size());
    return text_.substr(begin, at_ - begin);
  }

  NamelistCommand expression() {
    const int line = line_;
    ++at_;
    std::string text(rest_of_line());
    for (std::size_t last; (last = text.find_last_not_of(" \t\r")) != text.npos &&
                           text[last] == '&' && !is_end();) {  // it goes on in the next line
      text[last] = ' ';
      advance();
      text += rest_of_line();
    }
    return {"%", {{"expression", 0, {std::move(text)}, line}}, line};
  }

  NamelistCommand command() {
    NamelistCommand found{{}, {}, line_};
    ++at_;
    found.name = lower_case(word());
    if (found.name.empty()) refuse("the name of a command is missing after &");
    for (skip_space(","); current() != '&'; skip_space(",")) {
      if (is_end()) {
        line_ = found.line;
        refuse("the command '" + found.name + "' does not end", "it ends with &end");
      }
      found.items.push_back(item());
    }
    const std::string end = lower_case(text_.substr(at_, 4));
    at_ += end == "&end" ? 4 : 1;  // a lone & is an end, too
    return found;
  }

  NamelistItem item() {
    NamelistItem found{{}, 0, {}, line_};
    found.name = lower_case(word());
    if (found.name.empty()) refuse("the name of an item is missing");
    if (current() == '[') found.first = subscript();
    skip_space();
    if (current() != '=') refuse("'=' is missing after '" + found.name + "'");
    ++at_;
    do {
      skip_space();
      values(found);
      skip_blanks();
    } while (continues_values());
    return found;
  }

  int subscript() {
    ++at_;
    const auto text = word("]\n");
    if (text.size() != 1 || text[0] < '0' || text[0] > '9' || current() != ']')
      refuse("'" + std::string(text) + "' is no number of a list from 0 to 9");
    ++at_;
    return text[0] - '0';
  }

  void skip_blanks() {
    while (current() == ' ' || current() == '\t' || current() == '\r') ++at_;
  }

  /// Passes over a comma behind which another value of the list stands, and not a name with `=`.
  bool continues_values() {
    const std::size_t at = at_;
    const int line = line_;
    if (current() == ',') {
      ++at_;
      skip_space();
      const std::size_t value = at_;
      const int line_of_value = line_;
      const bool is_value = current() == '"' || (!word().empty() && !is_name_before_equals());
      at_ = value;
      line_ = line_of_value;
      if (is_value) return true;
    }
    at_ = at;
    line_ = line;
    return false;
  }
  bool is_name_before_equals() {
    if (current() == '[') word("]\n"), ++at_;
    skip_space();
    return current() == '=';
  }

  /// One value, or with `n*` the same n times.
  void values(NamelistItem& of) {
    const std::size_t n = repetitions();
    if (n == 0 || of.values.size() + n > max_values)
      refuse("'" + of.name + "' has no values, or too many");
    of.values.insert(of.values.end(), n, value());
  }

  /// The number before a star, 1 without one.
  std::size_t repetitions() {
    const std::size_t end = std::min(text_.find_first_not_of("0123456789", at_), text_.size());
    if (end == at_ || end == text_.size() || text_[end] != '*') return 1;
    const auto digits = text_.substr(at_, end - at_);
    at_ = end + 1;
    return digits.size() < 5 ? std::stoul(std::string(digits)) : max_values + 1;
  }

  const std::string& no_shell(const std::string& text) const {
    if (text.find('{') != text.npos)
      refuse("'" + text + "' is a command of the shell, which is not run here",
             "write what it prints");
    return text;
  }

  /// Text between quotation marks; one behind a backslash belongs to it.
  std::string quoted() {
    const int line = line_;
    std::string text;
    for (++at_; current() != '"'; advance()) {
      if (current() == '\\' && text_.substr(at_ + 1, 1) == "\"") advance();
      if (is_end()) {
        line_ = line;
        refuse("a quotation mark is missing at the end");
      }
      text += current();
    }
    ++at_;
    return text;
  }

  std::string value() {
    if (current() != '"') {
      const std::string text(word(" \t\r\n,&!"));
      if (text.empty()) refuse("a value is missing");
      return no_shell(text);
    }
    return no_shell(quoted());
  }

  std::string_view text_;
  const std::string& file_;
  std::size_t at_ = 0;
  int line_ = 1;
};

}  // namespace trackplex::io::detail
