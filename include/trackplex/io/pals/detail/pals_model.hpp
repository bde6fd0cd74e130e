// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/core/random.hpp>
#include <trackplex/io/pals/detail/pals_document.hpp>
#include <trackplex/io/pals/detail/pals_expression.hpp>
#include <trackplex/io/pals/detail/pals_groups.hpp>
#include <trackplex/io/pals/detail/pals_paths.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

/// @file
/// Definitions of a document of PALS: variables, elements, lines, lattices and controllers.

namespace trackplex::io::detail {

/// The definitions of a document, and the values of its expressions.
class PalsModel : public PalsNames {
 public:
  static constexpr int max_depth = 50;      ///< Of definitions that depend on others.
  static constexpr int max_steps = 10'000;  ///< From an element to all that it inherits from.

  PalsModel(PalsDocument document, std::uint64_t seed)
      : document_(std::move(document)), random_(seed, 0) {
    for (std::size_t i = 0; i < document_.facility.size(); ++i) define(document_.facility[i], i);
  }

  PalsDocument& document() { return document_; }
  const PalsExtensions& extensions() const { return document_.extensions; }
  std::vector<PalsElement>& elements() { return elements_; }
  const std::vector<const YamlNode*>& lattices() const { return lattices_; }
  const std::vector<const YamlNode*>& controllers() const { return controllers_; }
  /// Line of a name, or null.
  const YamlNode* line(const std::string& name) const {
    const auto found = lines_.find(name);
    return found == lines_.end() ? nullptr : found->second;
  }
  std::vector<std::string> line_names() const {
    std::vector<std::string> names;
    for (const auto& line : lines_) names.push_back(line.first);
    std::ranges::sort(names);
    return names;
  }
  /// Element of a name, or null.
  /// @throws InputError if several lines define one
  const PalsElement* element(const std::string& name, const YamlPlace& at) const {
    const auto found = by_name_.find(name);
    if (found == by_name_.end()) return nullptr;
    if (found->second.is_ambiguous)
      refuse_yaml(at, "\"" + name + "\" is defined in several lines", {},
                  "define it once, outside of lines");
    return &elements_[found->second.index];
  }
  std::vector<std::string> element_names() const {
    std::vector<std::string> names;
    for (const PalsElement& element : elements_) names.push_back(element.name);
    return names;
  }

  // Elements with all that they inherit

  /// The element with the values that it inherits, or those of the definition of its name.
  YamlNode resolved(const YamlNode& node, const std::string& name, int depth = 0) const {
    steps_ = depth == 0 ? 0 : steps_ + 1;
    if (depth > max_depth || steps_ > max_steps)
      refuse_yaml(node.at, "\"" + name + "\" inherits from itself");
    const YamlNode* const parent = node.find("inherit");
    YamlNode result{.kind = YamlNode::Kind::mapping, .key = name};
    if (parent || !node.find("kind")) {
      const std::string& of = parent ? parent->as_text("inherit") : name;
      const YamlPlace& at = parent ? parent->at : node.at;
      const PalsElement* const base = element(of, at);
      if (!base || base->node == &node)
        refuse_yaml(at, "there is no element \"" + of + "\"",
                    parent ? "\"" + name + "\" inherits from it" : "",
                    closest_name(of, element_names(), "give it a kind"));
      result = resolved(*base->node, of, depth + 1);
    }
    result.key = name;
    result.at = node.at;
    merge_yaml(result, node);
    std::erase_if(result.children, [](const YamlNode& field) {
      return field.key == "inherit" || field.key == "repeat" || field.key == "direction" ||
             field.key == "placement";
    });
    for (YamlNode& group : result.children) resolve_group(group, depth);
    return result;
  }

  // Values

  /// A number, or an expression of one.
  double number_of(const YamlNode& value, const YamlNode* self) {
    double number = 0.;
    if (!value.is_scalar() || value.is_null())
      refuse_yaml(value.at, "\"" + value.key + "\" is no number");
    if (is_pals_number(value.text, number)) return number;
    const Evaluation evaluation(*this, self);
    if (depth_ > max_depth) refuse_yaml(value.at, "\"" + value.text + "\" depends on itself");
    return PalsExpression::evaluate(value.text, value.at, *this);
  }

