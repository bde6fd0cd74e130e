// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/core/error.hpp>

#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

/// @file
/// Trees of YAML documents, whose scalars stay the texts that they are: their users decide which
/// texts are numbers.

namespace trackplex::io::detail {

/// Place in a file.
struct YamlPlace {
  std::shared_ptr<const std::string> file;  ///< Its name; null: not from a file.
  int line = 0, column = 0;                 ///< From 1 on.
};

/// Throws InputError that names the file, the line and column, and what is wrong.
[[noreturn]] inline void refuse_yaml(const YamlPlace& at, const std::string& problem,
                                     const std::string& why = {}, const std::string& hint = {}) {
  if (!at.file) throw InputError({"PALS"}, problem, why, hint);
  throw InputError(
      {*at.file, "line " + std::to_string(at.line) + ", column " + std::to_string(at.column)},
      problem, why, hint);
}

/// Scalar, mapping or list. Fields of a mapping and items of a list are children; fields have keys.
struct YamlNode {
  enum class Kind { scalar, mapping, list };
  Kind kind = Kind::scalar;
  std::string key{};       ///< Key, of a field.
  std::string text{};      ///< Text of a scalar.
  bool is_quoted = false;  ///< Whether the text was in quotation marks, or a block of lines.
  YamlPlace at{}, key_at{};
  std::vector<YamlNode> children{};

  bool is_scalar() const { return kind == Kind::scalar; }
  bool is_mapping() const { return kind == Kind::mapping; }
  bool is_list() const { return kind == Kind::list; }
  /// Tells whether it is a value that is not set.
  bool is_null() const {
    return is_scalar() && !is_quoted &&
           (text.empty() || text == "~" || text == "null" || text == "Null" || text == "NULL");
  }

  /// Field of a mapping, or null.
  const YamlNode* find(std::string_view name) const {
    if (is_mapping())
      for (const YamlNode& field : children)
        if (field.key == name) return &field;
    return nullptr;
  }
  YamlNode* find(std::string_view name) {
    return const_cast<YamlNode*>(std::as_const(*this).find(name));
  }

  /// The node as a mapping. A value that is not set is an empty one.
  /// @throws InputError if it is something else
  const YamlNode& as_mapping(const std::string& what) const {
    if (!is_mapping() && !is_null()) refuse_yaml(at, what + " is no mapping", {}, "key: value");
    return *this;
  }
  /// The node as a list. A value that is not set is an empty one.
  /// @throws InputError if it is something else
  const YamlNode& as_list(const std::string& what) const {
    if (!is_list() && !is_null()) refuse_yaml(at, what + " is no list", {}, "- item");
    return *this;
  }
  /// The text of a scalar.
  /// @throws InputError if it is something else
  const std::string& as_text(const std::string& what) const {
    if (!is_scalar() || is_null()) refuse_yaml(at, what + " is no text");
    return text;
  }
};

/// Puts the fields of `changes` over those of `node`, mappings into mappings.
inline void merge_yaml(YamlNode& node, const YamlNode& changes) {
  for (const YamlNode& change : changes.children) {
    YamlNode* const known = node.find(change.key);
    if (!known)
      node.children.push_back(change);
    else if (known->is_mapping() && change.is_mapping())
      merge_yaml(*known, change);
    else
      *known = change;
  }
}

}  // namespace trackplex::io::detail
