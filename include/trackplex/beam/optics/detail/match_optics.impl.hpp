// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/beam/optics/match_optics.hpp>
#include <trackplex/core/error.hpp>
#include <trackplex/core/shortest.hpp>
#include <trackplex/core/wildcards.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numbers>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace trackplex::beam {
namespace detail {

/// Number of the optics. Of a ring it is computed from those at its end.
struct MatchQuantity {
  const char* names;  ///< between blanks; the first one is that of messages
  enum class Of { place, tune, chromaticity } of;
  double (*value)(const OpticsAlong&, std::size_t place);
};

inline const Optics& optics_at(const OpticsAlong& along, std::size_t place) {
  return along.optics[place];
}
inline double orbit_at(const OpticsAlong& along, std::size_t place, int coordinate) {
  return along.orbit.empty() ? 0. : along.orbit[place][std::size_t(coordinate)];
}

/// The quantities of targets. Those of MAD-X in turns are not those of elegant in radians.
inline const std::vector<MatchQuantity>& match_quantities() {
  using enum MatchQuantity::Of;
  using At = std::size_t;
  using Along = const OpticsAlong&;
  constexpr double per_turn = 0.5 * std::numbers::inv_pi;
  static const std::vector<MatchQuantity> all = {
      {" qx nux q1 ", tune, [](Along o, At) { return o.optics.back().phase_x * per_turn; }},
      {" qy nuy q2 ", tune, [](Along o, At) { return o.optics.back().phase_y * per_turn; }},
      {" dqx dnux/dp dq1 ", chromaticity, [](Along o, At) { return o.chromaticity->x; }},
      {" dqy dnuy/dp dq2 ", chromaticity, [](Along o, At) { return o.chromaticity->y; }},
      {" betax betx ", place, [](Along o, At i) { return optics_at(o, i).x.beta; }},
      {" alphax alfx ", place, [](Along o, At i) { return optics_at(o, i).x.alpha; }},
      {" betay bety ", place, [](Along o, At i) { return optics_at(o, i).y.beta; }},
      {" alphay alfy ", place, [](Along o, At i) { return optics_at(o, i).y.alpha; }},
      {" etax dx ", place, [](Along o, At i) { return optics_at(o, i).dispersion[0]; }},
      {" etaxp dpx ", place, [](Along o, At i) { return optics_at(o, i).dispersion[1]; }},
      {" etay dy ", place, [](Along o, At i) { return optics_at(o, i).dispersion[2]; }},
      {" etayp dpy ", place, [](Along o, At i) { return optics_at(o, i).dispersion[3]; }},
      {" mux ", place, [](Along o, At i) { return optics_at(o, i).phase_x * per_turn; }},
      {" muy ", place, [](Along o, At i) { return optics_at(o, i).phase_y * per_turn; }},
      {" psix ", place, [](Along o, At i) { return optics_at(o, i).phase_x; }},
      {" psiy ", place, [](Along o, At i) { return optics_at(o, i).phase_y; }},
      {" x ", place, [](Along o, At i) { return orbit_at(o, i, beam::x); }},
      {" xp px ", place, [](Along o, At i) { return orbit_at(o, i, beam::xp); }},
      {" y ", place, [](Along o, At i) { return orbit_at(o, i, beam::y); }},
      {" yp py ", place, [](Along o, At i) { return orbit_at(o, i, beam::yp); }}};
  return all;
}

inline const MatchQuantity& quantity_named(const std::string& name) {
  const std::string word = ' ' + in_lower_case(name) + ' ';
  for (const auto& quantity : match_quantities())
    if (std::string_view(quantity.names).find(word) != std::string_view::npos) return quantity;
  throw UsageError("target", "there is no quantity '" + name + "' of the optics", {},
                   "these are there: " + quantity_names());
}

/// The places in a line where a target is to be met: 0 is the start, i after element i - 1.
TRACKPLEX_INLINE std::vector<std::size_t> places_of(const MatchTarget& target,
                                                    const BeamLine& line) {
  if (target.place == "start") return {0};
  if (target.place == "end") return {line.size()};
  std::vector<std::size_t> places;
  for (std::size_t i = 0; i < line.size(); ++i)
    if (matches_wildcards(target.place, line[i].name)) places.push_back(i + 1);
  const auto n = int(places.size());
  if (n == 0)
    throw UsageError("target " + target.text(), "the line has no element '" + target.place + "'",
                     {}, "name one of the line, with * and ? for letters, or start or end");
  if (target.occurrence == 0) return places;
  if (target.occurrence < 0 || target.occurrence > n)
    throw UsageError("target " + target.text(),
                     "the line has " + std::to_string(n) + " of these elements",
                     std::to_string(target.occurrence) + " is asked for");
  return {places[std::size_t(target.occurrence) - 1]};
}

/// A target with the places where it is to be met.
struct PlacedTarget {
  const MatchTarget& target;
  const MatchQuantity& quantity;
  std::vector<std::size_t> places;

