// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/core/math.hpp>
#include <trackplex/core/pow.hpp>
#include <trackplex/io/madx/detail/madx_model.hpp>
#include <trackplex/io/madx/detail/madx_types.hpp>

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

/// @file
/// Values of expressions of MAD-X.

namespace trackplex::io::detail {

/// Values of expressions with the definitions of a model. Variables without a definition are 0, as
/// in MAD-X, and are listed.
class MadxValues {
 public:
  explicit MadxValues(const MadxModel& model) : model_(model) {}

  double operator()(const MadxExpression& expression) {
    work_ = 0;
    return value(expression, 0);
  }
  /// Must be called when a definition has changed.
  void forget() { known_.clear(); }

  /// The value of a variable.
  double variable(const std::string& name, const MadxPlace& at = {}) {
    work_ = 0;
    return variable(name, at, 0);
  }
  /// An attribute of an element, or `otherwise` if it has none.
  double attribute(std::string_view element, std::string_view name, double otherwise = 0.) {
    const MadxAttribute* found = model_.attribute(element, name);
    return found ? (*this)(found->first()) : otherwise;
  }
  /// The number that an expression `element->name` has: the length of a rectangular bend is that of
  /// the arc, that of a multipole 0, and its k1l, k1sl, ... are those of KNL and KSL.
  double named(const std::string& element, const std::string& name) {
    work_ = 0;
    return named(element, name, 0);
  }
  /// All values of an attribute in braces.
  std::vector<double> list(std::string_view element, std::string_view name) {
    const MadxAttribute* found = model_.attribute(element, name);
    return found ? list(*found) : std::vector<double>{};
  }
  std::vector<double> list(const MadxAttribute& attribute) {
    std::vector<double> values;
    for (const MadxExpression& expression : attribute.values) values.push_back((*this)(expression));
    return values;
  }
  /// Arc length of a bend whose length is that of a chord or of the arc, as the option says.
  double arc_length(double length, double angle) const {
    const double half = 0.5 * angle;
    return half == 0. || !model_.chord ? length : length * half / sin(half);
  }
  /// The beam of a sequence, else the one of all; null without a statement.
  const MadxBeamState* beam(std::string_view sequence) const {
    auto found = model_.beams.find(sequence);
    if (found == model_.beams.end()) found = model_.beams.find("");
    return found == model_.beams.end() ? nullptr : &found->second;
  }

  /// Variables without a definition that were used, with the place of the first use.
  const std::map<std::string, MadxPlace>& undefined() const { return undefined_; }

 private:
  static constexpr int max_depth = 500;
  static constexpr long max_work = 500'000;  ///< steps of one value

  double value(const MadxExpression& expression, int depth) {
    if (!expression.steps) return expression.number;
    std::vector<double> stack;
    const auto pop = [&] {
      const double top = stack.back();
      stack.pop_back();
      return top;
    };
    for (const MadxStep& step : *expression.steps) {
      if (++work_ > max_work) refuse_madx(step.at, "the value depends on too many others");
      using Kind = MadxStep::Kind;
      switch (step.kind) {
        case Kind::number:
          stack.push_back(step.value);
          break;
        case Kind::variable:
          stack.push_back(variable(step.name, step.at, depth));
          break;
        case Kind::attribute:
          stack.push_back(attribute(step, depth));
          break;
        case Kind::table:
          stack.push_back(table(step));
          break;
        case Kind::negate:
          stack.back() = -stack.back();
          break;
        case Kind::function:
          stack.back() = finite(step.function(stack.back()), step.at);
          break;
        case Kind::operation: {
          const double b = pop(), a = pop();
          stack.push_back(operation(step, a, b));
          break;
        }
      }
    }
    return stack.empty() ? 0. : stack.back();
  }

  double operation(const MadxStep& step, double a, double b) const {
    if (step.symbol == '/' && b == 0.) {
      std::string names;
      for (const auto& [name, at] : undefined_) names += (names.empty() ? "" : ", ") + name;
      refuse_madx(step.at, "division by zero",
                  names.empty() ? "" : "these have no value, and count as 0: " + names,
                  names.empty() ? "" : "set them before");
    }
    return finite(step.symbol == '+'   ? a + b
                  : step.symbol == '-' ? a - b
                  : step.symbol == '*' ? a * b
                  : step.symbol == '/' ? a / b
                                       : pow(a, b),
                  step.at);
  }
  static double finite(double value, const MadxPlace& at) {
    if (!std::isfinite(value)) refuse_madx(at, "the result is not a finite number");
    return value;
  }

