// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/core/constants.hpp>
#include <trackplex/core/math.hpp>
#include <trackplex/core/pow.hpp>
#include <trackplex/io/detail/lattice_tokens.hpp>
#include <trackplex/io/detail/number_from_text.hpp>
#include <trackplex/io/elegant/detail/rpn_operations.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <map>
#include <numbers>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

/// @file
/// Values in elegant's lattice files: infix arithmetic and reverse Polish notation (RPN).

namespace trackplex::io::detail {

/// Whether a word is a number with the exponent D of Fortran.
inline bool has_exponent_d(std::string_view word) {
  const auto letter = word.find_first_of("dD");
  if (letter == word.npos || letter == 0) return false;
  std::string with_e(word);
  with_e[letter] = 'e';
  double value = 0.;
  return number_from_text(with_e, value) == NumberText::number &&
         with_e.find_first_of("0123456789") < letter;
}

/// Numbers with names, and the values of expressions of them. Names have a case, as in elegant;
/// words without quotation marks are in upper case there.
class LatticeConstants {
 public:
  explicit LatticeConstants(const std::string& file) : file_(file) {
    using constants::elegant::electron_mass;
    const double pi = std::numbers::pi, c = constants::speed_of_light;
    values_ = {{"pi", pi},
               {"log_10", trackplex::log(10.)},
               {"HUGE", trackplex::exp(100.)},
               {"on_div_by_zero", trackplex::exp(100.)},
               {"c_cgs", 100. * c},
               {"c_mks", c},
               {"e_cgs", 4.80325e-10},
               {"e_mks", 1.60217733e-19},
               {"me_cgs", 9.1093897e-28},
               {"me_mks", 9.1093897e-31},
               {"re_cgs", 2.81794092e-13},
               {"re_mks", 2.81794092e-15},
               {"kb_cgs", 1.380658e-16},
               {"kb_mks", 1.380658e-23},
               {"mev", electron_mass},
               {"hbar_mks", 1.0545887e-34},
               {"hbar_MeVs", 6.582173e-22},
               {"mp_mks", 1.6726485e-27},
               {"mu_o", 4. * pi * 1e-7},
               {"eps_o", 1e7 / 4. / pi / (c * c)}};
  }

  /// Gives a name a value, in the place of an earlier one.
  void set(std::string_view name, double value) { values_[std::string(name)] = value; }
  /// The same for a name without quotation marks, which is in upper case to elegant.
  void set_unquoted(std::string_view name, double value) {
    set(name, value);
    set(upper_case(name), value);
  }

  /// The value of words in RPN: the number that they leave, or with comparisons, which leave
  /// theirs, the last one. `at` is for messages.
  double rpn(std::string_view text, const LatticeToken& at) {
    commands_ = {};  // numbers that commands have left are below others in elegant
    RpnStacks stacks;
    const bool compares = run(words_of(text), stacks, at);
    if (stacks.numbers.empty() || (stacks.numbers.size() > 1 && !compares))
      refuse_lattice(
          file_, at,
          "the RPN expression leaves " + std::to_string(stacks.numbers.size()) + " numbers", {},
          "it must leave one");
    return stacks.numbers.back();
  }

  /// Does what words in RPN behind a % say, which give names to numbers; those that they leave are
  /// there for the next ones.
  void command(std::string_view text, const LatticeToken& at) {
    run(words_of(text), commands_, at);
    constexpr std::size_t most = 10'000;
    if (commands_.numbers.size() > most)
      refuse_lattice(file_, at, "commands in RPN leave too many numbers", {},
                     "take them away: % 1 sto a pop");
  }

  /// The value of a constant.
  double value(const std::string& name, const LatticeToken& at) const {
    const auto found = values_.find(name);
    if (found == values_.end()) refuse_unknown(name, at);
    return found->second;
  }
  /// The value of a constant without quotation marks: of its name in upper case, or else as it is.
  double unquoted(const std::string& name, const LatticeToken& at) const {
    const auto found = values_.find(upper_case(name));
    return found == values_.end() ? value(name, at) : found->second;
  }

  /// The result of an operation, which must be a finite number.
  double operation(char symbol, double a, double b, const LatticeToken& at) const {
    if (symbol == '/' && b == 0.) refuse_lattice(file_, at, "division by zero");
    return finite(symbol == '+'   ? a + b
                  : symbol == '-' ? a - b
                  : symbol == '*' ? a * b
                  : symbol == '/' ? a / b
                                  : trackplex::pow(a, b),
                  at);
  }
  double finite(double value, const LatticeToken& at) const {
    if (!std::isfinite(value)) refuse_lattice(file_, at, "the result is not a finite number");
    return value;
  }

  const std::string& file() const { return file_; }
  const std::map<std::string, double>& values() const { return values_; }

 private:
  using Words = std::vector<std::string>;