  PlacedTarget(const MatchTarget& of, const BeamLine& line)
      : target(of), quantity(quantity_named(of.quantity)) {
    const bool is_local = quantity.of == MatchQuantity::Of::place;
    if (is_local && of.place.empty())
      throw UsageError("target " + of.text(), "it has no place", {},
                       "give one: " + of.quantity + "@end, or the name of an element");
    if (!is_local && !of.place.empty())
      throw UsageError("target " + of.text(), of.quantity + " is of the whole ring", {},
                       "leave out the place");
    if (!(of.tolerance > 0.) || !std::isfinite(of.value))
      throw UsageError("target " + of.text(), "its value or tolerance has no meaning",
                       shortest(of.value) + ", " + shortest(of.tolerance));
    places = is_local ? places_of(of, line) : std::vector<std::size_t>{line.size()};
  }

  void check(const OpticsAlong& optics) const {
    if (quantity.of != MatchQuantity::Of::place && !optics.is_periodic)
      throw UsageError("target " + target.text(), "the optics are not those of a ring",
                       "they begin with given ones", "match mux or muy at the end");
    if (quantity.of == MatchQuantity::Of::chromaticity && !optics.chromaticity)
      throw UsageError("target " + target.text(), "the function of the optics gives none");
  }

  /// Deviation over the tolerance.
  double residual(double value) const {
    const double deviation = (value - target.value) / target.tolerance;
    using enum MatchTarget::Relation;
    if (target.relation == at_most) return std::max(deviation, 0.);
    if (target.relation == at_least) return std::min(deviation, 0.);
    return deviation;
  }
  void add_residuals(const OpticsAlong& optics, std::vector<double>& to) const {
    for (const auto place : places) to.push_back(residual(quantity.value(optics, place)));
  }
  /// The value of the largest deviation; without any that nearest to the limit.
  double worst(const OpticsAlong& optics) const {
    double worst = quantity.value(optics, places.front());
    const auto badness = [&](double value) {
      const double deviation = value - target.value;
      using enum MatchTarget::Relation;
      return target.relation == at_most    ? deviation
             : target.relation == at_least ? -deviation
                                           : std::abs(deviation);
    };
    for (const auto place : places)
      if (const double value = quantity.value(optics, place); badness(value) > badness(worst))
        worst = value;
    return worst;
  }
};

/// State of `match_optics`.
class Matching {
 public:
  Matching(const MatchFunctions& functions, const std::vector<MatchVariable>& variables,
           const std::vector<MatchTarget>& targets)
      : functions_(functions), variables_(variables) {
    if (variables.empty()) throw UsageError("matching", "there are no variables");
    if (targets.empty()) throw UsageError("matching", "there are no targets");
    std::vector<double> values;
    for (const auto& variable : variables) {
      check(variable);
      unknowns_.push_back(variable.unknown);
      values.push_back(variable.unknown.value);
    }
    const BeamLine line = functions.line(values);
    for (const auto& target : targets) targets_.emplace_back(target, line);
    try {
      before_ = functions.optics(line);
    } catch (const UsageError& error) {
      throw UsageError("matching", "the line has no optics to begin with", error.what(),
                       "begin with other strengths");
    }
    for (const auto& target : targets_) target.check(before_);
  }

  MatchResult find(const LeastSquaresParams& params) {
    const auto found = best_of(params);
    MatchResult result;
    result.line = functions_.line(found.values);
    const auto after = functions_.optics(result.line);
    for (std::size_t i = 0; i < variables_.size(); ++i)
      result.variables.push_back({variables_[i].name, unknowns_[i].value, found.values[i],
                                  unknowns_[i].lower, unknowns_[i].upper});
    for (const auto& placed : targets_) {
      const double value = placed.worst(after);
      result.targets.push_back({placed.target.text(), placed.worst(before_), value,
                                placed.target.value, std::abs(placed.residual(value)) <= 1.});
    }
    result.before = sum_of(residuals_of(before_));
    result.after = sum_of(found.residuals);
    result.iterations = found.iterations;
    result.evaluations = found.evaluations;
    result.is_finished = found.is_finished;
    return result;
  }

