// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/core/error.hpp>
#include <trackplex/io/detail/lower_case.hpp>
#include <trackplex/io/detail/number_from_text.hpp>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

/// @file
/// Words of elegant's lattice files.

namespace trackplex::io::detail {

struct LatticeToken {
  enum class Kind {
    name,    ///< of anything, and what is no number
    quoted,  ///< text between quotation marks, without them
    number,
    symbol,   ///< one of : = , ( ) + - * / ^
    command,  ///< what follows % up to the end of the line, and of the next one behind &
    include,  ///< the name of a file behind #INCLUDE:
    end       ///< of a statement
  };
  Kind kind = Kind::end;
  std::string text{};
  double value = 0.;
  int line = 1, column = 1;
  const std::string* file = nullptr;  ///< in which it stands

  bool is(char symbol) const { return kind == Kind::symbol && text[0] == symbol; }
  bool is_name() const { return kind == Kind::name || kind == Kind::quoted; }
};

/// Throws InputError that names the file, the line and column, and what is wrong.
[[noreturn]] inline void refuse_lattice(const std::string& file, const LatticeToken& at,
                                        const std::string& problem, const std::string& why = {},
                                        const std::string& hint = {}) {
  throw InputError({at.file ? *at.file : file,
                    "line " + std::to_string(at.line) + ", column " + std::to_string(at.column)},
                   problem, why, hint);
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

/// Splits a file into words. Statements end with their line, unless its last character is &, or
/// with ;. What follows ! is a comment. Without quotation marks names are made of letters, digits
/// and . $ @ _, those of definitions of - / and # as well, and those in lists of : as well.
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
    token.file = &file_;
    token.line = line_;
    token.column = int(at_ - line_begin_) + 1;
    return token;
  }

  void read_next() {
    const char c = current();
    if (std::string_view(" \t\r\n!").find(c) == std::string_view::npos) is_continued_ = false;
    if (c == '\n') {
      if (is_continued_) check_blank_line();
      end_statement();
      is_continued_ = false;
      next_line();
    } else if (c == ' ' || c == '\t' || c == '\r') {
      ++at_;
    } else if (c == '!') {
      skip_to_end_of_line();
      if (is_continued_ && at_ < text_.size()) next_line();  // nothing but a comment behind &
    } else if (c == '&') {
      read_continuation();
    } else if (c == ';') {
      end_statement();
      ++at_;
    } else if (c == '%' && is_statement_start()) {
      read_command();
    } else if (c == '#' && is_statement_start() && begins_include()) {
      read_include();
    } else if (is_statement_start() && begins_definition()) {
      read_name(definition_letters);
    } else if (c == '"') {
      read_quoted();
    } else if (is_lattice_digit(c) || (c == '.' && is_lattice_digit(next()))) {
      read_number();
    } else if (is_lattice_letter(c)) {
      read_name(more_letters());
    } else {
      read_symbol();
    }
  }

  /// A statement ends at a blank line after &, as in elegant, which drops what follows: that must
  /// be another statement.
  void check_blank_line() const {
    std::size_t next = text_.find_first_not_of(" \t\r\n", at_);
    while (next != text_.npos && text_[next] == '!')
      next = text_.find_first_not_of(" \t\r\n", std::min(text_.find('\n', next), text_.size()));
    if (next == text_.npos || text_[next] == '%' || text_[next] == '#') return;
    const bool is_quoted = text_[next] == '"';
    std::size_t end = is_quoted ? text_.find('"', next + 1) + 1 : next;
    while (!is_quoted && end < text_.size() && is_of_name(text_[end], definition_letters)) ++end;
    const auto colon = text_.find_first_not_of(" \t", end);
    if (end > next && colon != text_.npos && text_[colon] == ':') return;
    refuse_lattice(file_, token(Kind::symbol), "a blank line follows &",
                   "elegant ends the statement there", "remove one of them");
  }

  static constexpr std::string_view definition_letters = "-/#";
  /// Whether a name with such letters, and no other word, stands before a colon.
  bool begins_definition() const {
    std::size_t end = at_;
    while (end < text_.size() && is_of_name(text_[end], definition_letters)) ++end;
    const auto colon = text_.find_first_not_of(" \t", end);
    return end > at_ && colon != text_.npos && text_[colon] == ':';
  }
  static bool is_of_name(char c, std::string_view more) {
    return continues_lattice_name(c) || more.find(c) != more.npos;
  }
  /// Letters of names inside of parentheses, besides those of all names.
  std::string_view more_letters() const { return depth_ > 0 ? ":" : ""; }
  void read_name(std::string_view more) {
    auto name = token(Kind::name);
    name.text = take_word(more);
    tokens_.push_back(std::move(name));
  }

