// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Strengths that give wanted optics.
#include "match.hpp"

#include "optics.hpp"

#include <common/table.hpp>
#include <trackplex/core/error.hpp>
#include <trackplex/core/files.hpp>
#include <trackplex/io/madx/madx_sequence.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <memory>
#include <sstream>
#include <string_view>
#include <utility>

namespace beamline {

using beam::MatchTarget;

namespace {

std::string trimmed(std::string_view text) {
  constexpr const char* blanks = " \t\r;";
  const std::size_t first = text.find_first_not_of(blanks);
  if (first == text.npos) return {};
  return std::string(text.substr(first, text.find_last_not_of(blanks) - first + 1));
}

std::vector<std::string> parts_of(const std::string& text) {
  std::vector<std::string> parts;
  std::stringstream stream(text);
  for (std::string part; std::getline(stream, part, ',');) parts.push_back(trimmed(part));
  return parts;
}

/// A variable or target as it was given.
struct Statement {
  std::string where,  ///< option, or line of a file
      text;

  [[noreturn]] void refuse(const std::string& problem, const std::string& advice = {}) const {
    throw UsageError(where, problem, text, advice);
  }
  double number(const std::string& word) const {
    double value = 0.;
    const char* const end = word.data() + word.size();
    const auto [rest, error] = std::from_chars(word.data(), end, value);
    if (error != std::errc() || rest != end || !std::isfinite(value))
      refuse("'" + word + "' is not a number");
    return value;
  }
};

/// Strength that may change, with its limits.
struct Variable {
  Statement from;
  std::string name;
  bool is_factor = false;
  std::optional<double> lower, upper, step;

