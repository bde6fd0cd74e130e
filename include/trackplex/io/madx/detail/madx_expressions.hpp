// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/core/derived_math.hpp>
#include <trackplex/core/error_function.hpp>
#include <trackplex/core/math.hpp>
#include <trackplex/core/pow.hpp>
#include <trackplex/io/madx/detail/madx_tokens.hpp>

#include <cmath>
#include <cstddef>
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
      {"round", [](double v) { return std::round(v); }},
      {"frac", [](double v) { return v - std::trunc(v); }},
  };
  for (const auto& f : functions)
    if (f.name == name) return f.function;
  return nullptr;
}

/// Step of an expression in reverse Polish notation.
struct MadxStep {
  enum class Kind { number, variable, attribute, negate, operation, function };
  Kind kind = Kind::number;
  double value = 0.;
  char symbol = 0;
  double (*function)(double) = nullptr;
  std::string name{}, attribute{};  ///< of a variable, or an element and its attribute
  MadxPlace at{};
};

/// Expression: its steps in reverse Polish notation. Empty: 0.
struct MadxExpression {
  std::vector<MadxStep> steps;

  static MadxExpression constant(double value) {
    MadxExpression expression;
    expression.steps.emplace_back();
    expression.steps.back().value = value;
    return expression;
  }
};

/// Parser of expressions: + - * / ^ and parentheses, numbers, variables, attributes of elements
/// (`name->attribute`), functions of one number. As in MAD-X, ^ binds before a sign and is
/// evaluated from the left.
class MadxExpressionParser {
 public:
  static constexpr int max_depth = 200;

  MadxExpressionParser(const std::vector<LatticeToken>& tokens, std::size_t& at)
      : tokens_(tokens), at_(at) {}

  MadxExpression parse() {
    sum(0);
    return std::move(expression_);
  }

 private:
  using Kind = MadxStep::Kind;

  const LatticeToken& current() const { return tokens_[at_]; }
  void add(MadxStep step, const LatticeToken& at) {
    step.at = at;
    expression_.steps.push_back(std::move(step));
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
    signed_product(depth);
    while (is_one_of("+-")) {
      const LatticeToken& symbol = tokens_[at_++];
      signed_product(depth);
      operation(symbol);
    }
  }
  void signed_product(int depth) {
    signed_power(depth);
    while (is_one_of("*/")) {
      const LatticeToken& symbol = tokens_[at_++];
      signed_power(depth);
      operation(symbol);
    }
  }
  void signed_power(int depth) {
    const LatticeToken& first = current();
    bool is_negative = false;
    for (; is_one_of("+-"); ++at_) is_negative = is_negative != current().is('-');
    primary(depth);
    while (is_one_of("^")) {
      const LatticeToken& symbol = tokens_[at_++];
      if (is_one_of("+-")) {
        if (depth >= max_depth) refuse_madx(symbol, "powers are nested too deeply");
        signed_power(depth + 1);
      } else {
        primary(depth);
      }
      operation(symbol);
    }
    if (is_negative) add({.kind = Kind::negate}, first);
  }

  void primary(int depth) {
    const LatticeToken& token = current();
    if (token.kind == LatticeToken::Kind::number) {
      ++at_;
      return add({.kind = Kind::number, .value = token.value}, token);
    }
    if (token.is('(')) return in_parentheses(depth);
    if (token.kind != LatticeToken::Kind::name)
      refuse_madx(token, token.kind == LatticeToken::Kind::end
                             ? "a value is missing at the end of the statement"
                             : "a value is missing before '" + token.text + "'");
    ++at_;
    if (current().is('(')) return function(token, depth);
    if (!is_symbol(current(), "->"))
      return add({.kind = Kind::variable, .name = token.text}, token);
    ++at_;
    if (current().kind != LatticeToken::Kind::name)
      refuse_madx(current(), "the name of an attribute is missing behind ->");
    add({.kind = Kind::attribute, .name = token.text, .attribute = current().text}, token);
    ++at_;
  }

  void function(const LatticeToken& name, int depth) {
    const auto known = madx_function(name.text);
    if (!known) {
      for (const std::string_view random : {"ranf", "gauss", "tgauss", "user0", "user1", "user2"})
        if (name.text == random)
          refuse_madx(name, "'" + name.text + "' is a random number",
                      "results would depend on the generator of MAD-X", "give the number itself");
      if (name.text == "table")
        refuse_madx(name, "tables are results of MAD-X, which are not computed here");
      refuse_madx(name, "there is no function '" + name.text + "'");
    }
    in_parentheses(depth);
    add({.kind = Kind::function, .function = known}, name);
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
  MadxExpression expression_;
};

}  // namespace trackplex::io::detail
