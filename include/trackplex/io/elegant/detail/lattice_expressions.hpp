// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/core/constants.hpp>
#include <trackplex/core/derived_math.hpp>
#include <trackplex/core/math.hpp>
#include <trackplex/core/pow.hpp>
#include <trackplex/io/detail/float_from_chars.hpp>
#include <trackplex/io/detail/lattice_tokens.hpp>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <functional>
#include <map>
#include <numbers>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

/// @file
/// Values in elegant's lattice files: infix arithmetic and reverse Polish notation (RPN).

namespace trackplex::io::detail {

/// A function of one number that expressions know, or null.
inline double (*lattice_function(std::string_view name))(double) {
  struct Function {
    std::string_view name;
    double (*function)(double);
  };
  static constexpr double degree = std::numbers::pi / 180.;
  static constexpr Function functions[] = {
      {"SIN", [](double v) { return trackplex::sin(v); }},
      {"COS", [](double v) { return trackplex::cos(v); }},
      {"TAN", [](double v) { return trackplex::tan(v); }},
      {"ASIN", [](double v) { return trackplex::asin(v); }},
      {"ACOS", [](double v) { return trackplex::acos(v); }},
      {"ATAN", [](double v) { return trackplex::atan(v); }},
      {"EXP", [](double v) { return trackplex::exp(v); }},
      {"LN", [](double v) { return trackplex::log(v); }},
      {"SQRT", [](double v) { return std::sqrt(v); }},
      {"SQR", [](double v) { return v * v; }},
      {"ABS", [](double v) { return std::abs(v); }},
      {"LOG10", [](double v) { return trackplex::log10(v); }},
      {"SINH", [](double v) { return trackplex::sinh(v); }},
      {"COSH", [](double v) { return trackplex::cosh(v); }},
      {"TANH", [](double v) { return trackplex::tanh(v); }},
      {"INT", [](double v) { return std::trunc(v); }},
      // of angles in degrees
      {"DTOR", [](double v) { return v * degree; }},
      {"RTOD", [](double v) { return v / degree; }},
      {"DSIN", [](double v) { return trackplex::sin(v * degree); }},
      {"DCOS", [](double v) { return trackplex::cos(v * degree); }},
      {"DTAN", [](double v) { return trackplex::tan(v * degree); }},
      {"DASIN", [](double v) { return trackplex::asin(v) / degree; }},
      {"DACOS", [](double v) { return trackplex::acos(v) / degree; }},
      {"DATAN", [](double v) { return trackplex::atan(v) / degree; }},
      // of relativistic particles, p for beta gamma
      {"BETA.P", [](double p) { return p / trackplex::hypot(p, 1.); }},
      {"GAMMA.P", [](double p) { return trackplex::hypot(p, 1.); }},
      {"BETA.GAMMA", [](double gamma) { return std::sqrt(gamma * gamma - 1.) / gamma; }},
      {"GAMMA.BETA", [](double beta) { return 1. / std::sqrt(1. - beta * beta); }},
      {"P.BETA", [](double beta) { return beta / std::sqrt(1. - beta * beta); }},
      {"P.GAMMA", [](double gamma) { return std::sqrt(gamma * gamma - 1.); }},
  };
  for (const auto& f : functions)
    if (f.name == name) return f.function;
  return nullptr;
}

/// Numbers with names, and the values of expressions of them. Names are the same in upper and lower
/// case.
class LatticeConstants {
 public:
  explicit LatticeConstants(const std::string& file) : file_(file) {
    values_["PI"] = std::numbers::pi;
    values_["C_MKS"] = constants::speed_of_light;
    values_["MEV"] = constants::elegant::electron_mass;
  }

  /// Gives a name a value, in the place of an earlier one.
  void set(std::string_view name, double value) { values_[upper_case(name)] = value; }

