// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/io/detail/lattice_tokens.hpp>
#include <trackplex/io/detail/number_from_text.hpp>

#include <cstdio>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

/// @file
/// Words of MAD-X files.

namespace trackplex::io::detail {

/// Tells whether a word is a symbol of one or two characters.
inline bool is_symbol(const LatticeToken& token, std::string_view symbol) {
  return token.kind == LatticeToken::Kind::symbol && token.text == symbol;
}

/// Splits a file into words. Statements end with `;`; comments are `! ...`, `// ...` and `/* ...
/// */`. Names are made of letters, digits and . $ @ _, and are in lower case here, as is the whole
/// `beam%sequence`; texts between single or double quotation marks, and patterns, are kept as they
/// are. #s, #e and $name, an
/// argument of EXEC, are names, too. Exponents begin with e or d, and may go on in the next line.
class MadxLexer {
 public:
  /// `file` names it in messages and must outlive the words.
  MadxLexer(std::string_view text, const std::string& file) : text_(text), file_(file) {}

  /// All words; the last one is `end`.
  std::vector<LatticeToken> tokens() {
    while (skip_blanks(), at_ < text_.size()) read_next();
    tokens_.push_back(token(Kind::end));
    begins_.push_back(at_);
    return std::move(tokens_);
  }
  /// Where the words begin in the text, behind `tokens()`.
  std::vector<std::size_t> begins() { return std::move(begins_); }

 private:
  using Kind = LatticeToken::Kind;

  char at(std::size_t ahead) const { return at_ + ahead < text_.size() ? text_[at_ + ahead] : 0; }
  bool begins(std::string_view with) const { return text_.substr(at_).starts_with(with); }
  LatticeToken token(Kind kind) const {
    LatticeToken token;
    token.kind = kind;
    token.file = &file_;
    token.line = line_;
    token.column = int(at_ - line_begin_) + 1;
    return token;
  }
  void advance() {
    if (text_[at_++] != '\n') return;
    ++line_;
    line_begin_ = at_;
  }

  void skip_blanks() {
    while (at_ < text_.size()) {
      if (std::string_view(" \t\r\n").find(at(0)) != std::string_view::npos) {
        advance();
      } else if (at(0) == '!' || begins("//")) {
        while (at_ < text_.size() && at(0) != '\n') ++at_;
      } else if (begins("/*")) {
        skip_comment();
      } else {
        return;
      }
    }
  }
  void skip_comment() {
    const auto begin = token(Kind::symbol);
    at_ += 2;
    while (at_ < text_.size() && !begins("*/")) advance();
    if (at_ >= text_.size())
      refuse_lattice(file_, begin, "the comment is not closed", {}, "add */");
    at_ += 2;
  }

  void read_next() {
    begins_.push_back(at_);
    if (is_behind_pattern() && at(0) != '"' && at(0) != '\'') {
      read_pattern();
    } else if (at(0) == ';') {
      auto end = token(Kind::end);
      end.text = ";";
      tokens_.push_back(std::move(end));
      ++at_;
    } else if (at(0) == '"' || at(0) == '\'') {
      read_quoted();
    } else if (is_lattice_digit(at(0)) || (at(0) == '.' && is_lattice_digit(at(1)))) {
      read_number();
    } else if (is_lattice_letter(at(0)) ||
               ((at(0) == '#' || at(0) == '$') && is_lattice_letter(at(1)))) {
      auto name = token(Kind::name);
      do name.text += text_[at_++];
      while (at_ < text_.size() && continues_name());
      name.text = lower_case(name.text);
      tokens_.push_back(std::move(name));
    } else {
      read_symbol();
    }
  }
  bool continues_name() const {
    return continues_lattice_name(at(0)) || (at(0) == '%' && is_lattice_letter(at(1)));
  }

