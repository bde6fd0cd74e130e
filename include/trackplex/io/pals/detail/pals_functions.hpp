// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/core/derived_math.hpp>
#include <trackplex/core/math.hpp>

#include <cmath>
#include <string_view>

/// @file
/// Functions of expressions in PALS files.

namespace trackplex::io::detail {

/// Product of the whole numbers up to n; NaN if n is no such number.
inline double factorial(double n) {
  if (!(n >= 0.) || n != std::floor(n)) return std::nan("");
  double product = 1.;
  for (double i = 2.; i <= n && std::isfinite(product); ++i) product *= i;
  return product;
}

/// A function of one or two numbers.
struct PalsFunction {
  std::string_view name;
  double (*of_one)(double) = nullptr;
  double (*of_two)(double, double) = nullptr;
};

inline constexpr PalsFunction pals_functions[] = {
    {"sqrt", [](double v) { return std::sqrt(v); }},
    {"log", [](double v) { return trackplex::log(v); }},
    {"exp", [](double v) { return trackplex::exp(v); }},
    {"sin", [](double v) { return trackplex::sin(v); }},
    {"cos", [](double v) { return trackplex::cos(v); }},
    {"tan", [](double v) { return trackplex::tan(v); }},
    {"cot", [](double v) { return 1. / trackplex::tan(v); }},
    {"sinc", [](double v) { return v == 0. ? 1. : trackplex::sin(v) / v; }},
    {"asin", [](double v) { return trackplex::asin(v); }},
    {"acos", [](double v) { return trackplex::acos(v); }},
    {"atan", [](double v) { return trackplex::atan(v); }},
    {"atan2", nullptr, [](double y, double x) { return trackplex::atan2(y, x); }},
    {"sinh", [](double v) { return trackplex::sinh(v); }},
    {"cosh", [](double v) { return trackplex::cosh(v); }},
    {"tanh", [](double v) { return trackplex::tanh(v); }},
    {"coth", [](double v) { return 1. / trackplex::tanh(v); }},
    {"asinh", [](double v) { return trackplex::asinh(v); }},
    {"acosh", [](double v) { return trackplex::acosh(v); }},
    {"atanh", [](double v) { return trackplex::atanh(v); }},
    {"acoth", [](double v) { return trackplex::atanh(1. / v); }},
    {"abs", [](double v) { return std::abs(v); }},
    {"factorial", factorial},
    {"int", [](double v) { return std::trunc(v); }},
    {"nint", [](double v) { return std::round(v); }},
    {"sign", [](double v) { return v > 0.   ? 1.
                                   : v < 0. ? -1.
                                            : v; }},
    {"floor", [](double v) { return std::floor(v); }},
    {"ceiling", [](double v) { return std::ceil(v); }},
    {"modulo", nullptr, [](double a, double p) { return a - std::floor(a / p) * p; }},
    {"expr", [](double v) { return v; }},
};

inline const PalsFunction* find_pals_function(std::string_view name) {
  for (const PalsFunction& function : pals_functions)
    if (function.name == name) return &function;
  return nullptr;
}

}  // namespace trackplex::io::detail