  /// The value of words in RPN; `sto name` gives a name the value on top. `at` is for messages.
  double rpn(std::string_view text, const LatticeToken& at) {
    std::vector<double> stack;
    bool is_name = false;  // behind sto
    for (std::size_t begin = 0; (begin = text.find_first_not_of(" \t\r", begin)) != text.npos;) {
      const std::size_t end = std::min(text.find_first_of(" \t\r", begin), text.size());
      const std::string word(text.substr(begin, end - begin));
      begin = end;
      if (is_name) {
        if (!is_lattice_letter(word[0]))
          refuse_lattice(file_, at, "'" + word + "' is no name for a number");
        set(word, top(stack, "sto", at));
        is_name = false;
      } else if (upper_case(word) == "STO") {
        is_name = true;
      } else {
        rpn_word(word, stack, at);
      }
    }
    if (is_name) refuse_lattice(file_, at, "sto has no name behind it");
    if (stack.size() != 1)
      refuse_lattice(file_, at,
                     "the RPN expression leaves " + std::to_string(stack.size()) + " numbers", {},
                     "it must leave one");
    return stack[0];
  }

  /// The value of a constant.
  double value(const std::string& name, const LatticeToken& at) const {
    const auto found = values_.find(upper_case(name));
    if (found == values_.end()) {
      std::vector<std::string> names;
      for (const auto& [known, value] : values_) names.push_back(known);
      refuse_lattice(file_, at, "there is no number '" + name + "'", {},
                     closest_name(name, names, "give it a value before: % 1.5 sto " + name));
    }
    return found->second;
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
  double top(const std::vector<double>& stack, const std::string& word,
             const LatticeToken& at) const {
    if (stack.empty()) refuse_lattice(file_, at, "'" + word + "' has too few numbers before it");
    return stack.back();
  }

  void rpn_word(const std::string& word, std::vector<double>& stack, const LatticeToken& at) const {
    const auto pop = [&] {
      const double value = top(stack, word, at);
      stack.pop_back();
      return value;
    };
    const std::string upper = upper_case(word);
    if (word.size() == 1 && std::string_view("+-*/").find(word[0]) != std::string_view::npos) {
      const double b = pop(), a = pop();
      stack.push_back(operation(word[0], a, b, at));
    } else if (upper == "POW" || upper == "^") {
      const double b = pop(), a = pop();
      stack.push_back(operation('^', a, b, at));
    } else if (upper == "MAX2" || upper == "MIN2" || upper == "HYPOT") {
      const double b = pop(), a = pop();
      stack.push_back(upper == "MAX2"   ? std::max(a, b)
                      : upper == "MIN2" ? std::min(a, b)
                                        : finite(trackplex::hypot(a, b), at));
    } else if (upper == "CHS") {
      stack.push_back(-pop());
    } else if (upper == "REC") {
      stack.push_back(operation('/', 1., pop(), at));
    } else if (upper == "DUP") {
      stack.push_back(top(stack, word, at));
    } else if (upper == "SWAP" || upper == "XCHG") {
      const double b = pop(), a = pop();
      stack.insert(stack.end(), {b, a});
    } else if (const auto function = lattice_function(upper)) {
      stack.push_back(finite(function(pop()), at));
    } else if (is_lattice_letter(word[0])) {
      stack.push_back(value(word, at));
    } else {
      stack.push_back(number(word, at));
    }
  }

  double number(const std::string& word, const LatticeToken& at) const {
    const char* begin = word.data() + (word[0] == '+' ? 1 : 0);
    const char* end = word.data() + word.size();
    double value = 0.;
    const auto [rest, error] = std::from_chars(begin, end, value);
    if (error != std::errc() || rest != end || !std::isfinite(value))
      refuse_lattice(file_, at, "'" + word + "' is no number and no operation");
    return value;
  }

  const std::string& file_;
  std::map<std::string, double> values_;
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
    if (!current().is('(')) return constants_.value(token.text, token);
    const auto function = lattice_function(upper_case(token.text));
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