 private:
  static void check(const MatchVariable& variable) {
    const auto& [value, lower, upper, step] = variable.unknown;
    if (!(lower <= value && value <= upper))
      throw UsageError("variable " + variable.name, shortest(value) + " is not within its limits",
                       shortest(lower) + " to " + shortest(upper));
    if (!(step >= 0.) || !std::isfinite(step))
      throw UsageError("variable " + variable.name, "its step has no meaning", shortest(step));
  }

  /// Full steps find most solutions; others are near, and careful steps find them.
  LeastSquares best_of(const LeastSquaresParams& params) const {
    LeastSquares best;
    int iterations = 0, evaluations = 0;
    for (const double factor : {1., 1e6, 1e9}) {
      auto found =
          least_squares([&](const std::vector<double>& values) { return residuals(values); },
                        unknowns_, {params.iterations, factor * params.damping});
      iterations += found.iterations;
      evaluations += found.evaluations;
      if (best.values.empty() || sum_of(found.residuals) < sum_of(best.residuals))
        best = std::move(found);
      if (std::ranges::all_of(best.residuals, [](double of) { return std::abs(of) <= 1.; })) break;
    }
    best.iterations = iterations;
    best.evaluations = evaluations;
    return best;
  }
  static double sum_of(const std::vector<double>& residuals) {
    double sum = 0.;
    for (const double residual : residuals) sum += residual * residual;
    return sum;
  }
  std::vector<double> residuals_of(const OpticsAlong& optics) const {
    std::vector<double> residuals;
    for (const auto& target : targets_) target.add_residuals(optics, residuals);
    return residuals;
  }
  std::optional<std::vector<double>> residuals(const std::vector<double>& values) const {
    try {
      return residuals_of(functions_.optics(functions_.line(values)));
    } catch (const UsageError&) {
      return std::nullopt;
    }
  }

  const MatchFunctions& functions_;
  const std::vector<MatchVariable>& variables_;
  std::vector<Unknown> unknowns_;
  std::vector<PlacedTarget> targets_;
  OpticsAlong before_;
};

}  // namespace detail

TRACKPLEX_INLINE OpticsAlong periodic_optics_along(const BeamLine& line, double p0) {
  std::vector<TransferMap> maps;
  maps.reserve(line.size());
  TransferMap turn = TransferMap::identity(2);
  for (const Element& element : line) {
    maps.push_back(truncated(map_of(element, p0), 2));
    turn = concatenated(turn, maps.back());
    p0 = element.kind.momentum_behind(p0);
  }
  const PeriodicOptics periodic = periodic_twiss(turn);
  OpticsAlong along{.optics = {periodic.start}, .is_periodic = true};
  along.chromaticity = chromaticity(turn, periodic, length_of(line));
  TransferMap::Vector orbit{};
  for (std::size_t i = 0; i < line.size(); ++i) {
    const TransferMap about = linear_about(orbit, maps[i]);
    for (int c = 0; c < n_coordinates; ++c) orbit[c] = about.component[c].c;
    along.optics.push_back(behind(along.optics.back(), about, length_of(line[i])));
  }
  return along;
}

TRACKPLEX_INLINE std::string MatchTarget::text() const {
  std::string text = quantity;
  if (!place.empty()) text += "@" + place;
  if (occurrence != 0) text += "[" + std::to_string(occurrence) + "]";
  text += relation == Relation::equal ? " = " : relation == Relation::at_most ? " < " : " > ";
  return text + shortest(value);
}

TRACKPLEX_INLINE std::string quantity_names() {
  std::string names;
  for (const auto& quantity : detail::match_quantities()) {
    const std::string_view all = quantity.names;
    names += (names.empty() ? "" : ", ") + std::string(all.substr(1, all.find(' ', 1) - 1));
  }
  return names;
}

TRACKPLEX_INLINE bool is_of_ring(const std::string& quantity) {
  return detail::quantity_named(quantity).of != detail::MatchQuantity::Of::place;
}