  double variable(const std::string& name, const MadxPlace& at, int depth) {
    if (const auto constant = madx_constant(name)) return *constant;
    const auto defined = model_.variables.find(name);
    if (defined == model_.variables.end()) {
      undefined_.emplace(name, at);
      return 0.;
    }
    const auto [known, is_new] = known_.emplace(name, std::nullopt);
    if (!is_new) {
      if (!known->second) refuse_madx(at, "'" + name + "' depends on itself");
      return *known->second;
    }
    if (depth > max_depth) refuse_madx(at, "values depend on each other too deeply");
    try {
      known->second = value(defined->second, depth + 1);
    } catch (const Error&) {
      known_.erase(name);
      throw;
    }
    return *known->second;
  }

  double attribute(const MadxStep& step, int depth) {
    if (depth > max_depth) refuse_madx(step.at, "values depend on each other too deeply");
    if (step.name.starts_with("beam") && (step.name.size() == 4 || step.name[4] == '%'))
      return beam_attribute(step);
    if (model_.sequence(step.name))
      refuse_madx(step.at, "'" + step.name + "' is a sequence",
                  "MAD-X counts '" + step.name + "->" + step.attribute + "' as 0",
                  "write the number itself, or give it a name");
    if (const auto command = model_.commands.find(step.name); command != model_.commands.end()) {
      const auto found = command->second.find(step.attribute);
      return found == command->second.end() ? 0. : value(found->second.first(), depth + 1);
    }
    if (!model_.element(step.name) && !madx_type(step.name)) {
      std::vector<std::string_view> names;
      for (const auto& [name, element] : model_.elements) names.push_back(name);
      refuse_madx(step.at, "there is no element '" + step.name + "'", {},
                  closest_name(step.name, names));
    }
    return named(step.name, step.attribute, depth);
  }

  double named(const std::string& element, const std::string& name, int depth) {
    const std::string type = model_.type_of(element);
    const auto number = [&](std::string_view attribute) {
      const MadxAttribute* found = model_.attribute(element, attribute);
      return found ? value(found->first(), depth + 1) : madx_default(type, attribute);
    };
    if (type == "rbend" && name == "l") return arc_length(number("l"), number("angle"));
    if (type == "multipole") {
      if (name == "l") return 0.;
      if (const auto component = multipole_component(name)) {
        const MadxAttribute* all = model_.attribute(element, component->first);
        return all && component->second < all->values.size()
                   ? value(all->values[component->second], depth + 1)
                   : 0.;
      }
    }
    const double found = number(name);
    const std::string kick = type == "hkicker" ? "hkick" : type == "vkicker" ? "vkick" : "";
    if (found == 0. && name == kick) return number("kick");
    if (found == 0. && name == "kick" && !kick.empty()) return number(kick);
    return found;
  }
  /// KNL or KSL and the order for k<order>l and k<order>sl.
  static std::optional<std::pair<std::string_view, std::size_t>> multipole_component(
      std::string_view name) {
    std::size_t order = 0, end = 1;
    for (; end < name.size() && end < 4 && is_lattice_digit(name[end]); ++end)
      order = 10 * order + std::size_t(name[end] - '0');
    if (end == 1 || name[0] != 'k') return std::nullopt;
    if (name.substr(end) == "l") return std::pair("knl", order);
    if (name.substr(end) == "sl") return std::pair("ksl", order);
    return std::nullopt;
  }

  static bool is_set_later(std::string_view attribute) {
    return attribute == "circ" || attribute == "freq0";
  }
  double beam_attribute(const MadxStep& step) const {
    static const MadxBeamState by_default;
    const MadxBeamState* beam =
        this->beam(step.name.size() > 4 ? std::string_view(step.name).substr(5) : "");
    if (is_set_later(step.attribute) && *(beam ? beam : &by_default)->value(step.attribute) == 0.)
      refuse_madx(step.at, "'" + step.attribute + "' of the beam has no value",
                  "MAD-X counts it as 0 until its first TWISS or TRACK sets it",
                  "write the number itself");
    if (const auto value = (beam ? beam : &by_default)->value(step.attribute)) return *value;
    refuse_madx(step.at, "the beam has no '" + step.attribute + "'");
  }

  double table(const MadxStep& step) const {
    const std::string& name = step.words[0];
    if (const auto found = model_.tables.find(name); found != model_.tables.end())
      return found->second->value(step);
    if (name == "twiss" || name == "summ")
      refuse_madx(step.at, "'" + step.shown_table() + "' has no value",
                  "there has been no TWISS so far", "write TWISS before");
    refuse_madx(step.at, "'" + step.shown_table() + "': there is no table '" + name + "'",
                "only TWISS makes tables here", "write the number that MAD-X finds");
  }

  const MadxModel& model_;
  std::map<std::string, std::optional<double>, std::less<>> known_;
  std::map<std::string, MadxPlace> undefined_;
  long work_ = 0;
};

}  // namespace trackplex::io::detail