  [[noreturn]] void refuse_unknown(const std::string& name, const LatticeToken& at) const {
    if (has_exponent_d(name))
      refuse_lattice(file_, at, "'" + name + "' has an exponent D",
                     "elegant takes what is before it, without a word", "write e: 1.5e-3");
    std::vector<std::string> names;
    for (const auto& [known, value] : values_) names.push_back(known);
    refuse_lattice(file_, at, "there is no number '" + name + "'", {},
                   closest_name(name, names, "give it a value before: % 1.5 sto " + name));
  }

  /// Words are between blanks, commas and semicolons. The $ of a conditional may touch one.
  static Words words_of(std::string_view text) {
    constexpr std::string_view between = " \t\r\n\v\f,;";
    Words words;
    int conditionals = 0;
    for (std::size_t begin = 0; (begin = text.find_first_not_of(between, begin)) != text.npos;) {
      const std::size_t end = std::min(text.find_first_of(between, begin), text.size());
      auto word = std::string(text.substr(begin, end - begin));
      begin = end;
      conditionals += word == "?";
      const bool has_end = conditionals > 0 && word.size() > 1 && word.back() == '$';
      if (has_end) word.pop_back();
      words.push_back(std::move(word));
      if (has_end) words.emplace_back("$");
      conditionals -= words.back() == "$";
    }
    return words;
  }

  /// Runs words; returns whether there is a comparison among them.
  bool run(const Words& words, RpnStacks& stacks, const LatticeToken& at) {
    bool compares = false;
    run(words, 0, words.size(), stacks, compares, at, 0);
    return compares;
  }
  void run(const Words& words, std::size_t begin, std::size_t end, RpnStacks& stacks,
           bool& compares, const LatticeToken& at, int depth) {
    constexpr int max_depth = 200;
    if (depth > max_depth) refuse_lattice(file_, at, "conditionals are nested too deeply");
    for (std::size_t i = begin; i < end; ++i) {
      if (words[i] == "sto") {
        if (++i >= end) refuse_lattice(file_, at, "sto has no name after it");
        store(words[i], stacks, at);
      } else if (words[i] == "?") {
        need(stacks.truths.size(), 1, "?", "comparisons", at);
        const auto [middle, last] = branches(words, i, end, at);
        const bool is_true = stacks.pop_truth();
        run(words, is_true ? i + 1 : middle + 1, is_true ? middle : last, stacks, compares, at,
            depth + 1);
        i = last;
      } else {
        run_word(words[i], stacks, at);
        compares = compares || !stacks.truths.empty();
      }
    }
  }

  /// The places of the : and the $ that belong to a ?.
  std::pair<std::size_t, std::size_t> branches(const Words& words, std::size_t at_question,
                                               std::size_t end, const LatticeToken& at) const {
    std::size_t middle = end;
    int depth = 1;
    for (std::size_t i = at_question + 1; i < end; ++i) {
      if (words[i] == "?") ++depth;
      if (words[i] == ":" && depth == 1) middle = i;
      if (words[i] == "$" && --depth == 0) {
        if (middle == end) break;
        return {middle, i};
      }
    }
    refuse_lattice(file_, at, "a conditional is not complete", {},
                   "its form is: a b < ? then : else $");
  }

  void need(std::size_t there, std::size_t needed, const std::string& word, const char* what,
            const LatticeToken& at) const {
    if (there < needed)
      refuse_lattice(file_, at, "'" + word + "' has too few " + what + " before it");
  }

  void store(const std::string& name, const RpnStacks& stacks, const LatticeToken& at) {
    need(stacks.numbers.size(), 1, "sto", "numbers", at);
    if (!is_lattice_letter(name[0]))
      refuse_lattice(file_, at, "'" + name + "' is no name for a number");
    if (lattice_function(name) || rpn_operation(name))
      refuse_lattice(file_, at, "'" + name + "' is an operation", {}, "take another name");
    set(name, stacks.numbers.back());
  }

  void run_word(const std::string& word, RpnStacks& stacks, const LatticeToken& at) const {
    if (const auto found = values_.find(word); found != values_.end()) {
      stacks.push(found->second);
    } else if (const auto function = lattice_function(word)) {
      need(stacks.numbers.size(), 1, word, "numbers", at);
      stacks.push(finite(function(stacks.pop()), at));
    } else if (const auto* operation = rpn_operation(word)) {
      need(stacks.numbers.size(), operation->numbers, word, "numbers", at);
      need(stacks.truths.size(), operation->truths, word, "comparisons", at);
      if (operation->of_many && !(rpn_operands(stacks.at(1)) < double(stacks.numbers.size())))
        need(0, 1, word, "numbers", at);
      const bool divides = word == "/" || word == "mod" || word == "fmod" || word == "rec";
      if (divides && stacks.numbers.back() == 0.) refuse_lattice(file_, at, "division by zero");
      operation->apply(stacks);
      if (!stacks.numbers.empty()) finite(stacks.numbers.back(), at);
    } else if (is_lattice_letter(word[0])) {
      refuse_unknown_word(word, at);
    } else {
      stacks.push(number(word, at));
    }
  }

