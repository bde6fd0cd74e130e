// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/core/pow.hpp>
#include <trackplex/io/detail/lattice_tokens.hpp>
#include <trackplex/io/detail/number_from_text.hpp>
#include <trackplex/io/pals/detail/pals_functions.hpp>
#include <trackplex/io/pals/detail/pals_species.hpp>
#include <trackplex/io/pals/detail/yaml_node.hpp>

#include <cmath>
#include <cstddef>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

/// @file
/// Expressions in PALS files: + - * / ^ and parentheses, numbers, names, parameters of elements and
/// functions. ^ binds before a sign; a chain of ^ needs parentheses.

namespace trackplex::io::detail {

/// Parameter of an element: `lattice>>>line>>element#number>path`.
struct PalsReference {
  std::string lattice{}, line{}, element{};
  int number = 0;      ///< Number of the element among those of the name; 0: all.
  std::string path{};  ///< Group and parameter, with dots.

  /// Splits a text; without `>` it is a path alone.
  static PalsReference of(std::string_view text, const YamlPlace& at) {
    PalsReference reference;
    const auto cut = [&](std::string_view separator, std::string& before) {
      const std::size_t found = text.find(separator);
      if (found == text.npos) return false;
      before = text.substr(0, found);
      text.remove_prefix(found + separator.size());
      return true;
    };
    cut(">>>", reference.lattice);
    cut(">>", reference.line);
    cut(">", reference.element);
    reference.path = text;
    const std::size_t hash = reference.element.rfind('#');
    if (hash == std::string::npos) return reference;
    if (number_from_text(std::string_view(reference.element).substr(hash + 1), reference.number) !=
            NumberText::number ||
        reference.number < 1)
      refuse_yaml(at, "a number is missing after #", "\"" + reference.element + "\"");
    reference.element.resize(hash);
    return reference;
  }
};

/// Tells whether a text is a number by itself, and no word such as "inf".
inline bool is_pals_number(std::string_view text, double& number) {
  const std::size_t first = text.find_first_not_of("+-");
  if (first == text.npos || (text[first] != '.' && (text[first] < '0' || text[first] > '9')))
    return false;
  return number_from_text(text, number) == NumberText::number;
}

/// Meaning of names in expressions.
class PalsNames {
 public:
  virtual ~PalsNames() = default;
  /// Value of a constant or variable, or of `PARAMETER`.
  virtual double variable(const std::string& name, const YamlPlace& at) = 0;
  /// Value of a parameter of an element.
  virtual double parameter(const PalsReference& reference, const YamlPlace& at) = 0;
  /// Text of a constant or variable that is a particle.
  virtual std::string species(const std::string& name, const YamlPlace& at) = 0;
  virtual double uniform() = 0;  ///< Random number in (0, 1).
  virtual double normal() = 0;   ///< Random number of the normal distribution.
};

/// Evaluates an expression.
class PalsExpression {
 public:
  static constexpr int max_depth = 50;

  /// @throws InputError at the place of the text, if it is no expression
  static double evaluate(const std::string& text, const YamlPlace& at, PalsNames& names) {
    PalsExpression expression(text, at, names);
    const double value = expression.sum(0);
    expression.skip_spaces();
    if (expression.at_ < text.size())
      expression.refuse("'" + text.substr(expression.at_, 20) + "' is not expected there");
    if (std::isnan(value)) expression.refuse("the value is not defined");
    return value;
  }

 private:
  PalsExpression(const std::string& text, const YamlPlace& at, PalsNames& names)
      : text_(text), place_(at), names_(names) {}

  [[noreturn]] void refuse(const std::string& why, const std::string& hint = {}) const {
    refuse_yaml(place_, "\"" + text_.substr(0, 80) + "\" is no number", why, hint);
  }
  void skip_spaces() {
    while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\t' || text_[at_] == '\n'))
      ++at_;
  }
  char peek() const { return at_ < text_.size() ? text_[at_] : '\0'; }
  bool take(char symbol) {
    skip_spaces();
    if (peek() != symbol) return false;
    ++at_;
    return true;
  }
  static bool is_digit(char c) { return c >= '0' && c <= '9'; }
  static bool is_letter(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
  }
  static bool is_name(char c) { return is_letter(c) || is_digit(c); }

  double sum(int depth) {
    if (depth > max_depth) refuse("it is nested too deeply");
    double value = product(depth);
    for (;;) {
      if (take('+'))
        value += product(depth);
      else if (take('-'))
        value -= product(depth);
      else
        return value;
    }
  }
  double product(int depth) {
    double value = signed_power(depth);
    for (;;) {
      if (take('*')) {
        value *= signed_power(depth);
      } else if (take('/')) {
        const double by = signed_power(depth);
        if (by == 0.) refuse("it divides by 0");
        value /= by;
      } else {
        return value;
      }
    }
  }
  /// A sign, which applies to the power after it.
  double signed_power(int depth) {
    if (depth > max_depth) refuse("it is nested too deeply");
    if (take('-')) return -signed_power(depth + 1);
    if (take('+')) return signed_power(depth + 1);
    const double base = primary(depth);
    if (!take('^')) return base;
    const bool is_negative = take('-');
    if (!is_negative) take('+');
    const double exponent = primary(depth);
    if (take('^')) refuse("a power of a power needs parentheses", "write (a^b)^c or a^(b^c)");
    return trackplex::pow(base, is_negative ? -exponent : exponent);
  }
  double primary(int depth) {
    skip_spaces();
    if (take('(')) {
      const double value = sum(depth + 1);
      if (!take(')')) refuse("')' is missing");
      return value;
    }
    if (is_digit(peek()) || peek() == '.') return number();
    if (is_letter(peek())) return name(depth);
    if (peek() == '\0') refuse("a value is missing at the end");
    refuse("a value is missing before '" + text_.substr(at_, 20) + "'");
  }

