// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/io/detail/lattice_tokens.hpp>
#include <trackplex/io/elegant/detail/elegant_patterns.hpp>
#include <trackplex/io/elegant/detail/elegant_rules.hpp>
#include <trackplex/io/elegant/elegant_options.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace trackplex::io::detail {

/// Changes the parameters of elements of a lattice while it is read.
class ElegantAlterations {
 public:
  /// `file` names the lattice in messages; `case_matters`: whether it has names that differ only in
  /// case.
  ElegantAlterations(std::vector<ElegantChange> changes, const std::string& file, bool case_matters)
      : changes_(std::move(changes)),
        is_matched_(changes_.size()),
        file_(file),
        case_matters_(case_matters) {
    for (std::size_t i = 0; i < changes_.size(); ++i)
      if (changes_[i].in_upper_case)
        for (auto* of : {&changes_[i].name, &changes_[i].except}) *of = upper_case(*of);
    for (std::size_t i = 0; i < changes_.size(); ++i)
      if (is_elegant_pattern(changes_[i].name))
        of_patterns_.push_back(i);
      else
        of_names_[upper_case(changes_[i].name)].push_back(i);
  }

  /// Changes an element of a type, without a rule where it is not known; `length` is the L of one
  /// that has a rule without L, too. Returns a change that counts elements, or null.
  const ElegantChange* apply(ElementValues& values, const ElementRule* rule,
                             const LatticeToken& name, const LatticeToken& type, double& length) {
    const std::string type_name = rule ? std::string(rule->keyword) : type.text;
    const ElegantChange* counting = nullptr;
    for (const std::size_t i : candidates(name.text)) {
      const ElegantChange& change = changes_[i];
      if (!concerns(change, name.text, type_name)) continue;
      is_matched_[i] = true;
      if (change.occurrences > 0) counting = &change;
      if (upper_case(change.parameter) == "L") length = changed(change, length);
      if (rule) apply(change, values, *rule, name);
    }
    return counting;
  }

  void check_matches() const {
    for (std::size_t i = 0; i < changes_.size(); ++i)
      if (!is_matched_[i] && !changes_[i].may_match_nothing)
        throw InputError(
            {changes_[i].place},
            "no element '" + changes_[i].name + "'" +
                (changes_[i].type == "*" ? "" : " of type '" + changes_[i].type + "'") +
                " is defined whose " + changes_[i].parameter + " could be changed",
            "the lattice is " + file_);
  }

 private:
  /// The changes whose names may be that of an element, in their order.
  std::vector<std::size_t> candidates(std::string_view name) const {
    std::vector<std::size_t> all = of_patterns_;
    if (const auto found = of_names_.find(upper_case(name)); found != of_names_.end())
      all.insert(all.end(), found->second.begin(), found->second.end());
    std::ranges::sort(all);
    return all;
  }
  bool concerns(const ElegantChange& change, std::string_view name, std::string_view type) const {
    return matches_elegant_pattern(change.name, name, case_matters_) &&
           matches_elegant_pattern(change.type, type) &&
           !(change.except.size() && matches_elegant_pattern(change.except, name, case_matters_));
  }
  static double changed(const ElegantChange& change, double value) {
    using Kind = ElegantChange::Kind;
    return change.kind == Kind::set   ? change.value
           : change.kind == Kind::add ? value + change.value
                                      : value * (1. + change.value);
  }
  [[noreturn]] void refuse(const ElegantChange& change, const LatticeToken& name,
                           const std::string& problem) const {
    refuse_lattice(file_, name, problem, "the change is that of " + change.place);
  }

  void apply(const ElegantChange& change, ElementValues& values, const ElementRule& rule,
             const LatticeToken& name) const {
    const ParameterRule* parameter = values.rule_of(change.parameter);
    if (!parameter && (rule.is_passive || change.may_lack_the_parameter)) return;
    if (!parameter)
      refuse(change, name,
             "'" + change.parameter + "' is no parameter of " + std::string(rule.keyword));
    const bool is_text = parameter->kind == ParameterKind::text;
    const bool is_other =
        is_text ? change.text.empty() && change.value != 0. : !change.text.empty();
    if (parameter->kind != ParameterKind::passive && is_other)
      refuse(change, name, change.parameter + " is a " + (is_text ? "text" : "number"));
    GivenValue given{0., change.text, name};
    if (!is_text) given.value = changed(change, values(parameter->name));
    if (is_whole(parameter->kind))
      given.value = change.kind == ElegantChange::Kind::enlarge ? std::trunc(given.value)
                                                                : std::round(given.value);
    values.change(*parameter, std::move(given));
  }
  static bool is_whole(ParameterKind kind) {
    return kind == ParameterKind::integer || kind == ParameterKind::flag;
  }

  std::vector<ElegantChange> changes_;
  std::vector<bool> is_matched_;
  const std::string& file_;
  const bool case_matters_;
  std::map<std::string, std::vector<std::size_t>> of_names_;  ///< changes, by names in upper case
  std::vector<std::size_t> of_patterns_;                      ///< those of several elements
};

}  // namespace trackplex::io::detail
