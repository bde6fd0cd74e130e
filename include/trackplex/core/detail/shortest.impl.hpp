// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/core/shortest.hpp>

#include <charconv>
#include <string>

namespace trackplex {

namespace detail {
template <class T>
std::string shortest_digits(T value) {
  char digits[32];
  return {digits, std::to_chars(digits, digits + sizeof digits, value).ptr};
}
}  // namespace detail

TRACKPLEX_INLINE std::string shortest(double value) { return detail::shortest_digits(value); }
TRACKPLEX_INLINE std::string shortest(float value) { return detail::shortest_digits(value); }

}  // namespace trackplex
