// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/core/derived_math.hpp>
#include <trackplex/core/error_function.hpp>
#include <trackplex/core/math.hpp>
#include <trackplex/core/pow.hpp>
#include <trackplex/io/madx/detail/madx_tokens.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

/// @file
/// Expressions in MAD-X files, kept as they are written so that they can be evaluated at any time.

namespace trackplex::io::detail {

/// Place in a file; the name of the file belongs to `MadxModel`.
struct MadxPlace {
  const std::string* file = nullptr;
  int line = 0, column = 0;

  MadxPlace() = default;
  MadxPlace(const LatticeToken& token) : file(token.file), line(token.line), column(token.column) {}
};

/// Throws InputError that names the file, the line and column, and what is wrong.
[[noreturn]] inline void refuse_madx(const MadxPlace& at, const std::string& problem,
                                     const std::string& why = {}, const std::string& hint = {}) {
  if (!at.file) throw InputError({"MAD-X"}, problem, why, hint);
  throw InputError(
      {*at.file, "line " + std::to_string(at.line) + ", column " + std::to_string(at.column)},
      problem, why, hint);
}

/// A function of one number, or null.
inline double (*madx_function(std::string_view name))(double) {
  struct Function {
    std::string_view name;
    double (*function)(double);
  };
  static constexpr Function functions[] = {
      {"sqrt", [](double v) { return std::sqrt(v); }},
      {"log", [](double v) { return trackplex::log(v); }},
      {"log10", [](double v) { return trackplex::log10(v); }},
      {"exp", [](double v) { return trackplex::exp(v); }},
      {"sin", [](double v) { return trackplex::sin(v); }},
      {"cos", [](double v) { return trackplex::cos(v); }},
      {"tan", [](double v) { return trackplex::tan(v); }},
      {"asin", [](double v) { return trackplex::asin(v); }},
      {"acos", [](double v) { return trackplex::acos(v); }},
      {"atan", [](double v) { return trackplex::atan(v); }},
      {"sinh", [](double v) { return trackplex::sinh(v); }},
      {"cosh", [](double v) { return trackplex::cosh(v); }},
      {"tanh", [](double v) { return trackplex::tanh(v); }},
      {"asinh", [](double v) { return trackplex::asinh(v); }},
      {"acosh", [](double v) { return trackplex::acosh(v); }},
      {"atanh", [](double v) { return trackplex::atanh(v); }},
      {"sinc", [](double v) { return v == 0. ? 1. : trackplex::sin(v) / v; }},
      {"erf", [](double v) { return trackplex::erf(v); }},
      {"erfc", [](double v) { return trackplex::erfc(v); }},
      {"abs", [](double v) { return std::abs(v); }},
      {"floor", [](double v) { return std::floor(v); }},
      {"ceil", [](double v) { return std::ceil(v); }},
      {"round", [](double v) { return std::nearbyint(v); }},
      {"frac", [](double v) { return v - std::trunc(v); }},
  };
  for (const auto& f : functions)
    if (f.name == name) return f.function;
  return nullptr;
}

/// Step of an expression in reverse Polish notation.
struct MadxStep {
  enum class Kind { number, variable, attribute, table, negate, operation, function };
  Kind kind = Kind::number;
  double value = 0.;
  char symbol = 0;
  double (*function)(double) = nullptr;
  std::string name{}, attribute{};   ///< of a variable, or an element and its attribute
  std::vector<std::string> words{};  ///< of table(...)
  MadxPlace at{};

  /// table(...) as it is written.
  std::string shown_table() const {
    std::string text;
    for (const std::string& word : words) text += (text.empty() ? "table(" : ", ") + word;
    return text + ")";
  }
};

/// Expression: a number, or steps in reverse Polish notation, which copies share.
struct MadxExpression {
  double number = 0.;
  std::shared_ptr<const std::vector<MadxStep>> steps{};

  bool has_table() const {
    return steps && std::ranges::any_of(*steps, [](const MadxStep& step) {
             return step.kind == MadxStep::Kind::table;
           });
  }
  static MadxExpression constant(double value) { return {value, {}}; }
  static MadxExpression of(std::vector<MadxStep> steps) {
    return {0., std::make_shared<const std::vector<MadxStep>>(std::move(steps))};
  }
};

/// a + b, a - b, a * b or a / b, where b must not be the number 0.
inline MadxExpression combined(const MadxExpression& a, char symbol, const MadxExpression& b) {
  if (!a.steps && !b.steps)
    return MadxExpression::constant(symbol == '+'   ? a.number + b.number
                                    : symbol == '-' ? a.number - b.number
                                    : symbol == '*' ? a.number * b.number
                                                    : a.number / b.number);
  std::vector<MadxStep> steps;
  for (const MadxExpression* part : {&a, &b}) {
    if (part->steps)
      steps.insert(steps.end(), part->steps->begin(), part->steps->end());
    else
      steps.push_back({.value = part->number});
  }
  steps.push_back({.kind = MadxStep::Kind::operation, .symbol = symbol});
  return MadxExpression::of(std::move(steps));
}

/// A function of an expression, by its name.
inline MadxExpression applied(std::string_view function, const MadxExpression& to) {
  const auto known = madx_function(function);
  if (!to.steps) return MadxExpression::constant(known(to.number));
  std::vector<MadxStep> steps = *to.steps;
  steps.push_back({.kind = MadxStep::Kind::function, .function = known});
  return MadxExpression::of(std::move(steps));
}

/// The whole part of an expression.
inline MadxExpression truncated(const MadxExpression& of) {
  if (!of.steps) return MadxExpression::constant(std::trunc(of.number));
  std::vector<MadxStep> steps = *of.steps;
  steps.push_back(
      {.kind = MadxStep::Kind::function, .function = [](double v) { return std::trunc(v); }});
  return MadxExpression::of(std::move(steps));
}

/// Parser of expressions: + - * / ^ and parentheses, numbers, variables, attributes of elements
/// (`name->attribute`), functions of one number, values of tables. As in MAD-X, ^ binds before a
/// sign and is evaluated from the left, a sign stands only at the start, also of parentheses, and
/// exist(name) is 1 if there is such a variable where the expression stands.
class MadxExpressionParser {
 public:
  static constexpr int max_depth = 200;
  using Exists = std::function<bool(const std::string&)>;