TRACKPLEX_INLINE bool is_chromaticity(const std::string& quantity) {
  return detail::quantity_named(quantity).of == detail::MatchQuantity::Of::chromaticity;
}

TRACKPLEX_INLINE std::vector<std::size_t> VariedElements::elements_with(
    const std::string& pattern, const ElementAttribute& attribute) const {
  std::vector<std::size_t> elements;
  std::optional<std::size_t> without;
  for (std::size_t i = 0; i < line_.size(); ++i) {
    if (!matches_wildcards(pattern, line_[i].name)) continue;
    if (attribute.of(line_[i]))
      elements.push_back(i);
    else
      without = i;
  }
  const std::string name = "variable " + pattern + "." + attribute.name();
  if (elements.empty() && !without)
    throw UsageError(name, "the line has no element '" + pattern + "'", {},
                     "* stands for any letters, ? for one");
  const bool is_pattern = pattern.find_first_of("*?") != pattern.npos;
  if (!without || (is_pattern && !elements.empty())) return elements;
  const Element& element = line_[*without];
  const std::string others = attributes_of(element);
  throw UsageError(name, "element '" + element.name + "' has no " + attribute.name(),
                   std::string("it is a ") + element.kind.family(),
                   others.empty() ? others : "it has " + others);
}

TRACKPLEX_INLINE void VariedElements::check_values(const std::string& name,
                                                   const Varied& varied) const {
  std::set<double> values;
  for (const auto i : varied.elements) {
    values.insert(*varied.attribute.of(line_[i]));
    for (const auto& other : varied_)
      if (other.attribute.is_same(varied.attribute) &&
          std::ranges::binary_search(other.elements, i))
        throw UsageError(name, "element '" + line_[i].name + "' is in another variable already");
  }
  if (!varied.is_factor && values.size() > 1)
    throw UsageError(name, "the elements have different values",
                     shortest(*values.begin()) + " to " + shortest(*values.rbegin()),
                     "vary them one by one, or by a common factor");
  if (varied.is_factor && values == std::set<double>{0.})
    throw UsageError(name, "a factor does not change elements of value 0");
}

TRACKPLEX_INLINE MatchVariable VariedElements::add(const std::string& pattern,
                                                   const ElementAttribute& attribute,
                                                   bool is_factor) {
  Varied varied{attribute, elements_with(pattern, attribute), is_factor};
  MatchVariable variable{.name = pattern + "." + attribute.name()};
  check_values("variable " + variable.name, varied);
  variable.unknown.value = is_factor ? 1. : *attribute.of(line_[varied.elements.front()]);
  if (is_factor) variable.name += " (factor)";
  varied_.push_back(std::move(varied));
  return variable;
}

TRACKPLEX_INLINE BeamLine VariedElements::operator()(const std::vector<double>& values) const {
  BeamLine line = line_;
  for (std::size_t k = 0; k < varied_.size(); ++k) {
    const auto& [attribute, elements, is_factor] = varied_[k];
    for (const auto i : elements)
      line[i] =
          attribute.changed(line[i], is_factor ? values[k] * *attribute.of(line_[i]) : values[k]);
  }
  return line;
}

TRACKPLEX_INLINE bool MatchResult::is_matched() const {
  return std::ranges::all_of(targets, &Target::is_met);
}

TRACKPLEX_INLINE std::string MatchResult::complaint() const {
  std::string text;
  for (const auto& target : targets)
    if (!target.is_met)
      text += (text.empty() ? "" : "; ") + target.name + " became " + shortest(target.after);
  if (text.empty()) return text;
  for (std::size_t i = 0; i < variables.size(); ++i) {
    const auto& variable = variables[i];
    text += (i == 0 ? " with " : ", ") + variable.name + " = " + shortest(variable.after);
    if (variable.is_at_limit()) text += " (its limit)";
  }
  if (!is_finished) text += "; not finished after " + std::to_string(iterations) + " iterations";
  return text;
}

TRACKPLEX_INLINE MatchResult match_optics(const MatchFunctions& functions,
                                          const std::vector<MatchVariable>& variables,
                                          const std::vector<MatchTarget>& targets,
                                          const LeastSquaresParams& params) {
  return detail::Matching(functions, variables, targets).find(params);
}

}  // namespace trackplex::beam
