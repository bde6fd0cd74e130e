// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/core/error.hpp>

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

/// @file
/// Words of elegant's lattice files.

namespace trackplex::io::detail {

struct LatticeToken {
  enum class Kind {
    name,    ///< of anything: starts with a letter
    quoted,  ///< text between quotation marks, without them
    number,
    symbol,   ///< one of : = , ( ) + - * / ^
    command,  ///< what follows % up to the end of the line
    end       ///< of a statement
  };
  Kind kind = Kind::end;
  std::string text{};
  double value = 0.;
  int line = 1, column = 1;

  bool is(char symbol) const { return kind == Kind::symbol && text[0] == symbol; }
  bool is_name() const { return kind == Kind::name || kind == Kind::quoted; }
};

/// Throws InputError that names the file, the line and column, and what is wrong.
[[noreturn]] inline void refuse_lattice(const std::string& file, const LatticeToken& at,
                                        const std::string& problem, const std::string& why = {},
                                        const std::string& hint = {}) {
  throw InputError(
      {file, "line " + std::to_string(at.line) + ", column " + std::to_string(at.column)}, problem,
      why, hint);
}

inline bool is_lattice_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}
inline bool is_lattice_digit(char c) { return c >= '0' && c <= '9'; }
inline bool continues_lattice_name(char c) {
  return is_lattice_letter(c) || is_lattice_digit(c) || c == '.' || c == '$' || c == '@';
}

/// ASCII letters in upper case: how elegant has names that are not quoted.
inline std::string upper_case(std::string_view text) {
  std::string upper(text);
  for (char& c : upper)
    if (c >= 'a' && c <= 'z') c = char(c - 'a' + 'A');
  return upper;
}

/// Splits a file into words. Statements end with their line, unless its last character is &; what
/// follows ! is a comment.
class LatticeLexer {
 public:
  LatticeLexer(std::string_view text, const std::string& file) : text_(text), file_(file) {}

  /// All words; a word `end` behind each statement.
  std::vector<LatticeToken> tokens() {
    while (at_ < text_.size()) read_next();
    end_statement();
    return std::move(tokens_);
  }

 private:
  using Kind = LatticeToken::Kind;

  char current() const { return at_ < text_.size() ? text_[at_] : '\n'; }
  char next() const { return at_ + 1 < text_.size() ? text_[at_ + 1] : '\n'; }
  bool is_statement_start() const { return tokens_.empty() || tokens_.back().kind == Kind::end; }
  LatticeToken token(Kind kind) const {
    LatticeToken token;
    token.kind = kind;
    token.line = line_;
    token.column = int(at_ - line_begin_) + 1;
    return token;
  }

  void read_next() {
    const char c = current();
    if (c != ' ' && c != '\t' && c != '\r' && c != '!') is_continued_ = false;
    if (c == '\n') {
      end_statement();
      next_line();
    } else if (c == ' ' || c == '\t' || c == '\r') {
      ++at_;
    } else if (c == '!') {
      skip_to_end_of_line();
      if (is_continued_ && at_ < text_.size()) next_line();  // nothing but a comment behind &
    } else if (c == '&') {
      read_continuation();
    } else if (c == '%' && is_statement_start()) {
      read_command();
    } else if (c == '"') {
      read_quoted();
    } else if (is_lattice_digit(c) || (c == '.' && is_lattice_digit(next()))) {
      read_number();
    } else if (is_lattice_letter(c)) {
      auto name = token(Kind::name);
      while (at_ < text_.size() && continues_lattice_name(current())) name.text += text_[at_++];
      tokens_.push_back(std::move(name));
    } else {
      read_symbol();
    }
  }

  void next_line() {
    ++at_;
    ++line_;
    line_begin_ = at_;
  }
  void skip_to_end_of_line() {
    while (at_ < text_.size() && text_[at_] != '\n') ++at_;
  }
  void end_statement() {
    if (!is_statement_start()) tokens_.push_back(token(Kind::end));
  }

