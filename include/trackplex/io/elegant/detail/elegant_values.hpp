// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/beam/elements/elements.hpp>
#include <trackplex/core/shortest.hpp>
#include <trackplex/io/detail/lattice_tokens.hpp>
#include <trackplex/io/elegant/elegant_options.hpp>

#include <cmath>
#include <cstdio>
#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace trackplex::io::detail {

/// Allowed values of a parameter.
enum class ParameterKind {
  real,
  not_negative,
  integer,
  flag,     ///< 0 or 1
  text,     ///< a word, or text in quotation marks
  passive,  ///< without effect on particles: any value
  fixed     ///< something of elegant's that is not done here: its default only
};

struct ParameterRule {
  std::string_view name;
  double standard = 0.;  ///< elegant's default
  ParameterKind kind = ParameterKind::real;
  std::string_view remedy{};   ///< what to do instead of a value that is refused as not the default
  std::string_view same_as{};  ///< parameter of which this is another name: the last one counts

  /// The name of its value.
  std::string_view key() const { return same_as.empty() ? name : same_as; }
};

/// A value that a file gives to a parameter.
struct GivenValue {
  double value = 0.;
  std::string text{};
  LatticeToken place;       ///< of the parameter's name
  std::string_view name{};  ///< of the parameter, where it has several
};

/// The parameters of an element: those of the file, and the defaults of the others.
class ElementValues {
 public:
  ElementValues(const std::string& file, std::string keyword, const LatticeToken& place,
                const std::vector<ParameterRule>& rules, const ElegantLatticeOptions& options)
      : file_(file),
        keyword_(std::move(keyword)),
        place_(place),
        rules_(rules),
        options_(options) {}

  /// The rule of a name in the file, which may leave out underscores; null if there is none.
  const ParameterRule* rule_of(std::string_view name) const {
    const auto without_underscores = [](std::string_view text) {
      std::string bare = upper_case(text);
      bare.erase(std::remove(bare.begin(), bare.end(), '_'), bare.end());
      return bare;
    };
    for (const auto& rule : rules_)
      if (without_underscores(rule.name) == without_underscores(name)) return &rule;
    return nullptr;
  }

  void set(const ParameterRule& rule, double value, const LatticeToken& place) {
    check(rule, value, place);
    give(rule, {value, {}, place});
  }
  void set(const ParameterRule& rule, std::string text, const LatticeToken& place) {
    give(rule, {0., std::move(text), place});
  }

  /// Marks the values so far as those of an element like this one: they may be given again.
  void inherit() {
    for (auto& [name, value] : given_) value.name = {};
  }

  /// Sets what the file may have given, too.
  void change(const ParameterRule& rule, GivenValue value) {
    check(rule, value.value, value.place);
    given_.insert_or_assign(rule.key(), std::move(value));
  }

  double operator()(std::string_view name) const {
    for (const auto& rule : rules_)
      if (rule.name == name) {
        const auto found = given_.find(rule.key());
        return found != given_.end() ? found->second.value : rule.standard;
      }
    throw UsageError("ElementValues",
                     keyword_ + " has no parameter " + std::string(name) + " in its table");
  }
  int integer(std::string_view name) const { return int((*this)(name)); }
  bool flag(std::string_view name) const { return (*this)(name) != 0.; }
  bool is_given(std::string_view name) const { return given_.contains(name); }
  int default_order() const { return options_.default_order; }
  /// The reference momentum; 0: it is not known.
  double p0() const { return options_.p0; }
  bool has_exact_edges() const { return options_.exact_edges; }
  /// The text of a parameter; empty if the file does not give it.
  std::string text(std::string_view name) const {
    const auto found = given_.find(name);
    return found == given_.end() ? std::string() : found->second.text;
  }
  /// The folder of the lattice.
  std::filesystem::path folder() const { return std::filesystem::path(file_).parent_path(); }
  /// The file that a parameter names, in this folder.
  std::filesystem::path path(std::string_view name) const { return folder() / text(name); }

  /// Throws InputError at the parameter, or at the element if the file does not give it.
  [[noreturn]] void refuse(std::string_view name, const std::string& why,
                           const std::string& hint = {}) const {
    const auto found = given_.find(name);
    refuse_lattice(file_, found == given_.end() ? place_ : found->second.place,
                   keyword_ + ": " + std::string(name) + " cannot be " + shown(name), why, hint);
  }
  void require(bool condition, std::string_view name, const std::string& why,
               const std::string& hint = {}) const {
    if (!condition) refuse(name, why, hint);
  }

 private:
  std::string shown(std::string_view name) const {
    const std::string given = text(name);
    return given.empty() ? shortest((*this)(name)) : "'" + given + "'";
  }
  void give(const ParameterRule& rule, GivenValue value) {
    value.name = rule.name;
    const auto found = given_.find(rule.key());
    if (found != given_.end() && found->second.name == rule.name)
      refuse_lattice(file_, value.place, std::string(rule.name) + " is given twice");
    given_.insert_or_assign(rule.key(), std::move(value));
  }
  void check(const ParameterRule& rule, double value, const LatticeToken& place) const {
    const auto refuse_value = [&](const std::string& why, std::string_view hint = {}) {
      refuse_lattice(file_, place,
                     keyword_ + ": " + std::string(rule.name) + " cannot be " + shortest(value),
                     why, std::string(hint));
    };
    switch (rule.kind) {
      case ParameterKind::real:
      case ParameterKind::text:
      case ParameterKind::passive:
        return;
      case ParameterKind::not_negative:
        if (!(value >= 0.)) refuse_value("it must not be negative");
        return;
      case ParameterKind::integer:
        if (value != std::floor(value) || !(std::abs(value) <= 1e9))
          refuse_value("it must be a whole number");
        return;
      case ParameterKind::flag:
        if (value != 0. && value != 1.) refuse_value("it must be 0 or 1");
        return;
      case ParameterKind::fixed:
        if (value != rule.standard)
          refuse_value(
              "what elegant does then is not done here: only " + shortest(rule.standard) + " is",
              rule.remedy);
        return;
    }
  }

  const std::string& file_;
  std::string keyword_;
  const LatticeToken& place_;
  const std::vector<ParameterRule>& rules_;
  const ElegantLatticeOptions& options_;
  std::map<std::string_view, GivenValue> given_;
};

}  // namespace trackplex::io::detail