  double variable(const std::string& name, const YamlPlace& at) override {
    if (name == "PARAMETER" && current_) return *current_;
    if (controller_)
      if (const YamlNode* const own = find_variable(*controller_, name))
        return controller_variable(*controller_, *own);
    const auto found = variables_.find(name);
    if (found == variables_.end()) {
      std::vector<std::string> names;
      for (const auto& variable : variables_) names.push_back(variable.first);
      refuse_yaml(at, "there is no variable \"" + name + "\"", {}, closest_name(name, names));
    }
    if (!found->second.number) {
      const double value = number_of(*found->second.node, nullptr);
      found->second.number = value;
    }
    return *found->second.number;
  }
  std::string species(const std::string& name, const YamlPlace& at) override {
    const auto found = variables_.find(name);
    if (found == variables_.end())
      refuse_yaml(at, "there is no particle or variable \"" + name + "\"");
    return found->second.node->as_text("the particle " + name);
  }
  double parameter(const PalsReference& reference, const YamlPlace& at) override {
    if (reference.element == "SELF" && self_) return parameter_of(*self_, reference.path, at);
    for (const YamlNode* const controller : controllers_)
      if (controller->key == reference.element)
        if (const YamlNode* const own = find_variable(*controller, reference.path))
          return controller_variable(*controller, *own);
    const PalsElement* found = nullptr;
    if (!reference.line.empty())
      for (const PalsElement& one : elements_)
        if (one.line == reference.line && one.name == reference.element) found = &one;
    if (!found) found = element(reference.element, at);
    if (!found)
      refuse_yaml(at, "there is no element \"" + reference.element + "\"", {},
                  closest_name(reference.element, element_names()));
    return parameter_of(resolved(*found->node, found->name), reference.path, at);
  }
  double uniform() override { return random_.uniform(); }
  double normal() override { return random_.normal(); }

  /// Value of a parameter of an element; 0 where it is not set.
  double parameter_of(const YamlNode& resolved, const std::string& path, const YamlPlace& at) {
    if (const YamlNode* const value = find_pals_path(resolved, path); value && !value->is_null())
      return number_of(*value, &resolved);
    const std::size_t dot = path.find('.');
    const PalsGroup* const group = find_pals_group(path.substr(0, dot));
    const std::string name = dot == path.npos ? "" : path.substr(dot + 1);
    if (path != "length" && path != "s_position" && (!group || !has_parameter(*group, name)))
      refuse_yaml(at, "there is no parameter \"" + path + "\"");
    const auto strength = PalsStrength::of(name);
    if (!group || !group->name.ends_with("MultipoleP") || !strength || strength->type == 't')
      return 0.;
    // the other form of the same strength
    const std::string other =
        strength->is_integrated ? path.substr(0, path.size() - 1) : path + "L";
    const YamlNode* const value = find_pals_path(resolved, other);
    if (!value || value->is_null()) return 0.;
    const double length = parameter_of(resolved, "length", at),
                 number = number_of(*value, &resolved);
    if (!strength->is_integrated && length == 0.)
      refuse_yaml(at, "\"" + path + "\" is not defined", "the length is 0");
    return strength->is_integrated ? number * length : number / length;
  }

  /// Expressions in commands: values of PARAMETER and of the controller whose variables count.
  struct Scope {
    Scope(PalsModel& model, std::optional<double> current, const YamlNode* controller)
        : model_(model),
          current_(std::exchange(model.current_, current)),
          controller_(std::exchange(model.controller_, controller)) {}
    ~Scope() {
      model_.current_ = current_;
      model_.controller_ = controller_;
    }
    Scope(const Scope&) = delete;
    Scope& operator=(const Scope&) = delete;

   private:
    PalsModel& model_;
    std::optional<double> current_;
    const YamlNode* controller_;
  };

