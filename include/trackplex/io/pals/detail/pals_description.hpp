// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/beam/maps/misaligned.hpp>
#include <trackplex/core/shortest.hpp>
#include <trackplex/io/pals/detail/pals_paths.hpp>

#include <cmath>
#include <cstddef>
#include <string>
#include <string_view>
#include <utility>

/// @file
/// Elements as they are written to files of PALS.

namespace trackplex::io::detail {

/// A number that all readers of YAML know as one: with a point before an exponent.
inline std::string pals_number(double value) {
  if (std::isinf(value)) return value > 0. ? "Inf" : "-Inf";
  std::string text = shortest(value);
  const std::size_t exponent = text.find('e');
  if (exponent == text.npos) return text;
  if (text.find('.') == text.npos) text.insert(exponent, ".0");
  const std::size_t sign = text.find('e') + 1;
  if (text[sign] != '-' && text[sign] != '+') text.insert(sign, "+");
  return text;
}

/// Values of an element by their paths.
class PalsDescription {
 public:
  explicit PalsDescription(const std::string& kind) { word("kind", kind); }

  const YamlNode& node() const { return node_; }

  PalsDescription& word(std::string_view path, const std::string& text, bool is_quoted = false) {
    YamlNode value{.text = text};
    value.is_quoted = is_quoted;
    set_pals_path(node_, path, std::move(value));
    return *this;
  }
  PalsDescription& number(std::string_view path, double value) {
    return word(path, pals_number(value));
  }
  /// A number that is 0 if it is not written.
  PalsDescription& if_not_zero(std::string_view path, double value) {
    return value == 0. ? *this : number(path, value);
  }
  /// How the element is tracked.
  PalsDescription& model(const std::string& element) {
    return word("TrackingP.Trackplex.element", element);
  }
  PalsDescription& extra(const std::string& name, double value) {
    return number("TrackingP.Trackplex." + name, value);
  }
  /// A value of the model that differs from its default.
  PalsDescription& extra(const std::string& name, double value, double otherwise) {
    return value == otherwise ? *this : extra(name, value);
  }
  PalsDescription& placed(const beam::Misalignment& by) {
    if_not_zero("BodyShiftP.x_offset", by.dx).if_not_zero("BodyShiftP.y_offset", by.dy);
    return if_not_zero("BodyShiftP.z_offset", by.dz).if_not_zero("BodyShiftP.z_rot", by.tilt);
  }

 private:
  YamlNode node_{.kind = YamlNode::Kind::mapping};
};

/// Appends the fields of a mapping, indented. Texts of several lines have a line for each.
inline void append_yaml(std::string& text, const YamlNode& mapping, std::size_t indent) {
  for (const YamlNode& field : mapping.children) {
    text.append(indent, ' ').append(field.key).append(":");
    if (field.is_mapping()) {
      text += '\n';
      append_yaml(text, field, indent + 2);
      continue;
    }
    if (!field.is_quoted && field.text.find('\n') != field.text.npos) {
      const std::string begin = '\n' + std::string(indent + 2, ' ');
      text += begin;
      for (const char c : field.text) text += c == '\n' ? begin : std::string(1, c);
      text += '\n';
      continue;
    }
    text += field.is_quoted ? " \"" : " ";
    for (const char c : field.text) {
      if (field.is_quoted && (c == '"' || c == '\\')) text += '\\';
      text += c == '\n' ? ' ' : c;
    }
    text += field.is_quoted ? "\"\n" : "\n";
  }
}

}  // namespace trackplex::io::detail
