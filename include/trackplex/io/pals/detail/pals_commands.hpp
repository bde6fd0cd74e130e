// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/core/shortest.hpp>
#include <trackplex/io/pals/detail/pals_lines.hpp>
#include <trackplex/io/pals/detail/pals_patterns.hpp>

#include <cmath>
#include <cstddef>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

/// @file
/// Commands of a document of PALS, in their order, and the branch that they end with.

namespace trackplex::io::detail {

/// The elements of a branch.
struct PalsBranch {
  std::string name{}, lattice{}, line{};
  std::optional<bool> is_periodic{};
  std::vector<PalsPart> parts{};
};

/// Runs the commands of a document and expands a branch.
class PalsCommands {
 public:
  PalsCommands(PalsModel& model, std::vector<std::string>& remarks)
      : model_(model), remarks_(remarks), lines_(model) {}

  /// The branch, or line, of a name; of no name, the only branch.
  /// @throws InputError if there is something that is not read
  /// @throws UsageError if there are several branches, or none of the name
  PalsBranch run(const std::string& file, const std::string& name) {
    auto& facility = model_.document().facility;
    std::size_t i = 0;
    for (; i < facility.size() && facility[i].key != "expand_lattice"; ++i) {
      settle_elements(i);
      before(facility[i]);
    }
    PalsBranch branch = branch_of(file, name);
    control(branch);
    const bool has_more = i < facility.size();
    for (; i < facility.size(); ++i) after(facility[i], branch);
    if (has_more) control(branch);
    return branch;
  }

 private:
  // Expressions of elements are evaluated where these are defined

  void settle_elements(std::size_t order) {
    auto& elements = model_.elements();
    for (; settled_ < elements.size() && elements[settled_].order <= order; ++settled_) {
      PalsElement& element = elements[settled_];
      for (YamlNode& field : element.node->children) {
        const PalsGroup* const group = find_pals_group(field.key);
        if (field.key == "length") settle(field, element);
        if (group && group->parameters != "*")
          for (YamlNode& value : field.children) settle(value, element);
      }
    }
  }
  /// Makes a number of an expression, if its names are known so far.
  void settle(YamlNode& value, const PalsElement& element) {
    double number = 0.;
    if (!value.is_scalar() || value.is_null() || is_pals_number(value.text, number)) return;
    try {
      const YamlNode self = model_.resolved(*element.node, element.name);
      number = model_.number_of(value, &self);
      if (std::isfinite(number)) value.text = shortest(number);
    } catch (const InputError&) {
    }  // a word, or what the use of the value will tell
  }

  // Commands

  void before(const YamlNode& item) {
    if (item.key == "use") used_ = &item;
    if (item.key == "superimpose")
      refuse_yaml(item.key_at, "superimpose is not implemented", {},
                  "put the element into its line");
    if (item.key == "set" || item.key == "sets")
      for_each_set(item, [&](const PalsReference& to, const YamlNode& value) {
        set_definitions(to, value, item);
      });
  }
  void after(const YamlNode& item, PalsBranch& branch) {
    if (item.key == "superimpose") before(item);
    if (item.key == "set" || item.key == "sets")
      for_each_set(item, [&](const PalsReference& to, const YamlNode& value) {
        set_parts(to, value, branch);
      });
  }

  template <class Set>
  void for_each_set(const YamlNode& item, const Set& set) {
    if (item.key == "set") {
      const YamlNode* const parameter = item.find("parameter");
      const YamlNode* const value = item.find("value");
      if (!parameter || !value)
        refuse_yaml(item.key_at, "set has no parameter or no value", {},
                    "set: {parameter: element>group.name, value: 1}");
      return set(PalsReference::of(parameter->as_text("parameter"), parameter->at), *value);
    }
    for (const YamlNode& pair : item.as_list("sets").children)
      for (const YamlNode& field : pair.as_mapping("an item of sets").children)
        set(PalsReference::of(field.key, field.key_at), field);
  }