  void limit(Unknown& unknown) const {
    if (lower) unknown.lower = *lower;
    if (upper) unknown.upper = *upper;
    if (step) unknown.step = *step;
  }
};

Variable variable_of(const Statement& from) {
  const auto parts = parts_of(from.text);
  if (parts.empty() || parts.front().empty()) from.refuse("it names nothing", "give qf.k1");
  Variable variable{from, parts.front(), false, {}, {}, {}};
  for (std::size_t i = 1; i < parts.size(); ++i) {
    if (parts[i] == "factor") {
      variable.is_factor = true;
      continue;
    }
    const auto equals = parts[i].find('=');
    const std::string key = trimmed(parts[i].substr(0, equals));
    auto* const value = key == "lower"   ? &variable.lower
                        : key == "upper" ? &variable.upper
                        : key == "step"  ? &variable.step
                                         : nullptr;
    if (!value || equals == parts[i].npos)
      from.refuse("'" + parts[i] + "' says nothing about a variable",
                  "lower=X, upper=X, step=X and factor do");
    *value = from.number(trimmed(parts[i].substr(equals + 1)));
  }
  return variable;
}

/// Takes NAME[2] or NAME#2 apart, and knows #s and #e of MAD-X.
void set_place(const Statement& from, std::string place, MatchTarget& target) {
  if (place == "#s") place = "start";
  if (place == "#e") place = "end";
  std::size_t at = place.npos;
  std::string number;
  if (place.ends_with(']') && (at = place.rfind('[')) != place.npos)
    number = place.substr(at + 1, place.size() - at - 2);
  else if ((at = place.rfind('#')) != place.npos)
    number = place.substr(at + 1);
  if (at != place.npos) {
    const double n = from.number(number);
    if (!(n >= 1. && n < 1e9) || n != std::floor(n)) from.refuse("'" + number + "' is no count");
    target.occurrence = int(n);
    place.resize(at);
  }
  if (place.empty()) from.refuse("the place has no name", "give NAME, start or end after @");
  target.place = place;
}

MatchTarget target_of(const Statement& from) {
  const auto parts = parts_of(from.text);
  const std::string first = parts.empty() ? "" : parts.front();
  const auto relation = first.find_first_of("=<>");
  if (relation == first.npos)
    from.refuse("it has no value", "give QUANTITY@PLACE=VALUE, or < and > for limits");
  MatchTarget target;
  target.value = from.number(trimmed(first.substr(relation + 1)));
  using enum MatchTarget::Relation;
  target.relation = first[relation] == '=' ? equal : first[relation] == '<' ? at_most : at_least;
  const std::string what = trimmed(first.substr(0, relation));
  const auto at = what.find('@');
  target.quantity = trimmed(what.substr(0, at));
  if (at != what.npos) set_place(from, trimmed(what.substr(at + 1)), target);
  for (std::size_t i = 1; i < parts.size(); ++i) {
    if (!parts[i].starts_with("tolerance="))
      from.refuse("'" + parts[i] + "' says nothing about a target", "tolerance=X does");
    target.tolerance = from.number(trimmed(parts[i].substr(10)));
  }
  return target;
}

struct Problem {
  std::vector<Variable> variables;
  std::vector<MatchTarget> targets;
};

/// Lines "vary ..." and "target ...", with comments after !.
void read_statements(const std::string& file, Problem& problem) {
  std::stringstream lines(read_file(file));
  int number = 0;
  for (std::string line; std::getline(lines, line);) {
    ++number;
    const std::string text = trimmed(line.substr(0, line.find('!')));
    if (text.empty()) continue;
    const auto blank = text.find_first_of(" \t,");
    const std::string word = text.substr(0, blank),
                      rest = blank == text.npos ? "" : trimmed(text.substr(blank + 1));
    const Statement from{fmt::format("{}, line {}", file, number), rest};
    try {
      if (word == "vary")
        problem.variables.push_back(variable_of(from));
      else if (word == "target")
        problem.targets.push_back(target_of(from));
      else
        from.refuse("there is no statement '" + word + "'", "vary and target are");
    } catch (const UsageError& error) {
      throw InputError({file}, error.what());
    }
  }
}

Problem problem_of(const MatchOptions& options) {
  Problem problem;
  if (!options.file.empty()) read_statements(options.file, problem);
  for (const auto& text : options.vary) problem.variables.push_back(variable_of({"--vary", text}));
  for (const auto& text : options.targets) problem.targets.push_back(target_of({"--target", text}));
  if (problem.variables.empty())
    throw UsageError("--vary", "matching needs a strength that may change", {},
                     "give --vary 'qf.k1'");
  if (problem.targets.empty())
    throw UsageError("--target", "matching needs a target", {}, "give --target 'qx=0.31'");
  return problem;
}

/// The variables, and the line as their function.
struct VariedLine {
  std::vector<beam::MatchVariable> variables;
  std::function<beam::BeamLine(const std::vector<double>&)> line;
  bool may_steer = false;
};

VariedLine varied_elements(const Problem& problem, const Input& input) {
  VariedLine varied;
  beam::VariedElements elements(input.line);
  for (const auto& variable : problem.variables) {
    const auto dot = variable.name.rfind('.');
    const bool is_attribute = dot != variable.name.npos && dot > 0;
    if (!is_attribute)
      variable.from.refuse(input.madx ? "the file has no variable '" + variable.name + "'"
                                      : "'" + variable.name + "' has no attribute",
                           "give ELEMENT.ATTRIBUTE, as qf.k1");
    const beam::ElementAttribute attribute(variable.name.substr(dot + 1));
    varied.variables.push_back(
        elements.add(variable.name.substr(0, dot), attribute, variable.is_factor));
    variable.limit(varied.variables.back().unknown);
    varied.may_steer |= attribute.steers();
  }
  varied.line = [elements](const std::vector<double>& values) { return elements(values); };
  return varied;
}

/// Tells whether a line steers whose variables have slightly other values.
bool may_steer(const VariedLine& varied, double p0) {
  std::vector<double> values;
  for (const auto& variable : varied.variables)
    values.push_back(1.001 * variable.unknown.value + 1e-6);
  return line_needs_tracking(varied.line(values), p0);
}

/// Variables of MAD-X, which elements follow whose attributes are deferred expressions (:=).
VariedLine varied_file(const Problem& problem, const InputOptions& options, const Input& input,
                       double p0) {
  VariedLine varied;
  std::vector<std::string> names;
  for (const auto& variable : problem.variables) {
    if (!input.madx->has(variable.name))
      variable.from.refuse("it is an attribute, and others are variables of MAD-X",
                           "vary either of them");
    if (variable.is_factor) variable.from.refuse("variables of MAD-X have no factor");
    if (std::ranges::find(names, variable.name) != names.end())
      variable.from.refuse("it is a variable already");
    names.push_back(variable.name);
    beam::MatchVariable found{.name = variable.name};
    found.unknown.value = input.madx->get(variable.name);
    variable.limit(found.unknown);
    varied.variables.push_back(found);
  }
  varied.line = [names, file = input.madx, name = input.line_name,
                 backwards = options.backwards](const std::vector<double>& values) {
    io::MadxFile changed = *file;
    for (std::size_t i = 0; i < names.size(); ++i) changed.set(names[i], values[i]);
    auto line = changed.expand(name);
    return backwards ? reversed_line(std::move(line)) : line;
  };
  varied.may_steer = may_steer(varied, p0);
  return varied;
}

VariedLine varied_line(const Problem& problem, const InputOptions& options, const Input& input,
                       double p0) {
  const bool has_variable =
      input.madx && std::ranges::any_of(problem.variables, [&](const Variable& variable) {
        return input.madx->has(variable.name);
      });
  return has_variable ? varied_file(problem, options, input, p0) : varied_elements(problem, input);
}

}  // namespace

void match_line(const InputOptions& options, Input& input, double p0,
                const simulation::BunchParams& bunch) {
  const auto problem = problem_of(options.match);
  const auto varied = varied_line(problem, options, input, p0);
  const bool has_chromaticity = std::ranges::any_of(problem.targets, [](const MatchTarget& target) {
    return beam::is_chromaticity(target.quantity);
  });
  const LineOpticsOptions of_line{.about = options.about,
                                  .start = start_of(bunch),
                                  .may_steer = varied.may_steer,
                                  .with_chromaticity = has_chromaticity};
  auto result = beam::match_optics({varied.line, optics_function(input.line, p0, of_line)},
                                   varied.variables, problem.targets);
  if (!result.is_matched())
    throw Error("matching", "not all targets are met", result.complaint(),
                "vary more strengths, begin with others, widen limits, or give tolerances");
  input.line = result.line;
  input.match = std::move(result);
}

program::Json match_json(const beam::MatchResult& result) {
  program::Json json = {{"iterations", result.iterations},
                        {"evaluations", result.evaluations},
                        {"sum_before", result.before},
                        {"sum_after", result.after}};
  for (const auto& variable : result.variables)
    json["variables"].push_back(
        {{"name", variable.name}, {"before", variable.before}, {"after", variable.after}});
  for (const auto& target : result.targets)
    json["targets"].push_back(
        {{"target", target.name}, {"before", target.before}, {"after", target.after}});
  return json;
}

std::string match_text(const beam::MatchResult& result) {
  program::Table variables({"matched strength", "before", "after"}),
      targets({"target", "before", "after"});
  for (const auto& variable : result.variables)
    variables.add_row({variable.name, fmt::format("{:.12g}", variable.before),
                       fmt::format("{:.12g}", variable.after)});
  for (const auto& target : result.targets)
    targets.add_row(
        {target.name, fmt::format("{:.9g}", target.before), fmt::format("{:.9g}", target.after)});
  return fmt::format("{}{}{} iterations, optics of {} lines\n", variables.text(), targets.text(),
                     result.iterations, result.evaluations);
}

}  // namespace beamline
