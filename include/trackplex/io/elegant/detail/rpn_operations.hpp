// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/core/derived_math.hpp>
#include <trackplex/core/error_function.hpp>
#include <trackplex/core/math.hpp>
#include <trackplex/core/pow.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <iterator>
#include <limits>
#include <numbers>
#include <string_view>
#include <utility>
#include <vector>

/// @file
/// Functions and operations of elegant's calculator in reverse Polish notation (RPN), with those
/// that its file of definitions adds.

namespace trackplex::io::detail {

/// Factorial of the nearest integer; 1 below 2.
inline double rpn_factorial(double v) {
  if (!(v < 171.)) return std::numeric_limits<double>::infinity();
  double product = 1.;
  for (double n = std::trunc(v + 0.5); n > 1.; --n) product *= n;
  return product;
}

/// Returns a function of one number that expressions know, or null.
inline double (*lattice_function(std::string_view name))(double) {
  struct Function {
    std::string_view name;
    double (*function)(double);
  };
  static constexpr double degree = std::numbers::pi / 180.;
  static constexpr Function functions[] = {
      {"sin", [](double v) { return trackplex::sin(v); }},
      {"cos", [](double v) { return trackplex::cos(v); }},
      {"tan", [](double v) { return trackplex::tan(v); }},
      {"asin", [](double v) { return trackplex::asin(v); }},
      {"acos", [](double v) { return trackplex::acos(v); }},
      {"atan", [](double v) { return trackplex::atan(v); }},
      {"exp", [](double v) { return trackplex::exp(v); }},
      {"ln", [](double v) { return trackplex::log(v); }},
      {"log", [](double v) { return trackplex::log10(v); }},
      {"log10", [](double v) { return trackplex::log10(v); }},
      {"10x", [](double v) { return trackplex::pow(10., v); }},
      {"sqrt", [](double v) { return std::sqrt(v); }},
      {"sqr", [](double v) { return v * v; }},
      {"abs", [](double v) { return std::abs(v); }},
      {"sign", [](double v) { return v >= 0. ? 1. : -1.; }},
      {"sinh", [](double v) { return trackplex::sinh(v); }},
      {"cosh", [](double v) { return trackplex::cosh(v); }},
      {"tanh", [](double v) { return trackplex::tanh(v); }},
      {"asinh", [](double v) { return trackplex::asinh(v); }},
      {"acosh", [](double v) { return trackplex::acosh(v); }},
      {"atanh", [](double v) { return trackplex::atanh(v); }},
      {"erf", [](double v) { return trackplex::erf(v); }},
      {"erfc", [](double v) { return trackplex::erfc(v); }},
      {"int", [](double v) { return std::trunc(v); }},
      {"floor", [](double v) { return std::floor(v); }},
      {"ceil", [](double v) { return std::ceil(v); }},
      {"round", [](double v) { return std::round(v); }},
      {"chs", [](double v) { return -v; }},
      {"fact", rpn_factorial},
      // of angles in degrees
      {"dtor", [](double v) { return v * degree; }},
      {"rtod", [](double v) { return v / degree; }},
      {"dsin", [](double v) { return trackplex::sin(v * degree); }},
      {"dcos", [](double v) { return trackplex::cos(v * degree); }},
      {"dtan", [](double v) { return trackplex::tan(v * degree); }},
      {"dasin", [](double v) { return trackplex::asin(v) / degree; }},
      {"dacos", [](double v) { return trackplex::acos(v) / degree; }},
      {"datan", [](double v) { return trackplex::atan(v) / degree; }},
      // of relativistic particles, p for beta gamma
      {"beta.p", [](double p) { return p / trackplex::hypot(p, 1.); }},
      {"gamma.p", [](double p) { return trackplex::hypot(p, 1.); }},
      {"beta.gamma", [](double gamma) { return std::sqrt(gamma * gamma - 1.) / gamma; }},
      {"gamma.beta", [](double beta) { return 1. / std::sqrt(1. - beta * beta); }},
      {"p.beta", [](double beta) { return beta / std::sqrt(1. - beta * beta); }},
      {"p.gamma", [](double gamma) { return std::sqrt(gamma * gamma - 1.); }},
  };
  for (const auto& f : functions)
    if (f.name == name) return f.function;
  return nullptr;
}

/// Stacks of numbers and of results of comparisons.
struct RpnStacks {
  std::vector<double> numbers{};
  std::vector<bool> truths{};

