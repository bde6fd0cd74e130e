// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

namespace svg_text {

inline std::size_t count(std::string_view text, std::string_view part) {
  std::size_t n = 0;
  for (auto at = text.find(part); at != text.npos; at = text.find(part, at + part.size())) ++n;
  return n;
}

/// Whether every element that is opened is closed again, in order, and every quote too.
inline bool is_well_formed(std::string_view text) {
  std::vector<std::string_view> open;
  while (true) {
    const auto begin = text.find('<');
    if (begin == text.npos) return open.empty();
    const auto end = text.find('>', begin);
    if (end == text.npos) return false;
    const auto tag = text.substr(begin + 1, end - begin - 1);
    text.remove_prefix(end + 1);
    if (tag.starts_with("?")) continue;
    if (count(tag, "\"") % 2 != 0 || tag.find('<') != tag.npos) return false;
    const auto name = tag.substr(0, tag.find_first_of(" /", 1));
    if (tag.starts_with("/")) {
      if (open.empty() || open.back() != tag.substr(1)) return false;
      open.pop_back();
    } else if (!tag.ends_with("/")) {
      open.push_back(name);
    }
  }
}

}  // namespace svg_text
