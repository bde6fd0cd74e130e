// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/io/pals/detail/yaml_scalars.hpp>

#include <string>
#include <string_view>
#include <unordered_set>
#include <utility>

/// @file
/// Reader of the YAML that PALS files are of: mappings, lists and scalars of YAML 1.2, also as
/// JSON, without anchors, tags and keys of several parts, which are refused by name.

namespace trackplex::io::detail {

/// A document out of a text.
class YamlReader {
 public:
  static constexpr int max_depth = 100;

  /// @throws InputError if it is no document that this reader reads
  static YamlNode read(std::string_view text, const std::string& file) {
    return YamlReader(text, file).document();
  }

 private:
  YamlReader(std::string_view text, const std::string& file) : in_(text, file) {}

  YamlNode document() {
    while (in_.skip_to_content() && in_.column() == 0 && in_.peek() == '%') in_.next_line();
    if (in_.is_marker("---")) in_.skip(3);
    YamlNode root = in_.skip_to_content() && !is_end_of_document() ? block(0, 0) : YamlNode{};
    if (!root.at.file) root.at = in_.place();
    if (!in_.skip_to_content()) return root;
    if (in_.is_marker("...")) {
      in_.skip(3);
      if (!in_.skip_to_content()) return root;
    }
    if (in_.is_marker("---"))
      in_.refuse("another document begins", "a file has one", "use load for several files");
    in_.refuse("this belongs to nothing", {}, "is the line indented as those before it?");
  }
  bool is_end_of_document() const { return in_.is_marker("---") || in_.is_marker("..."); }
  bool is_item() const { return in_.peek() == '-' && in_.is_blank(1); }

  void check_depth(int depth) const {
    if (depth > max_depth)
      in_.refuse("values are nested too deeply",
                 "more than " + std::to_string(max_depth) + " levels");
  }

  // Blocks, by indentation

  /// The value that begins here, whose continuation is indented by `indent` at least.
  YamlNode block(int indent, int depth) {
    check_depth(depth);
    if (is_item()) return list(depth);
    if (is_key()) return mapping(depth);
    return in_line(indent, depth);
  }
  /// The value after "- " or a key, in this line or those after it. A list may be as little
  /// indented as the key.
  YamlNode value(int parent, bool is_of_key, int depth) {
    const YamlPlace here = in_.place();
    if (!in_.skip_to_end_of_line()) {
      if (!is_of_key) return block(parent + 1, depth);
      if (is_item()) in_.refuse("a list begins after a key", {}, "begin it in the next line");
      return in_line(parent + 1, depth);
    }
    const bool is_there = in_.skip_to_content() && !is_end_of_document();
    if (is_there && (in_.column() > parent || (is_of_key && in_.column() == parent && is_item())))
      return block(parent + 1, depth);
    YamlNode none;
    none.at = here;
    return none;
  }

  YamlNode list(int depth) {
    YamlNode node{.kind = YamlNode::Kind::list};
    node.at = in_.place();
    const int indent = in_.column();
    do {
      in_.skip();
      node.children.push_back(value(indent, false, depth + 1));
    } while (in_.skip_to_content() && in_.column() == indent && is_item());
    check_indent(indent, node.at);
    return node;
  }

  YamlNode mapping(int depth) {
    YamlNode node{.kind = YamlNode::Kind::mapping};
    node.at = in_.place();
    const int indent = in_.column();
    std::unordered_set<std::string> keys;
    do {
      const YamlPlace at = in_.place();
      std::string name = key(keys);
      YamlNode field = value(indent, true, depth + 1);
      field.key = std::move(name);
      field.key_at = at;
      node.children.push_back(std::move(field));
    } while (in_.skip_to_content() && in_.column() == indent && !is_item() &&
             !is_end_of_document() && expect_key());
    check_indent(indent, node.at);
    return node;
  }
  bool expect_key() {
    if (!is_key()) in_.refuse("': ' is missing after a key");
    return true;
  }
  void check_indent(int indent, const YamlPlace& begin) {
    if (in_.is_end() || is_end_of_document() || in_.column() <= indent) return;
    in_.refuse("this belongs to nothing",
               "what began in line " + std::to_string(begin.line) + " is indented by " +
                   std::to_string(indent),
               "is the line indented as those before it?");
  }

  /// Tells whether a key begins here: a scalar in one line, before ": ".
  bool is_key() const {
    YamlLines look = in_;
    if (look.peek() == '"' || look.peek() == '\'') {
      const int line = look.place().line;
      read_quoted_yaml(look);
      if (look.place().line != line) return false;
    } else if (std::string_view("[{|>#%@`").find(look.peek()) != std::string_view::npos) {
      return false;
    } else {
      read_plain_yaml_line(look, false);
    }
    look.skip_spaces();
    return look.peek() == ':' && look.is_blank(1);
  }
  std::string key(std::unordered_set<std::string>& keys) {
    const YamlPlace at = in_.place();
    std::string name = is_quote() ? read_quoted_yaml(in_) : plain_key(false);
    in_.skip_spaces();
    in_.skip();  // ':'
    if (!keys.insert(name).second) refuse_yaml(at, "there are two fields \"" + name + "\"");
    return name;
  }
  std::string plain_key(bool is_flow) {
    check_begin_of_plain_yaml(in_, is_flow);
    std::string name = read_plain_yaml_line(in_, is_flow);
    if (name == "<<")
      in_.refuse("merges of mappings are not read", "\"<<\"", "use inherit, or include");
    return name;
  }
  bool is_quote() const { return in_.peek() == '"' || in_.peek() == '\''; }

