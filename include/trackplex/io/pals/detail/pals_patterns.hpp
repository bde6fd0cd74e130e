// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/io/pals/detail/yaml_node.hpp>

#include <bitset>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

/// @file
/// Patterns of names in PALS files: those regular expressions that are a row of characters, which
/// may be classes and repeated, with | between several.

namespace trackplex::io::detail {

/// A regular expression for a whole name, without groups and counts.
class PalsPattern {
 public:
  /// @throws InputError if it has something that is not read
  PalsPattern(std::string_view text, const YamlPlace& at) : text_(text), place_(at) {
    if (text_.starts_with('^')) ++at_;
    rows_.emplace_back();
    while (at_ < text_.size()) {
      if (text_[at_] == '|') {
        rows_.emplace_back();
        ++at_;
      } else if (text_[at_] == '$' && at_ + 1 == text_.size()) {
        ++at_;
      } else {
        rows_.back().push_back(atom());
      }
    }
  }

  bool matches(std::string_view name) const {
    for (const auto& row : rows_)
      if (matches(row, name)) return true;
    return false;
  }

 private:
  /// Characters, and whether they may be missing or repeated.
  struct Atom {
    std::bitset<256> characters;
    bool is_optional = false, is_repeated = false;
  };

  [[noreturn]] void refuse(const std::string& why) const {
    refuse_yaml(place_, "the pattern \"" + text_ + "\" is not read", why,
                "patterns have characters, classes [], and . * + ? |");
  }
  static void add(std::bitset<256>& to, char first, char last) {
    for (int c = static_cast<unsigned char>(first); c <= static_cast<unsigned char>(last); ++c)
      to.set(std::size_t(c));
  }
  static void add_name_letters(std::bitset<256>& to) {
    add(to, 'a', 'z');
    add(to, 'A', 'Z');
    add(to, '0', '9');
    add(to, '_', '_');
  }

  Atom atom() {
    Atom atom;
    const char c = text_[at_++];
    if (c == '.')
      atom.characters.set();
    else if (c == '[')
      read_class(atom.characters);
    else if (c == '\\')
      read_escape(atom.characters);
    else if (std::string_view("(){}*+?^$").find(c) != std::string_view::npos)
      refuse("'" + std::string(1, c) + "' is not expected there");
    else
      add(atom.characters, c, c);
    if (at_ == text_.size()) return atom;
    const char count = text_[at_];
    atom.is_optional = count == '*' || count == '?';
    atom.is_repeated = count == '*' || count == '+';
    if (atom.is_optional || atom.is_repeated) ++at_;
    return atom;
  }
  void read_escape(std::bitset<256>& to) {
    if (at_ == text_.size()) refuse("\\ is its last character");
    const char c = text_[at_++];
    if (c == 'd') return add(to, '0', '9');
    if (c == 'w') return add_name_letters(to);
    if (std::string_view(".[]\\|*+?^$(){}-").find(c) == std::string_view::npos)
      refuse("'\\" + std::string(1, c) + "' is unknown");
    add(to, c, c);
  }
  void read_class(std::bitset<256>& to) {
    const bool is_inverse = at_ < text_.size() && text_[at_] == '^';
    if (is_inverse) ++at_;
    for (bool is_first = true;; is_first = false) {
      if (at_ == text_.size()) refuse("']' is missing");
      const char c = text_[at_++];
      if (c == ']' && !is_first) break;
      if (c == '\\') {
        read_escape(to);
      } else if (at_ + 1 < text_.size() && text_[at_] == '-' && text_[at_ + 1] != ']') {
        add(to, c, text_[at_ + 1]);
        at_ += 2;
      } else {
        add(to, c, c);
      }
    }
    if (is_inverse) to.flip();
  }

  /// Follows all ways through the atoms at once.
  static bool matches(const std::vector<Atom>& row, std::string_view name) {
    std::vector<char> reached(row.size() + 1, 0), next(row.size() + 1);
    reached[0] = 1;
    const auto skip_optional = [&](std::vector<char>& places) {
      for (std::size_t i = 0; i < row.size(); ++i)
        if (places[i] && row[i].is_optional) places[i + 1] = 1;
    };
    skip_optional(reached);
    for (const char c : name) {
      next.assign(next.size(), 0);
      for (std::size_t i = 0; i < row.size(); ++i) {
        if (!reached[i] || !row[i].characters[static_cast<unsigned char>(c)]) continue;
        next[i + 1] = 1;
        if (row[i].is_repeated) next[i] = 1;
      }
      skip_optional(next);
      reached.swap(next);
    }
    return reached[row.size()] != 0;
  }

  std::string text_;
  YamlPlace place_;
  std::size_t at_ = 0;
  std::vector<std::vector<Atom>> rows_;
};

/// Names, and kinds, of elements: `kind::name`, with , between those of a union, and & between
/// those that must all match.
class PalsElementPattern {
 public:
  PalsElementPattern(const std::string& text, const YamlPlace& at) {
    for (const std::string& part : split(text, '&')) {
      all_.emplace_back();
      for (const std::string& one : split(part, ',')) all_.back().push_back(alternative(one, at));
    }
  }
  bool matches(std::string_view name, std::string_view kind) const {
    return matches_where(name, [&](const std::string& of) { return of.empty() || of == kind; });
  }
  /// Tells whether the name matches, whatever the kind is.
  bool may_match(std::string_view name) const {
    return matches_where(name, [](const std::string&) { return true; });
  }

 private:
  struct Alternative {
    std::string kind;
    PalsPattern name;
  };

  template <class IsKind>
  bool matches_where(std::string_view name, const IsKind& is_kind) const {
    for (const auto& part : all_) {
      bool is_any = false;
      for (const Alternative& one : part) is_any |= is_kind(one.kind) && one.name.matches(name);
      if (!is_any) return false;
    }
    return true;
  }
  static std::vector<std::string> split(const std::string& text, char separator) {
    std::vector<std::string> parts(1);
    for (const char c : text)
      if (c == separator)
        parts.emplace_back();
      else if (c != ' ')
        parts.back() += c;
    return parts;
  }
  static Alternative alternative(const std::string& text, const YamlPlace& at) {
    const std::size_t colons = text.find("::");
    const std::string kind = colons == text.npos ? "" : text.substr(0, colons);
    const std::string name = colons == text.npos ? text : text.substr(colons + 2);
    if (name.find(':') != name.npos)
      refuse_yaml(at, "ranges of elements are not read", "\"" + text + "\"",
                  "name them by a pattern");
    return {kind, PalsPattern(name, at)};
  }

  std::vector<std::vector<Alternative>> all_;
};

}  // namespace trackplex::io::detail
