// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <charconv>
#include <string>

namespace trackplex {

/// Returns the shortest decimal that reads back as the same number, for messages; "nan" and "inf"
/// as words.
inline std::string shortest(double value) {
  char digits[32];
  return {digits, std::to_chars(digits, digits + sizeof digits, value).ptr};
}

}  // namespace trackplex
