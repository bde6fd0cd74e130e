// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <string_view>
#include <utility>
#include <vector>

/// @file
/// Regular expressions of MAD-X.

namespace trackplex::io::detail {

/// Regular expression: characters, `.`, `[...]` with ranges and `^` for all others, each with or
/// without a `*` behind; `\\` before a character that means itself; `^` and `$` for the ends.
class MadxPattern {
 public:
  explicit MadxPattern(std::string_view pattern) {
    at_start_ = pattern.starts_with('^');
    if (at_start_) pattern.remove_prefix(1);
    at_end_ = pattern.ends_with('$') && !pattern.ends_with("\\$");
    if (at_end_) pattern.remove_suffix(1);
    for (std::size_t i = 0; i < pattern.size();) {
      const std::size_t n = add(pattern.substr(i));
      i += n;
      if (i < pattern.size() && pattern[i] == '*') items_.back().is_repeated = ++i > 0;
    }
  }

  /// Tells whether it is anywhere in a name.
  bool matches(std::string_view name) const {
    std::vector<bool> reached(items_.size() + 1, false);
    for (std::size_t i = 0;; ++i) {
      if (i == 0 || !at_start_) reached[0] = true;
      for (std::size_t k = 0; k < items_.size(); ++k)
        if (reached[k] && items_[k].is_repeated) reached[k + 1] = true;
      if (reached.back() && (!at_end_ || i == name.size())) return true;
      if (i == name.size()) return false;
      std::vector<bool> next(reached.size(), false);
      for (std::size_t k = 0; k < items_.size(); ++k)
        if (reached[k] && items_[k].takes(name[i])) next[items_[k].is_repeated ? k : k + 1] = true;
      reached = std::move(next);
    }
  }

 private:
  struct Item {
    std::vector<std::pair<char, char>> ranges{};  ///< of characters
    bool is_inverted = false;                     ///< any others
    bool is_repeated = false;

    bool takes(char c) const {
      bool is_in = false;
      for (const auto& [first, last] : ranges) is_in = is_in || (first <= c && c <= last);
      return is_in != is_inverted;
    }
  };

  /// Adds what a pattern begins with; returns its size.
  std::size_t add(std::string_view pattern) {
    const auto close = pattern.find(']', 2);
    if (pattern[0] == '[' && close != pattern.npos) {
      add_list(pattern.substr(1, close - 1));
      return close + 1;
    }
    const bool is_escaped = pattern[0] == '\\' && pattern.size() > 1;
    const char c = pattern[is_escaped ? 1 : 0];
    if (c == '.' && !is_escaped)
      items_.push_back({.is_inverted = true});
    else
      items_.push_back({.ranges = {{c, c}}});
    return is_escaped ? 2 : 1;
  }
  void add_list(std::string_view list) {
    Item item{.is_inverted = list[0] == '^'};
    if (item.is_inverted) list.remove_prefix(1);
    for (std::size_t i = 0; i < list.size(); ++i) {
      const bool is_range = i + 2 < list.size() && list[i + 1] == '-';
      item.ranges.emplace_back(list[i], list[is_range ? i + 2 : i]);
      if (is_range) i += 2;
    }
    items_.push_back(std::move(item));
  }

  std::vector<Item> items_;
  bool at_start_ = false, at_end_ = false;
};

}  // namespace trackplex::io::detail
