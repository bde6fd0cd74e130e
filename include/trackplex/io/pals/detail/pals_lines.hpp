// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/beam/lattice.hpp>
#include <trackplex/io/pals/detail/pals_model.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

/// @file
/// Lines of a document of PALS as the elements that particles pass.

namespace trackplex::io::detail {

/// An element of a line, with all that it inherits; its key is the name.
struct PalsPart {
  std::shared_ptr<const YamlNode> node;
  bool is_turned = false;  ///< Whether particles enter at its exit.
};

/// Expands lines.
class PalsLines {
 public:
  static constexpr std::int64_t max_elements = beam::Lattice::max_elements;
  static constexpr int max_depth = beam::Lattice::max_depth;

  explicit PalsLines(PalsModel& model) : model_(model) {}

  /// The elements of a line in the order of passage.
  std::vector<PalsPart> expand(const YamlNode& line) {
    const std::size_t root = index_of(line);
    const std::int64_t size = count(root, 0);
    if (size > max_elements)
      throw CapacityError("the line " + line.key, "elements", std::size_t(size),
                          std::size_t(max_elements), "are repetitions as they should be?");
    std::vector<PalsPart> parts;
    parts.reserve(std::size_t(size));
    append(root, false, false, parts);
    return parts;
  }

 private:
  /// A line or an element, so many times in a row.
  struct Item {
    std::size_t line = 0;                    ///< Number of a line, if it is no element.
    std::shared_ptr<const YamlNode> node{};  ///< Element.
    std::shared_ptr<const YamlNode> gap{};   ///< Drift between it and the item before it.
    std::int64_t repeat = 1;
    bool is_reversed = false;  ///< Whether the order is reversed.
    bool is_turned = false;    ///< Whether elements are turned.
  };
  struct Line {
    const YamlNode* node = nullptr;
    bool is_read = false, is_open = false;
    std::vector<Item> items{};
    std::int64_t size = -1;
  };

  std::size_t index_of(const YamlNode& line) {
    const auto [known, is_new] = index_.emplace(&line, lines_.size());
    if (is_new) lines_.push_back({.node = &line});
    return known->second;
  }

  /// Number of elements, at most one above the limit.
  std::int64_t count(std::size_t index, int depth) {
    const YamlNode& node = *lines_[index].node;
    if (lines_[index].is_open)
      refuse_yaml(node.key_at, "the line \"" + node.key + "\" contains itself");
    if (depth > max_depth) refuse_yaml(node.key_at, "lines are nested too deeply");
    if (lines_[index].size >= 0) return lines_[index].size;
    read(index);
    lines_[index].is_open = true;
    std::int64_t size = 0;
    for (std::size_t i = 0; i < lines_[index].items.size(); ++i) {
      const Item item = lines_[index].items[i];
      const std::int64_t one = item.node ? 1 : count(item.line, depth + 1);
      const std::int64_t most = max_elements + 1 - size;
      size += one > 0 && item.repeat > most / one ? most : item.repeat * one;
    }
    lines_[index].is_open = false;
    return lines_[index].size = size;
  }

