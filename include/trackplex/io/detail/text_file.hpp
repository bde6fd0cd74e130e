// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/core/error.hpp>
#include <trackplex/core/files.hpp>

#include <charconv>
#include <cmath>
#include <filesystem>
#include <string>
#include <type_traits>

namespace trackplex::io::detail {

using trackplex::make_folder;
using trackplex::write_file;

/// The bytes of a file.
inline std::string read_text_file(const std::filesystem::path& path) { return read_file(path); }

/// Appends the shortest decimal that reads back as the same number; `null` for NaN and inf.
template <class Number>
void append_number(std::string& text, Number value) {
  if constexpr (std::is_floating_point_v<Number>) {
    if (!std::isfinite(value)) {
      text.append("null");
      return;
    }
  }
  char digits[32];
  const auto end = std::to_chars(digits, digits + sizeof digits, value).ptr;
  text.append(digits, end);
}

/// The shortest decimal that reads back as the same number; nan and inf as words.
inline std::string shortest(double value) {
  char digits[32];
  return {digits, std::to_chars(digits, digits + sizeof digits, value).ptr};
}

}  // namespace trackplex::io::detail
