// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/io/pals/detail/pals_model.hpp>
#include <trackplex/io/pals/pals_lattice.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

/// @file
/// Parameters of an element of PALS.

namespace trackplex::io::detail {

/// An element that cannot be tracked.
struct PalsRefusal : InputError {
  using InputError::InputError;
};

/// The parameters of one element, by their paths: "length", "BendP.e1".
class PalsValues {
 public:
  /// @throws InputError if the element has a group or parameter that PALS does not have
  PalsValues(PalsModel& model, const YamlNode& element) : model_(model), element_(element) {
    const YamlNode* const kind = element.find("kind");
    if (!kind) refuse_yaml(element.at, "\"" + name() + "\" has no kind");
    kind_ = kind->as_text("kind");
    check_kind(*kind);
    for (const YamlNode& field : element.children) check_field(field);
  }

  const std::string& name() const { return element_.key; }
  const std::string& kind() const { return kind_; }
  const YamlNode& node() const { return element_; }

  /// Value at a path that is set, or null.
  const YamlNode* find(std::string_view path) const {
    const YamlNode* const found = find_pals_path(element_, path);
    return found && !found->is_null() ? found : nullptr;
  }
  bool has(std::string_view path) const { return find(path) != nullptr; }
  /// A number, or the default if it is not set.
  double number(std::string_view path, double otherwise = 0.) const {
    const YamlNode* const value = find(path);
    if (!value) return otherwise;
    const double number = limit(*value);
    if (!std::isfinite(number)) refuse(path, "it is a number that is not infinite");
    return number;
  }
  std::optional<double> number_if_any(std::string_view path) const {
    if (!has(path)) return std::nullopt;
    return number(path);
  }
  /// A number that may be infinite.
  double limit(const YamlNode& value) const { return model_.number_of(value, &element_); }
  bool flag(std::string_view path, bool otherwise) const {
    const YamlNode* const value = find(path);
    if (!value) return otherwise;
    for (const std::string_view word : {"true", "True", "TRUE"})
      if (value->text == word) return true;
    for (const std::string_view word : {"false", "False", "FALSE"})
      if (value->text == word) return false;
    refuse(path, "it is true or false");
  }
  /// A word, by its index; the first one if it is not set.
  std::size_t choice(std::string_view path, std::initializer_list<std::string_view> words) const {
    const YamlNode* const value = find(path);
    if (!value) return 0;
    const auto found = std::ranges::find(words, value->text);
    if (found == words.end()) refuse(path, "it is not known", closest_name(value->text, words));
    return std::size_t(found - words.begin());
  }
  /// Refuses an effect that is not implemented, unless it is off.
  void refuse_unless_zero(std::initializer_list<std::string_view> paths) const {
    for (const std::string_view path : paths)
      if (number(path) != 0.) refuse(path, "it is not implemented for " + kind_);
  }

  [[noreturn]] void refuse(std::string_view path, const std::string& why,
                           const std::string& hint = {}) const {
    const YamlNode* const value = find(path);
    const std::string what = !value               ? "left out"
                             : value->is_scalar() ? "\"" + value->text + "\""
                                                  : "so";
    throw PalsRefusal(place(value ? value->at : element_.at, path), "cannot be " + what, why, hint);
  }
  [[noreturn]] void refuse_element(const std::string& why, const std::string& hint = {}) const {
    throw PalsRefusal(place(element_.at, {}), "(" + kind_ + ") cannot be tracked", why, hint);
  }
  InputPlace place(const YamlPlace& at, std::string_view path) const {
    InputPlace place{at.file ? *at.file : "PALS"};
    place.field = at.file ? "line " + std::to_string(at.line) + ", " : "";
    place.field += path.empty() ? name() : name() + ">" + std::string(path);
    return place;
  }

 private:
  void check_kind(const YamlNode& kind) const {
    const auto& known = pals_kinds();
    if (std::ranges::find(known, kind_) != known.end() || model_.extensions().has(kind_)) return;
    refuse_yaml(kind.at, "there is no kind \"" + kind_ + "\"", "that of \"" + name() + "\"",
                closest_name(kind_, known, "labels of extensions stand in extension_labels"));
  }
  void check_field(const YamlNode& field) const {
    static constexpr std::array<std::string_view, 7> plain = {
        "kind", "length", "is_on", "field_master", "name", "s_position", "elements"};
    if (std::ranges::find(plain, field.key) != plain.end() || model_.extensions().owns(field))
      return;
    const PalsGroup* const group = find_pals_group(field.key);
    if (!group) refuse_field(field);
    check_group(*group, field);
  }
  [[noreturn]] void refuse_field(const YamlNode& field) const {
    std::vector<std::string_view> names = {"length", "is_on", "kind"};
    for (const PalsGroup& group : pals_groups) names.push_back(group.name);
    std::string hint = closest_name(field.key, names);
    for (const PalsGroup& group : pals_groups)
      if (group.parameters != "*" && has_parameter(group, field.key) && field.key != "inherit")
        hint = "it belongs into " + std::string(group.name);
    refuse_yaml(field.key_at, "\"" + name() + "\" cannot have \"" + field.key + "\"",
                "elements have no such group or parameter", hint);
  }
  void check_group(const PalsGroup& group, const YamlNode& field) const {
    if (!is_of_kind(group.name))
      refuse_yaml(field.key_at, "\"" + name() + "\" cannot have " + field.key,
                  "it does not belong to the kind " + kind_);
    if (group.parameters == "*") return;
    for (const YamlNode& value : field.as_mapping(field.key).children) {
      if (has_parameter(group, value.key) || model_.extensions().owns(value)) continue;
      refuse_yaml(value.key_at, field.key + " has no \"" + value.key + "\"",
                  "that of \"" + name() + "\"",
                  closest_name(value.key, group.name.ends_with("MultipoleP")
                                              ? words_of("Kn0 Kn1 Ks1 Kn2 Kn3 Bn1 Kn0L Kn1L tilt1")
                                              : words_of(group.parameters)));
    }
  }
  /// Tells whether elements of the kind may have a group that acts on particles.
  bool is_of_kind(std::string_view group) const {
    const auto is_one_of = [&](std::string_view kinds) {
      const auto words = words_of(kinds);
      return std::ranges::find(words, kind_) != words.end();
    };
    if (model_.extensions().has(kind_)) return true;
    if (group == "BendP") return is_one_of("Bend SBend RBend");
    if (group == "RFP") return is_one_of("RFCavity CrabCavity");
    if (group == "SolenoidP") return is_one_of("Solenoid RFCavity");
    if (group == "PatchP") return is_one_of("Patch");
    if (group == "ReferenceChangeP") return is_one_of("ReferenceChange Patch");
    if (group == "ForkP") return is_one_of("Fork");
    if (group == "TaylorP") return is_one_of("Taylor");
    if (group.ends_with("MultipoleP"))
      return !is_one_of(
          "BeamBeam BeginningEle Drift Fiducial FloorShift Foil Fork Marker Match "
          "Patch Placeholder ReferenceChange Taylor");
    return true;
  }

  PalsModel& model_;
  const YamlNode& element_;
  std::string kind_;
};

}  // namespace trackplex::io::detail