  /// Letters of a name, or a number with a signed exponent; it goes on behind an & in its midst.
  std::string take_word(std::string_view more) {
    std::string word;
    while (true) {
      const char c = current();
      if (continues(word, c, more)) {
        word += c;
        ++at_;
      } else if (const auto n = continuation_inside(word, more); n > 0) {
        at_ += n - 1;
        next_line();
      } else {
        return word;
      }
    }
  }
  /// Whether a character belongs to a word that begins so: also the sign of an exponent.
  static bool continues(std::string_view word, char c, std::string_view more) {
    if (is_of_name(c, more)) return true;
    return (c == '+' || c == '-') && word.size() >= 2 &&
           std::string_view("eEdD").find(word.back()) != std::string_view::npos &&
           word.find_first_not_of("0123456789.") == word.size() - 1;
  }
  /// The characters from & to the end of the line, if the word goes on at the start of the next.
  std::size_t continuation_inside(std::string_view word, std::string_view more) const {
    if (current() != '&') return 0;
    const auto end = text_.find_first_not_of(" \t\r", at_ + 1);
    if (end == text_.npos || text_[end] != '\n' || end + 1 == text_.size()) return 0;
    return continues(word, text_[end + 1], more) ? end + 1 - at_ : 0;
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
    depth_ = 0;
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

  /// Reads a command: the text after % up to the end of the line, continued after a final &.
  void read_command() {
    auto command = token(Kind::command);
    ++at_;
    for (;;) {
      for (; current() != '\n' && current() != '!'; ++at_) command.text += text_[at_];
      const auto last = command.text.find_last_not_of(" \t\r");
      if (last == std::string::npos || command.text[last] != '&') break;
      command.text[last] = ' ';
      do {
        skip_to_end_of_line();
        if (at_ == text_.size()) break;
        next_line();
      } while (current() == '!');
    }
    tokens_.push_back(std::move(command));
  }

  static constexpr std::string_view include_word = "#INCLUDE:";
  bool begins_include() const {
    return upper_case(text_.substr(at_, include_word.size())) == include_word;
  }
  void read_include() {
    auto include = token(Kind::include);
    at_ += include_word.size();
    for (; current() != '\n' && current() != '!'; ++at_) include.text += text_[at_];
    const auto begin = include.text.find_first_not_of(" \t\r\"");
    if (begin == std::string::npos)
      refuse_lattice(file_, include, "the name of a file is missing after #INCLUDE:");
    include.text = include.text.substr(begin, include.text.find_last_not_of(" \t\r\"") - begin + 1);
    tokens_.push_back(std::move(include));
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

  /// A number, or a name that begins with digits.
  void read_number() {
    auto number = token(Kind::number);
    number.text = take_word(more_letters());
    const auto what = number_from_text(number.text, number.value);
    if (what == NumberText::no_number) number.kind = Kind::name;
    if (what == NumberText::too_large)
      refuse_lattice(file_, number, "'" + number.text + "' is too large");
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
    depth_ += symbol.is('(') ? 1 : symbol.is(')') ? -1 : 0;
    ++at_;
    tokens_.push_back(std::move(symbol));
  }

  std::string_view text_;
  const std::string& file_;
  std::vector<LatticeToken> tokens_;
  std::size_t at_ = 0, line_begin_ = 0;
  int line_ = 1;
  int depth_ = 0;              ///< of parentheses
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

/// How far apart the letters of two words of the same length are; k1 is nearer to k2 than k0 is.
inline int letter_distance(std::string_view a, std::string_view b) {
  constexpr int most = 1'000'000;
  if (a.size() != b.size()) return most;
  int distance = 0;
  for (std::size_t i = 0; i < a.size(); ++i) distance += std::abs(a[i] - b[i]);
  return std::min(distance, most);
}

/// "did you mean ..." for the name that is closest to a word, if any is close; else `otherwise`.
template <class Names>
std::string closest_name(std::string_view word, const Names& names,
                         const std::string& otherwise = {}) {
  const std::string upper = upper_case(word.substr(0, 64));
  std::string best;
  std::pair<int, int> least = {std::min<int>(3, int(upper.size() + 1) / 2 + 1), 0};
  for (const auto& name : names) {
    const std::string other = upper_case(name);
    const std::pair distance = {edit_distance(upper, other), letter_distance(upper, other)};
    if (distance >= least) continue;
    least = distance;
    best = name;
  }
  return best.empty() ? otherwise : "did you mean " + best + "?";
}

}  // namespace trackplex::io::detail
