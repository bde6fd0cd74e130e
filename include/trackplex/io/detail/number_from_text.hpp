// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <algorithm>
#include <charconv>
#include <concepts>
#include <string_view>
#include <system_error>

/// @file
/// Numbers in text files: decimal, independent of the locale, read alike by all readers.

#if defined(_LIBCPP_VERSION) && _LIBCPP_VERSION < 200000
#error \
    "Trackplex reads files with std::from_chars of floating-point numbers, which libc++ has from version 20 on: compile this source with a newer one, or with GNU's library."
#endif

namespace trackplex::io::detail {

/// Outcome of reading a text as a number of some type.
enum class NumberText {
  number,
  no_number,  ///< something else, or a number with something after it
  too_large,  ///< a number that exceeds the range of the type
};

/// Whether a decimal number, which the type cannot hold, is too large for it and not too small.
inline bool exceeds_one(std::string_view text) {
  const auto exponent_at = text.find_first_of("eE");
  const auto digits = text.substr(0, exponent_at);
  const auto first = digits.find_first_of("123456789");
  const auto point = std::min(digits.find('.'), digits.size());
  const long long place = static_cast<long long>(point) - static_cast<long long>(first);
  if (exponent_at == text.npos) return place > 0;
  auto exponent = text.substr(exponent_at + 1);
  if (exponent.starts_with('+')) exponent.remove_prefix(1);
  long long value = 0;
  const auto read = std::from_chars(exponent.data(), exponent.data() + exponent.size(), value);
  if (read.ec != std::errc()) return !exponent.starts_with('-');
  return value > -place;
}

/// Reads a text that is a number as a whole, after at most one sign, as std::from_chars does: a
/// number too small for a floating-point type is zero, as in readers of JSON. `value` stays as it
/// is where the text is no such number.
template <class Number>
NumberText number_from_text(std::string_view text, Number& value) {
  if (text.starts_with('+') && !text.starts_with("+-")) text.remove_prefix(1);
  Number result{};
  const char* const last = text.data() + text.size();
  const auto [end, error] = std::from_chars(text.data(), last, result);
  if (error == std::errc::invalid_argument || end != last) return NumberText::no_number;
  if (error != std::errc()) {
    if (!std::floating_point<Number> || exceeds_one(text)) return NumberText::too_large;
    if (text.starts_with('-')) result = -result;
  }
  value = result;
  return NumberText::number;
}

/// Returns the words that follow a refused text: "is no number", "is too large".
inline const char* problem_of(NumberText text) {
  return text == NumberText::too_large ? "is too large" : "is no number";
}

}  // namespace trackplex::io::detail