  /// Sets a parameter of the elements that are defined before.
  void set_definitions(const PalsReference& to, const YamlNode& value, const YamlNode& item) {
    if (to.element.empty()) return set_variable(to, value);
    check_path(to, value.at);
    const PalsElementPattern pattern(to.element, value.at);
    int matched = 0;
    for (std::size_t i = 0; i < settled_; ++i) {
      PalsElement& element = model_.elements()[i];
      if (!to.line.empty() && element.line != to.line) continue;
      if (!pattern.may_match(element.name)) continue;
      const YamlNode self = model_.resolved(*element.node, element.name);
      if (!pattern.matches(element.name, kind_of(self))) continue;
      if (++matched == to.number || to.number == 0)
        set_pals_path(*element.node, to.path, new_value(self, to.path, value));
    }
    if (matched == 0)
      remark(item, "it sets nothing: no element before it is \"" + to.element + "\"");
  }
  void set_variable(const PalsReference& to, const YamlNode& value) {
    const double now = model_.variable(to.path, value.at);
    const PalsModel::Scope scope(model_, now, nullptr);
    model_.set_variable(to.path, model_.number_of(value, nullptr), value.at);
  }
  /// Sets a parameter of the elements of the branch: each by itself, or the copies of one alike.
  void set_parts(const PalsReference& to, const YamlNode& value, PalsBranch& branch,
                 bool is_alike = false) {
    check_path(to, value.at);
    const PalsElementPattern pattern(to.element, value.at);
    if (!is_of(to, branch, value.at)) return;
    int matched = 0;
    std::unordered_map<const YamlNode*, PalsPart> changed_parts;
    for (PalsPart& part : branch.parts) {
      if (!pattern.matches(part.node->key, kind_of(*part.node))) continue;
      if (++matched != to.number && to.number != 0) continue;
      const PalsPart before = part;
      if (const auto known = changed_parts.find(before.node.get());
          is_alike && known != changed_parts.end()) {
        part.node = known->second.node;
        continue;
      }
      YamlNode changed = *part.node;
      set_pals_path(changed, to.path, new_value(*part.node, to.path, value));
      part.node = std::make_shared<const YamlNode>(std::move(changed));
      changed_parts[before.node.get()] = part;
    }
    if (matched == 0) remark(value, "it sets nothing: no element is \"" + to.element + "\"");
  }
  /// Tells whether a parameter is one of the branch that is read.
  static bool is_of(const PalsReference& to, const PalsBranch& branch, const YamlPlace& at) {
    const auto is = [&](const std::string& pattern, const std::string& a, const std::string& b) {
      const PalsPattern names(pattern, at);
      return names.matches(a) || names.matches(b);
    };
    return (to.lattice.empty() || is(to.lattice, branch.lattice, branch.lattice)) &&
           (to.line.empty() || is(to.line, branch.name, branch.line) ||
            (to.lattice.empty() && is(to.line, branch.lattice, branch.lattice)));
  }
  static void check_path(const PalsReference& to, const YamlPlace& at) {
    const std::size_t dot = to.path.find('.');
    const std::string group = to.path.substr(0, dot);
    const PalsGroup* const known = find_pals_group(group);
    const bool is_plain = to.path == "length" || to.path == "is_on" || to.path == "field_master";
    if (!is_plain &&
        (!known || dot == to.path.npos || !has_parameter(*known, to.path.substr(dot + 1))))
      refuse_yaml(at, "there is no parameter \"" + to.path + "\" to set");
  }
  static std::string kind_of(const YamlNode& element) {
    const YamlNode* const kind = element.find("kind");
    return kind ? kind->text : std::string();
  }
  /// A number, or the word that the value is.
  YamlNode new_value(const YamlNode& self, const std::string& path, const YamlNode& value) {
    if (value.is_null() || !value.is_scalar()) return value;
    try {
      return number_node(self, path, value);
    } catch (const InputError&) {
      if (value.text.find_first_not_of("ABCDEFGHIJKLMNOPQRSTUVWXYZ_") != value.text.npos &&
          value.text != "true" && value.text != "false")
        throw;
    }
    return value;
  }
  YamlNode number_node(const YamlNode& self, const std::string& path, const YamlNode& value) {
    const YamlNode* const known = find_pals_path(self, path);
    std::optional<double> now = 0.;
    if (known && !known->is_null() && known->is_scalar()) now = current(*known, self);
    if (!known && PalsStrength::of(path.substr(path.rfind('.') + 1)))
      now = model_.parameter_of(self, path, value.at);
    const PalsModel::Scope scope(model_, now, nullptr);
    YamlNode result = value;
    const double number = model_.number_of(value, &self);
    result.is_quoted = false;
    if (std::isfinite(number)) result.text = shortest(number);
    return result;
  }
  std::optional<double> current(const YamlNode& value, const YamlNode& self) {
    try {
      return model_.number_of(value, &self);
    } catch (const InputError&) {
      return std::nullopt;  // a word
    }
  }

  // Controllers

  /// Sets what controllers set, each parameter once.
  void control(PalsBranch& branch) {
    for (const YamlNode* const controller : model_.controllers()) {
      const YamlNode* const controls = controller->find("controls");
      if (!controls || !PalsModel::is_absolute(*controller)) continue;
      for (const YamlNode& control : controls->as_list("controls").children)
        apply(*controller, control, branch);
    }
  }
  void apply(const YamlNode& controller, const YamlNode& control, PalsBranch& branch) {
    const YamlNode* const parameter = control.find("parameter");
    const YamlNode* const expression = control.find("expression");
    if (!parameter || !expression)
      refuse_yaml(control.at, "a control has no parameter or no expression");
    const PalsReference to = PalsReference::of(parameter->as_text("parameter"), parameter->at);
    if (model_.is_controller(to.element)) return;  // counts where its variable is used
    YamlNode value = *expression;
    {
      const PalsModel::Scope scope(model_, std::nullopt, &controller);
      value.text = shortest(model_.number_of(*expression, nullptr));
    }
    value.is_quoted = false;
    value.at = parameter->at;
    set_parts(to, value, branch, true);
  }