  double number() {
    const std::size_t begin = at_;
    while (is_name(peek()) || peek() == '.' ||
           ((peek() == '+' || peek() == '-') && (text_[at_ - 1] == 'e' || text_[at_ - 1] == 'E')))
      ++at_;
    const std::string_view word = std::string_view(text_).substr(begin, at_ - begin);
    double value = 0.;
    const NumberText what = number_from_text(word, value);
    if (what == NumberText::number) return value;
    if (word == ".inf" || word == ".Inf" || word == ".INF")
      return std::numeric_limits<double>::infinity();
    std::string hint;
    if (word.find('_') != word.npos) hint = "leave out the _";
    if (word.size() > 1 && is_letter(word[1]) && word[0] == '0') hint = "write it in decimal";
    if (word.find_first_of("dD") != word.npos) hint = "exponents begin with e";
    refuse("'" + std::string(word) + "' " + problem_of(what), hint);
  }

  double name(int depth) {
    const std::size_t begin = at_;
    while (is_name(peek())) ++at_;
    const std::string name = text_.substr(begin, at_ - begin);
    if (peek() == '>' || peek() == '.' || peek() == '#') return parameter(begin);
    if (take('(')) return function(name, depth);
    if (name == "Inf") return std::numeric_limits<double>::infinity();
    for (const std::string_view word : {"true", "false", "yes", "no", "on", "off"})
      if (lower_case_word(name) == word) refuse("it is a word for a choice");
    if (const auto constant = pals_constant(name)) return *constant;
    return names_.variable(name, place_);
  }
  static std::string lower_case_word(std::string word) {
    for (char& c : word)
      if (c >= 'A' && c <= 'Z') c = char(c - 'A' + 'a');
    return word;
  }
  double parameter(std::size_t begin) {
    while (is_name(peek()) || peek() == '>' || peek() == '.' || peek() == '#') ++at_;
    std::string path = text_.substr(begin, at_ - begin);
    if (path.starts_with("SELF.")) path[4] = '>';
    const PalsReference reference = PalsReference::of(path, place_);
    if (reference.element.empty() || reference.path.empty())
      refuse("'" + path + "' is no parameter", "write element>group.parameter");
    return names_.parameter(reference, place_);
  }

  double function(const std::string& name, int depth) {
    if (name == "mass_of" || name == "charge_of" || name == "anomalous_moment_of")
      return of_species(name);
    if (name == "random") return close(names_.uniform());
    if (name == "ran_gauss" || name == "random_gauss") return gauss(depth);
    const PalsFunction* const known = find_pals_function(name);
    if (!known) {
      std::vector<std::string_view> words;
      for (const PalsFunction& one : pals_functions) words.push_back(one.name);
      refuse("there is no function '" + name + "'", closest_name(name, words));
    }
    const double first = sum(depth + 1);
    if (known->of_one) return close(known->of_one(first));
    if (!take(',')) refuse("'" + name + "' has two values");
    const double second = sum(depth + 1);
    return close(known->of_two(first, second));
  }
  double close(double value) {
    if (!take(')')) refuse("')' is missing");
    return value;
  }
  /// A normal random number, within a cut if there is one.
  double gauss(int depth) {
    if (take(')')) return names_.normal();
    const double cut = sum(depth + 1);
    if (!(cut >= 0.01)) refuse("the cut of a random number is too small");
    double value = names_.normal();
    while (std::abs(value) > cut) value = names_.normal();
    return close(value);
  }
  double of_species(const std::string& function) {
    skip_spaces();
    const char mark = peek();
    std::string name;
    if (mark == '"' || mark == '\'') {
      const std::size_t end = text_.find(mark, at_ + 1);
      if (end == text_.npos) refuse("quotation marks are not closed");
      name = text_.substr(at_ + 1, end - at_ - 1);
      at_ = end + 1;
    } else {
      const std::size_t begin = at_;
      while (is_name(peek())) ++at_;
      name = text_.substr(begin, at_ - begin);
      if (!beam::find_species(name)) name = names_.species(name, place_);
    }
    const beam::Species* const known = beam::find_species(name);
    if (!known) refuse("the particle '" + name + "' is not known here");
    if (function == "mass_of") return close(known->mass);
    if (function == "charge_of") return close(known->charge);
    if (!known->anomaly) refuse("the anomalous moment of '" + name + "' is not known here");
    return close(*known->anomaly);
  }

  const std::string& text_;
  const YamlPlace& place_;
  PalsNames& names_;
  std::size_t at_ = 0;
};

}  // namespace trackplex::io::detail
