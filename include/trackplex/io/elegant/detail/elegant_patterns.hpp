// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <algorithm>
#include <cstddef>
#include <string_view>

/// @file
/// Patterns of names in elegant's commands: `*` stands for any letters, `?` for one, `[abx-z]` for
/// one of these, `[^abc]` for one that is none of these, a backslash takes the next letter as it
/// is, and `^` at the begin makes the pattern that of all other names.

namespace trackplex::io::detail {

/// Whether a name is a pattern of several.
inline bool is_elegant_pattern(std::string_view name) {
  return name.find_first_of("*?[\\") != name.npos || name.starts_with('^');
}

/// Part of a pattern that stands for one letter.
class ElegantLetter {
 public:
  /// The part that begins at `at`, which is not the end of the pattern.
  ElegantLetter(std::string_view pattern, std::size_t at, bool case_matters)
      : case_matters_(case_matters) {
    const std::size_t close =
        pattern[at] == '[' ? pattern.find(']', at + 1) : std::string_view::npos;
    if (close != pattern.npos) {
      set_ = pattern.substr(at + 1, close - at - 1);
      is_set_ = true;
      end_ = close + 1;
      is_other_ = set_.size() > 1 && set_[0] == '^';
      if (is_other_) set_.remove_prefix(1);
    } else {
      is_any_ = pattern[at] == '?';
      if (pattern[at] == '\\' && at + 1 < pattern.size()) ++at;
      set_ = pattern.substr(at, 1);
      end_ = at + 1;
    }
  }

  /// Index of the next part.
  std::size_t end() const { return end_; }
  bool matches(char c) const {
    if (is_any_) return true;
    if (!is_set_) return folded(c) == folded(set_[0]);
    return is_in_set(c) != is_other_;
  }

 private:
  char folded(char c) const {
    return !case_matters_ && c >= 'a' && c <= 'z' ? char(c - 'a' + 'A') : c;
  }
  bool is_in_set(char c) const {
    for (std::size_t i = 0; i < set_.size(); ++i) {
      const bool is_range = i + 2 < set_.size() && set_[i + 1] == '-';
      const char first = folded(set_[i]), last = is_range ? folded(set_[i + 2]) : first;
      if (folded(c) >= first && folded(c) <= last) return true;
      if (is_range) i += 2;
    }
    return false;
  }

  std::string_view set_;
  std::size_t end_ = 0;
  bool is_any_ = false, is_set_ = false, is_other_ = false, case_matters_;
};

/// Returns true if a text matches a pattern. Upper and lower case of ASCII are the same, unless
/// case matters.
inline bool matches_elegant_pattern(std::string_view pattern, std::string_view text,
                                    bool case_matters = false) {
  if (pattern.size() > 1 && pattern[0] == '^')
    return !matches_elegant_pattern(pattern.substr(1), text, case_matters);
  constexpr std::size_t none = std::string_view::npos;
  std::size_t star = none, reached = 0;  // the last star, and what it reaches up to
  std::size_t i = 0, j = 0;
  while (j < text.size()) {
    if (i < pattern.size() && pattern[i] == '*') {
      star = i++;
      reached = j;
      continue;
    }
    if (i < pattern.size()) {
      const ElegantLetter letter(pattern, i, case_matters);
      if (letter.matches(text[j])) {
        i = letter.end();
        ++j;
        continue;
      }
    }
    if (star == none) return false;
    i = star + 1;
    j = ++reached;
  }
  return pattern.find_first_not_of('*', i) == none;
}

/// Returns true if a text matches one of several patterns, with blanks or commas between them.
inline bool matches_elegant_patterns(std::string_view patterns, std::string_view text) {
  constexpr std::string_view between = " \t,";
  for (std::size_t at = 0; (at = patterns.find_first_not_of(between, at)) != patterns.npos;) {
    const std::size_t end = std::min(patterns.find_first_of(between, at), patterns.size());
    if (matches_elegant_pattern(patterns.substr(at, end - at), text)) return true;
    at = end;
  }
  return false;
}

}  // namespace trackplex::io::detail