  void read_continuation() {
    const auto place = token(Kind::symbol);
    for (++at_; current() != '\n' && current() != '!'; ++at_)
      if (current() != ' ' && current() != '\t' && current() != '\r')
        refuse_lattice(file_, place, "text follows &", {}, "& is the last character of a line");
    skip_to_end_of_line();
    if (at_ < text_.size()) next_line();
    is_continued_ = true;
  }

  void read_command() {
    auto command = token(Kind::command);
    for (++at_; current() != '\n' && current() != '!'; ++at_) command.text += text_[at_];
    tokens_.push_back(std::move(command));
  }

  void read_quoted() {
    auto quoted = token(Kind::quoted);
    for (++at_; at_ < text_.size() && text_[at_] != '"' && text_[at_] != '\n'; ++at_)
      quoted.text += text_[at_];
    if (at_ == text_.size() || text_[at_] != '"')
      refuse_lattice(file_, quoted, "quotation marks are not closed",
                     "they end with their line at the latest");
    ++at_;
    tokens_.push_back(std::move(quoted));
  }

  void read_number() {
    auto number = token(Kind::number);
    const char* begin = text_.data() + at_;
    const auto [end, error] = std::from_chars(begin, text_.data() + text_.size(), number.value);
    number.text.assign(begin, end);
    if (error != std::errc())
      refuse_lattice(file_, number, "'" + number.text + "' is no number that a double can hold");
    at_ += std::size_t(end - begin);
    if (at_ < text_.size() && continues_lattice_name(current()))
      refuse_lattice(file_, number, "'" + number.text + current() + "' is no number", {},
                     "names that begin with a digit need quotation marks");
    tokens_.push_back(std::move(number));
  }

  void read_symbol() {
    auto symbol = token(Kind::symbol);
    symbol.text = text_[at_];
    if (std::string_view(":=,()+-*/^").find(symbol.text[0]) == std::string_view::npos) {
      char code[16];
      std::snprintf(code, sizeof code, "byte 0x%02x",
                    unsigned(static_cast<unsigned char>(text_[at_])));
      const bool is_printable = text_[at_] > ' ' && text_[at_] < 127;
      refuse_lattice(
          file_, symbol,
          (is_printable ? "'" + symbol.text + "'" : std::string(code)) + " means nothing here", {},
          "names with such characters need quotation marks");
    }
    ++at_;
    tokens_.push_back(std::move(symbol));
  }

  std::string_view text_;
  const std::string& file_;
  std::vector<LatticeToken> tokens_;
  std::size_t at_ = 0, line_begin_ = 0;
  int line_ = 1;
  bool is_continued_ = false;  ///< & was the last character of the last line with words
};

/// How many letters must be changed, added or left out to make one word of the other.
inline int edit_distance(std::string_view a, std::string_view b) {
  std::vector<int> last(b.size() + 1), row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) last[j] = int(j);
  for (std::size_t i = 1; i <= a.size(); ++i) {
    row[0] = int(i);
    for (std::size_t j = 1; j <= b.size(); ++j)
      row[j] = std::min({last[j] + 1, row[j - 1] + 1, last[j - 1] + (a[i - 1] != b[j - 1])});
    std::swap(last, row);
  }
  return last[b.size()];
}

/// "did you mean ..." for the name that is closest to a word, if any is close; else `otherwise`.
template <class Names>
std::string closest_name(std::string_view word, const Names& names,
                         const std::string& otherwise = {}) {
  const std::string upper = upper_case(word.substr(0, 64));
  std::string best;
  int least = std::min<int>(3, int(upper.size() + 1) / 2 + 1);
  for (const auto& name : names)
    if (const int distance = edit_distance(upper, upper_case(name)); distance < least) {
      least = distance;
      best = name;
    }
  return best.empty() ? otherwise : "did you mean " + best + "?";
}

}  // namespace trackplex::io::detail
