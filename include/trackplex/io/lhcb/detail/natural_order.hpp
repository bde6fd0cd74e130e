// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <algorithm>
#include <string_view>

namespace trackplex::io::detail {

/// Order of names in which runs of digits count as numbers of any length: event_2 < event_10. Names
/// that differ only in leading zeros fall back to plain order, so that the order is total.
inline bool natural_less(std::string_view a, std::string_view b) {
  const auto is_digit = [](char c) { return c >= '0' && c <= '9'; };
  const auto take_number = [&](std::string_view text, std::size_t& position) {
    while (position < text.size() && text[position] == '0') ++position;
    const std::size_t begin = position;
    while (position < text.size() && is_digit(text[position])) ++position;
    return text.substr(begin, position - begin);
  };
  std::size_t i = 0;
  std::size_t j = 0;
  while (i < a.size() && j < b.size()) {
    if (is_digit(a[i]) && is_digit(b[j])) {
      const std::string_view m = take_number(a, i);
      const std::string_view n = take_number(b, j);
      if (m.size() != n.size()) return m.size() < n.size();
      if (m != n) return m < n;
    } else {
      if (a[i] != b[j]) return a[i] < b[j];
      ++i;
      ++j;
    }
  }
  if ((i == a.size()) != (j == b.size())) return i == a.size();
  return a < b;
}

}  // namespace trackplex::io::detail
