// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/core/shortest.hpp>

#include <charconv>
#include <string>

namespace trackplex {

TRACKPLEX_INLINE std::string shortest(double value) {
  char digits[32];
  return {digits, std::to_chars(digits, digits + sizeof digits, value).ptr};
}

}  // namespace trackplex
