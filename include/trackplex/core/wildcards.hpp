// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <string_view>

namespace trackplex {

/// Returns true if a text matches a pattern, in which `*` stands for any letters and `?` for one.
/// Upper and lower case of ASCII are the same, unless case matters.
inline bool matches_wildcards(std::string_view pattern, std::string_view text,
                              bool case_matters = false) {
  const auto folded = [&](char c) {
    return !case_matters && c >= 'a' && c <= 'z' ? char(c - 'a' + 'A') : c;
  };
  constexpr std::size_t none = std::string_view::npos;
  std::size_t star = none, behind = 0;  // the last star, and what it reaches up to
  std::size_t i = 0, j = 0;
  while (j < text.size()) {
    if (i < pattern.size() && pattern[i] == '*') {
      star = i++;
      behind = j;
    } else if (i < pattern.size() && (pattern[i] == '?' || folded(pattern[i]) == folded(text[j]))) {
      ++i;
      ++j;
    } else if (star != none) {
      i = star + 1;
      j = ++behind;
    } else {
      return false;
    }
  }
  return pattern.find_first_not_of('*', i) == none;
}

}  // namespace trackplex