  void read(std::size_t index) {
    if (std::exchange(lines_[index].is_read, true)) return;
    const YamlNode& node = *lines_[index].node;
    const YamlNode* const list = node.find("line");
    if (!list) refuse_yaml(node.key_at, "the line \"" + node.key + "\" has no list: line");
    for (const YamlNode& item : list->as_list("line").children) {
      Item read = item_of(item);
      if (read.gap) lines_[index].items.push_back({.node = std::exchange(read.gap, nullptr)});
      lines_[index].items.push_back(std::move(read));
    }
  }
  Item item_of(const YamlNode& item) {
    if (item.is_scalar()) return named(item.as_text("an item of a line"), nullptr, item.at);
    if (!item.is_mapping() || item.children.size() != 1)
      refuse_yaml(item.is_mapping() && item.children.size() > 1 ? item.children[1].key_at : item.at,
                  "an item of a line is a name, or a name with its values", {},
                  "indent what belongs to an item more than its name");
    const YamlNode& body = item.children.front();
    body.as_mapping("\"" + body.key + "\"");
    const YamlNode* const kind = body.find("kind");
    Item found = kind && kind->text == "BeamLine" ? Item{.line = index_of(body)}
                 : kind || body.find("inherit")   ? Item{.node = element(body, body.key)}
                                                  : named(body.key, &body, body.key_at);
    add_switches(body, found);
    return found;
  }
  /// A line or element by its name, with changes.
  Item named(const std::string& name, const YamlNode* body, const YamlPlace& at) {
    if (const YamlNode* const line = model_.line(name)) {
      if (body)
        for (const YamlNode& field : body->children)
          if (!is_switch(field.key))
            refuse_yaml(field.key_at, "a line in a line has no \"" + field.key + "\"", {},
                        "repeat or direction");
      return {.line = index_of(*line)};
    }
    const bool has_changes = body && std::ranges::any_of(body->children, [](const auto& f) {
                               return !is_switch(f.key);
                             });
    if (has_changes) return {.node = element(*body, name)};
    const PalsElement* const found = model_.element(name, at);
    if (!found) {
      std::vector<std::string> names = model_.element_names();
      for (const std::string& line : model_.line_names()) names.push_back(line);
      refuse_yaml(at, "there is no element or line \"" + name + "\"", {},
                  closest_name(name, names));
    }
    return {.node = element(*found->node, name)};
  }
  static bool is_switch(std::string_view key) {
    return key == "repeat" || key == "direction" || key == "placement";
  }
  std::shared_ptr<const YamlNode> element(const YamlNode& node, const std::string& name) {
    auto& known = elements_[&node];
    if (!known) known = std::make_shared<const YamlNode>(model_.resolved(node, name));
    return known;
  }
  void add_switches(const YamlNode& body, Item& item) {
    if (const YamlNode* const placement = body.find("placement"))
      item.gap = gap_of(*placement, body.key);
    if (const YamlNode* const repeat = body.find("repeat")) {
      const double number = model_.number_of(*repeat, nullptr);
      if (number != std::round(number) || std::abs(number) > 1e15)
        refuse_yaml(repeat->at, "repeat is no whole number", "\"" + repeat->text + "\"");
      if (number == 0.) refuse_yaml(repeat->at, "repeat is 0", {}, "leave the item out");
      item.repeat = std::int64_t(std::abs(number));
      item.is_reversed = number < 0.;
    }
    if (const YamlNode* const direction = body.find("direction")) {
      const double number = model_.number_of(*direction, nullptr);
      if (std::abs(number) != 1.) refuse_yaml(direction->at, "direction is neither 1 nor -1");
      item.is_turned = number < 0.;
      item.is_reversed ^= item.is_turned;
    }
  }
  /// A drift before an item with a positive offset from the end of the item before it, or null.
  std::shared_ptr<const YamlNode> gap_of(const YamlNode& placement, const std::string& name) {
    std::shared_ptr<const YamlNode> gap;
    for (const YamlNode& field : placement.as_mapping("placement").children) {
      if (field.is_null()) continue;
      if (field.key == "from_point" && field.text == "EXIT_END") continue;
      if (field.key == "to_point" && field.text == "ENTRANCE_END") continue;
      const bool is_offset = field.key == "offset";
      const double offset = is_offset ? model_.number_of(field, nullptr) : 0.;
      if (!is_offset || !(offset >= 0.) || !std::isfinite(offset))
        refuse_yaml(field.key_at, "this placement is not implemented", "\"" + field.key + "\"",
                    "a positive offset from the end of the item before is, as are drifts");
      if (offset > 0.) gap = drift_of(field, "before_" + name);
    }
    return gap;
  }
  static std::shared_ptr<const YamlNode> drift_of(const YamlNode& length, std::string name) {
    YamlNode drift{.kind = YamlNode::Kind::mapping, .key = std::move(name)};
    drift.at = drift.key_at = length.at;
    YamlNode kind{.key = "kind", .text = "Drift"}, copy = length;
    kind.at = kind.key_at = length.at;
    copy.key = "length";
    drift.children = {std::move(kind), std::move(copy)};
    return std::make_shared<const YamlNode>(std::move(drift));
  }

  void append(std::size_t index, bool is_reversed, bool is_turned, std::vector<PalsPart>& to) {
    const Line& line = lines_[index];
    const std::size_t n = line.items.size();
    for (std::size_t i = 0; i < n; ++i) {
      const Item& item = line.items[is_reversed ? n - 1 - i : i];
      const bool turned = is_turned != item.is_turned;
      if (!item.node && lines_[item.line].size == 0) continue;
      for (std::int64_t k = 0; k < item.repeat; ++k) {
        if (item.node)
          to.push_back({item.node, turned});
        else
          append(item.line, is_reversed != item.is_reversed, turned, to);
      }
    }
  }

  PalsModel& model_;
  std::vector<Line> lines_;
  std::unordered_map<const YamlNode*, std::size_t> index_;
  std::unordered_map<const YamlNode*, std::shared_ptr<const YamlNode>> elements_;
};

}  // namespace trackplex::io::detail
