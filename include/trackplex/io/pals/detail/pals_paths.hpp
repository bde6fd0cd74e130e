// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/io/pals/detail/yaml_node.hpp>

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>
#include <utility>

/// @file
/// Parameters of elements of PALS by their paths: "length", "BendP.e1".

namespace trackplex::io::detail {

/// Definition of an element.
struct PalsElement {
  std::string name;
  YamlNode* node = nullptr;  ///< As it is written; resolve it before its values are used.
  std::size_t order = 0;     ///< Number of its item of the facility.
  std::string line{};        ///< Line in which it is defined; empty: none.
};

/// Value of a parameter at a path of groups, or null.
inline const YamlNode* find_pals_path(const YamlNode& node, std::string_view path) {
  const YamlNode* found = &node;
  while (found && !path.empty()) {
    const std::size_t dot = std::min(path.find('.'), path.size());
    found = found->find(path.substr(0, dot));
    path.remove_prefix(std::min(dot + 1, path.size()));
  }
  return found;
}

/// Sets a parameter at a path of groups, which it makes where there are none.
inline void set_pals_path(YamlNode& node, std::string_view path, YamlNode value) {
  YamlNode* to = &node;
  for (;;) {
    const std::size_t dot = std::min(path.find('.'), path.size());
    const std::string_view key = path.substr(0, dot);
    YamlNode* next = to->find(key);
    if (!next) {
      to->kind = YamlNode::Kind::mapping;
      to->children.push_back({.kind = YamlNode::Kind::mapping, .key = std::string(key)});
      next = &to->children.back();
      next->at = next->key_at = value.at;
    }
    if (dot == path.size()) {
      value.key = key;
      value.key_at = value.at;
      *next = std::move(value);
      return;
    }
    path.remove_prefix(dot + 1);
    to = next;
  }
}

}  // namespace trackplex::io::detail
