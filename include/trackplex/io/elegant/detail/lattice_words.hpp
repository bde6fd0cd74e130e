// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// @file
/// Words and values of elegant's lattice files, one after the other.

#include <trackplex/core/files.hpp>
#include <trackplex/core/shortest.hpp>
#include <trackplex/io/detail/find_beside.hpp>
#include <trackplex/io/detail/lattice_tokens.hpp>
#include <trackplex/io/elegant/detail/elegant_values.hpp>
#include <trackplex/io/elegant/detail/lattice_expressions.hpp>

#include <cstddef>
#include <filesystem>
#include <iterator>
#include <list>
#include <string>
#include <string_view>
#include <vector>

namespace trackplex::io::detail {

/// The words of a file, and of those that it includes, with the place of the next one.
class LatticeWords {
 protected:
  using Kind = LatticeToken::Kind;

  /// `infix`: whether values may be infix arithmetic.
  LatticeWords(std::string_view text, const std::string& file, bool infix)
      : file_(file), tokens_(LatticeLexer(text, file).tokens()), constants_(file), infix_(infix) {
    tokens_.emplace_back();  // so that there always is a word
  }

  const LatticeToken& current() const { return tokens_[at_]; }
  static std::string shown(const LatticeToken& token) {
    return token.kind == Kind::end ? "the end of the statement" : "'" + token.text + "'";
  }
  [[noreturn]] void refuse(const LatticeToken& at, const std::string& problem,
                           const std::string& why = {}, const std::string& hint = {}) const {
    refuse_lattice(file_, at, problem, why, hint);
  }
  /// `name(arguments)`, in a definition or in a list.
  [[noreturn]] void refuse_arguments(const LatticeToken& name) const {
    refuse(name, "'" + name.text + "' has arguments",
           "lines with arguments are MAD's, elegant has none", "write the line out");
  }
  void expect(char symbol, const std::string& where) {
    if (!current().is(symbol))
      refuse(current(),
             std::string("'") + symbol + "' is missing " + where + ", before " + shown(current()));
    ++at_;
  }
  const LatticeToken& take_name(const std::string& what) {
    if (!current().is_name() || current().text.empty())
      refuse(current(), what + " is missing, before " + shown(current()));
    return tokens_[at_++];
  }

  /// Puts the words of another file behind this statement. Its name is relative to that of the file
  /// that names it.
  void include(const LatticeToken& name) {
    if (included_.size() == max_includes)
      refuse(name, "more than " + std::to_string(max_includes) + " files are included", {},
             "no file may include itself");
    const auto path =
        find_beside(std::filesystem::path(*name.file).parent_path(), name.text, remarks_);
    included_.push_back(path.string());
    auto words = LatticeLexer(read_file(path), included_.back()).tokens();
    tokens_.insert(tokens_.begin() + std::ptrdiff_t(at_) + 2,
                   std::make_move_iterator(words.begin()), std::make_move_iterator(words.end()));
  }

  bool is_end_of_value() const { return current().is(',') || current().kind == Kind::end; }

  /// Of arithmetic elegant takes the first number and drops the rest: it is refused, unless asked
  /// for.
  double value_of_parameter() {
    LatticeExpression expression(tokens_, at_, constants_);
    if (infix_) return expression.value();
    const std::size_t begin = at_;
    const auto value = expression.plain_value();
    if (value && is_end_of_value()) return *value;
    const std::string by_elegant =
        value ? "elegant takes " + shortest(*value) : "elegant does not read it";
    at_ = begin;
    const double whole = expression.value();
    if (!is_end_of_value())
      refuse(current(), shown(current()) + " is not expected here", by_elegant);
    std::string text;
    for (std::size_t i = begin; i < at_; ++i) text += tokens_[i].text;
    refuse(tokens_[begin], "'" + text + "' is arithmetic",
           by_elegant + ", the whole is " + shortest(whole),
           "write it in reverse Polish notation between quotation marks, or ask for infix "
           "arithmetic (--infix)");
  }

  /// Passes over a value of any kind.
  void skip_value() {
    while (!is_end_of_value()) ++at_;
  }

  /// A word, a number as it is written, or text in quotation marks.
  std::string take_text(const ParameterRule& parameter) {
    std::string text;
    if (current().is('+') || current().is('-')) text = tokens_[at_++].text;
    if (!current().is_name() && current().kind != Kind::number)
      refuse(current(), "the text of " + std::string(parameter.name) + " is missing, before " +
                            shown(current()));
    text += tokens_[at_++].text;
    while (current().is('+') || current().is('-')) {  // a word without quotation marks
      text += tokens_[at_++].text;
      if (current().is_name() || current().kind == Kind::number) text += tokens_[at_++].text;
    }
    return text;
  }

  const std::string& file_;
  std::vector<std::string> remarks_;  ///< which of two files is meant
  std::vector<LatticeToken> tokens_;
  LatticeConstants constants_;
  std::size_t at_ = 0;

 private:
  static constexpr std::size_t max_includes = 1000;

  const bool infix_;
  std::list<std::string> included_;  ///< names of files
};

}  // namespace trackplex::io::detail