  void set_variable(const std::string& name, double value, const YamlPlace& at) {
    const auto found = variables_.find(name);
    if (found == variables_.end()) refuse_yaml(at, "there is no variable \"" + name + "\"");
    found->second.number = value;
  }
  /// Tells whether a controller sets parameters; one that changes them does nothing by itself.
  static bool is_absolute(const YamlNode& controller) {
    const YamlNode* const type = controller.find("control_type");
    if (type && type->text != "ABSOLUTE" && type->text != "RELATIVE")
      refuse_yaml(type->at, "\"" + type->text + "\" is no type of a controller", {},
                  "ABSOLUTE or RELATIVE");
    return !type || type->text == "ABSOLUTE";
  }
  bool is_controller(const std::string& name) const {
    return std::ranges::any_of(controllers_, [&](const auto* c) { return c->key == name; });
  }

 private:
  /// Evaluation of one expression inside of others, for an element.
  struct Evaluation {
    Evaluation(PalsModel& model, const YamlNode* self)
        : model_(model), self_(std::exchange(model.self_, self)) {
      ++model.depth_;
    }
    ~Evaluation() {
      model_.self_ = self_;
      --model_.depth_;
    }
    Evaluation(const Evaluation&) = delete;
    Evaluation& operator=(const Evaluation&) = delete;

   private:
    PalsModel& model_;
    const YamlNode* self_;
  };
  struct Variable {
    const YamlNode* node = nullptr;
    std::optional<double> number{};
  };
  struct Index {
    std::size_t index = 0;
    bool is_ambiguous = false;
  };

  // Definitions

  void define(YamlNode& item, std::size_t order) {
    if (item.key == "constants" || item.key == "variables") return define_variables(item);
    for (const char* const command : {"use", "set", "sets", "expand_lattice", "superimpose"})
      if (item.key == command) return;
    if (document_.extensions.owns(item)) return;
    const YamlNode* const kind = item.find("kind");
    const std::string word = kind ? kind->as_text("kind") : std::string();
    if (word == "constant" || word == "variable") {
      const YamlNode* const value = item.find("value");
      if (!value) refuse_yaml(item.key_at, "\"" + item.key + "\" has no value");
      return define_variable(item.key, *value);
    }
    if (word == "Controller") return controllers_.push_back(&item);
    if (word == "BeamLine") return define_line(item, order);
    if (word == "Lattice") return define_lattice(item, order);
    if (find_pals_group(word)) return void(groups_.emplace(item.key, &item));
    if (!kind && !item.find("inherit")) {
      for (const YamlNode& field : item.children)
        if (document_.extensions.owns(field)) return;
      refuse_yaml(item.key_at, "\"" + item.key + "\" has no kind", {}, "kind: Drift, for example");
    }
    define_element(item, order, {});
  }
  void define_variables(const YamlNode& item) {
    if (item.is_mapping()) {
      for (const YamlNode& field : item.children) define_variable(field.key, field);
      return;
    }
    for (const YamlNode& one : item.as_list(item.key).children)
      for (const YamlNode& field : one.as_mapping("an item of " + item.key).children)
        define_variable(field.key, field);
  }
  void define_variable(const std::string& name, const YamlNode& value) {
    const auto [known, is_new] = variables_.emplace(name, Variable{&value});
    if (!is_new && known->second.node->text != value.text)
      refuse_yaml(value.at, "\"" + name + "\" is defined with another value");
  }
  void define_element(YamlNode& node, std::size_t order, const std::string& line) {
    const auto [known, is_new] = by_name_.emplace(node.key, Index{elements_.size()});
    if (!is_new) {
      const bool was_in_line = !elements_[known->second.index].line.empty();
      if (line.empty() && !was_in_line)
        refuse_yaml(node.key_at, "\"" + node.key + "\" is defined twice", {},
                    "elements have names of their own");
      if (line.empty()) known->second = {elements_.size()};
      if (!line.empty() && was_in_line) known->second.is_ambiguous = true;
    }
    elements_.push_back({node.key, &node, order, line});
  }
  void define_line(YamlNode& item, std::size_t order) {
    if (!lines_.emplace(item.key, &item).second)
      refuse_yaml(item.key_at, "the line \"" + item.key + "\" is defined twice");
    define_in_line(item, order);
  }
  /// Elements and lines that a line defines in place.
  void define_in_line(YamlNode& line, std::size_t order) {
    YamlNode* const list = line.find("line");
    if (!list || !list->is_list()) return;
    for (YamlNode& item : list->children) {
      if (!item.is_mapping() || item.children.size() != 1) continue;
      YamlNode& body = item.children.front();
      const YamlNode* const kind = body.find("kind");
      if (kind && kind->text == "BeamLine")
        define_in_line(body, order);
      else if (kind || body.find("inherit"))
        define_element(body, order, line.key);
    }
  }
  void define_lattice(YamlNode& item, std::size_t order) {
    lattices_.push_back(&item);
    YamlNode* const branches = item.find("branches");
    if (!branches || !branches->is_list()) return;
    for (YamlNode& branch : branches->children)
      if (branch.is_mapping() && branch.children.size() == 1 &&
          branch.children.front().find("line"))
        define_line(branch.children.front(), order);
  }

