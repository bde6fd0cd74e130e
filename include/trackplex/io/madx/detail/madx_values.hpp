// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/core/derived_math.hpp>
#include <trackplex/core/pow.hpp>
#include <trackplex/core/shortest.hpp>
#include <trackplex/io/madx/detail/madx_model.hpp>
#include <trackplex/io/madx/madx_options.hpp>

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

/// @file
/// Values of expressions of MAD-X, and of the beam.

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
  /// The beam of a sequence, else the one of all; none without a statement.
  std::optional<MadxBeam> beam(const std::string& sequence) {
    work_ = 0;
    return beam(sequence, 0);
  }

  /// Variables without a definition that were used, with the place of the first use.
  const std::map<std::string, MadxPlace>& undefined() const { return undefined_; }

 private:
  static constexpr int max_depth = 500;
  static constexpr long max_work = 500'000;  ///< steps of one value

  double value(const MadxExpression& expression, int depth) {
    std::vector<double> stack;
    const auto pop = [&] {
      const double top = stack.back();
      stack.pop_back();
      return top;
    };
    for (const MadxStep& step : expression.steps) {
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
    if (step.name == "beam") return beam_attribute(step, depth);
    if (const MadxSequence* sequence = model_.sequence(step.name);
        sequence && step.attribute == "l")
      return value(sequence->length, depth + 1);
    if (!model_.element(step.name)) {
      std::vector<std::string_view> names;
      for (const auto& [name, element] : model_.elements) names.push_back(name);
      refuse_madx(step.at, "there is no element '" + step.name + "'", {},
                  closest_name(step.name, names));
    }
    const MadxAttribute* found = model_.attribute(step.name, step.attribute);
    return found ? value(found->first(), depth + 1) : 0.;
  }

  double beam_attribute(const MadxStep& step, int depth) {
    const MadxBeam particles = beam(model_.used, depth + 1).value_or(MadxBeam{});
    const std::pair<std::string_view, double> known[] = {
        {"mass", particles.mass},   {"charge", particles.charge}, {"energy", particles.energy},
        {"pc", particles.pc()},     {"gamma", particles.gamma()}, {"beta", particles.beta()},
        {"brho", particles.brho()},
    };
    for (const auto& [name, value] : known)
      if (name == step.attribute) return value;
    for (const std::string& sequence : {model_.used, std::string()}) {
      const auto given = model_.beams.find(sequence);
      if (given == model_.beams.end()) continue;
      const auto found = given->second.find(step.attribute);
      if (found != given->second.end()) return value(found->second.first(), depth + 1);
    }
    refuse_madx(step.at, "the beam has no '" + step.attribute + "'");
  }

  std::optional<MadxBeam> beam(const std::string& sequence, int depth) {
    auto found = model_.beams.find(sequence);
    if (found == model_.beams.end()) found = model_.beams.find("");
    if (found == model_.beams.end()) return std::nullopt;
    const MadxAttributes& given = found->second;
    MadxPlace at;
    const auto number = [&](const char* name) -> std::optional<double> {
      const auto attribute = given.find(name);
      if (attribute == given.end()) return std::nullopt;
      at = attribute->second.at;
      return value(attribute->second.first(), depth + 1);
    };
    MadxBeam beam;
    if (const auto particle = given.find("particle"); particle != given.end())
      beam.particle = particle->second.text;
    set_particle(beam, number("mass"), number("charge"));
    const double m = beam.mass;
    beam.energy = std::max(1., m);
    if (const auto energy = number("energy")) {
      beam.energy = *energy;
    } else if (const auto pc = number("pc")) {
      beam.energy = hypot(*pc, m);
    } else if (const auto gamma = number("gamma")) {
      beam.energy = *gamma * m;
    } else if (const auto beta = number("beta")) {
      beam.energy = m / std::sqrt(1. - *beta * *beta);
    } else if (const auto brho = number("brho")) {
      beam.energy = hypot(*brho * constants::momentum_per_tesla_metre * std::abs(beam.charge), m);
    }
    if (!(m > 0.) || !(beam.energy > m))
      refuse_madx(at, "the beam has no momentum",
                  "its energy is " + shortest(beam.energy) + " GeV, its rest energy " +
                      shortest(m) + " GeV");
    return beam;
  }

  /// Known particles have their mass and charge, as in MAD-X, whatever is given.
  static void set_particle(MadxBeam& beam, std::optional<double> mass,
                           std::optional<double> charge) {
    namespace c = constants;
    struct Particle {
      std::string_view name;
      double mass, charge;
    };
    static constexpr Particle known[] = {
        {"positron", c::electron_mass, 1.}, {"electron", c::electron_mass, -1.},
        {"proton", c::proton_mass, 1.},     {"antiproton", c::proton_mass, -1.},
        {"posmuon", c::muon_mass, 1.},      {"negmuon", c::muon_mass, -1.},
    };
    for (const Particle& particle : known)
      if (particle.name == beam.particle) {
        beam.mass = particle.mass;
        beam.charge = particle.charge;
        return;
      }
    beam.mass = mass.value_or(beam.particle == "ion" ? c::atomic_mass : c::electron_mass);
    beam.charge = charge.value_or(1.);
  }

  const MadxModel& model_;
  std::map<std::string, std::optional<double>, std::less<>> known_;
  std::map<std::string, MadxPlace> undefined_;
  long work_ = 0;
};

}  // namespace trackplex::io::detail