  // Values that begin in a line

  YamlNode in_line(int indent, int depth) {
    const char c = in_.peek();
    YamlNode node;
    node.at = in_.place();
    if (c == '[' || c == '{') {
      node = flow(depth);
    } else if (c == '|' || c == '>') {
      node.is_quoted = true;
      node.text = read_yaml_block(in_, indent - 1);
    } else if (is_quote()) {
      node.is_quoted = true;
      node.text = read_quoted_yaml(in_);
    } else {
      node.text = plain(indent);
    }
    if (!in_.skip_to_end_of_line())
      in_.refuse("this follows a value in its line", {},
                 "texts with ': ' or after quotation marks need quotation marks");
    return node;
  }
  /// A plain scalar, which goes on in lines that are indented by `indent` at least.
  std::string plain(int indent) {
    check_begin_of_plain_yaml(in_, false);
    std::string text = read_plain_yaml_line(in_, false);
    for (;;) {
      YamlLines look = in_;
      if (!look.is_end_of_line()) return text;  // a comment ends it
      const std::string joint = fold_yaml_lines(look);
      if (look.is_end() || look.column() < indent || look.peek() == '#' || look.is_marker("---") ||
          look.is_marker("..."))
        return text;
      in_ = look;
      if (is_key())
        in_.refuse("a key stands inside of a text", "the text of the line before goes on here",
                   "is the line indented as it should be?");
      text += joint + read_plain_yaml_line(in_, false);
    }
  }

  // Values in brackets

  YamlNode flow(int depth) {
    check_depth(depth);
    const YamlPlace begin = in_.place();
    const bool is_list = in_.peek() == '[';
    const char close = is_list ? ']' : '}';
    YamlNode node{.kind = is_list ? YamlNode::Kind::list : YamlNode::Kind::mapping};
    node.at = begin;
    std::unordered_set<std::string> keys;
    in_.skip();
    while (in_.skip_to_content(true) && in_.peek() != close) {
      node.children.push_back(is_list ? flow_item(depth + 1) : flow_field(keys, depth + 1));
      if (!in_.skip_to_content(true)) break;
      if (in_.peek() == ',')
        in_.skip();
      else if (in_.peek() != close)
        in_.refuse(std::string("',' or '") + close + "' is missing",
                   "for the bracket in line " + std::to_string(begin.line));
    }
    if (in_.is_end()) refuse_yaml(begin, "the bracket is not closed");
    in_.skip();
    return node;
  }
  /// A value, or a mapping of one field without brackets.
  YamlNode flow_item(int depth) {
    const YamlPlace at = in_.place();
    YamlNode item = flow_value(depth);
    YamlLines look = in_;
    look.skip_spaces();
    if (!item.is_scalar() || look.peek() != ':') return item;
    in_ = look;
    in_.skip();
    YamlNode field = flow_value_after_key(depth);
    field.key = item.text;
    field.key_at = at;
    YamlNode mapping{.kind = YamlNode::Kind::mapping};
    mapping.at = at;
    mapping.children.push_back(std::move(field));
    return mapping;
  }
  YamlNode flow_field(std::unordered_set<std::string>& keys, int depth) {
    const YamlPlace at = in_.place();
    std::string name = is_quote() ? read_quoted_yaml(in_) : plain_key(true);
    if (!keys.insert(name).second) refuse_yaml(at, "there are two fields \"" + name + "\"");
    in_.skip_to_content(true);
    if (in_.peek() != ':') in_.refuse("':' is missing after the key \"" + name + "\"");
    in_.skip();
    YamlNode field = flow_value_after_key(depth);
    field.key = std::move(name);
    field.key_at = at;
    return field;
  }
  YamlNode flow_value_after_key(int depth) {
    in_.skip_to_content(true);
    if (std::string_view(",}]").find(in_.peek()) == std::string_view::npos)
      return flow_value(depth);
    YamlNode none;
    none.at = in_.place();
    return none;
  }
  YamlNode flow_value(int depth) {
    if (in_.peek() == '[' || in_.peek() == '{') return flow(depth);
    YamlNode node;
    node.at = in_.place();
    node.is_quoted = is_quote();
    if (node.is_quoted) {
      node.text = read_quoted_yaml(in_);
      return node;
    }
    check_begin_of_plain_yaml(in_, true);
    node.text = read_plain_yaml_line(in_, true);
    for (YamlLines look = in_; look.is_end_of_line() && !look.is_end();) {
      const std::string joint = fold_yaml_lines(look);
      if (look.is_end() || look.peek() == '#' || ends_plain_yaml(look, true)) break;
      in_ = look;
      node.text += joint + read_plain_yaml_line(in_, true);
      look = in_;
    }
    return node;
  }

  YamlLines in_;
};

}  // namespace trackplex::io::detail