  // Groups that inherit from groups

  void resolve_group(YamlNode& group, int depth) const {
    const YamlNode* const parent = group.find("inherit");
    if (!parent || !find_pals_group(group.key)) return;
    if (depth > max_depth) refuse_yaml(parent->at, "\"" + group.key + "\" inherits from itself");
    YamlNode base = group_of(parent->as_text("inherit"), group.key, parent->at, depth);
    std::erase_if(group.children, [](const YamlNode& field) { return field.key == "inherit"; });
    merge_yaml(base, group);
    group.children = std::move(base.children);
  }
  /// A group by its name, or that of an element: "q1.ApertureP".
  YamlNode group_of(const std::string& name, const std::string& kind, const YamlPlace& at,
                    int depth) const {
    YamlNode base{.kind = YamlNode::Kind::mapping, .key = kind};
    if (const auto named = groups_.find(name); named != groups_.end()) {
      base.children = named->second->children;
      std::erase_if(base.children, [](const YamlNode& field) { return field.key == "kind"; });
      resolve_group(base, depth + 1);
      return base;
    }
    const std::size_t dot = name.rfind('.');
    const PalsElement* const owner = dot == name.npos ? nullptr : element(name.substr(0, dot), at);
    if (!owner)
      refuse_yaml(at, "there is no group \"" + name + "\"", "a " + kind + " inherits from it");
    const YamlNode of = resolved(*owner->node, owner->name, depth + 1);
    if (const YamlNode* const found = of.find(name.substr(dot + 1)))
      base.children = found->children;
    return base;
  }

  // Variables of controllers

  static const YamlNode* find_variable(const YamlNode& controller, const std::string& name) {
    const YamlNode* const list = controller.find("variables");
    if (!list) return nullptr;
    if (list->is_mapping()) return list->find(name);
    for (const YamlNode& item : list->children)
      if (const YamlNode* const found = item.find(name)) return found;
    return nullptr;
  }
  /// Its value, or what another controller makes of it.
  double controller_variable(const YamlNode& controller, const YamlNode& variable) {
    const std::string target = controller.key + ">" + variable.key;
    for (const YamlNode* const other : controllers_) {
      const YamlNode* const controls = other->find("controls");
      if (!controls || !is_absolute(*other)) continue;
      for (const YamlNode& control : controls->children) {
        const YamlNode* const to = control.find("parameter");
        const YamlNode* const expression = control.find("expression");
        if (!to || !expression || to->text != target) continue;
        const Scope scope(*this, std::nullopt, other);
        return number_of(*expression, nullptr);
      }
    }
    const Scope scope(*this, std::nullopt, nullptr);
    return number_of(variable, nullptr);
  }

  PalsDocument document_;
  RandomStream<double> random_;
  std::unordered_map<std::string, Variable> variables_;
  std::vector<PalsElement> elements_;
  std::unordered_map<std::string, Index> by_name_;
  std::unordered_map<std::string, const YamlNode*> lines_, groups_;
  std::vector<const YamlNode*> lattices_, controllers_;
  const YamlNode* self_ = nullptr;        ///< element of the expression that is evaluated
  const YamlNode* controller_ = nullptr;  ///< whose variables count
  std::optional<double> current_{};       ///< PARAMETER
  int depth_ = 0;
  mutable int steps_ = 0;
};

}  // namespace trackplex::io::detail
