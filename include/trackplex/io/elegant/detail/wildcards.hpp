// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/io/detail/lattice_tokens.hpp>

#include <cstddef>
#include <string>
#include <string_view>

namespace trackplex::io::detail {

/// Tells whether a text is one of a pattern, in which `*` stands for any letters and `?` for one.
/// Upper and lower case are the same, unless case matters.
inline bool matches_wildcards(std::string_view pattern, std::string_view text,
                              bool case_matters = false) {
  const std::string p = case_matters ? std::string(pattern) : upper_case(pattern),
                    t = case_matters ? std::string(text) : upper_case(text);
  std::size_t star = p.npos, behind = 0;  // the last star, and what it reaches up to
  std::size_t i = 0, j = 0;
  while (j < t.size()) {
    if (i < p.size() && p[i] == '*') {
      star = i++;
      behind = j;
    } else if (i < p.size() && (p[i] == '?' || p[i] == t[j])) {
      ++i;
      ++j;
    } else if (star != p.npos) {
      i = star + 1;
      j = ++behind;
    } else {
      return false;
    }
  }
  return p.find_first_not_of('*', i) == p.npos;
}

}  // namespace trackplex::io::detail