  bool is_behind_pattern() const {
    const std::size_t n = tokens_.size();
    return n > 2 && is_symbol(tokens_[n - 1], "=") && tokens_[n - 2].kind == Kind::name &&
           tokens_[n - 2].text == "pattern" && tokens_[n - 3].is(',');
  }
  /// A regular expression without quotation marks: all up to a comma or the end of the statement.
  void read_pattern() {
    auto pattern = token(Kind::quoted);
    for (; at_ < text_.size() && at(0) != ',' && at(0) != ';'; advance())
      if (std::string_view(" \t\r\n").find(at(0)) == std::string_view::npos) pattern.text += at(0);
    tokens_.push_back(std::move(pattern));
  }

  void read_quoted() {
    auto quoted = token(Kind::quoted);
    const char mark = at(0);
    for (++at_; at_ < text_.size() && at(0) != mark; advance()) quoted.text += at(0);
    if (at_ >= text_.size()) refuse_lattice(file_, quoted, "quotation marks are not closed");
    ++at_;
    tokens_.push_back(std::move(quoted));
  }

  void read_number() {
    auto number = token(Kind::number);
    const auto digits = [&] {
      while (is_lattice_digit(at(0))) number.text += text_[at_++];
    };
    digits();
    if (at(0) == '.') number.text += text_[at_++];
    digits();
    read_exponent(number.text);
    const auto what = number_from_text(number.text, number.value);
    if (what != NumberText::number)
      refuse_lattice(file_, number, "'" + number.text + "' " + problem_of(what));
    tokens_.push_back(std::move(number));
  }

  /// An exponent behind e or d. Lines may be broken around its sign, as SAVE does.
  void read_exponent(std::string& number) {
    if (at_ == text_.size() || std::string_view("eEdD").find(at(0)) == std::string_view::npos)
      return;
    std::size_t digits = behind_break(1);
    const char sign = at(digits);
    if (sign == '+' || sign == '-') digits = behind_break(digits + 1);
    if (!is_lattice_digit(at(digits))) return;
    number += 'e';
    if (sign == '-') number += '-';
    for (std::size_t i = 0; i < digits; ++i) advance();
    while (is_lattice_digit(at(0))) number += text_[at_++];
  }
  /// Returns `ahead`, or the place after blanks there that include the end of a line.
  std::size_t behind_break(std::size_t ahead) const {
    std::size_t to = ahead;
    while (at_ + to < text_.size() &&
           std::string_view(" \t\r\n").find(at(to)) != std::string_view::npos)
      ++to;
    const bool is_broken = text_.substr(at_).substr(0, to).find('\n', ahead) != text_.npos;
    return is_broken ? to : ahead;
  }

  void read_symbol() {
    auto symbol = token(Kind::symbol);
    for (const std::string_view two : {":=", "->", "==", "<=", ">=", "<>", "&&", "||"})
      if (begins(two)) symbol.text = two;
    if (symbol.text.empty()) symbol.text = at(0);
    if (symbol.text.size() == 1 &&
        std::string_view(":=,()+-*/^{}<>[].").find(at(0)) == std::string::npos)
      refuse_byte(symbol);
    at_ += symbol.text.size();
    tokens_.push_back(std::move(symbol));
  }
  [[noreturn]] void refuse_byte(const LatticeToken& symbol) const {
    const bool is_continuation = at(0) == '&' && text_.find_first_not_of(" \t\r", at_ + 1) ==
                                                     text_.find_first_of("\n!", at_);
    if (is_continuation)
      refuse_lattice(file_, symbol, "'&' means nothing here",
                     "lines are continued so in MAD8, while statements of MAD-X end with ;",
                     "remove it");
    refuse_lattice(file_, symbol, shown_byte(at(0)) + " means nothing here", {},
                   "texts with such characters need quotation marks");
  }
  static std::string shown_byte(char c) {
    if (c > ' ' && c < 127) return std::string("'") + c + "'";
    char code[16];
    std::snprintf(code, sizeof code, "byte 0x%02x", unsigned(static_cast<unsigned char>(c)));
    return code;
  }

  std::string_view text_;
  const std::string& file_;
  std::vector<LatticeToken> tokens_;
  std::vector<std::size_t> begins_;
  std::size_t at_ = 0, line_begin_ = 0;
  int line_ = 1;
};

}  // namespace trackplex::io::detail