  // The branch

  PalsBranch branch_of(const std::string& file, const std::string& name) {
    const YamlNode* const lattice = lattice_in_use();
    if (!lattice && name.empty())
      throw InputError({file}, "has no lattice", "none of its items is of the kind Lattice",
                       list_of(model_.line_names(), "name a line: "));
    PalsBranch branch{.lattice = lattice ? lattice->key : std::string()};
    const YamlNode* line = nullptr;
    std::vector<std::string> names;
    if (lattice) line = find_branch(*lattice, name, names, branch);
    if (!line && !name.empty()) {
      line = model_.line(name);
      branch.name = name;
    }
    if (!line && name.empty() && names.size() > 1)
      throw UsageError("read_pals", "the lattice has several branches", list_of(names),
                       "name one of them");
    if (!line)
      throw UsageError("read_pals", "the file has no branch or line \"" + name + "\"",
                       list_of(names.empty() ? model_.line_names() : names));
    branch.line = line->key;
    if (const YamlNode* const periodic = line->find("periodic"); periodic && !branch.is_periodic)
      branch.is_periodic = is_true(*periodic);
    branch.parts = lines_.expand(*line);
    return branch;
  }
  static std::string list_of(const std::vector<std::string>& names,
                             const std::string& before = "they are ") {
    std::string text;
    for (const std::string& name : names) text += (text.empty() ? before : ", ") + name;
    return text;
  }
  static bool is_true(const YamlNode& value) {
    if (value.text == "true" || value.text == "True" || value.text == "TRUE") return true;
    if (value.text != "false" && value.text != "False" && value.text != "FALSE" && !value.is_null())
      refuse_yaml(value.at, "\"" + value.text + "\" is neither true nor false");
    return false;
  }
  const YamlNode* lattice_in_use() {
    const auto& lattices = model_.lattices();
    if (!used_) return lattices.empty() ? nullptr : lattices.back();
    const std::string& name = used_->as_text("use");
    for (const YamlNode* const lattice : lattices)
      if (lattice->key == name) return lattice;
    refuse_yaml(used_->at, "there is no lattice \"" + name + "\"");
  }
  /// The line of a branch, by its name or if it is the only one; collects the names of all.
  const YamlNode* find_branch(const YamlNode& lattice, const std::string& name,
                              std::vector<std::string>& names, PalsBranch& branch) {
    const YamlNode* const branches = lattice.find("branches");
    if (!branches)
      refuse_yaml(lattice.key_at, "the lattice \"" + lattice.key + "\" has no branches");
    const YamlNode* chosen = nullptr;
    const auto consider = [&](const YamlNode& item) {
      const bool is_mapping = item.is_mapping() && item.children.size() == 1;
      const std::string own = is_mapping ? item.children[0].key : item.as_text("a branch");
      names.push_back(own);
      if (name.empty() ? names.size() > 1 : own != name) return;
      chosen = &item;
      branch.name = own;
    };
    if (branches->is_scalar() && !branches->is_null())
      consider(*branches);
    else
      for (const YamlNode& item : branches->as_list("branches").children) consider(item);
    if (!chosen || (name.empty() && names.size() > 1)) return nullptr;
    const YamlNode* const body = chosen->is_mapping() ? &chosen->children[0] : nullptr;
    const YamlNode* const parent = body ? body->find("inherit") : nullptr;
    if (const YamlNode* const periodic = body ? body->find("periodic") : nullptr)
      if (!periodic->is_null()) branch.is_periodic = is_true(*periodic);
    const std::string line = parent ? parent->as_text("inherit") : branch.name;
    const YamlNode* const found = model_.line(line);
    if (!found)
      refuse_yaml(chosen->at, "there is no line \"" + line + "\"", {},
                  closest_name(line, model_.line_names()));
    return found;
  }

  void remark(const YamlNode& at, const std::string& text) {
    const YamlPlace& place = at.at.file ? at.at : at.key_at;
    if (said_.insert(text).second && place.file)
      remarks_.push_back(*place.file + ": line " + std::to_string(place.line) + ": " + text);
  }

  PalsModel& model_;
  std::vector<std::string>& remarks_;
  PalsLines lines_;
  std::size_t settled_ = 0;  ///< elements whose expressions are evaluated
  const YamlNode* used_ = nullptr;
  std::set<std::string> said_;
};

}  // namespace trackplex::io::detail