  MadxExpressionParser(const std::vector<LatticeToken>& tokens, std::size_t& at, Exists exists)
      : tokens_(tokens), at_(at), exists_(std::move(exists)) {}

  MadxExpression parse() {
    sum(0);
    if (steps_.size() == 1 && steps_[0].kind == Kind::number)
      return MadxExpression::constant(steps_[0].value);
    return MadxExpression::of(std::move(steps_));
  }

 private:
  using Kind = MadxStep::Kind;

  const LatticeToken& current() const { return tokens_[at_]; }
  void add(MadxStep step, const LatticeToken& at) {
    step.at = at;
    steps_.push_back(std::move(step));
  }
  void operation(const LatticeToken& symbol) {
    add({.kind = Kind::operation, .symbol = symbol.text[0]}, symbol);
  }
  bool is_one_of(std::string_view symbols) const {
    return current().kind == LatticeToken::Kind::symbol && current().text.size() == 1 &&
           symbols.find(current().text[0]) != symbols.npos;
  }

  void sum(int depth) {
    if (depth > max_depth) refuse_madx(current(), "parentheses are nested too deeply");
    const LatticeToken& first = current();
    if (is_one_of("+-")) ++at_;
    product(depth);
    if (first.is('-')) add({.kind = Kind::negate}, first);
    while (is_one_of("+-")) {
      const LatticeToken& symbol = tokens_[at_++];
      product(depth);
      operation(symbol);
    }
  }
  void product(int depth) {
    power(depth);
    while (is_one_of("*/")) {
      const LatticeToken& symbol = tokens_[at_++];
      power(depth);
      operation(symbol);
    }
  }
  void power(int depth) {
    primary(depth);
    while (is_one_of("^")) {
      const LatticeToken& symbol = tokens_[at_++];
      primary(depth);
      operation(symbol);
    }
  }

  void primary(int depth) {
    const LatticeToken& token = current();
    if (token.kind == LatticeToken::Kind::number) {
      ++at_;
      return add({.kind = Kind::number, .value = token.value}, token);
    }
    if (token.is('(')) return in_parentheses(depth);
    if (is_one_of("+-") && at_ > 0)
      refuse_madx(token, "a sign stands after '" + tokens_[at_ - 1].text + "'",
                  "MAD-X does not read that", "put the sign and the value in parentheses");
    if (token.kind != LatticeToken::Kind::name)
      refuse_madx(token, token.kind == LatticeToken::Kind::end
                             ? "a value is missing at the end of the statement"
                             : "a value is missing before '" + token.text + "'");
    if (token.text[0] == '#' || token.text[0] == '$')
      refuse_madx(token, "'" + token.text + "' is no variable");
    ++at_;
    if (current().is('(')) return function(token, depth);
    if (!is_symbol(current(), "->"))
      return add({.kind = Kind::variable, .name = token.text}, token);
    ++at_;
    if (current().kind != LatticeToken::Kind::name)
      refuse_madx(current(), "the name of an attribute is missing after ->");
    add({.kind = Kind::attribute, .name = token.text, .attribute = current().text}, token);
    ++at_;
  }

  void function(const LatticeToken& name, int depth) {
    if (name.text == "exist") return exist(name);
    if (name.text == "table") return table(name);
    const auto known = madx_function(name.text);
    if (!known) {
      for (const std::string_view random : {"ranf", "gauss", "tgauss", "user0", "user1", "user2"})
        if (name.text == random)
          refuse_madx(name, "'" + name.text + "' is a random number",
                      "results would depend on the generator of MAD-X", "give the number itself");
      refuse_madx(name, "there is no function '" + name.text + "'");
    }
    in_parentheses(depth);
    add({.kind = Kind::function, .function = known}, name);
  }
  void exist(const LatticeToken& name) {
    ++at_;
    if (current().kind != LatticeToken::Kind::name)
      refuse_madx(current(), "the name of a variable is missing in exist(...)");
    const bool is_there = exists_(tokens_[at_++].text);
    close(name);
    add({.value = is_there ? 1. : 0.}, name);
  }
  void table(const LatticeToken& name) {
    MadxStep step{.kind = Kind::table};
    do {
      ++at_;
      std::string word;
      while (current().kind != LatticeToken::Kind::end && !current().is(',') && !current().is(')'))
        word += lower_case(tokens_[at_++].text);
      step.words.push_back(std::move(word));
    } while (current().is(','));
    close(name);
    add(std::move(step), name);
  }
  void close(const LatticeToken& open) {
    if (!current().is(')'))
      refuse_madx(current(), "')' is missing after " + open.text + "(",
                  "in line " + std::to_string(open.line));
    ++at_;
  }
  void in_parentheses(int depth) {
    const LatticeToken& open = tokens_[at_++];
    sum(depth + 1);
    if (!current().is(')'))
      refuse_madx(current(), "')' is missing",
                  "for '(' in line " + std::to_string(open.line) + ", column " +
                      std::to_string(open.column));
    ++at_;
  }

  const std::vector<LatticeToken>& tokens_;
  std::size_t& at_;
  Exists exists_;
  std::vector<MadxStep> steps_;
};

}  // namespace trackplex::io::detail