  double pop() {
    const double value = numbers.back();
    numbers.pop_back();
    return value;
  }
  bool pop_truth() {
    const bool value = truths.back();
    truths.pop_back();
    return value;
  }
  void push(double value) { numbers.push_back(value); }
  /// Puts f(a, b) in the place of the two numbers on top, of which b is the last.
  template <class Function>
  void replace_two(const Function& f) {
    const double b = pop(), a = pop();
    push(f(a, b));
  }
  /// The number at a depth: 1 is on top.
  double at(std::size_t depth) const { return numbers[numbers.size() - depth]; }
  void rotate_up() { std::rotate(numbers.begin(), numbers.end() - 1, numbers.end()); }
  void rotate_down() { std::rotate(numbers.begin(), numbers.begin() + 1, numbers.end()); }
};

/// Operation of the calculator on its stacks, which have at least so many numbers and truths.
struct RpnOperation {
  std::string_view name;
  std::size_t numbers = 0, truths = 0;
  void (*apply)(RpnStacks&) = nullptr;
  bool of_many = false;  ///< below the number on top there are as many as it says
};

/// How many numbers an operation of many takes: two at least, as in elegant.
inline double rpn_operands(double n) { return std::max(2., std::ceil(n)); }

/// Puts f of many numbers, two by two, in their place.
template <class Function>
void replace_many(RpnStacks& stacks, const Function& f) {
  for (double n = rpn_operands(stacks.pop()); n > 1.; --n) stacks.replace_two(f);
}

/// Remainder of a division, not negative for a positive divisor.
inline double rpn_modulo(double a, double b) {
  const double rest = a - b * std::trunc(a / b);
  return rest < 0. ? rest + b : rest;
}

/// Returns an operation other than a function of one number, or null. Comparisons leave their
/// numbers where they are, as in elegant.
inline const RpnOperation* rpn_operation(std::string_view name) {
  using Stacks = RpnStacks&;
  static constexpr RpnOperation operations[] = {
      {"+", 2, 0, [](Stacks s) { s.replace_two([](double a, double b) { return a + b; }); }},
      {"-", 2, 0, [](Stacks s) { s.replace_two([](double a, double b) { return a - b; }); }},
      {"*", 2, 0, [](Stacks s) { s.replace_two([](double a, double b) { return a * b; }); }},
      {"mult", 2, 0, [](Stacks s) { s.replace_two([](double a, double b) { return a * b; }); }},
      {"/", 2, 0, [](Stacks s) { s.replace_two([](double a, double b) { return a / b; }); }},
      {"pow", 2, 0,
       [](Stacks s) { s.replace_two([](double a, double b) { return trackplex::pow(a, b); }); }},
      {"^", 2, 0,
       [](Stacks s) { s.replace_two([](double a, double b) { return trackplex::pow(a, b); }); }},
      {"fmod", 2, 0,
       [](Stacks s) { s.replace_two([](double a, double b) { return std::fmod(a, b); }); }},
      {"mod", 2, 0,
       [](Stacks s) { s.replace_two([](double a, double b) { return rpn_modulo(a, b); }); }},
      {"atan2", 2, 0,
       [](Stacks s) { s.replace_two([](double a, double b) { return trackplex::atan2(b, a); }); }},
      {"hypot", 2, 0,
       [](Stacks s) { s.replace_two([](double a, double b) { return trackplex::hypot(a, b); }); }},
      {"max2", 2, 0,
       [](Stacks s) { s.replace_two([](double a, double b) { return std::max(a, b); }); }},
      {"min2", 2, 0,
       [](Stacks s) { s.replace_two([](double a, double b) { return std::min(a, b); }); }},
      {"maxn", 3, 0,
       [](Stacks s) { replace_many(s, [](double a, double b) { return std::max(a, b); }); }, true},
      {"minn", 3, 0,
       [](Stacks s) { replace_many(s, [](double a, double b) { return std::min(a, b); }); }, true},
      {"rec", 1, 0, [](Stacks s) { s.push(1. / s.pop()); }},
      // the stack
      {"=", 1, 0, [](Stacks s) { s.push(s.at(1)); }},
      {"dup", 1, 0, [](Stacks s) { s.push(s.at(1)); }},
      {"over", 2, 0, [](Stacks s) { s.push(s.at(2)); }},
      {"ddup", 2, 0,
       [](Stacks s) {
         s.push(s.at(2));
         s.push(s.at(2));
       }},
      {"swap", 2, 0, [](Stacks s) { std::swap(s.numbers.end()[-1], s.numbers.end()[-2]); }},
      {"xchg", 2, 0, [](Stacks s) { std::swap(s.numbers.end()[-1], s.numbers.end()[-2]); }},
      {"pop", 1, 0, [](Stacks s) { s.pop(); }},
      {"cle", 0, 0, [](Stacks s) { s.numbers.clear(); }},
      {"rup", 1, 0, [](Stacks s) { s.rotate_up(); }},
      {"rdn", 1, 0, [](Stacks s) { s.rotate_down(); }},
      {"view", 0, 0, [](Stacks) {}},  // prints the stack
      {"stlv", 0, 0, [](Stacks s) { s.push(double(s.numbers.size())); }},
      // comparisons
      {"<", 2, 0, [](Stacks s) { s.truths.push_back(s.at(2) < s.at(1)); }},
      {">", 2, 0, [](Stacks s) { s.truths.push_back(s.at(2) > s.at(1)); }},
      {"==", 2, 0, [](Stacks s) { s.truths.push_back(s.at(2) == s.at(1)); }},
      {"true", 0, 0,
       [](Stacks s) {
         s.numbers.insert(s.numbers.end(), {1., 1.});
         s.truths.push_back(true);
       }},
      {"false", 0, 0,
       [](Stacks s) {
         s.numbers.insert(s.numbers.end(), {1., 0.});
         s.truths.push_back(false);
       }},
      {"&&", 0, 2,
       [](Stacks s) {
         const bool b = s.pop_truth(), a = s.pop_truth();
         s.truths.push_back(a && b);
       }},
      {"||", 0, 2,
       [](Stacks s) {
         const bool b = s.pop_truth(), a = s.pop_truth();
         s.truths.push_back(a || b);
       }},
      {"!", 0, 1, [](Stacks s) { s.truths.push_back(!s.pop_truth()); }},
      {"popl", 0, 1, [](Stacks s) { s.pop_truth(); }},
  };
  const auto found = std::ranges::find(operations, name, &RpnOperation::name);
  return found == std::end(operations) ? nullptr : found;
}

}  // namespace trackplex::io::detail