  [[noreturn]] void refuse_unknown_word(const std::string& word, const LatticeToken& at) const {
    const auto lower = lower_case(word);
    if (lattice_function(lower) || rpn_operation(lower))
      refuse_lattice(file_, at, "there is no operation '" + word + "'", "names have a case here",
                     "did you mean " + lower + "?");
    refuse_unknown(word, at);
  }

  double number(const std::string& word, const LatticeToken& at) const {
    double value = 0.;
    const auto what = number_from_text(word, value);
    if (has_exponent_d(word)) refuse_unknown(word, at);
    if (what == NumberText::too_large) refuse_lattice(file_, at, "'" + word + "' is too large");
    if (what == NumberText::no_number || !std::isfinite(value))
      refuse_lattice(file_, at, "'" + word + "' is no number and no operation");
    return value;
  }

  const std::string& file_;
  std::map<std::string, double> values_;
  RpnStacks commands_;  ///< what commands have left
};

/// Reads infix expressions from a list of words: + - * / ^ and parentheses, numbers, constants,
/// functions of one number, and RPN in quotation marks. ^ binds before a sign, from the right.
class LatticeExpression {
 public:
  static constexpr int max_depth = 200;

  LatticeExpression(const std::vector<LatticeToken>& tokens, std::size_t& at,
                    LatticeConstants& constants)
      : tokens_(tokens), at_(at), constants_(constants) {}

  double value() { return sum(0); }

  /// A number, a constant or RPN, with a sign or none; nothing before a parenthesis.
  std::optional<double> plain_value() {
    const bool is_negative = take_signs();
    if (current().is('(') ||
        (current().kind == LatticeToken::Kind::name && tokens_[at_ + 1].is('(')))
      return {};
    const double result = primary(0);
    return is_negative ? -result : result;
  }

 private:
  const LatticeToken& current() const { return tokens_[at_]; }
  [[noreturn]] void refuse(const std::string& problem) const {
    refuse_lattice(constants_.file(), current(), problem);
  }

  double sum(int depth) {
    if (depth > max_depth) refuse("parentheses are nested too deeply");
    double result = product(depth);
    while (current().is('+') || current().is('-')) {
      const LatticeToken& operation = tokens_[at_++];
      const double other = product(depth);
      result = constants_.operation(operation.text[0], result, other, operation);
    }
    return result;
  }

  double product(int depth) {
    double result = signed_power(depth);
    while (current().is('*') || current().is('/')) {
      const LatticeToken& operation = tokens_[at_++];
      const double other = signed_power(depth);
      result = constants_.operation(operation.text[0], result, other, operation);
    }
    return result;
  }

  /// Returns whether the signs here make a negative value.
  bool take_signs() {
    bool is_negative = false;
    for (; current().is('+') || current().is('-'); ++at_)
      is_negative = is_negative != current().is('-');
    return is_negative;
  }

  double signed_power(int depth) {
    const bool is_negative = take_signs();
    const double result = power(depth);
    return is_negative ? -result : result;
  }

  double power(int depth) {
    const double base = primary(depth);
    if (!current().is('^')) return base;
    const LatticeToken& operation = tokens_[at_++];
    if (depth >= max_depth) refuse("powers are nested too deeply");
    const bool is_negative = take_signs();
    const double exponent = power(depth + 1);
    return constants_.operation('^', base, is_negative ? -exponent : exponent, operation);
  }

  double primary(int depth) {
    using Kind = LatticeToken::Kind;
    const LatticeToken& token = current();
    if (token.kind == Kind::number) return ++at_, token.value;
    if (token.kind == Kind::quoted) return ++at_, constants_.rpn(token.text, token);
    if (token.is('(')) return in_parentheses(depth);
    if (token.kind != Kind::name)
      refuse(token.kind == Kind::end ? "a value is missing at the end of the statement"
                                     : "a value is missing before '" + token.text + "'");
    ++at_;
    if (!current().is('(')) return constants_.unquoted(token.text, token);
    const auto function = lattice_function(lower_case(token.text));
    if (!function) {
      --at_;
      refuse("there is no function '" + token.text + "'");
    }
    return constants_.finite(function(in_parentheses(depth)), token);
  }

  double in_parentheses(int depth) {
    const LatticeToken& open = tokens_[at_++];
    const double result = sum(depth + 1);
    if (!current().is(')'))
      refuse_lattice(constants_.file(), current(), "')' is missing",
                     "for '(' in line " + std::to_string(open.line) + ", column " +
                         std::to_string(open.column));
    ++at_;
    return result;
  }

  const std::vector<LatticeToken>& tokens_;
  std::size_t& at_;
  LatticeConstants& constants_;
};

}  // namespace trackplex::io::detail
